"""A network inside a search: packed into one array of numbers, run by compiled code without allocation.

The array starts with HEADER numbers, then HEADER_LAYER for each layer, then the weights as 32-bit numbers. A hidden
layer is stored row by row, a row an input, padded to whole blocks. The last layer is stored unit by unit.
"""

from math import exp, floor
from typing import Any

import numpy as np

from kibitz.core.address import CELLS, FLOATS, INT, NOTHING, NUMBERS, Native, caller
from kibitz.core.arrays import Float32s, Floats
from kibitz.core.contract import MOST_SEATS, POLICY, SIGNATURES, TABLE_VALUE
from kibitz.core.dice import below, unit
from kibitz.core.native import INTERPRETED, helper, offset
from kibitz.core.shares import RESOLUTION
from kibitz.networks.encoding import MOST_ON, Encoding, list_rows, number_of, write_numbers
from kibitz.networks.network_file import ACTIVATIONS, EACH, MOST_UNITS, Layers, Network
from kibitz.networks.vector_sums import (
    add_rows,
    add_scaled_rows,
    as_floats,
    dot,
    local_cells,
    local_floats,
    local_numbers,
    padded,
)

# The header: the cell of the seat to move, the number of seats, the encoding, whether it lists rows, its length, the
# number of layers, whether they are sigmoid, the moves of the policy head, whether each seat is asked for itself; the
# numbering of moves, or 0, and the function that weighs them; for a policy, the rule that lists moves,
# and the temperature.
SEAT_AT, TABLE_SEATS, ENCODER, LISTS_ROWS, INPUTS, LAYERS, SIGMOID, MOVES, FROM_EACH_SIDE = range(9)
NUMBERING, WEIGHING, LISTING, TEMPERATURE = range(9, 13)
HEADER = 13
# Of each layer: its units, the width of a stored row, and where its weights and biases start, in 32-bit numbers.
UNITS, WIDTH, WEIGHTS_AT, BIASES_AT = range(4)
HEADER_LAYER = 4
_LINE = 64  # bytes of a cache line, to which the weights are aligned

MOST_CHOICES = 1024  # legal moves that a policy by network chooses from; they are on the stack

WEIGH = NOTHING(NUMBERS, CELLS, INT, CELLS, INT, FLOATS)  # weigh(net, state, seat, moves, n, out)
_call_moves = caller(SIGNATURES["moves"])
_call_weigh = caller(WEIGH)
_interpreted: list[Any] = [None]  # interpreted, the header holds places in this list


def pack(network: Network, encoding: Encoding, seat_cell: int, numbering: Native | None = None) -> Floats:
    """Return a network as compiled code takes it, with its encoding of positions and its numbering of moves."""
    about, sizes = network.about, _sizes(network)
    start = -(-(HEADER + HEADER_LAYER * len(sizes)) * 8 // _LINE) * _LINE // 4
    total = start + sum(rows * width + padded(units) for rows, width, units in sizes)
    flat = _aligned(-(-total // 2))
    flat[:HEADER] = (
        seat_cell, about.seats, _entry(encoding), bool(encoding.most), about.inputs, len(sizes),
        ACTIVATIONS.index(about.activation) == 1, about.moves, about.sides == EACH,
        _entry(numbering) if numbering else 0, _entry(_weigh_by_network) if about.moves else 0, 0, 1,
    )  # fmt: skip
    for at, (rows, width, units) in enumerate(sizes):
        layer = HEADER + at * HEADER_LAYER
        flat[layer : layer + HEADER_LAYER] = units, width, start, start + rows * width
        start += rows * width + padded(units)
    write_layers(network.layers, flat)
    return flat


def _sizes(network: Network) -> list[tuple[int, int, int]]:
    """Return for each layer the number of stored rows, their width and the units."""
    shapes = [weights.shape for weights, _ in network.layers]
    hidden = [(inputs, padded(units), units) for inputs, units in shapes[:-1]]
    inputs, units = shapes[-1]
    return [*hidden, (units, padded(inputs), units)]


def set_policy(packed: Floats, moves: Native, temperature: float) -> None:
    """Prepare a packed network to choose among what the rule `moves` lists, at random as far as `temperature` says."""
    packed[LISTING], packed[TEMPERATURE] = _entry(moves), temperature


def _entry(function: Native) -> int:
    """Return the entry of a function in the header: its address."""
    handle = function.handle
    if not INTERPRETED:
        return handle
    if handle not in _interpreted:
        _interpreted.append(handle)
    return _interpreted.index(handle)


def _aligned(n: int) -> Floats:
    """Return n numbers, all 0, aligned to a cache line."""
    room = np.zeros(n + _LINE // 8)
    skip = -room.ctypes.data % _LINE // 8
    return room[skip : skip + n]


def _stored(flat: Floats) -> list[tuple[Float32s, Float32s]]:
    """Return views of the weights [input, unit] and biases [unit] of each layer in a packed array, without padding."""
    floats, inputs, found = flat.view(np.float32), int(flat[INPUTS]), []
    count = int(flat[LAYERS])
    for at in range(count):
        layer = HEADER + at * HEADER_LAYER
        units, width, start, biases = map(int, flat[layer : layer + HEADER_LAYER])
        rows = floats[start:biases].reshape(-1, width)
        weights = rows[:, :inputs].T if at == count - 1 else rows[:, :units]
        found.append((weights, floats[biases : biases + units]))
        inputs = units
    return found


def write_layers(layers: Layers, flat: Floats) -> None:
    """Write the weights of a network of the same sizes into a packed one."""
    for (weights, biases), (own_weights, own_biases) in zip(layers, _stored(flat), strict=True):
        own_weights[:], own_biases[:] = weights, biases


def read_layers(flat: Floats) -> Layers:
    """Return copies of the weights of a packed network."""
    return tuple((np.ascontiguousarray(weights), biases.copy()) for weights, biases in _stored(flat))


@helper
def _by_address(net, what):
    return np.int64(net[what])


def _by_place(net, what):
    return _interpreted[int(net[what])]


function_of = _by_place if INTERPRETED else _by_address  # one of the functions that the header names


@helper
def encoder(net):
    """Return the encoding of a packed network."""
    return function_of(net, ENCODER)


@helper
def numbered(net, move, seat):
    """Return the number of a seat's move in a network."""
    if net[NUMBERING] != 0.0:
        return number_of(function_of(net, NUMBERING), move, seat)
    return move


@helper
def layer_at(net, layer, what):
    """Return one of the numbers of a layer in the header."""
    return np.int64(net[HEADER + HEADER_LAYER * layer + what])


@helper
def activate(net, units, out):
    """Turn sums into the activations of hidden units."""
    if net[SIGMOID] != 0.0:
        for i in range(units):
            out[i] = np.float32(1.0 / (1.0 + exp(-np.float64(out[i]))))
    else:
        for i in range(units):
            out[i] = max(out[i], np.float32(0.0))


@helper
def start_layer(net, layer, out):
    """Write the biases of a hidden layer; return the place of its weights and its width."""
    floats, width = as_floats(net), layer_at(net, layer, WIDTH)
    biases = layer_at(net, layer, BIASES_AT)
    for i in range(width):
        out[i] = floats[biases + i]
    return offset(floats, layer_at(net, layer, WEIGHTS_AT)), width


@helper
def run_rows(net, rows, n, out):
    """Write the activations of the first hidden layer, given the active rows."""
    table, width = start_layer(net, 0, out)
    add_rows(table, rows, n, width, out)
    activate(net, layer_at(net, 0, UNITS), out)


@helper
def run_layer(net, layer, inputs, n, out):
    """Write the activations of a hidden layer, given those below it."""
    table, width = start_layer(net, layer, out)
    add_scaled_rows(table, inputs, n, width, out)
    activate(net, layer_at(net, layer, UNITS), out)


@helper
def logit(net, inputs, unit):
    """Return a logit, given the activations of the last hidden layer."""
    last = np.int64(net[LAYERS]) - 1
    floats, width = as_floats(net), layer_at(net, last, WIDTH)
    row = offset(floats, layer_at(net, last, WEIGHTS_AT) + unit * width)
    return floats[layer_at(net, last, BIASES_AT) + unit] + dot(row, inputs, width)


@helper
def linear_logit(net, rows, n, unit):
    """Return a logit of a network without hidden layers, given the active rows."""
    floats = as_floats(net)
    at = layer_at(net, 0, WEIGHTS_AT) + unit * layer_at(net, 0, WIDTH)
    total = floats[layer_at(net, 0, BIASES_AT) + unit]
    for i in range(n):
        total += floats[at + rows[i]]
    return total


@helper
def run_hidden(net, state, seat, rows, one, other):
    """Encode a position and run all hidden layers; return the number of inputs, and whether the result is in `other`.

    `rows` has room for the encoding. A dense encoding is written as 32-bit numbers into `other` first.
    """
    hidden, n = np.int64(net[LAYERS]) - 1, np.int64(net[INPUTS])
    if net[LISTS_ROWS] != 0.0:
        n = list_rows(encoder(net), state, seat, rows)
        if hidden > 0:
            run_rows(net, rows, n, one)
    else:
        numbers = local_numbers(MOST_ON)
        write_numbers(encoder(net), state, seat, numbers)
        dense = other if hidden > 0 else one
        for i in range(n):
            dense[i] = np.float32(numbers[i])
        if hidden > 0:
            run_layer(net, 0, other, n, one)
        else:
            for i in range(n, layer_at(net, 0, WIDTH)):
                one[i] = np.float32(0.0)
    at_other = False
    for layer in range(1, hidden):
        below = layer_at(net, layer - 1, UNITS)
        if at_other:
            run_layer(net, layer, other, below, one)
        else:
            run_layer(net, layer, one, below, other)
        at_other = not at_other
    return n, at_other


@helper
def softmax(n, out):
    """Turn n logits into probabilities."""
    most, total = out[0], 0.0
    for i in range(1, n):
        most = max(most, out[i])
    for i in range(n):
        out[i] = exp(out[i] - most)
        total += out[i]
    for i in range(n):
        out[i] /= total


@helper
def chances(net, state, seat, out):
    """Write the probability that each seat wins, by the network, starting with the given seat."""
    rows = local_cells(MOST_ON)
    one, other = local_floats(MOST_ON), local_floats(MOST_ON)
    n, at_other = run_hidden(net, state, seat, rows, one, other)
    seats = np.int64(net[TABLE_SEATS])
    for k in range(seats):
        if net[LAYERS] == 1.0 and net[LISTS_ROWS] != 0.0:
            out[k] = np.float64(linear_logit(net, rows, n, k))
        else:
            out[k] = np.float64(logit(net, other if at_other else one, k))
    softmax(seats, out)


@helper
def move_logits(net, state, seat, moves, n, out):
    """Write the logit of each of n legal moves of a seat."""
    rows = local_cells(MOST_ON)
    one, other = local_floats(MOST_ON), local_floats(MOST_ON)
    on, at_other = run_hidden(net, state, seat, rows, one, other)
    seats = np.int64(net[TABLE_SEATS])
    for i in range(n):
        unit = seats + numbered(net, moves[i], seat)
        if net[LAYERS] == 1.0 and net[LISTS_ROWS] != 0.0:
            out[i] = linear_logit(net, rows, on, unit)
        else:
            out[i] = logit(net, other if at_other else one, unit)


def _weigh(net, state, seat, moves, n, out):
    """Write the prior of each of n legal moves of a seat: the probabilities of a network's policy head."""
    move_logits(net, state, seat, moves, n, out)
    most, total = out[0], np.float32(0.0)
    for i in range(1, n):
        most = max(most, out[i])
    for i in range(n):
        out[i] = np.float32(exp(np.float64(out[i] - most)))
        total += out[i]
    for i in range(n):
        out[i] /= total


_weigh_by_network = Native(_weigh, WEIGH)  # called by address, so that searches are not compiled with all of it


@helper
def weigh_moves(net, state, seat, moves, n, out):
    """Write the prior of each of n legal moves of a seat: the probabilities of a network's policy head."""
    _call_weigh(function_of(net, WEIGHING), net, state, seat, moves, n, out)


@helper
def round_down(seats, chance):
    """Return a probability as a multiple of RESOLUTION, at least one, so that those of all seats sum to at most 1."""
    return (1.0 + floor(chance * (1.0 / RESOLUTION - seats))) * RESOLUTION


@helper
def _ask_each(net, state, seats, own, out):
    """Write for each seat its own probability to win by what it sees, as shares of the whole."""
    total = 0.0
    for seat in range(seats):
        chances(net, state, seat, own)
        out[seat] = own[0]
        total += own[0]
    for seat in range(seats):
        out[seat] = round_down(seats, out[seat] / total)


def _value(state, weights, out):
    """The probability that each seat wins, by a network."""
    seats = np.int64(weights[TABLE_SEATS])
    own = local_numbers(MOST_SEATS)
    if weights[FROM_EACH_SIDE] != 0.0:
        _ask_each(weights, state, seats, own, out)
        return
    seat = max(state[np.int64(weights[SEAT_AT])], 0)
    chances(weights, state, seat, own)
    for k in range(seats):
        out[(seat + k) % seats] = round_down(seats, own[k])


value_by_network = Native(_value, TABLE_VALUE)


@helper
def best_of_logits(n, logits, rng):
    """Return the index of the greatest of n logits; ties are broken at random."""
    at, best = below(rng, n), 0
    for i in range(n):
        best = at if i == 0 or logits[at] > logits[best] else best
        at = at + 1 if at + 1 < n else 0
    return best


@helper
def _drawn(n, temperature, logits, rng):
    """Return a random index; a logit greater by `temperature` is e times as likely."""
    most, total = logits[best_of_logits(n, logits, rng)], 0.0
    for i in range(n):
        logits[i] = np.float32(exp(np.float64(logits[i] - most) / temperature))
        total += np.float64(logits[i])
    left = unit(rng) * total
    for i in range(n):
        left -= np.float64(logits[i])
        if left < 0.0:
            return i
    return n - 1


def _policy(view, weights, rng):
    """The choice of a network's policy head."""
    listed, logits = local_cells(MOST_CHOICES), local_floats(MOST_CHOICES)
    seat = view[np.int64(weights[SEAT_AT])]
    n = _call_moves(function_of(weights, LISTING), view, listed)
    move_logits(weights, view, seat, listed, n, logits)
    if weights[TEMPERATURE] == 0.0:
        return listed[best_of_logits(n, logits, rng)]
    return listed[_drawn(n, weights[TEMPERATURE], logits, rng)]


policy_by_network = Native(_policy, POLICY)
assert MOST_UNITS <= MOST_ON
