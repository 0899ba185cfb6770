"""Write golden files anew: python -m tests.golden GAME…"""

import sys

from kibitz import games
from tests.golden import files, files_of_tests

made = [files(game) for game in sys.argv[1:] or games.names()]
for found in made if sys.argv[1:] else [*made, files_of_tests()]:
    for path, content in found.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
        print(f"wrote {path}")
