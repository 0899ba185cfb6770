"""A script for AIBase that is invented."""

from faulty import play

if __name__ == "__main__":
    play("invented")
