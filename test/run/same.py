"""Two judgements with one seed: the same verdict, and the same counterexample."""
import json
import sys

one, two = (json.load(open(path, encoding='utf-8')) for path in sys.argv[1:3])
assert one['verdict'] == two['verdict'], (one['verdict'], two['verdict'])
# Which rung sees it first is a matter of time; what it comes to is not.
for key in ('size', 'argument', 'element', 'originalItem', 'rewrittenItem'):
    assert one['counterexample'][key] == two['counterexample'][key], key
