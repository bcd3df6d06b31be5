"""Checks the SARIF log of a judgement: its verdict and the record in it."""
import json
import sys

with open(sys.argv[1], encoding='utf-8') as file:
    log = json.load(file)
verdict = sys.argv[2]
run = log['runs'][0]
result = run['results'][0]
rule = run['tool']['driver']['rules'][result['ruleIndex']]
record = run['properties']['verdict']
assert log['version'] == '2.1.0'
assert result['ruleId'] == rule['id'] == f'clmali-judge-{verdict}', result['ruleId']
assert result['kind'] == {'held': 'pass', 'refuted': 'fail', 'inconclusive': 'open'}[verdict]
assert record['verdict'] == verdict
for key in ('device', 'devices', 'sizes', 'seed', 'patterns', 'counts', 'runs', 'tolerances', 'checks', 'seconds'):
    assert key in record, key
assert record['device']['driver'] and record['checks'] and record['sizes']
if verdict == 'held':
    assert record['basis'] in ('proved', 'proved-at', 'tested'), record['basis']
    assert result['properties']['basis'] == record['basis'], result['properties']
    assert {'proved': 'proved for every size', 'proved-at': 'proved at ', 'tested': 'tested at '}[record['basis']] \
        in result['message']['text'], result['message']['text']
    assert isinstance(record['skipped'], list) and record['runs'] > 0
if verdict == 'refuted':
    assert 'written by (' in result['message']['text'], result['message']['text']
    assert record['counterexample']['launchFile'].startswith('kernel:') or 'kernel:' in record['counterexample']['launchFile']
