"""Games that other systems have, too, for comparing speeds."""
