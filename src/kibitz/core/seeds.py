"""Seeds by name: all streams of random numbers.

A game, a match or an analysis has one seed. All its random numbers come from streams with names: the deal, the
opening, every agent, hints. The seed of a stream is a keyed hash (BLAKE2), so that none can be computed from another:
an agent that knows its own seed learns nothing about the deal.
"""

import secrets
from hashlib import blake2b

SEED_BITS = 64
PROGRAM_BITS = 53  # whole numbers that JavaScript and signed integers represent exactly
_BYTES = SEED_BITS // 8
_PROGRAM = b"kibitz program"  # sets this hash apart from others

DEAL = "deal"  # of a block of games
ROLL = "roll"  # the outcomes of chance in a game
OPENING = "opening"  # random moves before the agents take over
MIND = "mind"  # the dice of an agent in a game
WARM_UP = "warm-up"  # positions that agents warm up on, never those of a game that they play
HINT = "hint"  # the adviser of a person at a table
ANALYSIS = "analysis"  # the agent that looks at a position
POSITION = "position"  # random moves to a position that a user asks for
VARIANT = "variant"  # the games of a variant that is compared with others
TRIAL = "trial"  # the games of a trial of an experiment
LEARN = "learn"  # the first weights of a network, and the games that teach it
NAMES = (DEAL, OPENING, MIND, WARM_UP, HINT, ANALYSIS, POSITION, VARIANT, TRIAL, LEARN, ROLL)


def secret_seed() -> int:
    """Return a seed from the system that nobody can guess."""
    return secrets.randbits(SEED_BITS)


def seed_for_program(seed: int) -> int:
    """Return the seed that a program is told, from which neither this seed nor any other can be computed."""
    digest = blake2b(seed.to_bytes((seed.bit_length() + 8) // 8, "little", signed=True), person=_PROGRAM).digest()
    return int.from_bytes(digest, "little") % 2**PROGRAM_BITS


def derive_seed(seed: int, name: str, *numbers: int) -> int:
    """Return the seed of a named stream; `numbers` tell streams of the same name apart."""
    if name not in NAMES:
        raise ValueError(f"there is no stream {name!r}; the streams are {', '.join(NAMES)}")
    key = seed.to_bytes((seed.bit_length() + 8) // 8, "little", signed=True)
    key = key if len(key) <= blake2b.MAX_KEY_SIZE else blake2b(key).digest()
    text = ":".join([name, *map(str, numbers)])
    return int.from_bytes(blake2b(text.encode(), key=key, digest_size=_BYTES).digest(), "little")
