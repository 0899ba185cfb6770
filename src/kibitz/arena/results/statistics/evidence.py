"""Evidence: p values in words, the same words everywhere."""

ALPHA, STRONG = 0.05, 0.01  # p values below them are some and strong evidence
LEAST_SHOWN = 0.001  # smaller p values are not told apart


def strength(p: float) -> str:
    """Return how much evidence a p value is."""
    return "strong" if p < STRONG else "some" if p < ALPHA else "no"


def evidence(claim: str, p: float, corrected_for: str = "") -> str:
    """Return what a p value says about a claim that things differ, and what the value means.

    A corrected value, for 4 agents say, is not a frequency: it only tells how strong the evidence is.
    """
    if corrected_for:
        return f"There is {strength(p)} evidence that {claim} ({p_statement(p)}, corrected for {corrected_for})."
    often = "fewer than 1 in 1,000" if p < LEAST_SHOWN else f"{p:.1%}" if p < 0.1 else f"{p:.0%}"
    return (
        f"There is {strength(p)} evidence that {claim} ({p_statement(p)}: by chance alone, {often} of such runs would "
        "differ at least as much)."
    )


def p_value(p: float) -> str:
    """Return a p value as text."""
    return f"< {LEAST_SHOWN}" if p < LEAST_SHOWN else f"{p:.3f}" if p < 0.1 else f"{p:.2f}"


def p_statement(p: float) -> str:
    """Return a p value as a statement."""
    return f"p {p_value(p)}" if p < LEAST_SHOWN else f"p = {p_value(p)}"
