"""A script for AIBase that is impossible."""

from faulty import play

if __name__ == "__main__":
    play("impossible")
