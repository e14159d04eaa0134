"""Small pieces of HTML for notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

__all__ = ["beside", "details", "heading", "table"]


def heading(text: str) -> str:
    """A line in bold."""
    return f"<p><b>{escape(text)}</b></p>"


def table(rows: Iterable[Sequence[str]], head: Sequence[str] = ()) -> str:
    """A table of texts."""

    def row(cells: Sequence[str], tag: str) -> str:
        style = ' style="text-align:left"'
        return "<tr>" + "".join(f"<{tag}{style}>{escape(cell)}</{tag}>" for cell in cells) + "</tr>"

    return "<table>" + (row(head, "th") if head else "") + "".join(row(cells, "td") for cells in rows) + "</table>"


def beside(picture: str, text: str) -> str:
    """A picture with text at its side."""
    return f'<div style="display:flex;gap:2em;align-items:flex-start"><div>{picture}</div><div>{text}</div></div>'


def details(summary: str, content: str, *, open: bool = False) -> str:
    """A part that can be folded."""
    state = " open" if open else ""
    return f'<details{state} style="margin-left:1.2em"><summary>{summary}</summary>{content}</details>'
