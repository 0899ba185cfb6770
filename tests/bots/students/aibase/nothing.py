"""A script for AIBase that is nothing."""

from faulty import play

if __name__ == "__main__":
    play("nothing")
