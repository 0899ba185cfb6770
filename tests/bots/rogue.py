"""A bot that misbehaves in the way its first argument names; the second is a mark to find its processes by."""

import json
import os
import signal
import sys
import time

HOW = sys.argv[1] if __name__ == "__main__" else ""
OUT = sys.stdout
SHARED = bytearray()


def say(**message):
    OUT.write(json.dumps(message) + "\n")
    OUT.flush()


def raw(data):
    OUT.flush()
    os.write(1, data)


def forever():
    while True:
        time.sleep(3600)


def escape():
    """Leave a grandchild in a session of its own."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            forever()
        os._exit(0)
    os.wait()


def flood(data):
    while True:
        os.write(1, data)


def eat():
    held = []
    while True:
        held.append(b"x" * (8 << 20))


def hoard(where):
    """Hold many files in memory, each smaller than what one may be."""
    held = []
    while True:
        held.append(os.memfd_create("hoard") if where == "memfd" else nameless(f"{where}/hoard-{os.getpid()}"))
        try:
            os.write(held[-1], b"x" * (8 << 20))
        except OSError:  # there is no more
            forever()
        time.sleep(0.01)


def nameless(path):
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT)
    os.unlink(path)  # noqa: PTH108
    return descriptor


def burn_in_children():
    """Use the processor in children that nobody waits for."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while True:
        read, write = os.pipe()
        if os.fork() == 0:
            while time.process_time() < 0.4:
                pass
            os._exit(0)
        os.close(write)
        os.read(read, 1)
        os.close(read)


def burn_elsewhere():
    """Use the processor in a grandchild that has left our session and has lost its parent."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            burn()
        os._exit(0)
    os.wait()
    forever()


def kill_launcher(number):
    """Leave a grandchild in a session of its own, and end or stop who watches over us."""
    escape()
    os.kill(os.getppid(), number)
    forever()


def hold_in_noise():
    """Hold much memory while somebody wakes the launcher again and again."""
    signal_launcher(signal.SIGCHLD, every=0.01)
    held = b"x" * (100 << 20)
    forever()
    return held


def signal_launcher(number, every):
    launcher = os.getppid()
    if os.fork() == 0:
        while True:
            os.kill(launcher, number)
            time.sleep(every)


def share():
    """Let children read what we hold, which takes no more memory."""
    if SHARED:
        return
    SHARED.extend(bytes(60 << 20))
    for _ in range(4):
        if os.fork() == 0:
            sum(SHARED[::4096])
            forever()
    time.sleep(0.4)


def multiply():
    for _ in range(200):
        if os.fork() == 0:
            forever()
    forever()


def close(*descriptors):
    for descriptor in descriptors:
        os.close(descriptor)
    forever()


def burn():
    while True:
        pass


NONSENSE = {
    "brace": b"{\n",
    "unknown": b'{"type": "dance", "id": 3}\n',
    "typeless": b'{"id": 3, "move": 1}\n',
    "no id": b'{"type": "move", "move": 1}\n',
    "word id": b'{"type": "move", "id": "three", "move": 1}\n',
    "latin": b'{"type": "move", "id": 3, "text": "\xe9\xff"}\n',
    "deep": b'{"a":' * 50_000 + b"\n",
    "true": b'{"type": "move", "id": 3, "move": true}\n',
    "half": b'{"type": "move", "id": 3.5, "move": 1}\n',
    "two in a line": b'{"type": "ok", "id": 3}{"type": "ok", "id": 3}\n',
    "nul": b'{"type": "move", "id": 3, "move": 1}\x00\n',
    "future": b'{"type": "move", "id": 999, "move": 1}\n',
    "not a move": b'{"type": "ok", "id": 3}\n',
    "no move": b'{"type": "move", "id": 3}\n',
    "values": b'{"type": "move", "id": 3, "move": 0, "values": [1.0, 2.0, 3.0, 4.0, 5.0]}\n',
    "no such world": b'{"type": "simulate", "runs": [{"world": 5}]}\n',
    "too many worlds": b'{"type": "guess", "count": 1000000000}\n',
    "no worlds": b'{"type": "guess", "count": 0}\n',
    "no such policy": b'{"type": "guess"}\n{"type": "playout", "runs": [{"world": 0, "policy": "best"}]}\n',
}
ILLEGAL = {
    "999": b'{"type": "move", "id": 3, "move": 999}\n',
    "negative": b'{"type": "move", "id": 3, "move": -1}\n',
    "huge": b'{"type": "move", "id": 3, "move": ' + b"9" * 3000 + b"}\n",
    "text": b'{"type": "move", "id": 3, "text": "over there"}\n',
}
AT_DECIDE = {
    "hang": forever,
    "flood": lambda: flood((b"noise " * 100 + b"\n") * 10),
    "flood without newline": lambda: flood(b"noise " * 1000),
    "flood of messages": lambda: flood(b'{"type": "move", "id": 1, "move": 1}\n' * 100),
    "huge line": lambda: raw(b"{" + b" " * (3 << 20) + b"}\n"),
    "crash": lambda: sys.exit("I am lost"),
    "exit": lambda: os._exit(0),
    "kill": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "segfault": lambda: os.kill(os.getpid(), signal.SIGSEGV),
    "close output": lambda: close(1),
    "close all": lambda: close(0, 1, 2),
    "eat": eat,
    "hoard": lambda: hoard("memfd"),
    "hoard in /dev/shm": lambda: hoard("/dev/shm"),
    "multiply": multiply,
    "burn": burn,
    "burn in children": burn_in_children,
    "burn elsewhere": burn_elsewhere,
    "hold in noise": hold_in_noise,
    "share": share,
    "write to the terminal": lambda: sys.exit("\x1b[2J\x07"),
    "keep the launcher stopped": lambda: (signal_launcher(signal.SIGSTOP, every=0.001), forever()),
    "kill the launcher": lambda: kill_launcher(signal.SIGKILL),
    "stop the launcher": lambda: kill_launcher(signal.SIGSTOP),
    "unended": lambda: (raw(b'{"type": "move", "id": 3, "move": 0}'), forever()),
    "escape and crash": lambda: (escape(), os._exit(3)),
}


def misbehave(message):
    """Do what is to be done at a decision; return whether a proper answer follows."""
    if HOW in NONSENSE or HOW in ILLEGAL:
        raw({**NONSENSE, **ILLEGAL}[HOW].replace(b'"id": 3', b'"id": %d' % message["id"]))
        return False
    if HOW in AT_DECIDE:
        AT_DECIDE[HOW]()
    elif HOW == "stale":
        say(type="move", id=message["id"] - 1, move=999)
    elif HOW == "early":
        answers = [{"type": "move", "id": message["id"] + more, "move": message["moves"][0]} for more in range(2)]
        raw("".join(json.dumps(answer) + "\n" for answer in answers).encode())
        return False
    elif HOW == "chatter":
        raw(b"thinking hard\r\n\r\n[1, 2]\n\xff\xfe\n")
    elif HOW == "shout":
        os.write(2, b"look at me " * 100_000)
    elif HOW == "escape":
        escape()
    return True


def main():
    if HOW == "exit at once":
        return
    if HOW == "never reads":
        forever()
    if HOW == "stubborn":
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
    for line in sys.stdin:
        message = json.loads(line)
        stage = message["type"]
        if f"crash at {stage}" == HOW:
            raise ZeroDivisionError("oh dear")
        if f"hang at {stage}" == HOW:
            forever()
        if stage == "hello":
            odd = {"wrong protocol": {"protocol": 7}, "odd wants": {"wants": ["gold"]}, "odd games": {"games": ["go"]}}
            say(type="ready", id=message["id"], name=HOW, **odd.get(HOW, {}))
        elif stage in ("new", "end"):
            say(type="ok", id=message["id"])
        elif stage == "decide" and misbehave(message):
            say(type="move", id=message["id"], move=message["moves"][0], extra={"ignored": True})
            if HOW == "twice":
                say(type="move", id=message["id"], move=message["moves"][-1])
        elif stage == "quit" and HOW != "stubborn":
            return
    if HOW == "stubborn":
        forever()


if __name__ == "__main__":
    main()
