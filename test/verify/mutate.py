#!/usr/bin/env python3
"""Mutation testing of the judge: known-good rewrites with one small change each.

Takes the forms of pairs/ that are expected to be held, changes one operator, offset, constant or
swizzle lane at a time, and judges the result. A held mutant counts as equivalent only if the symbolic
check proved it; every other held mutant is a survivor. Prints the survivors and the share of mutants
that was caught; exits with 1 if the share is below --least. --record stores the verdicts, so that the
whole set can be judged in parts (--chunk=600). The order of mutants is shuffled by the seed.
"""
import argparse
import collections
import concurrent.futures
import hashlib
import json
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

import trial

SWAPS = [
    ('operator', r' \+ ', [' - ']), ('operator', r' - ', [' + ']), ('operator', r' \* ', [' + ']),
    ('operator', r' / ', [' * ']), ('operator', r' % ', [' / ']), ('operator', r' << ', [' >> ']),
    ('operator', r' >> ', [' << ']), ('operator', r' & ', [' | ']),
    ('comparison', r' < ', [' <= ', ' > ']), ('comparison', r' <= ', [' < ']),
    ('comparison', r' > ', [' >= ', ' < ']), ('comparison', r' >= ', [' > ']),
    ('comparison', r' == ', [' != ']), ('logic', r' \|\| ', [' && ']), ('logic', r' && ', [' || ']),
    ('lane', r'\.x\b', ['.y']), ('lane', r'\.y\b', ['.x']), ('lane', r'\.z\b', ['.w']),
    ('lane', r'\.lo\b', ['.hi']), ('lane', r'\.hi\b', ['.lo']),
]


def mutants(text):
    """(change, line, mutated text) for every possible single change."""
    header = '\n'.join(line for line in text.splitlines() if line.startswith('//'))
    body = '\n'.join(line for line in text.splitlines() if not line.startswith('//'))

    def made(what, start, end, new):
        line = body.count('\n', 0, start) + header.count('\n') + 2
        return what, line, f'{header}\n{body[:start]}{new}{body[end:]}\n'

    for kind, pattern, news in SWAPS:
        for match in re.finditer(pattern, body):
            for new in news:
                yield made(f'{kind}:{match.group().strip()}->{new.strip()}',
                           match.start(), match.end(), new)
    for match in re.finditer(r'(?<![\w.])\d+(?=[uU]?\b)(?![.\w])', body):
        for step in (-1, 1):
            value = int(match.group()) + step
            if value >= 0:
                yield made(f'constant:{match.group()}->{value}', match.start(), match.end(),
                           str(value))
    for match in re.finditer(r'(?<![\w.])(\d+\.\d+)(?=f\b)', body):
        yield made(f'constant:{match.group()}', match.start(), match.end(),
                   repr(float(match.group()) * 1.0009765625 + 0.0009765625))
    for match in re.finditer(r'\.s([0-9a-f])\b', body):
        lane = int(match.group(1), 16)
        yield made(f'lane:s{lane:x}', match.start(), match.end(), f'.s{lane ^ 1:x}')


def known(path):
    """The outcomes recorded by earlier runs, by the mutant's key."""
    if not path or not path.exists():
        return {}
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    return {line['key']: line for line in lines}


def kind_of(result):
    if result['verdict'] == 'held':
        return 'equivalent' if result['proved'] else 'survivor'
    if result['verdict'] == 'inconclusive' and 'build' in result['summary']:
        return 'does not build'
    return result['verdict'] if result['verdict'] in ('refuted', 'inconclusive') else 'error'


def proved_unchanged(path, mutant, folder, arguments):
    """True if the solver proves the mutant equal to the rewrite that it was made from.

    Some rewrites cannot be proved equal to their base (a fused operation is another term), but the
    mutant may be provably equal to the rewrite, which was held. Only for rewrites with one launch.
    """
    launches = trial.read_form(path)[3]['launches']
    plain = [launch for launch in launches if set(launch) == {'kernel', 'global'}]
    if len(launches) != 1 or not plain:
        return False
    text = (path.parent / 'base.launch.yaml').read_text()
    sizes = dict(zip(('gx', 'gy', 'gz'),
                     re.findall(r'"([^"]*)"', re.search(r'^global:(.*)$', text, re.M).group(1))))
    ranges = [re.sub(r'\bg[xyz]\b', lambda name: f'({sizes[name.group()]})', one)
              for one in launches[0]['global']]
    text = re.sub(r'^kernel:.*$', f"kernel: {launches[0]['kernel']}", text, flags=re.M)
    text = re.sub(r'^global:.*$', 'global: [ ' + ', '.join(f'"{one}"' for one in ranges) + ' ]', text,
                  flags=re.M)
    text = re.sub(r'^(source|local|offset):.*\n', '', text, flags=re.M)
    launch, record = folder / 'rewrite.launch.yaml', folder / 'proof.json'
    launch.write_text(text)
    subprocess.run([arguments.run, '--quiet', '--symbolic=20', f'--against={mutant}', f'--json={record}',
                    str(launch), str(path)]
                   + ([f'--platform={arguments.platform}'] if arguments.platform else []),
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    details = json.loads(record.read_text()) if record.exists() else {}
    return details.get('verdict') == 'held' and any(
        check['name'] == 'symbolic' and check['state'] == 'passed' for check in details['checks'])


def judge(number, path, text, scratch, arguments):
    """Judges one mutant in a folder of its own."""
    folder = pathlib.Path(scratch) / str(number) / path.parent.name
    folder.mkdir(parents=True)
    for name in ('base.cl', 'base.launch.yaml'):
        (folder / name).write_text((path.parent / name).read_text())
    mutant = folder / path.name
    mutant.write_text(text)
    result = trial.judge(mutant, arguments)
    if result['verdict'] == 'held' and not result['proved']:
        result['proved'] = proved_unchanged(path, mutant, folder, arguments)
    shutil.rmtree(folder.parent, ignore_errors=True)
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--run', default='clmali-run')
    parser.add_argument('--platform', default='')
    parser.add_argument('--seed', default='1')
    parser.add_argument('--jobs', type=int, default=2)
    parser.add_argument('--only', default='', help='forms whose names contain this')
    parser.add_argument('--sample', type=int, default=0, help='judge only this number of mutants, selected by the seed')
    parser.add_argument('--least', type=float, default=99.0, help='percentage that must be caught')
    parser.add_argument('--record', type=pathlib.Path,
                        help='store verdicts here, and continue where the last run stopped')
    parser.add_argument('--chunk', type=float, default=0, help='stop after this number of seconds')
    parser.add_argument('--again', default='',
                        help='judge recorded mutants with this outcome again (survivor, error, ...)')
    arguments = parser.parse_args()

    here = pathlib.Path(__file__).resolve().parent / 'pairs'
    work = {}
    for path in sorted(here.glob('*/good-*.cl')):
        if arguments.only not in f'{path.parent.name}/{path.stem}':
            continue
        base = (path.parent / 'base.cl').read_text() + (path.parent / 'base.launch.yaml').read_text()
        for what, line, text in mutants(path.read_text()):
            name = f'{path.parent.name}/{path.stem}:{line} {what}'
            key = hashlib.sha256((name + base + text).encode()).hexdigest()[:16]
            work[key] = (path, name, text)
    # Shuffled, so that the mutants judged so far are a random sample of all.
    order = sorted(work)
    random.Random(int(arguments.seed)).shuffle(order)
    if arguments.sample:
        order = order[:arguments.sample]
    if not order:
        sys.exit('no mutant: nothing was tested')

    done = {key: line for key, line in known(arguments.record).items()
            if key in work and (not arguments.again or line['kind'] != arguments.again)}
    todo = [key for key in order if key not in done]
    end = time.monotonic() + arguments.chunk if arguments.chunk else float('inf')
    with tempfile.TemporaryDirectory() as scratch, \
            concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        def one(item):
            number, key = item
            if time.monotonic() > end:
                return key, None
            path, _, text = work[key]
            return key, judge(number, path, text, scratch, arguments)

        for key, result in pool.map(one, enumerate(todo)):
            if result is None:
                continue
            line = dict(key=key, name=work[key][1], kind=kind_of(result), summary=result['summary'],
                        rung=result['rung'], seconds=round(result['seconds'], 1))
            done[key] = line
            if arguments.record:
                with arguments.record.open('a') as out:
                    out.write(json.dumps(line) + '\n')
            print(f"{line['kind']:15} {line['name']:60} {line['summary'][:80]}", flush=True)

    lines = [done[key] for key in order if key in done]
    counts = collections.Counter(line['kind'] for line in lines)
    caught = counts['refuted'] + counts['inconclusive']
    total = caught + counts['survivor'] + counts['error']
    share = 100.0 * caught / total if total else 0.0
    print(json.dumps(counts))
    for line in lines:
        if line['kind'] in ('survivor', 'error'):
            print(f"SURVIVES: {line['name']}: {line['summary'][:100]}")
    print(f'judged: {len(lines)} of {len(order)} mutants')
    print(f'caught: {caught} of {total} that are not proved equivalent: {share:.2f} %')
    return 0 if total and share >= arguments.least else 1


if __name__ == '__main__':
    sys.exit(main())
