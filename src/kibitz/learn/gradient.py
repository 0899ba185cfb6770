"""Learning from kept positions: steps down the gradient of the cross-entropy, one position at a time."""

from math import log

import numpy as np

from kibitz.core.contract import HALT_AT, SEATS
from kibitz.core.dice import below
from kibitz.core.native import compiled, heed, helper, offset, pointer
from kibitz.core.network import (
    BIASES_AT,
    LAYERS,
    SIGMOID,
    UNITS,
    WEIGHTS_AT,
    WIDTH,
    layer_at,
    linear_logit,
    logit,
    run_layer,
    run_rows,
    soften,
)
from kibitz.core.network_file import MOST_UNITS
from kibitz.core.vectors import as_floats, dot, local_numbers
from kibitz.learn.practice import HEEDED, KEPT, MOST, WIDE

LEAST_CHANCE = 1e-9
MOST_CHOICES = 512  # moves of a position that a policy head learns from


@helper
def _at(units, layer):
    """Return the numbers of a layer in room for those of all layers."""
    return offset(units, layer * MOST_UNITS)


@helper
def _forward(net, seats, listed, n, units, out):
    """Run the network on the rows that are on; write the chances of each seat."""
    hidden = np.int64(net[LAYERS]) - 1
    if hidden > 0:
        run_rows(net, listed, n, units)
    for layer in range(1, hidden):
        run_layer(net, layer, _at(units, layer - 1), layer_at(net, layer - 1, UNITS), _at(units, layer))
    for k in range(seats):
        if hidden == 0:
            out[k] = np.float64(linear_logit(net, listed, n, k))
        else:
            out[k] = np.float64(logit(net, _at(units, hidden - 1), k))
    soften(seats, out)


@helper
def _bend(net, layer, units, slopes):
    """Turn the slopes by a layer's activations into slopes by what went into its units."""
    for j in range(layer_at(net, layer, UNITS)):
        if net[SIGMOID] != 0.0:
            slopes[j] *= units[j] * (np.float32(1.0) - units[j])
        elif units[j] <= np.float32(0.0):
            slopes[j] = np.float32(0.0)


@helper
def _step_unit(net, layer, unit, error, rate, units, slopes):
    """Move the weights of one unit by its error, and add its slopes by the activations below it."""
    floats, width, step = as_floats(net), layer_at(net, layer, WIDTH), np.float32(rate) * error
    row = offset(floats, layer_at(net, layer, WEIGHTS_AT) + unit * width)
    for j in range(width):
        slopes[j] += error * row[j]
        row[j] -= step * units[j]
    floats[layer_at(net, layer, BIASES_AT) + unit] -= step


@helper
def _step_heads(net, seats, units, errors, rate, slopes):
    """Move the weights of the last layer, and write the slopes by the activations below it."""
    last = np.int64(net[LAYERS]) - 1
    for j in range(layer_at(net, last, WIDTH)):
        slopes[j] = np.float32(0.0)
    for k in range(seats):
        _step_unit(net, last, k, np.float32(errors[k]), rate, units, slopes)


@helper
def _step_policy(net, seats, offered, shares, n, units, rate, slopes):
    """Move the policy head towards the shares of n legal moves, and add the slopes by the activations below it."""
    last, odds = np.int64(net[LAYERS]) - 1, local_numbers(MOST_CHOICES)
    n = min(n, MOST_CHOICES)
    for i in range(n):
        odds[i] = np.float64(logit(net, units, seats + np.int64(offered[i])))
    soften(n, odds)
    for i in range(n):
        unit = seats + np.int64(offered[i])
        _step_unit(net, last, unit, np.float32(odds[i]) - shares[i], rate, units, slopes)


@helper
def _step_row(row, slopes, width, step):
    for j in range(width):
        row[j] -= step * slopes[j]


@helper
def _step_biases(net, layer, slopes, step):
    _step_row(offset(as_floats(net), layer_at(net, layer, BIASES_AT)), slopes, layer_at(net, layer, WIDTH), step)


@helper
def _step_linear(net, seats, listed, n, errors, rate):
    """Move the weights of a network without hidden layers."""
    floats = as_floats(net)
    for k in range(seats):
        step = np.float32(rate * errors[k])
        at = layer_at(net, 0, WEIGHTS_AT) + k * layer_at(net, 0, WIDTH)
        for i in range(n):
            floats[at + listed[i]] -= step
        floats[layer_at(net, 0, BIASES_AT) + k] -= step


@helper
def _backward(net, seats, listed, n, errors, offered, shares, choices, rate, units, slopes):
    """Move all weights a step down the slope."""
    hidden, floats, step = np.int64(net[LAYERS]) - 1, as_floats(net), np.float32(rate)
    if hidden == 0:
        _step_linear(net, seats, listed, n, errors, rate)
        return
    _step_heads(net, seats, _at(units, hidden - 1), errors, rate, _at(slopes, hidden - 1))
    if choices > 0:
        _step_policy(net, seats, offered, shares, choices, _at(units, hidden - 1), rate, _at(slopes, hidden - 1))
    for layer in range(hidden - 1, 0, -1):
        own, below_, width = _at(slopes, layer), _at(units, layer - 1), layer_at(net, layer, WIDTH)
        _bend(net, layer, _at(units, layer), own)
        for i in range(layer_at(net, layer - 1, UNITS)):
            row = offset(floats, layer_at(net, layer, WEIGHTS_AT) + i * width)
            _at(slopes, layer - 1)[i] = dot(row, own, width)
            _step_row(row, own, width, step * below_[i])
        _step_biases(net, layer, own, step)
    _bend(net, 0, units, slopes)
    width = layer_at(net, 0, WIDTH)
    for i in range(n):
        _step_row(offset(floats, layer_at(net, 0, WEIGHTS_AT) + listed[i] * width), slopes, width, step)
    _step_biases(net, 0, slopes, step)


@compiled
def learn(practice, samples, rate, units_, slopes_):
    """Learn from so many kept positions, drawn at random; return the average cross-entropy."""
    rules, net, control, rng = (
        pointer(practice.rules), pointer(practice.net), pointer(practice.control), pointer(practice.rng),
    )  # fmt: skip
    rows, targets, listed, out = (
        pointer(practice.rows), pointer(practice.targets), pointer(practice.listed), pointer(practice.worth),
    )  # fmt: skip
    units, slopes, seats = pointer(units_), pointer(slopes_), rules[SEATS]
    total = 0.0
    for sample in range(samples):
        slot = below(rng, control[KEPT])
        n = np.int64(practice.counts[slot])
        for i in range(n):
            listed[i] = np.int64(rows[slot * control[MOST] + i])
        _forward(net, seats, listed, n, units, out)
        for k in range(seats):
            target = np.float64(targets[slot * seats + k])
            total -= target * log(max(out[k], LEAST_CHANCE))
            out[k] -= target
        at, choices = slot * control[WIDE], np.int64(practice.choices[slot])
        offered, shares = offset(pointer(practice.offered), at), offset(pointer(practice.shares), at)
        _backward(net, seats, listed, n, out, offered, shares, choices, rate, units, slopes)
        if sample & HEEDED == 0:
            heed(rules[HALT_AT])
    return total / max(samples, 1)
