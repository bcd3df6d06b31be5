"""Two judgements with one seed have the same verdict and the same counterexample."""
import json
import sys

one, two = (json.load(open(path, encoding='utf-8')) for path in sys.argv[1:3])
assert one['verdict'] == two['verdict'], (one['verdict'], two['verdict'])
# Which rung finds it first depends on timing, but the counterexample does not.
for key in ('size', 'argument', 'element', 'originalItem', 'rewrittenItem'):
    assert one['counterexample'][key] == two['counterexample'][key], key
