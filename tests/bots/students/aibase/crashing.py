"""A script for AIBase that is crashing."""

from faulty import play

if __name__ == "__main__":
    play("crashing")
