#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""validate_workloads.py SCHEMA NR COMMAND...: the schema of workloads against
what their reader says, as COMMAND prints it: print_workloads.c. The first NR
are files that must be read."""
import collections
import json
import subprocess
import sys

try:
    import jsonschema
except ImportError:
    print("skipped: no jsonschema")
    sys.exit(77)

# Does the schema take it? None = either way.
FITS = {"read": True, "wrong": False, "unfit": True, "refused": None}


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    nr_files = int(sys.argv[2])
    lines = subprocess.run(sys.argv[3:], check=True, encoding="utf-8",
                           stdout=subprocess.PIPE).stdout.splitlines()
    seen = collections.Counter()
    failures = []
    for index, line in enumerate(lines):
        verdict, text = line.split("\t", 1)
        fits = validator.is_valid(json.loads(text))
        seen[verdict, fits] += 1
        if FITS[verdict] not in (None, fits):
            failures.append(f"{verdict}, but fits: {fits}: {text}")
        if index < nr_files and verdict != "read":
            failures.append(f"file {index + 1} is not read")
    for failure in failures[:20]:
        print(failure)
    print(f"{len(lines)} workloads, {len(failures)} failed: {dict(seen)}")
    enough = (nr_files > 0 and seen["wrong", False] > 20 and
              seen["read", True] > 100 and seen["refused", False] > 100)
    return 1 if failures or not enough else 0


if __name__ == "__main__":
    sys.exit(main())
