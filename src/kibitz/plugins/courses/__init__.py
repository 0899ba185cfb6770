"""Players and referees of others: COMP30024 (Chexers), Torino and plain lines (Quarto), a thesis (Colonizers)."""
