#!/usr/bin/env python3
"""Mutation testing of the judge: known-good rewrites with one small change each.

Takes the forms of pairs/ that are expected to be held, changes one operator, offset, constant or
swizzle lane at a time, and judges the result. A mutant that is held is equivalent only where the
symbolic rung proved it; every other one survives. Prints each survivor and the share that was
caught. Exits with 1 where it is below --least.
"""
import argparse
import collections
import concurrent.futures
import json
import pathlib
import random
import re
import sys
import tempfile

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
    """(what, line, mutated text) for every place where one change can be made."""
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


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--run', default='clmali-run')
    parser.add_argument('--platform', default='')
    parser.add_argument('--seed', default='1')
    parser.add_argument('--jobs', type=int, default=2)
    parser.add_argument('--only', default='', help='forms whose names contain this')
    parser.add_argument('--sample', type=int, default=0, help='so many mutants, drawn by the seed')
    parser.add_argument('--least', type=float, default=99.0, help='per cent that must be caught')
    arguments = parser.parse_args()

    here = pathlib.Path(__file__).resolve().parent / 'pairs'
    work = []
    for path in sorted(here.glob('*/good-*.cl')):
        if arguments.only in f'{path.parent.name}/{path.stem}':
            work += [(path,) + mutant for mutant in mutants(path.read_text())]
    if arguments.sample and arguments.sample < len(work):
        work = sorted(random.Random(int(arguments.seed)).sample(work, arguments.sample))
    if not work:
        sys.exit('no mutant: nothing was tested')

    counts, survivors = collections.Counter(), []
    with tempfile.TemporaryDirectory() as scratch, \
            concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        jobs = []
        for index, (path, what, line, text) in enumerate(work):
            folder = pathlib.Path(scratch) / str(index) / path.parent.name
            folder.mkdir(parents=True)
            for name in ('base.cl', 'base.launch.yaml'):
                (folder / name).write_text((path.parent / name).read_text())
            mutant = folder / path.name
            mutant.write_text(text)
            jobs.append((path, what, line, pool.submit(trial.judge, mutant, arguments)))
        for path, what, line, job in jobs:
            result = job.result()
            name = f'{path.parent.name}/{path.stem}:{line} {what}'
            if result['verdict'] == 'held':
                kind = 'equivalent' if result['proved'] else 'survivor'
            elif result['verdict'] == 'inconclusive' and 'build' in result['summary']:
                kind = 'does not build'
            elif result['verdict'] in ('refuted', 'inconclusive'):
                kind = result['verdict']
            else:
                kind = 'error'
            counts[kind] += 1
            if kind in ('survivor', 'error'):
                survivors.append(name)
            print(f"{kind:15} {name:60} {result['summary'][:80]}", flush=True)
    caught = counts['refuted'] + counts['inconclusive']
    total = caught + counts['survivor'] + counts['error']
    share = 100.0 * caught / total if total else 0.0
    print(json.dumps(counts))
    for name in survivors:
        print(f'SURVIVES: {name}')
    print(f'caught: {caught} of {total} that are not proved equivalent: {share:.1f} %')
    return 0 if total and share >= arguments.least else 1


if __name__ == '__main__':
    sys.exit(main())
