"""What boards in text have in common."""

from kibitz.core.scene import TEXT_WIDTH, listed


def test_a_long_list_goes_on_in_further_lines_with_no_item_torn_apart():
    items = [f"item number {n}" for n in range(20)]
    lines = listed("  deck: ", items).split("\n")
    assert len(lines) > 1
    assert max(map(len, lines)) <= TEXT_WIDTH
    assert all(line.startswith("      item number ") for line in lines[1:])
    assert ", ".join(line.strip().rstrip(",") for line in lines) == f"deck: {', '.join(items)}"


def test_a_list_of_nothing_is_its_lead():
    assert listed("  deck: 3 cards", []) == "  deck: 3 cards"
