"""Pig oracle: a slow, plain twin of the rules, written from the rules in prose alone."""


class Oracle:
    """One game; `turn` is a seat, "chance" or None."""

    def __init__(self, seats: int, target: int):
        self.scores, self.target, self.pot, self.turn, self.roller = [0] * seats, target, [], 0, 0

    def moves(self):
        """Return the texts of what may happen."""
        if self.turn is None:
            return set()
        return {f"rolls {side}" for side in range(1, 7)} if self.turn == "chance" else {"roll", "hold"}

    def play(self, text):
        """Do what a text says."""
        if text not in self.moves():
            raise ValueError(text)
        if text == "roll":
            self.turn = "chance"
        elif text == "hold" or text == "rolls 1":
            self.scores[self.roller] += sum(self.pot) if text == "hold" else 0
            self.pot, self.roller = [], (self.roller + 1) % len(self.scores)
            self.turn = self.roller
        else:
            self.pot.append(int(text.split()[1]))
            done = self.scores[self.roller] + sum(self.pot) >= self.target
            self.turn = None if done else self.roller

    def payoff(self):
        """Return what each seat earned."""
        return [float(seat == self.roller) for seat in range(len(self.scores))]
