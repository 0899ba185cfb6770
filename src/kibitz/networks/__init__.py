"""Networks and opening books: plain data that compiled search runs."""
