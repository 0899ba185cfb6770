"""Trees are not drawn."""


def text(view) -> str:
    """Return the depth."""
    return f"depth {view[2]}"
