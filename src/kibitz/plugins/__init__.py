"""Plugins that come in the same package: each registers itself by entry points, as one of anybody else's would."""
