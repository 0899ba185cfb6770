"""Opening books: what is kept, what is played, and what is refused."""

import numpy as np
import pytest

from kibitz import agents, games
from kibitz.core.errors import BadValue
from kibitz.core.table import Table
from kibitz.games.quarto.symmetries import RENAMINGS, SYMMETRIES
from kibitz.learn.book_making import make_book
from kibitz.networks.opening_book import as_bytes, find_book, new_book, normal_form, read_book

QUARTO = games.find("quarto")


def after(*moves):
    """Return a view of Quarto after some moves."""
    table = Table(QUARTO, 1)
    for move in moves:
        table.play(move)
    return table.view(table.turn)


def legal_after(*moves):
    """Return the legal moves after some moves."""
    return agents.build("random", QUARTO, 1).legal(after(*moves))


def make(path, number=3, **changes):
    """Make a small book, or go on with one."""
    given = {"plies": 3, "explore": 0.5, "seed": 4, **changes}
    return list(make_book(QUARTO, "novice", number, given["plies"], given["explore"], path, given["seed"]))


def test_a_book_holds_what_was_chosen_and_goes_on_where_it_was(tmp_path):
    whole, parts = tmp_path / "whole.npz", tmp_path / "parts.npz"
    assert make(whole)[-1].choices == 9
    make(parts, 1)
    assert [progress.games for progress in make(parts, 2)] == [2]
    assert read_book(whole).about.made["games"] == 3
    assert as_bytes(read_book(whole)) == whole.read_bytes()
    assert make(whole) == []
    with pytest.raises(BadValue, match="begun with plies=3, not 4"):
        make(whole, plies=4)
    book = read_book(whole)
    book.about.made["games"] = "x"
    whole.write_bytes(as_bytes(book))
    with pytest.raises(BadValue, match="does not say how many games"):
        make(whole)


def test_an_agent_with_a_book_plays_its_move_and_elsewhere_its_own(tmp_path):
    book = new_book(QUARTO, {}, {})
    view = after(3)
    position, rename = normal_form(QUARTO, view)
    book.add(position, rename(5), 0.25)
    path = tmp_path / "one.npz"
    path.write_bytes(as_bytes(book))
    mind = agents.build(f"novice(book={path})", QUARTO, 1)
    found = mind.decide(view)
    assert find_book(QUARTO, str(path)).rows[position].keys() == {rename(found.move)}
    assert "chosen 1 times" in found.why
    assert mind.decide(after(3, 0)).why == ""
    assert mind.policy is None


@pytest.mark.parametrize("moves", [(3,), (3, 0), (3, 0, 5, 9), (7, 1, 2, 6, 8, 11, 4)])
def test_mirror_images_share_rows_and_moves(moves):
    symmetry, renaming = SYMMETRIES[13], RENAMINGS[200]
    images = [int(symmetry[move]) if ply % 2 else int(renaming[move]) for ply, move in enumerate(moves)]
    (position, rename), (other, other_rename) = (normal_form(QUARTO, after(*one)) for one in (moves, images))
    assert position == other
    named = {other_rename(move): move for move in legal_after(*images)}
    for move in legal_after(*moves):
        there, here = after(*images, named[rename(move)]), after(*moves, move)
        assert normal_form(QUARTO, there)[0] == normal_form(QUARTO, here)[0]


@pytest.mark.parametrize(
    ("content", "words"),
    [(b"nonsense", "is not a book, or it was cut short"), (None, "there is no book at")],
)
def test_a_bad_file_gets_a_sentence(tmp_path, content, words):
    path = tmp_path / "bad.npz"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(BadValue, match=words):
        agents.build(f"random(book={path})", QUARTO, 1)


def test_a_book_of_other_options_is_neither_used_nor_gone_on_with(tmp_path):
    path, squares = tmp_path / "book.npz", games.find("quarto(squares=true)")
    make(path)
    with pytest.raises(BadValue, match="is for quarto with squares=False, and this has squares=True"):
        agents.build(f"random(book={path})", squares, 1)
    with pytest.raises(BadValue, match="was begun with squares=False, not True; choose another name for a new book"):
        list(make_book(squares, "novice", 4, 3, 0.5, path, 4))


def test_books_of_other_games_and_damaged_ones_are_refused(tmp_path):
    path = tmp_path / "book.npz"
    make(path)
    with pytest.raises(BadValue, match="is for quarto, version 1, with 2 seats, and this is chexers"):
        agents.build(f"random(book={path})", games.find("chexers"), 1)
    with np.load(path) as stored:
        np.savez(path, **{**{name: stored[name] for name in stored.files}, "counts": stored["counts"] + np.int32(1)})
    with pytest.raises(BadValue, match="is damaged"):
        agents.build(f"random(book={path})", QUARTO, 1)
    with pytest.raises(BadValue, match="has no book 'mine'"):
        agents.build("random(book=mine)", QUARTO, 1)
