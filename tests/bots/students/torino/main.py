"""Players of the Torino course, with and without faults."""

import copy
import random
import time

import numpy as np
import quarto


class RandomPlayer(quarto.Player):
    """Chooses at random, also what does not fit; the course asks again."""

    def __init__(self, quarto: quarto.Quarto) -> None:
        super().__init__(quarto)

    def choose_piece(self):
        return random.randint(0, 15)

    def place_piece(self):
        return random.randint(0, 3), random.randint(0, 3)


class Player(quarto.Player):
    """Tries every cell on a copy of the game, and looks at what the course meant to be private."""

    def choose_piece(self):
        game = self.get_game()
        print(game.get_board_status())
        return next(piece for piece in range(16) if piece not in game._board)

    def place_piece(self):
        game = copy.deepcopy(self._Player__quarto)
        assert game.get_selected_piece() == game._Quarto__selected_piece_index >= 0
        assert game._Quarto__board is game._board
        cells = [(x, y) for y, x in np.argwhere(game.get_board_status() == -1)]
        assert all(game._Quarto__placeable(*cell) for cell in cells)
        for x, y in cells:
            assert game.place(x, y)
            if game.check_winner() == game.get_current_player():
                return x, y
            game._board[y, x] = -1
        return cells[0]


class Stubborn(RandomPlayer):
    def choose_piece(self):
        return 99


class Crashing(RandomPlayer):
    def choose_piece(self):
        raise RuntimeError("I am lost")


class Looping(RandomPlayer):
    def choose_piece(self):
        while True:
            pass


class SlowToMake(RandomPlayer):
    def __init__(self, quarto):
        while True:
            pass


class Resting(RandomPlayer):
    def choose_piece(self):
        time.sleep(0.2)
        return super().choose_piece()


class Tuned(RandomPlayer):
    """Is made with more than the game."""

    def __init__(self, quarto, depth, name="", weights=()):
        super().__init__(quarto)
        assert (depth, name, weights) == (3, "x y", [1, -2.5])
