#!/usr/bin/env python3
"""Fails if the rule register-pressure says another number of registers than --cost=model for one kernel.
Kernels whose arrays count are left out: --cost counts values only."""
import json
import re
import subprocess
import sys

compared = 0
for family in ["mali-midgard", "mali-bifrost", "mali-valhall", "powervr-rogue"]:
    done = subprocess.run(["clmali-lint", "--format=json", "--fail-on=error", "--device=" + family, "--cost=model",
                           "--checks=-*,register-pressure", sys.argv[1]],
                          capture_output=True, text=True, check=True)
    report = json.loads(done.stdout)
    costs = {c["line"]: c["before"]["registers"] for c in report["costs"]}
    for finding in report["findings"]:
        said = re.search(r"its variables take about (\d+) registers", finding["message"])
        if not said:
            continue
        compared += 1
        if int(said.group(1)) != costs[finding["line"]]:
            sys.exit("%s:%d: %s, but --cost says %s" % (family, finding["line"], finding["message"],
                                                        costs[finding["line"]]))
print(compared, "numbers compared")
sys.exit(compared < 9)
