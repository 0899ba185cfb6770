"""Players with faults, and oddities that are none."""

import sys
import time

from team.player import Player


class Illegal(Player):
    def action(self):
        return ("MOVE", ((0, 0), (0, 1)))


class OffTheBoard(Player):
    def action(self):
        return ("EXIT", (9, 9))


class Listing(Player):
    def action(self):
        kind, where = super().action()
        return [kind, where]


class Whispering(Player):
    def action(self):
        kind, where = super().action()
        return (kind.lower(), where)


class Nothing(Player):
    def action(self):
        pass


class Crashing(Player):
    def action(self):
        raise RuntimeError("I am lost")


class CrashingLater(Player):
    def update(self, colour, action):
        raise RuntimeError("I cannot follow")


class Looping(Player):
    def action(self):
        while True:
            time.sleep(1)


class Burning(Player):
    def action(self):
        while True:
            pass


class Hungry(Player):
    def action(self):
        self.much = b"x" * (200 << 20)
        time.sleep(600)


class Leaving(Player):
    def action(self):
        sys.exit()


class Printing(Player):
    def __init__(self, colour):
        super().__init__(colour)
        print('{"type": "move", "id": 3, "move": 1}')

    def action(self):
        print("I think.")
        assert sys.stdin.read() == ""
        return super().action()


class Almost(int):
    """A number that is no plain one, as NumPy's."""

    def __repr__(self):
        return f"almost {int(self)}"


class Odd(Player):
    def action(self):
        kind, where = super().action()
        if kind in ("MOVE", "JUMP"):
            where = tuple((Almost(q), float(r)) for q, r in where)
        return (kind, where)


class Recording(Player):
    """Writes down what it is told, into its working directory."""

    def update(self, colour, action):
        super().update(colour, action)
        with open(f"{self.colour}.txt", "a") as file:  # noqa: PTH123
            file.write(f"{(colour, action)!r}\n")


class Unmade(Player):
    def __init__(self):
        super().__init__("red")


class Forging(Player):
    """Changes what its process says of itself."""

    def __init__(self, colour):
        super().__init__(colour)
        main = sys.modules["__main__"]
        main.Course._count = lambda side, deed: (deed(), {"used": {"seconds": 0.0}})
