"""Markup: HTML and SVG as trees, so that every text is escaped and every tag is closed."""

from collections.abc import Iterable
from typing import Any
from xml.etree.ElementTree import Element, tostring


def tag(name: str, /, *children: Any, **attributes: Any) -> Element:
    """Return an element; children are elements, texts, None or lists of them, attributes such as `class_="note"`."""
    named = {key.rstrip("_").replace("_", "-"): plain(str(value)) for key, value in attributes.items()}
    element = Element(name, named)
    for child in children:
        _append(element, child)
    return element


def document(root: Element) -> str:
    """Return a whole page as text."""
    return f"<!DOCTYPE html>\n{tostring(root, encoding='unicode', method='html')}\n"


def plain(text: str) -> str:
    """Return a text that can be encoded: names of files may hold bytes that are not characters."""
    return text.encode("utf-8", "replace").decode()


def _append(element: Element, child: Any) -> None:
    if child is None:
        return
    if isinstance(child, Element):
        element.append(child)
    elif isinstance(child, str):
        _append_text(element, plain(child))
    elif isinstance(child, Iterable):
        for one in child:
            _append(element, one)
    else:
        _append_text(element, str(child))


def _append_text(element: Element, text: str) -> None:
    if len(element):
        element[-1].tail = (element[-1].tail or "") + text
    else:
        element.text = (element.text or "") + text
