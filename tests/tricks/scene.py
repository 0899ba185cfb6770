"""The picture of Tricks."""

from kibitz.scenes import Cards, Hands, Prompt, Scores, french_cards

PACK = french_cards(ranks="6789TJQKA", suits="♣♦♠")
SCENE = [
    Cards("TRICK", PACK, owners=True, title="on the table"),
    Scores("TAKEN", "tricks"),
    Hands("HAND", PACK, bits=True, counts="LEFT", moves="card"),
    Prompt("Play a card; follow suit if you can"),
]
