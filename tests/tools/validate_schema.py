#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The result documents against their published schema.

validate_schema.py SCHEMA PRINT_SAMPLE: every made-up result must fit the
schema, must not fit it any more after a change, and its CSV columns must be
the leaves of the schema. Exit status 77: the Python modules are missing.
"""
import copy
import csv
import io
import json
import subprocess
import sys

try:
    import jsonschema
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

KINDS = ["full", "lists", "wide", "threads", "wakeups", "counters",
         "probes", "one", "none", "empty"]
OPTIONAL = {"probe"}  # of the document: bench has it with --probe


def no_constant(name):
    raise ValueError(f"{name} is not JSON")


def parse(text):
    return json.loads(text, parse_constant=no_constant)


def printed(program, kind, view):
    run = subprocess.run([program, kind, view], check=True,
                         stdout=subprocess.PIPE)
    return run.stdout.decode("utf-8")


def resolve(schema, node):
    while "$ref" in node:
        node = schema["$defs"][node["$ref"].rsplit("/", 1)[1]]
    return node


def schema_columns(schema, node, prefix, events):
    """Columns of an object of the schema: its leaves, in order."""
    for name, child in node["properties"].items():
        if name not in node["required"]:  # of a replay
            continue
        child = resolve(schema, child)
        path = prefix + name
        types = child.get("type", [])
        types = [types] if isinstance(types, str) else types
        if name.startswith("ci95"):
            yield path + ".lo"
            yield path + ".hi"
        elif "properties" in child:
            yield from schema_columns(schema, child, path + ".", events)
        elif name == "counters":
            for event in events:
                yield from schema_columns(
                    schema, resolve(schema, child["additionalProperties"]),
                    f"{path}.{event}.", events)
        elif "array" not in types and "object" not in types:
            yield path


def flat(row, prefix=""):
    """A JSON row as CSV shows it."""
    for name, value in row.items():
        path = prefix + name
        if name.startswith("ci95"):
            ends = value if value is not None else [None, None]
            yield path + ".lo", ends[0]
            yield path + ".hi", ends[1]
        elif isinstance(value, dict):
            yield from flat(value, path + ".")
        elif not isinstance(value, list):
            yield path, value


def csv_text(value):
    return "" if value is None else (
        value if isinstance(value, str) else json.dumps(value))


def same_cell(cell, value):
    if isinstance(value, float):
        return float(cell) == value
    return cell == csv_text(value)


def places(node, path=()):
    """Every object of a document and the way to it."""
    if isinstance(node, dict):
        yield path
        for name, child in node.items():
            yield from places(child, path + (name,))
    elif isinstance(node, list):
        for index, child in enumerate(node):
            yield from places(child, path + (index,))


def at(document, path):
    for step in path:
        document = document[step]
    return document


class Check:
    def __init__(self, schema):
        self.schema = schema
        self.validator = jsonschema.Draft202012Validator(schema)
        self.failures = []
        self.nr = 0

    def expect(self, good, what):
        self.nr += 1
        if not good:
            self.failures.append(what)

    def fits(self, document):
        return self.validator.is_valid(document)

    def document(self, kind, document):
        for error in self.validator.iter_errors(document):
            self.expect(False, f"{kind}: {list(error.path)}: {error.message}")
        self.expect(document["schema"] == "foliosim.result/1", kind)

    def mutations(self, kind, document):
        """Unknown and missing members must be refused in every object."""
        for path in places(document):
            if path[-1:] == ("counters",):
                continue
            changed = copy.deepcopy(document)
            at(changed, path)["surprise"] = 1
            self.expect(not self.fits(changed),
                        f"{kind}: an unknown member fits in {path}")
            for name in at(document, path):
                if not path and name in OPTIONAL:
                    continue
                changed = copy.deepcopy(document)
                del at(changed, path)[name]
                self.expect(not self.fits(changed),
                            f"{kind}: {path} fits without {name}")

    def replaced(self, document, path, value, fits):
        changed = copy.deepcopy(document)
        at(changed, path[:-1])[path[-1]] = value
        self.expect(self.fits(changed) == fits, f"{path} = {value!r}: "
                    f"{'refused' if fits else 'accepted'}")

    def columns(self, kind, text, document):
        lines = list(csv.reader(io.StringIO(text, newline="")))
        row = resolve(self.schema, self.schema["$defs"]["row"])
        if not document["rows"]:
            self.expect(not lines, f"{kind}: lines without rows")
            return
        self.expect(lines[0] == list(schema_columns(
            self.schema, row, "", document["rows"][0]["counters"])),
                    f"{kind}: header: {lines[0]}")
        self.expect(len(lines) == len(document["rows"]) + 1, kind)
        for line, row in zip(lines[1:], document["rows"]):
            values = list(flat(row))
            self.expect(len(line) == len(values), f"{kind}: {line}")
            for cell, (name, value) in zip(line, values):
                self.expect(same_cell(cell, value),
                            f"{kind}: {row['id']}.{name}: {cell!r}")


def wrong_values(check, document):
    row = ("rows", 0)
    counter = {"value": 1, "enabled_ns": 2, "running_ns": 2,
               "status": "counted", "source": "pmu", "mode": "user",
               "reason": None}
    for path, value, fits in [
            (("schema",), "foliosim.result/2", False),
            (("partial",), "no", False),
            (row + ("id",), "1", False),
            (row + ("status",), "pending", False),
            (row + ("status",), "unsupported", False),
            (row + ("fault_page",), 3, True),
            (row + ("fault_page",), None, True),
            (row + ("fault_page",), "first", False),
            (row + ("preempt",), "rt", False),
            (row + ("rounds",), 0, False),
            (row + ("rounds",), 1.5, False),
            (row + ("bytes",), None, False),
            (row + ("seconds",), [], False),
            (row + ("bandwidth", "median_bps"), "fast", False),
            (row + ("bandwidth", "ci95_bps"), [1.0], False),
            (row + ("bandwidth", "ci95_bps"), None, True),
            (row + ("counters",), {"cycles": counter}, True),
            (row + ("counters",), {"a": dict(counter, value=None)}, True),
            (row + ("counters",), {"a": dict(counter, value=0.5)}, True),
            (row + ("counters",), {"a": dict(counter, value=-1)}, False),
            (row + ("counters",), {"a": dict(counter, status="")}, False),
            (row + ("counters",), {"a": dict(counter, mode="k")}, False),
            (row + ("counters",), {"cycles": 1}, False),
            (row + ("counters",), {"cycles": dict(counter, more=1)}, False),
            (row + ("same_as",), ["r2", "r2"], False),
            (row + ("warnings",), ["no kind"], False),
            (("machine", "virtualised"), None, False),
            (("machine", "preempt_mode"), "none", False)]:
        check.replaced(document, path, value, fits)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        schema = parse(file.read())
    jsonschema.Draft202012Validator.check_schema(schema)
    check = Check(schema)
    for kind in KINDS:
        document = parse(printed(sys.argv[2], kind, "json"))
        check.document(kind, document)
        check.columns(kind, printed(sys.argv[2], kind, "csv"), document)
        if kind in ("full", "probes", "empty"):
            document["rows"] = document["rows"][:1] + document["rows"][-1:]
            check.mutations(kind, document)
        if kind == "full":
            wrong_values(check, document)
    for failure in check.failures[:20]:
        print(failure)
    print(f"{check.nr} checks, {len(check.failures)} failed")
    return 1 if check.failures or check.nr < 100 else 0


if __name__ == "__main__":
    sys.exit(main())
