"""Trees are not drawn."""


def text(view) -> str:
    """Return the choices so far."""
    return f"path {view[0]}"
