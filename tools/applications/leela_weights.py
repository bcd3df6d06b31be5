"""Writes weights of a small random network for leela-zero: one residual block of FILTERS filters.

    leela_weights.py FILE
"""
import random
import sys

FILTERS, BLOCKS, INPUTS = 8, 1, 18
SQUARES = 19 * 19


def main():
    random.seed(1)

    def line(count, scale):
        return " ".join("%.4f" % random.uniform(-scale, scale) for _ in range(count))

    def layer(inputs, outputs, size):
        return [line(inputs * outputs * size * size, 0.2), line(outputs, 0.1), line(outputs, 0.1),
                " ".join(["1"] * outputs)]

    lines = ["1"] + layer(INPUTS, FILTERS, 3)
    for _ in range(2 * BLOCKS):
        lines += layer(FILTERS, FILTERS, 3)
    lines += layer(FILTERS, 2, 1) + [line(2 * SQUARES * (SQUARES + 1), 0.1), line(SQUARES + 1, 0.1)]
    lines += layer(FILTERS, 1, 1) + [line(SQUARES * 256, 0.1), line(256, 0.1), line(256, 0.1), line(1, 0.1)]
    with open(sys.argv[1], "w", encoding="ascii") as f:
        f.write("\n".join(lines) + "\n")


main()
