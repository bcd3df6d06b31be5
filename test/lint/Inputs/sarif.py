"""sarif.py LOG...: checks each log against the schema of SARIF 2.1.0 and against rules that a schema cannot express."""
import json
import os
import sys

try:
    import jsonschema
except ImportError:  # not the distribution's Python
    if sys.executable != "/usr/bin/python3" and os.path.exists("/usr/bin/python3") and not os.environ.get("AGAIN"):
        os.environ["AGAIN"] = "1"
        os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])
    sys.exit("python3-jsonschema is missing; tools/setup installs it")

folder = os.path.dirname(os.path.abspath(__file__))
schema = json.load(open(os.path.join(folder, "sarif-schema-2.1.0.json")))
validator = jsonschema.Draft202012Validator(schema)


def check(log):
    errors = ["%s: %s" % ("/".join(map(str, e.absolute_path)), e.message[:200]) for e in validator.iter_errors(log)]
    assert not errors, "\n".join(errors)
    assert log["version"] == "2.1.0" and log["$schema"]
    run, = log["runs"]
    driver = run["tool"]["driver"]
    rules = driver["rules"]
    # The standard requires absolute addresses (the validator does not check formats). The pages have no address, so
    # the fields are absent, and each rule contains its page.
    for uri in [driver.get("informationUri")] + [r.get("helpUri") for r in rules]:
        assert uri is None or uri.startswith(("https://", "http://")), uri
    assert len({r["id"] for r in rules}) == len(rules)
    for rule in rules:
        if driver["name"] == "clmali-lint" and rule["id"] != "clmali-unused-suppression":
            assert "## What it does" in rule["help"]["markdown"], rule["id"]
        assert rule["help"]["text"] and rule["shortDescription"]["text"].endswith("."), rule["id"]
    results = run["results"]
    prints = [r["partialFingerprints"]["clmali/v1"] for r in results if "partialFingerprints" in r]
    assert len(set(prints)) == len(prints), "fingerprints are not unique"
    for result in results:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result.get("level", "none") in ("none", "note", "warning", "error")
        for where in result.get("locations", []):
            region = where["physicalLocation"].get("region", {})
            if "startColumn" in region:
                assert (region["startLine"], region["startColumn"]) < (region["endLine"], region["endColumn"])
            uri = where["physicalLocation"]["artifactLocation"]
            assert uri.get("uriBaseId") == "%SRCROOT%" or uri["uri"].startswith("file:///"), uri
    assert run["originalUriBaseIds"]["%SRCROOT%"]["uri"].endswith("/")


# The validator must reject invalid logs.
for bad in ({}, {"version": "2.1.0", "runs": [{}]}, {"version": "2.1.0", "runs": [], "more": 1}):
    assert not validator.is_valid(bad), bad

for name in sys.argv[1:]:
    log = json.load(open(name))
    check(log)
    print("%s: %d results" % (os.path.basename(name), len(log["runs"][0]["results"])))
