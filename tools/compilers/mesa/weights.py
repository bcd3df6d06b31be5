"""Figures of one kernel weighted by the trips of its loops, for one work-item of the original, and as text.

Nothing here changes what the store keeps.
"""

import math

from .figures import UNITS, cycles_of


def kept(trips, loops):
    """The trip counts of the loops that the compiler kept, in the order of the code; None if that is not known.

    loops: their number. trips: one count for all of them, or a list with one entry for each loop of the source: a count,
    or [count, depth] for a loop of constant trips at that nesting depth (1: outermost), which the compiler may unroll.
    Compilers unroll inner loops first, so those are taken to be unrolled until the number fits.
    """
    if not isinstance(trips, list):
        return [trips] * loops
    deepest = max((t[1] for t in trips if isinstance(t, list)), default=0)
    for depth in range(deepest, -1, -1):
        left = [t[0] if isinstance(t, list) else t for t in trips if not isinstance(t, list) or t[1] <= depth]
        if len(left) == loops:
            return left
    return None


def weighted(figures, trips):
    """The figures with each block counted as often as its loops run; None if that is not known.

    trips: see kept. A block of nested loops counts by the product.
    """
    blocks, loops = figures.get("blocks"), figures.get("loops")
    if not blocks or not loops:
        return None
    trips = kept(trips, loops)
    if trips is None:
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
