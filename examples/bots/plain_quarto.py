"""A Quarto program that plays through plain lines: it places in the first free cell and hands on the first piece."""

import sys

PIECES = [a + b + c + d for a in "WB" for b in "ST" for c in "QR" for d in "HS"]
CELLS = [column + row for row in "1234" for column in "abcd"]

for line in sys.stdin:
    words = line.split()
    if words[0] == "new":
        free = [cell for cell in CELLS if cell not in words]
        left = [piece for piece in PIECES if piece not in words]
        if words[1] == "first":
            print(left.pop(0), flush=True)
    elif words[0] not in ("end", "quit"):
        *theirs, piece = words
        free = [cell for cell in free if cell not in theirs]
        left.remove(piece)
        print(free.pop(0), left.pop(0) if left else "", flush=True)
