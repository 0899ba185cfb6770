"""A script for AIBase that is illegal."""

from faulty import play

if __name__ == "__main__":
    play("illegal")
