"""Plugins that ship with Kibitz; each registers itself by entry points, as any other package would."""
