"""Learning from kept positions: steps down the gradient of the cross-entropy, one position at a time."""

from math import exp, log

import numpy as np

from kibitz.core.contract import HALT_AT, SEATS
from kibitz.core.dice import below
from kibitz.core.native import compiled, heed, helper, offset, pointer
from kibitz.learn.self_play import BY_Q, HEEDED, KEPT, MOST, WIDE, opened
from kibitz.networks.inference import (
    BIASES_AT,
    LAYERS,
    LISTS_ROWS,
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
from kibitz.networks.network_file import MOST_UNITS
from kibitz.networks.vector_sums import as_floats, dot, local_numbers

LEAST_CHANCE = 1e-9
MOST_CHOICES = 512  # moves of a position that a policy head learns from


@helper
def _at(units, layer):
    """Return the numbers of a layer in room for those of all layers."""
    return offset(units, layer * MOST_UNITS)


@helper
def _logit(net, listed, n, top, unit):
    """Return a logit; `top` are the activations of the last hidden layer, or the numbers of a dense encoding."""
    if net[LAYERS] == 1.0 and net[LISTS_ROWS] != 0.0:
        return linear_logit(net, listed, n, unit)
    return logit(net, top, unit)


@helper
def _forward(net, seats, listed, shown, n, units, out):
    """Run the network on what is shown; write the chances of each seat, and return what the last layer is given."""
    hidden = np.int64(net[LAYERS]) - 1
    top = shown
    if hidden > 0:
        if net[LISTS_ROWS] != 0.0:
            run_rows(net, listed, n, units)
        else:
            run_layer(net, 0, shown, n, units)
        top = _at(units, hidden - 1)
    for layer in range(1, hidden):
        run_layer(net, layer, _at(units, layer - 1), layer_at(net, layer - 1, UNITS), _at(units, layer))
    for k in range(seats):
        out[k] = np.float64(_logit(net, listed, n, top, k))
    soften(seats, out)
    return top


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
def _step_row(row, slopes, width, step):
    for j in range(width):
        row[j] -= step * slopes[j]


@helper
def _step_biases(net, layer, slopes, step):
    _step_row(offset(as_floats(net), layer_at(net, layer, BIASES_AT)), slopes, layer_at(net, layer, WIDTH), step)


@helper
def _step_linear(net, unit, error, rate, listed, n, pulls, bias_pull):
    """Move the weights of one unit of a network without hidden layers."""
    floats, step = as_floats(net), np.float32(rate) * error
    at = layer_at(net, 0, WEIGHTS_AT) + unit * layer_at(net, 0, WIDTH)
    if net[LISTS_ROWS] != 0.0:
        for i in range(n):
            floats[at + listed[i]] -= step
    else:
        for i in range(n):
            floats[at + i] -= step * pulls[i]
    floats[layer_at(net, 0, BIASES_AT) + unit] -= step * bias_pull


@helper
def _step_last(net, unit, error, rate, listed, n, pulls, bias_pull, top, slopes):
    """Move the weights of one unit of the last layer, and add its slopes by what it is given."""
    last = np.int64(net[LAYERS]) - 1
    if last == 0:
        _step_linear(net, unit, error, rate, listed, n, pulls, bias_pull)
    else:
        _step_unit(net, last, unit, error, rate, top, slopes)


@helper
def _step_policy(net, seats, offered, shares, count, rate, listed, n, pulls, bias_pull, top, slopes):
    """Move the policy head towards the shares of `count` legal moves."""
    odds = local_numbers(MOST_CHOICES)
    for i in range(count):
        odds[i] = np.float64(_logit(net, listed, n, top, seats + np.int64(offered[i])))
    soften(count, odds)
    for i in range(count):
        unit = seats + np.int64(offered[i])
        _step_last(net, unit, np.float32(odds[i]) - shares[i], rate, listed, n, pulls, bias_pull, top, slopes)


@helper
def _step_q(net, unit, target, rate, listed, n, pulls, bias_pull, top, slopes):
    """Move the Q of one move, which is the chance that its logit stands for; return the cross-entropy."""
    chance = 1.0 / (1.0 + exp(-np.float64(_logit(net, listed, n, top, unit))))
    _step_last(net, unit, np.float32(chance) - target, rate, listed, n, pulls, bias_pull, top, slopes)
    loss = target * log(max(chance, LEAST_CHANCE))
    return -loss - (1.0 - target) * log(max(1.0 - chance, LEAST_CHANCE))


@helper
def _backward(net, listed, n, pulls, bias_pull, rate, units, slopes):
    """Move the weights of all hidden layers a step down the slope, given the slopes by the last one's activations."""
    hidden, floats, step = np.int64(net[LAYERS]) - 1, as_floats(net), np.float32(rate)
    for layer in range(hidden - 1, 0, -1):
        own, below_, width = _at(slopes, layer), _at(units, layer - 1), layer_at(net, layer, WIDTH)
        _bend(net, layer, _at(units, layer), own)
        for i in range(layer_at(net, layer - 1, UNITS)):
            row = offset(floats, layer_at(net, layer, WEIGHTS_AT) + i * width)
            _at(slopes, layer - 1)[i] = dot(row, own, width)
            _step_row(row, own, width, step * below_[i])
        _step_biases(net, layer, own, step)
    _bend(net, 0, units, slopes)
    first, width = layer_at(net, 0, WEIGHTS_AT), layer_at(net, 0, WIDTH)
    if net[LISTS_ROWS] != 0.0:
        for i in range(n):
            _step_row(offset(floats, first + listed[i] * width), slopes, width, step)
    else:
        for i in range(n):
            _step_row(offset(floats, first + i * width), slopes, width, step * pulls[i])
    _step_biases(net, 0, slopes, step * bias_pull)


@helper
def _show(p, slot, dense):
    """Fetch what is kept of a position; return how many rows or numbers there are, and how far biases are moved.

    The weights are those of raw numbers. A step that would move those of standardised numbers, mean 0 and spread 1,
    moves them so: the weight of number i by (number - mean) / spread^2, the bias by 1 less the sum of these x means.
    """
    n, bias_pull = np.int64(p.counts[slot]), np.float32(1.0)
    at = slot * p.control[MOST]
    if not dense:
        for i in range(n):
            p.listed[i] = np.int64(p.rows[at + i])
        return n, bias_pull
    for i in range(n):
        p.shown[i] = p.numbers[at + i]
        p.pulls[i] = (p.shown[i] - p.mean[i]) / (p.spread[i] * p.spread[i])
        bias_pull -= p.pulls[i] * p.mean[i]
    return n, bias_pull


@helper
def _step_heads(p, slot, n, bias_pull, rate, top, slopes):
    """Move the last layer: the chances of the seats, which come in as errors, then what is kept of moves.

    Return the cross-entropy of a move's Q.
    """
    net, seats, at = p.net, p.rules[SEATS], slot * p.control[WIDE]
    for k in range(seats):
        _step_last(net, k, np.float32(p.worth[k]), rate, p.listed, n, p.pulls, bias_pull, top, slopes)
    offered, shares, count = offset(p.offered, at), offset(p.shares, at), np.int64(p.choices[slot])
    if count > 0 and p.control[BY_Q] != 0:
        unit = seats + np.int64(offered[0])
        return _step_q(net, unit, shares[0], rate, p.listed, n, p.pulls, bias_pull, top, slopes)
    if count > 0:
        count = min(count, np.int64(MOST_CHOICES))
        _step_policy(net, seats, offered, shares, count, rate, p.listed, n, p.pulls, bias_pull, top, slopes)
    return 0.0


@helper
def _step(p, slot, rate, units, slopes):
    """Learn from one position; return the cross-entropy, with BY_Q that of the move's Q."""
    net, seats, loss = p.net, p.rules[SEATS], 0.0
    hidden = np.int64(net[LAYERS]) - 1
    n, bias_pull = _show(p, slot, net[LISTS_ROWS] == 0.0)
    top, back = _forward(net, seats, p.listed, p.shown, n, units, p.worth), _at(slopes, max(hidden - 1, 0))
    for k in range(seats):
        target = np.float64(p.targets[slot * seats + k])
        loss -= target * log(max(p.worth[k], LEAST_CHANCE))
        p.worth[k] -= target
    if hidden > 0:
        for j in range(layer_at(net, hidden, WIDTH)):
            back[j] = np.float32(0.0)
    loss_of_move = _step_heads(p, slot, n, bias_pull, rate, top, back)
    if hidden > 0:
        _backward(net, p.listed, n, p.pulls, bias_pull, rate, units, slopes)
    return loss if p.control[BY_Q] == 0 else loss_of_move


@compiled
def learn(buffer, samples, rate, units_, slopes_):
    """Learn from so many kept positions, drawn at random; return the average cross-entropy, with BY_Q that of Q."""
    p, units, slopes = opened(buffer), pointer(units_), pointer(slopes_)
    total, counted = 0.0, 0
    for sample in range(samples):
        slot = below(p.rng, p.control[KEPT])
        total += _step(p, slot, rate, units, slopes)
        counted += 1 if p.control[BY_Q] == 0 or p.choices[slot] > 0 else 0
        if sample & HEEDED == 0:
            heed(p.rules[HALT_AT])
    return total / max(counted, 1)
