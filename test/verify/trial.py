#!/usr/bin/env python3
"""Tests the judge: known-bad rewrites must not be held, known-good ones must be.

Each folder of pairs/ has a base kernel (base.cl, base.launch.yaml) and rewritten forms of it. A form
begins with its expected verdict and its launches:

    // expect: refuted          held | refuted | inconclusive | not-held (refuted or inconclusive)
    // why: the tail stops one element early
    // only: own-sizes          the one part of the judge that catches this form
    // launch: {"kernel": "axpy_v4", "global": ["gx / 4"]}      one line for each launch
    // arguments: [{"name": "dst", "as": "buffer"}]             of the manifest, and
    // require: ["gx >= 4"]                                     where there are any

clmali-run judges every form. Prints a table; exits with 1 if a verdict is not the expected one.

Each part of the judge must be the only one to catch some form. A form with "only" is judged again
without that part (clmali-run --without), and then nothing may refute it. With --long every known-bad
form is judged again without the part that refuted it, and the table shows for each part the forms
that no other part refutes. The test fails if a part is needed for no form.
"""
import argparse
import collections
import concurrent.futures
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import time

EXITS = {0: 'held', 3: 'refuted', 4: 'inconclusive'}


def read_form(path):
    expect, why, only, launches, more = None, '', '', [], {}
    for line in path.read_text().splitlines():
        if not line.startswith('//'):
            break
        key, _, value = line[2:].strip().partition(':')
        if key == 'expect':
            expect = value.strip()
        elif key == 'why':
            why = value.strip()
        elif key == 'only':
            only = value.strip()
        elif key == 'launch':
            launches.append(json.loads(value))
        elif key in ('arguments', 'require'):
            more[key] = json.loads(value)
    if expect not in ('held', 'refuted', 'inconclusive', 'not-held') or not launches:
        sys.exit(f'{path}: needs "// expect:" and at least one "// launch:"')
    return expect, why, only, {'launches': launches, **more}


def kernel_name(folder):
    for line in (folder / 'base.launch.yaml').read_text().splitlines():
        if line.startswith('kernel:'):
            return line.split(':', 1)[1].strip()
    sys.exit(f'{folder}: base.launch.yaml names no kernel')


def judge(path, arguments, without=''):
    expect, why, only, entry = read_form(path)
    folder = path.parent
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        manifest = scratch / 'manifest.json'
        record = scratch / 'record.json'
        manifest.write_text(json.dumps({
            'version': 1,
            'kernels': [{'original': kernel_name(folder), **entry}]}))
        start = time.time()
        run = subprocess.run(
            [arguments.run, '--quiet', f'--seed={arguments.seed}', f'--against={path}',
             f'--manifest={manifest}', f'--json={record}', str(folder / 'base.launch.yaml')]
            + ([f'--without={without}'] if without else [])
            + ([f'--platform={arguments.platform}'] if arguments.platform else []),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
        seconds = time.time() - start
        verdict = EXITS.get(run.returncode, f'exit {run.returncode}')
        details = json.loads(record.read_text()) if record.exists() else {}
    right = verdict == expect or expect == 'not-held' and verdict in ('refuted', 'inconclusive')
    example = details.get('counterexample', {})
    # A refutation must be reproducible.
    if verdict == 'refuted' and not example.get('replayed'):
        right = False
    summary = (run.stderr or details.get('summary', run.stdout)).strip().split('\n')[0]
    return dict(name=f'{folder.name}/{path.stem}', expect=expect, verdict=verdict, right=right,
                rung=example.get('check', ''), part=example.get('part', ''), only=only, seconds=seconds, summary=summary, why=why,
                proved=any(check['name'] == 'symbolic' and check['state'] == 'passed'
                           for check in details.get('checks', [])))


def missed(without):
    """True if no fault was found: held, or inconclusive because of the part left out."""
    if without['verdict'] == 'held':
        return True
    return without['verdict'] == 'inconclusive' and 'left out by request' in without['summary']


def left_out(result, path, arguments):
    """The part without which nothing refutes this form, or an empty string."""
    parts = [result['only']] if result['only'] else []
    if arguments.long and result['verdict'] == 'refuted':
        # A difference on the data of the launch file is found by every rung that compares.
        parts += [p for p in (result['part'], result['rung']) if p in arguments.parts and p not in parts]
    for part in parts:
        without = judge(path, arguments, part)
        result['without'] = f"{part}: {without['verdict']}: {without['summary']}"
        if missed(without):
            return part
    return ''


def part_names(run):
    """The names of all parts, from the program's message."""
    said = subprocess.run([run, '--without=?', 'x'], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=False).stdout
    return [name.strip() for name in said.split('there are', 1)[1].split(',')]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--run', default='clmali-run', help='the clmali-run to test')
    parser.add_argument('--platform', default='')
    parser.add_argument('--seed', default='1')
    parser.add_argument('--jobs', type=int, default=2)
    parser.add_argument('--only', default='', help='only forms whose names contain this')
    parser.add_argument('--sample', type=int, default=1,
                        help='judge every N-th of the forms without "only"')
    parser.add_argument('--long', action='store_true',
                        help='judge every known-bad form again without the part that refuted it')
    parser.add_argument('--no-only', action='store_true', help='skip the second judgements')
    arguments = parser.parse_args()
    arguments.parts = part_names(arguments.run)

    here = pathlib.Path(__file__).resolve().parent / 'pairs'
    forms = [path for path in sorted(here.glob('*/*.cl'))
             if path.name != 'base.cl' and arguments.only in f'{path.parent.name}/{path.stem}']
    only = [path for path in forms if read_form(path)[2]]
    rest = [path for path in forms if path not in only]
    # The seed selects the sample.
    random.Random(int(arguments.seed)).shuffle(rest)
    forms = sorted(only + rest[:max(len(rest) // arguments.sample, 1)])
    if not forms:
        sys.exit('no form to judge: nothing was tested')
    rungs, verdicts, wrong, slowest = collections.Counter(), collections.Counter(), [], 0.0
    alone = {part: [] for part in arguments.parts}
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        def both(path):
            result = judge(path, arguments)
            result['alone'] = ''
            if result['right'] and result['expect'] != 'held' and not arguments.no_only:
                result['alone'] = left_out(result, path, arguments)
                if result['only'] and result['alone'] != result['only']:
                    result['right'] = False
                    result['summary'] = 'caught by another part too, without ' + result['without']
            return result

        for result in pool.map(both, forms):
            mark = ' ' if result['right'] else '!'
            print(f"{mark} {result['name']:42} {result['expect']:12} {result['verdict']:12} "
                  f"{result['rung']:13} {result['seconds']:5.1f} s  {result['summary'][:100]}",
                  flush=True)
            good = result['expect'] == 'held'
            verdicts['good' if good else 'bad', result['verdict']] += 1
            if result['verdict'] == 'refuted':
                rungs[result['rung']] += 1
            if result['alone']:
                alone[result['alone']].append(result['name'])
            slowest = max(slowest, result['seconds'])
            if not result['right']:
                wrong.append(result)
    print()
    for kind in ('bad', 'good'):
        total = sum(n for (k, _), n in verdicts.items() if k == kind)
        parts = ', '.join(f'{n} {v}' for (k, v), n in sorted(verdicts.items()) if k == kind)
        print(f'known-{kind}: {total}: {parts}')
    print('refuted by: ' + ', '.join(f'{rung} {n}' for rung, n in rungs.most_common()))
    print(f'slowest: {slowest:.1f} s')
    if not arguments.no_only:
        print('the only one to catch:')
        for part in arguments.parts:
            print(f"  {part:24} {len(alone[part]):3}  {' '.join(alone[part][:4])}")
    idle = [part for part in arguments.parts if not alone[part]]
    if idle and not (arguments.no_only or arguments.only):
        print('WRONG: never the only one to catch anything: ' + ', '.join(idle))
    for result in wrong:
        print(f"WRONG: {result['name']}: expected {result['expect']}, judged {result['verdict']}: "
              f"{result['summary']}\n       ({result['why']})")
    return 1 if wrong or idle and not (arguments.no_only or arguments.only) else 0


if __name__ == '__main__':
    sys.exit(main())
