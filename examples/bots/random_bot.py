"""A bot that plays any game at random; try it: kibitz match quarto "bot(cmd='python3 random_bot.py')" novice"""

import json
import random
import sys


def say(**message):
    """Write one message; flush, or the referee waits in vain."""
    print(json.dumps(message), flush=True)


for line in sys.stdin:
    message = json.loads(line)
    match message["type"]:
        case "hello":
            say(type="ready", id=message["id"], name="random", wants=["moves"])
        case "new":
            random.seed(message["seed"])
            say(type="ok", id=message["id"])
        case "decide":
            say(type="move", id=message["id"], move=random.choice(message["moves"]))
        case "end":
            say(type="ok", id=message["id"])
        case "quit":
            break
