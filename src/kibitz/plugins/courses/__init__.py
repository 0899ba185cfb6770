"""Players and referees of other courses: COMP30024 (Chexers), Torino and plain lines (Quarto)."""
