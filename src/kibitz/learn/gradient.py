"""Stochastic gradient descent on the replay buffer: the cross-entropy of one position at a time, in compiled code."""

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
    softmax,
)
from kibitz.networks.network_file import MOST_UNITS
from kibitz.networks.vector_sums import as_floats, dot, local_numbers

LEAST_CHANCE = 1e-9
MOST_CHOICES = 512  # moves of a position that a policy head learns from


@helper
def _at(units, layer):
    """Return the numbers of one layer from an array for all layers."""
    return offset(units, layer * MOST_UNITS)


@helper
def _logit(net, listed, n, top, unit):
    """Return a logit; `top` are the activations of the last hidden layer, or the inputs of a dense encoding."""
    if net[LAYERS] == 1.0 and net[LISTS_ROWS] != 0.0:
        return linear_logit(net, listed, n, unit)
    return logit(net, top, unit)


@helper
def _forward(net, seats, listed, inputs, n, units, out):
    """Run the network forward; write the win probability of each seat, and return the inputs of the last layer."""
    hidden = np.int64(net[LAYERS]) - 1
    top = inputs
    if hidden > 0:
        if net[LISTS_ROWS] != 0.0:
            run_rows(net, listed, n, units)
        else:
            run_layer(net, 0, inputs, n, units)
        top = _at(units, hidden - 1)
    for layer in range(1, hidden):
        run_layer(net, layer, _at(units, layer - 1), layer_at(net, layer - 1, UNITS), _at(units, layer))
    for k in range(seats):
        out[k] = np.float64(_logit(net, listed, n, top, k))
    softmax(seats, out)
    return top


@helper
def _apply_derivative(net, layer, units, slopes):
    """Turn the gradient by a layer's activations into the gradient by the sums before activation."""
    for j in range(layer_at(net, layer, UNITS)):
        if net[SIGMOID] != 0.0:
            slopes[j] *= units[j] * (np.float32(1.0) - units[j])
        elif units[j] <= np.float32(0.0):
            slopes[j] = np.float32(0.0)


@helper
def _step_unit(net, layer, unit, error, rate, units, slopes):
    """Move the weights of one unit by its error, and add the gradient by the activations below it."""
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
def _step_linear(net, unit, error, rate, listed, n, scales, bias_scale):
    """Move the weights of one unit of a network without hidden layers."""
    floats, step = as_floats(net), np.float32(rate) * error
    at = layer_at(net, 0, WEIGHTS_AT) + unit * layer_at(net, 0, WIDTH)
    if net[LISTS_ROWS] != 0.0:
        for i in range(n):
            floats[at + listed[i]] -= step
    else:
        for i in range(n):
            floats[at + i] -= step * scales[i]
    floats[layer_at(net, 0, BIASES_AT) + unit] -= step * bias_scale


@helper
def _step_last(net, unit, error, rate, listed, n, scales, bias_scale, top, slopes):
    """Move the weights of one unit of the last layer, and add the gradient by its inputs."""
    last = np.int64(net[LAYERS]) - 1
    if last == 0:
        _step_linear(net, unit, error, rate, listed, n, scales, bias_scale)
    else:
        _step_unit(net, last, unit, error, rate, top, slopes)


@helper
def _step_policy(net, seats, offered, shares, count, rate, listed, n, scales, bias_scale, top, slopes):
    """Move the policy head towards the target policy over `count` legal moves."""
    odds = local_numbers(MOST_CHOICES)
    for i in range(count):
        odds[i] = np.float64(_logit(net, listed, n, top, seats + np.int64(offered[i])))
    softmax(count, odds)
    for i in range(count):
        unit = seats + np.int64(offered[i])
        _step_last(net, unit, np.float32(odds[i]) - shares[i], rate, listed, n, scales, bias_scale, top, slopes)


@helper
def _step_q(net, unit, target, rate, listed, n, scales, bias_scale, top, slopes):
    """Move the Q of one move, the sigmoid of its logit, towards a target; return the cross-entropy."""
    chance = 1.0 / (1.0 + exp(-np.float64(_logit(net, listed, n, top, unit))))
    _step_last(net, unit, np.float32(chance) - target, rate, listed, n, scales, bias_scale, top, slopes)
    loss = target * log(max(chance, LEAST_CHANCE))
    return -loss - (1.0 - target) * log(max(1.0 - chance, LEAST_CHANCE))


@helper
def _backward(net, listed, n, scales, bias_scale, rate, units, slopes):
    """Move the weights of all hidden layers, given the gradient by the activations of the last one."""
    hidden, floats, step = np.int64(net[LAYERS]) - 1, as_floats(net), np.float32(rate)
    for layer in range(hidden - 1, 0, -1):
        own, below_, width = _at(slopes, layer), _at(units, layer - 1), layer_at(net, layer, WIDTH)
        _apply_derivative(net, layer, _at(units, layer), own)
        for i in range(layer_at(net, layer - 1, UNITS)):
            row = offset(floats, layer_at(net, layer, WEIGHTS_AT) + i * width)
            _at(slopes, layer - 1)[i] = dot(row, own, width)
            _step_row(row, own, width, step * below_[i])
        _step_biases(net, layer, own, step)
    _apply_derivative(net, 0, units, slopes)
    first, width = layer_at(net, 0, WEIGHTS_AT), layer_at(net, 0, WIDTH)
    if net[LISTS_ROWS] != 0.0:
        for i in range(n):
            _step_row(offset(floats, first + listed[i] * width), slopes, width, step)
    else:
        for i in range(n):
            _step_row(offset(floats, first + i * width), slopes, width, step * scales[i])
    _step_biases(net, 0, slopes, step * bias_scale)


@helper
def _load(p, slot, dense):
    """Load the encoding of a position; return how many rows or inputs there are, and how far a step moves biases.

    The weights apply to raw inputs. A step on the weights of standardised inputs moves the raw weight of input i by
    (input - mean) / deviation^2, and the bias by 1 less the sum of these times the means.
    """
    n, bias_scale = np.int64(p.counts[slot]), np.float32(1.0)
    at = slot * p.control[MOST]
    if not dense:
        for i in range(n):
            p.listed[i] = np.int64(p.rows[at + i])
        return n, bias_scale
    for i in range(n):
        p.inputs[i] = p.numbers[at + i]
        p.scales[i] = (p.inputs[i] - p.mean[i]) / (p.deviation[i] * p.deviation[i])
        bias_scale -= p.scales[i] * p.mean[i]
    return n, bias_scale


@helper
def _step_heads(p, slot, n, bias_scale, rate, top, slopes):
    """Move the value head by the errors in `worth`, then the policy head or the Q of the move made.

    Return the cross-entropy of that Q, else 0.
    """
    net, seats, at = p.net, p.rules[SEATS], slot * p.control[WIDE]
    for k in range(seats):
        _step_last(net, k, np.float32(p.worth[k]), rate, p.listed, n, p.scales, bias_scale, top, slopes)
    offered, shares, count = offset(p.offered, at), offset(p.shares, at), np.int64(p.choices[slot])
    if count > 0 and p.control[BY_Q] != 0:
        unit = seats + np.int64(offered[0])
        return _step_q(net, unit, shares[0], rate, p.listed, n, p.scales, bias_scale, top, slopes)
    if count > 0:
        count = min(count, np.int64(MOST_CHOICES))
        _step_policy(net, seats, offered, shares, count, rate, p.listed, n, p.scales, bias_scale, top, slopes)
    return 0.0


@helper
def _step(p, slot, rate, units, slopes):
    """Learn from one position; return the cross-entropy of the value head or, with BY_Q, of the move's Q."""
    net, seats, loss = p.net, p.rules[SEATS], 0.0
    hidden = np.int64(net[LAYERS]) - 1
    n, bias_scale = _load(p, slot, net[LISTS_ROWS] == 0.0)
    top, back = _forward(net, seats, p.listed, p.inputs, n, units, p.worth), _at(slopes, max(hidden - 1, 0))
    for k in range(seats):
        target = np.float64(p.targets[slot * seats + k])
        loss -= target * log(max(p.worth[k], LEAST_CHANCE))
        p.worth[k] -= target
    if hidden > 0:
        for j in range(layer_at(net, hidden, WIDTH)):
            back[j] = np.float32(0.0)
    loss_of_move = _step_heads(p, slot, n, bias_scale, rate, top, back)
    if hidden > 0:
        _backward(net, p.listed, n, p.scales, bias_scale, rate, units, slopes)
    return loss if p.control[BY_Q] == 0 else loss_of_move


@compiled
def descend(buffer, samples, rate, units_, slopes_):
    """Learn from `samples` random positions of the replay buffer; return the average cross-entropy, with BY_Q of Q."""
    p, units, slopes = opened(buffer), pointer(units_), pointer(slopes_)
    total, counted = 0.0, 0
    for sample in range(samples):
        slot = below(p.rng, p.control[KEPT])
        total += _step(p, slot, rate, units, slopes)
        counted += 1 if p.control[BY_Q] == 0 or p.choices[slot] > 0 else 0
        if sample & HEEDED == 0:
            heed(p.rules[HALT_AT])
    return total / max(counted, 1)
