"""Write golden files anew: python -m tests.golden GAME…"""

import sys

from kibitz import games
from tests.golden import files

for game in sys.argv[1:] or games.names():
    for path, content in files(game).items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
        print(f"wrote {path}")
