"""The subtractive generator of .NET's System.Random with a seed (Knuth, volume 2, section 3.2.2, as in ran3)."""

from typing import Any

_MODULUS = 2**31 - 1
_SEED = 161_803_398
_LAGS = 55
_DISTANCE = 21  # between the two entries that are subtracted
_STRIDE = 21  # in which the entries are filled
_SPREAD = 31  # the distance at which they are mixed
_ROUNDS = 4


class Subtractive:
    """Random numbers as .NET makes them from a seed."""

    def __init__(self, seed: int):
        entries = [0] * (_LAGS + 1)  # the first stays unused
        last, following = _SEED - abs(seed), 1
        entries[_LAGS] = last
        for i in range(1, _LAGS):
            at = _STRIDE * i % _LAGS
            entries[at] = following
            last, following = following, (last - following) % _MODULUS
        for _ in range(_ROUNDS):
            for i in range(1, _LAGS + 1):
                entries[i] = (entries[i] - entries[1 + (i + _SPREAD - 1) % _LAGS]) % _MODULUS
        self._entries = entries
        self._at, self._behind = 0, _DISTANCE

    def below(self, n: int) -> int:
        """Return a number from 0 to n - 1, as Next(n) does."""
        self._at = self._at % _LAGS + 1
        self._behind = self._behind % _LAGS + 1
        number = (self._entries[self._at] - self._entries[self._behind]) % _MODULUS
        self._entries[self._at] = number
        return int(number * (1.0 / _MODULUS) * n)

    def shuffle(self, entries: list[Any]) -> None:
        """Shuffle in place: each entry, from the last to the second, changes places with one at or before it."""
        for i in range(len(entries) - 1, 0, -1):
            other = self.below(i + 1)
            entries[i], entries[other] = entries[other], entries[i]
