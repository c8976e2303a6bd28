"""Word error counts by the cheapest alignment of two token lists."""

import dataclasses

import numpy


@dataclasses.dataclass
class Errors:
    reference: int = 0  # tokens that should have been there
    substitutions: int = 0
    deletions: int = 0
    insertions: int = 0

    def __add__(self, other):
        mine, theirs = dataclasses.astuple(self), dataclasses.astuple(other)
        return Errors(*(a + b for a, b in zip(mine, theirs)))

    @property
    def total(self):
        return self.substitutions + self.deletions + self.insertions

    @property
    def percent(self):
        return 100 * self.total / self.reference if self.reference else float("nan")


def _costs(reference, hypothesis):
    """costs[i, j]: fewest edits between the first i reference and first j hypothesis tokens."""
    columns = numpy.arange(len(hypothesis) + 1, dtype=numpy.int32)
    costs = numpy.empty((len(reference) + 1, len(hypothesis) + 1), dtype=numpy.int32)
    costs[0] = columns
    for i, token in enumerate(reference, start=1):
        row = costs[i]
        row[0] = i
        numpy.minimum(costs[i - 1, :-1] + (hypothesis != token), costs[i - 1, 1:] + 1, out=row[1:])
        # An insertion costs one a column, so the cheapest start to its left is a running minimum.
        row[:] = numpy.minimum.accumulate(row - columns) + columns
    return costs


def pairs(reference, hypothesis):
    """Positions (i, j) of the cheapest alignment of two lists of strings, from the last to the first; None
    stands where a token of the other list has no partner.

    Of several equally cheap alignments it is the one with the most substitutions.
    """
    numbers = {token: i for i, token in enumerate(dict.fromkeys(reference + hypothesis))}
    left = numpy.array([numbers[t] for t in reference], dtype=numpy.int32)
    right = numpy.array([numbers[t] for t in hypothesis], dtype=numpy.int32)
    costs = _costs(left, right)
    i, j = len(reference), len(hypothesis)
    while i or j:
        differs = bool(i and j and left[i - 1] != right[j - 1])
        if i and j and costs[i, j] == costs[i - 1, j - 1] + differs:
            i, j = i - 1, j - 1
            yield i, j
        elif i and costs[i, j] == costs[i - 1, j] + 1:
            i -= 1
            yield i, None
        else:
            j -= 1
            yield None, j


def align(reference, hypothesis):
    """Errors of `hypothesis` against `reference`, both lists of strings."""
    errors = Errors(reference=len(reference))
    for i, j in pairs(reference, hypothesis):
        if j is None:
            errors.deletions += 1
        elif i is None:
            errors.insertions += 1
        else:
            errors.substitutions += reference[i] != hypothesis[j]
    return errors
