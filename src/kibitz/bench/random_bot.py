"""The random bot that is measured: it plays a random legal move."""

import json
import random
import sys

for line in sys.stdin:
    message = json.loads(line)
    answer = {"id": message.get("id")}
    if message["type"] == "decide":
        answer |= {"type": "move", "move": random.choice(message["moves"])}
    elif message["type"] == "hello":
        answer |= {"type": "ready", "wants": sys.argv[1:] or ["moves"]}
    elif message["type"] in ("new", "end"):
        answer["type"] = "ok"
    else:
        break
    print(json.dumps(answer), flush=True)
