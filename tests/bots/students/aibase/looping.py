"""A script for AIBase that is looping."""

from faulty import play

if __name__ == "__main__":
    play("looping")
