"""What SARIF 2.1.0 asks for, as far as it can be checked without its schema."""
import json
import sys

log = json.load(open(sys.argv[1]))
assert log["version"] == "2.1.0" and log["$schema"]
run, = log["runs"]
rules = run["tool"]["driver"]["rules"]
assert len({r["id"] for r in rules}) == len(rules)
for rule in rules:
    assert rule["help"]["text"] and rule["shortDescription"]["text"].endswith("."), rule["id"]
results = run["results"]
assert results
prints = [r["partialFingerprints"]["clmali/v1"] for r in results]
assert len(set(prints)) == len(prints), "fingerprints are not unique"
for result in results:
    assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    assert result["level"] in ("note", "warning", "error")
    region = result["locations"][0]["physicalLocation"]["region"]
    assert (region["startLine"], region["startColumn"]) < (region["endLine"], region["endColumn"])
