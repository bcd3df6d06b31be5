"""Figures of one kernel on one device: checks, weights of loops, figures for one work-item."""

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


def weighted(figures, trips):
    """The figures with each block counted as often as its loops run; None if that is not known.

    trips: one trip count for all loops, or a list with one for each loop, in the order of the
    code. A block of nested loops counts by the product.
    """
    blocks, loops = figures.get("blocks"), figures.get("loops")
    if not blocks or not loops:
        return None
    if not isinstance(trips, list):
        trips = [trips] * loops
    if len(trips) != loops:
        return None
    names = [name for name in (*UNITS, "groups", "loads", "stores") if name in blocks[0]]
    total = {name: 0.0 for name in names}
    for block in blocks:
        weight = math.prod(trips[i] for i in block["loops"])
        for name in names:
            total[name] += weight * block[name]
    total = {name: round(value, 6) for name, value in total.items()}
    if any(name in total for name in UNITS):
        total["cycles"], total["bound"] = cycles_of(total)
    return dict(total, trips=trips)


def finish(figures, trips, items):
    """Adds loopsCountedOnce, weighted and perItem.

    items: original work-items that one work-item of this kernel does, or None
    """
    done = dict(figures)
    if done["status"] != "ok":
        return done
    source = done
    done["loopsCountedOnce"] = bool(done.get("loops"))
    if trips is not None and done.get("loops"):
        weights = weighted(done, trips)
        if weights:
            done["weighted"], done["loopsCountedOnce"], source = weights, False, weights
    if items:
        names = (*UNITS, "cycles", "groups", "loads", "stores")
        done["workItems"] = items
        done["perItem"] = {name: round(source[name] / items, 6) for name in names
                           if isinstance(source.get(name), (int, float))}
    return done


def text(costs):
    """The figures as a table, for people."""
    lines = []
    for c in costs:
        head = "%s: '%s' on %s" % (c["file"], c["kernel"] or "?", c["device"])
        if c["status"] != "ok":
            lines.append("%s: no figure: %s" % (head, c["reason"]))
            continue
        if "groups" in c:
            body = "%d instruction groups (%d main, %d bitwise, %d control), %s loads, %s stores" % (
                c["groups"], c["main"], c["bitwise"], c["control"], c.get("loads"), c.get("stores"))
        elif c.get("cycles") is not None:
            body = "%.2f cycles (%s bound): arithmetic %.2f, load/store %.2f, texture %.2f" % (
                c["cycles"], c["bound"], c["arithmetic"], c["loadStore"], c["texture"])
        else:
            body = "%d instructions" % c["instructions"]
        body += "; %d registers" % c["registers"]
        if c.get("occupancy") is not None:
            body += ", occupancy %d %%" % c["occupancy"]
        if c.get("spills") or c.get("fills"):
            body += ", %d spills, %d fills" % (c["spills"], c["fills"])
        if c.get("maxWorkGroup"):
            body += ", work-group up to %d" % c["maxWorkGroup"]
        if c.get("loops"):
            once = "each counted once" if c["loopsCountedOnce"] else "weighted"
            body += "; %d loop%s, %s" % (c["loops"], "s" if c["loops"] > 1 else "", once)
        if "perItem" in c:
            per = c["perItem"]
            body += "; for each of %g work-items: %s" % (c["workItems"], (
                "%.2f groups" % per["groups"] if "groups" in per
                else "%.2f cycles" % per.get("cycles", float("nan"))))
        lines.append("%s: %s" % (head, body))
    return "\n".join(lines)
