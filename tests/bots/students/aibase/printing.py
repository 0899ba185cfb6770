"""A script for AIBase that is printing."""

from faulty import play

if __name__ == "__main__":
    play("printing")
