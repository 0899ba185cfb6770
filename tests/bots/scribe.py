"""A bot that plays its first legal move and writes down what it is told; its words are a file and what it wants."""

import json
import sys
from pathlib import Path

path, *wants = sys.argv[1:]
with Path(path).open("a") as notes:
    for line in sys.stdin:
        notes.write(line)
        notes.flush()
        message = json.loads(line)
        answer = {"id": message.get("id"), "type": "ok"}
        if message["type"] == "quit":
            break
        if message["type"] == "hello":
            answer |= {"type": "ready", "wants": wants}
        elif message["type"] == "decide":
            answer |= {"type": "move", "move": message["moves"][0]}
        print(json.dumps(answer), flush=True)
