"""The game object, its pieces and the class of players.

Players also use what the course meant to be private, so private names are the course's too.
"""

import numpy as np

HIGH, COLOURED, SOLID, SQUARE = 8, 4, 2, 1
EMPTY = -1


class Player:
    """What a player of the course inherits."""

    def __init__(self, quarto):
        self.__quarto = quarto

    def choose_piece(self):
        """Return the number of the piece that the other is to place."""

    def place_piece(self):
        """Return the (column, row) for the selected piece."""

    def get_game(self):
        """Return the game object."""
        return self.__quarto


class Piece:
    """A piece by its four characteristics."""

    def __init__(self, high, coloured, solid, square):
        self.HIGH, self.COLOURED, self.SOLID, self.SQUARE = high, coloured, solid, square
        self.binary = [int(each) for each in (high, coloured, solid, square)]


def _lines():
    """Return the ten lines, each as rows and columns of its cells."""
    across = range(4)
    straight = [([i] * 4, list(across)) for i in across] + [(list(across), [i] * 4) for i in across]
    return [*straight, (list(across), list(across)), (list(across), list(reversed(across)))]


ROWS, COLUMNS, DIAGONALS = _lines()[:4], _lines()[4:8], _lines()[8:]


class Quarto:
    """A game: the board, the selected piece and whose turn it is."""

    MAX_PLAYERS = 2
    BOARD_SIDE = 4

    def __init__(self):
        self.__players = ()
        self.reset()

    def reset(self):
        """Begin anew."""
        side = self.BOARD_SIDE
        self._board = np.full((side, side), EMPTY, dtype=int)
        self._binary_board = np.full((side, side, 4), np.nan)
        self.__pieces = [
            Piece(*(bool(number & bit) for bit in (HIGH, COLOURED, SOLID, SQUARE))) for number in range(side * side)
        ]
        self._current_player = 0
        self.__selected_piece_index = EMPTY

    def set_players(self, players):
        """Seat two players, for run."""
        self.__players = players

    def get_current_player(self):
        """Return whose turn it is, 0 or 1."""
        return self._current_player

    def select(self, pieceIndex):
        """Select a piece that is not on the board; return whether that could be done."""
        if pieceIndex in self._board:
            return False
        self.__selected_piece_index = pieceIndex
        return True

    def place(self, x, y):
        """Place the selected piece in column x and row y; return whether that could be done."""
        if not self.__placeable(x, y):
            return False
        self._board[y, x] = self.__selected_piece_index
        self._binary_board[y, x] = self.__pieces[self.__selected_piece_index].binary
        return True

    def get_piece_charachteristics(self, index):
        """Return a copy of a piece."""
        return Piece(*map(bool, self.__pieces[index].binary))

    def get_board_status(self):
        """Return a copy of the board, [row][column], with -1 where it is empty."""
        return self._board.copy()

    def get_selected_piece(self):
        """Return the number of the selected piece, -1 before the first."""
        return self.__selected_piece_index

    def check_winner(self):
        """Return the player whose turn it is if there is a line, else -1."""
        return max(self.__check_horizontal(), self.__check_vertical(), self.__check_diagonal())

    def check_finished(self):
        """Return whether the board is full."""
        return EMPTY not in self._board

    def print(self):
        """Print the board and the selected piece."""
        print("\n".join(" ".join(f"{piece:3}" for piece in row) for row in self._board))
        print(f"selected piece: {self.__selected_piece_index}\n")

    def run(self):
        """Let the two players play to the end; return the winner, or -1."""
        winner = -1
        while winner < 0 and not self.check_finished():
            while not self.select(self.__players[self._current_player].choose_piece()):
                pass
            self._current_player = (self._current_player + 1) % self.MAX_PLAYERS
            while not self.place(*self.__players[self._current_player].place_piece()):
                pass
            winner = self.check_winner()
        return winner

    def __placeable(self, x, y):
        return 0 <= x < self.BOARD_SIDE and 0 <= y < self.BOARD_SIDE and self._board[y, x] == EMPTY

    def __check_horizontal(self):
        return self.__winner_of(ROWS)

    def __check_vertical(self):
        return self.__winner_of(COLUMNS)

    def __check_diagonal(self):
        return self.__winner_of(DIAGONALS)

    def __winner_of(self, lines):
        for line in lines:
            pieces = self._board[line]
            if EMPTY not in pieces and (np.bitwise_and.reduce(pieces) or np.bitwise_and.reduce(15 ^ pieces)):
                return self._current_player
        return -1


def _same_as(name):
    """Return a property that is another name of an attribute."""
    return property(lambda game: getattr(game, name), lambda game, value: setattr(game, name, value))


for _name in ("board", "binary_board", "current_player"):  # in some years they had two underscores
    setattr(Quarto, f"_Quarto__{_name}", _same_as(f"_{_name}"))
