"""Cases about random variables: finite probability spaces, and samples of their outcomes."""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from duizhao.arrays import Array
from duizhao.scaling import Distribution, distribution
from duizhao.strategies.case import Case

Vector = NDArray[np.float64]
Outcomes = NDArray[np.int64]

SAMPLES = 2048
"""How many outcomes a sample has."""


@dataclass(frozen=True)
class Space(Case):
    """Outcomes with probabilities in proportion to `counts`, `(N,)`, and the `seed` of a sample of them."""

    counts: Vector
    seed: int

    @property
    def samples(self) -> int:
        """The size of the sample."""
        return SAMPLES

    @cached_property
    def sample(self) -> Outcomes:
        """Which outcomes occurred, `(samples,)`."""
        generator = np.random.default_rng(self.seed)
        return generator.choice(len(self.counts), size=SAMPLES, p=self.counts / self.counts.sum())

    def law(self, variable: Vector) -> Distribution:
        """Return the distribution of a variable `(N,)` on this space, in fractions; sums of whole counts are exact."""
        values, places = np.unique(variable, return_inverse=True)
        counts = np.bincount(places.ravel(), weights=self.counts)
        total = Fraction(float(counts.sum()))
        shares = [Fraction(float(count)) / total for count in counts]
        return distribution(dict(zip(map(float, values), shares, strict=True)))

    def expectation(self, variable: Vector) -> float:
        """Return the mean of a variable `(N,)` on this space."""
        return math.fsum(variable * self.counts) / math.fsum(self.counts)

    @property
    def score(self) -> Vector:
        """The exact score of each outcome."""
        raise AttributeError(f"{type(self).__name__} has no score")

    @property
    def square_variance(self) -> float:
        """The variance of the square of the score."""
        squares = self.score**2
        return self.expectation((squares - self.expectation(squares)) ** 2)

    @property
    def square_farthest(self) -> float:
        """The largest distance of the square of the score from its mean."""
        squares = self.score**2
        return float(np.max(np.abs(squares - self.expectation(squares))))


@dataclass(frozen=True)
class TwoVariables(Space):
    """Two variables on a finite space, `(N,)` each, and a `width`: how often their product is added up."""

    x: Vector
    y: Vector
    width: int = 1

    @property
    def score(self) -> Vector:
        """The exact score of each outcome."""
        return self.width * self.x * self.y

    @property
    def magnitude(self) -> float:
        """The largest sum of the magnitudes of the products in a score."""
        return float(np.max(np.abs(self.score)))

    def sampled(self, variable: Vector) -> Array:
        """Return a variable at the outcomes that occurred, repeated `width` times: `(samples, 1, width)`."""
        rows = np.repeat(variable[self.sample][:, None, None], self.width, axis=2)
        return self.target.array(rows)


@dataclass(frozen=True)
class RandomVectors(Space):
    """The coordinates of a query and a key on a finite space, `(N, d)` each. The score is divided by `√d` if `scaled`."""

    query: Vector
    key: Vector
    scaled: bool = False

    @property
    def width(self) -> int:
        """The number of coordinates."""
        return int(self.query.shape[1])

    @property
    def scale(self) -> float:
        """What the dot products are multiplied with."""
        return 1 / math.sqrt(self.width) if self.scaled else 1.0

    @cached_property
    def products(self) -> Vector:
        """The dot product of each outcome."""
        return np.asarray((self.query * self.key).sum(axis=1))

    @property
    def score(self) -> Vector:
        """The exact score of each outcome."""
        return self.scale * self.products

    @property
    def magnitude(self) -> float:
        """The largest sum of the magnitudes of the products in a score."""
        return self.scale * float(np.max(np.abs(self.query * self.key).sum(axis=1)))

    def sampled(self, coordinates: Vector) -> Array:
        """Return the coordinates of the outcomes that occurred: `(samples, 1, d)`."""
        return self.target.array(coordinates[self.sample][:, None, :])
