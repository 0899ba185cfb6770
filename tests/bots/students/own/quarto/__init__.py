"""A game object of the student's own, which shouts."""


class Player:
    def __init__(self, quarto):
        self.quarto = quarto


class Quarto:
    SHOUTS = True

    def __init__(self):
        self.cells, self.piece = {}, -1

    def select(self, piece):
        self.piece = piece
        return True

    def place(self, x, y):
        self.cells[x, y] = self.piece
        return True
