"""Checks figures of kernels.cl that hold for every version of the compilers."""
import json
import sys

costs = {(c["device"], c["kernel"]): c for c in json.load(open(sys.argv[1]))["costs"]}
devices = sorted({device for device, _ in costs})
assert devices, "no costs"
for device in devices:
    scalar, vector, looped, unrolled = (costs[device, k] for k in ("scalar", "vector", "looped", "unrolled"))
    for c in (scalar, vector, looped, unrolled):
        assert c["status"] == "ok", c
        assert c["registers"] > 0 and c["spills"] == 0, c
        assert c["maxWorkGroup"] >= 256, c
        assert c["cycles"] == max(c["arithmetic"], c["loadStore"], c["texture"]), c
    # Three byte loads and a store for each element; as vectors no more for four.
    assert scalar["loadStore"] >= 4, scalar
    assert vector["loadStore"] <= scalar["loadStore"] + 1, vector
    assert vector["cycles"] / 4 < scalar["cycles"], (vector["cycles"], scalar["cycles"])
    # A loop of constant length is unrolled, the other is not.
    assert (looped["loops"], unrolled["loops"]) == (1, 0), (looped["loops"], unrolled["loops"])
    assert not unrolled["loopsCountedOnce"]
    if "perItem" in vector:
        assert vector["perItem"]["cycles"] == vector["cycles"] / 4
        assert "perItem" not in scalar
        # One load in the loop, 100 times.
        assert 100 <= looped["weighted"]["loadStore"] < 110, looped["weighted"]
        assert not looped["loopsCountedOnce"]
    else:
        assert looped["loopsCountedOnce"]
