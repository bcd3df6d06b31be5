"""Runs a command and succeeds where it ends with the exit code that comes first."""
import subprocess
import sys

code = subprocess.run(sys.argv[2:], check=False).returncode
if code != int(sys.argv[1]):
    print(f'expected exit code {sys.argv[1]}, got {code}', file=sys.stderr)
    sys.exit(1)
