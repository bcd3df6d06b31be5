"""exit.py N COMMAND...: runs COMMAND and succeeds if it exits with N."""
import subprocess
import sys

code = subprocess.run(sys.argv[2:], check=False).returncode
if code != int(sys.argv[1]):
    print(f'expected exit code {sys.argv[1]}, got {code}', file=sys.stderr)
    sys.exit(1)
