"""Figures of one kernel on one device, as the store keeps them: checks, and the busiest unit."""

import math

UNITS = ("arithmetic", "loadStore", "texture")


def no_figure(base, reason):
    return dict(base, status="no figure", reason=" ".join(reason.split())[:2000])


def impossible(figures, device):
    """Why the figures cannot be right, or None. A wrong figure is worse than none."""
    for name, value in figures.items():
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            continue
        if not math.isfinite(value) or value < 0 or value > 1e9:
            return "%s is %r" % (name, value)
    registers = figures.get("registers")
    if registers is None or registers > device.registers:
        return "the kernel uses %s registers of %d" % (registers, device.registers)
    amount = "groups" if device.generation == "rogue" else "instructions"
    if not figures.get(amount):
        return "the compiled kernel has no instructions"
    if device.generation != "rogue" and figures.get("cycles") == 0:
        return "the compiled kernel takes no cycles"
    return None


def cycles_of(units):
    """The cycles of the busiest unit, and its name. The units of a core work in parallel."""
    known = {name: units[name] for name in UNITS if units.get(name) is not None}
    if not known:
        return None, None
    bound = max(known, key=lambda name: known[name])
    return known[bound], bound
