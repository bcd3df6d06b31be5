"""Checks figures of kernels.cl that hold for every version of the compiler."""
import json
import sys

costs = {(c["device"], c["kernel"]): c for c in json.load(open(sys.argv[1]))["costs"]}
devices = sorted({device for device, _ in costs})
assert len(devices) == 2, devices
for device in devices:
    scalar, vector, looped, unrolled = (costs[device, k] for k in ("scalar", "vector", "looped", "unrolled"))
    for c in (scalar, vector, looped, unrolled):
        assert c["status"] == "ok", c
        # Kinds of groups are parts of all groups.
        assert c["main"] + c["bitwise"] + c["control"] == c["groups"] > 0, c
        assert c["stores"] == 1 and c["loads"] >= 2, c
        assert 0 < c["registers"] <= 128 and c["spills"] == 0, c
    assert vector["perItem"]["groups"] == vector["groups"] / 4
    assert vector["perItem"]["groups"] < scalar["groups"] / 2
    assert (looped["loops"], unrolled["loops"]) == (1, 0)
    assert looped["weighted"]["groups"] > 10 * looped["groups"]
