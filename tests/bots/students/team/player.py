"""A player that exits if it can, and else goes where its exits are nearest."""

STARTS = {
    "red": [(-3, 3), (-3, 2), (-3, 1), (-3, 0)],
    "green": [(0, -3), (1, -3), (2, -3), (3, -3)],
    "blue": [(3, 0), (2, 1), (1, 2), (0, 3)],
}
EXITS = {
    "red": [(3, -3), (3, -2), (3, -1), (3, 0)],
    "green": [(-3, 3), (-2, 3), (-1, 3), (0, 3)],
    "blue": [(-3, 0), (-2, -1), (-1, -2), (0, -3)],
}
STEPS = [(-1, 0), (0, -1), (1, -1), (1, 0), (0, 1), (-1, 1)]
HEXES = {(q, r) for q in range(-3, 4) for r in range(-3, 4) if -3 <= -q - r <= 3}


def apart(one, other):
    dq, dr = one[0] - other[0], one[1] - other[1]
    return max(abs(dq), abs(dr), abs(dq + dr))


class Player:
    def __init__(self, colour):
        self.colour = colour
        self.board = {place: owner for owner, places in STARTS.items() for place in places}

    def action(self):
        found = []
        for q, r in (place for place, owner in self.board.items() if owner == self.colour):
            if (q, r) in EXITS[self.colour]:
                return ("EXIT", (q, r))
            for dq, dr in STEPS:
                near, far = (q + dq, r + dr), (q + 2 * dq, r + 2 * dr)
                kind, goal = ("JUMP", far) if near in self.board else ("MOVE", near)
                if goal in HEXES and goal not in self.board:
                    found.append((min(apart(goal, place) for place in EXITS[self.colour]), kind, ((q, r), goal)))
        return min(found)[1:] if found else ("PASS", None)

    def update(self, colour, action):
        kind, where = action
        if kind == "EXIT":
            del self.board[where]
        elif kind != "PASS":
            start, goal = where
            del self.board[start]
            self.board[goal] = colour
            if kind == "JUMP":
                self.board[(start[0] + goal[0]) // 2, (start[1] + goal[1]) // 2] = colour
