"""What is played: the plan, the seatings of its scheme, and the fixtures they give."""
