#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Real recordings, read by the library and by the regular expressions below.

usage: PRINT_RECORDS=PROGRAM recordings.py
FOLIOSIM_TRACES names a directory with files WORKLOAD.VARIANT.txt[.gz|.zst]:
perfNN.default, perfNN.F, perfNN.F-ns, tp-*, tracefs-CLOCK.*, perftraceNN.
Every record must be the same in both, exports of one recording must be the same
at the coarser time, and those without addresses must be refused.
"""
import os
import re
import subprocess
import sys

TSC_HZ = 2596000000
PROGRAM = os.environ["PRINT_RECORDS"]
# What differs between these is how the same recording was printed.
SAME = [("perf61.F", "perf61.F-ns"), ("perf73.F", "perf73.F-ns"),
        ("tp-perf61.default", "tp-perf73.ns")]

PAYLOAD = rb"address=0x(\w+) ip=0x(\w+) error_code=0x(\w+)$"
SCRIPT = re.compile(rb"^(.{16}) +(\d+)/(\d+) +\[(\d+)\] +(\d+)\.(\d+): +"
                    rb"(\S+): +([0-9a-f]+)(.*)$")
POINT = re.compile(rb"^(.{16}) +(\d+) +\[(\d+)\] +(\d+)\.(\d+): "
                   rb"(exceptions:\w+): " + PAYLOAD)
TRACEFS = re.compile(rb"^(.{16})-(\d+) +\[(\d+)\] \S+ +(\d+)(?:\.(\d+))?: "
                     rb"(\w+): " + PAYLOAD)
TRACE = re.compile(rb"^ *(\d+)\.(\d{3}) \( 0\.000 ms\): (.*)/(\d+) "
                   rb"(min|maj)fault \[.*?\] => (?:(.*)@)?0x([0-9a-f]+) "
                   rb"\(..\)$")
ANON = re.compile(rb"//anon|/anon_hugepage|\[heap\]|\[stack\]")


def number(text):
    return b"%d" % int(text)


def digits(text):
    return b"%x" % int(text, 16)


def nanoseconds(seconds, fraction):
    return number(seconds + fraction.ljust(9, b"0"))


def ip_of(rest):
    """The first number in hex that is padded to 16 columns."""
    at = 0
    while (found := re.compile(rb" ( *[0-9a-f]{1,16})(?= |$)").search(rest, at)):
        if len(found[1]) == 16:
            return digits(found[1].strip())
        at = found.start() + 1
    return b"-"


def line(event, time, pid, tid, cpu, addr, ip, code, comm):
    return b" ".join([event, time, pid, tid, cpu, addr, ip, code,
                      comm or b"-"])


def from_script(text):
    m = SCRIPT.match(text)
    return line(m[7], nanoseconds(m[5], m[6]), number(m[2]), number(m[3]),
                number(m[4]), digits(m[8]), ip_of(m[9]), b"-", m[1].lstrip())


def from_point(text):
    m = POINT.match(text)
    return line(m[6], nanoseconds(m[4], m[5]), b"-", number(m[2]),
                number(m[3]), digits(m[7]), digits(m[8]), digits(m[9]),
                m[1].lstrip())


def from_tracefs(text):
    m = TRACEFS.match(text)
    comm = m[1].lstrip()
    time = (nanoseconds(m[4], m[5]) if m[5] else
            b"%d" % (int(m[4]) * 10**9 // TSC_HZ))
    return line(b"exceptions:" + m[6], time, b"-", number(m[2]), number(m[3]),
                digits(m[7]), digits(m[8]), digits(m[9]),
                b"" if comm == b"<...>" else comm)


def from_trace(text):
    m = TRACE.match(text)
    if m[6] and not ANON.match(m[6]):
        return None
    event = m[5] + b"or-faults" + (b"@anon" if m[6] else b"")
    return line(event, number(m[1] + m[2] + b"000"), b"-", number(m[4]), b"-",
                digits(m[7]), b"-", b"-", m[3])


def parser(variant):
    for start, parse in (("tp-", from_point), ("tracefs-", from_tracefs),
                         ("perftrace", from_trace)):
        if variant.startswith(start):
            return parse
    return from_script


def contents(path):
    tools = {".zst": ["zstd", "-dcq"], ".gz": ["gzip", "-dc"]}
    tool = tools.get(os.path.splitext(path)[1], ["cat"])
    return subprocess.run([*tool, path], stdout=subprocess.PIPE,
                          check=True).stdout


def read(text):
    return subprocess.run([PROGRAM, str(TSC_HZ)], input=text,
                          capture_output=True, check=False)


def time_of(record):
    return int(record.split(b" ", 2)[1])


def expected(variant, text):
    """In order of time; more than 10 ms back is another session; of perf trace
    1 s, which prints what it has of one CPU, then of the next."""
    parse = parser(variant)
    back = 10**9 if parse is from_trace else 10**7
    sessions = [[]]
    latest = 0
    for record in filter(None, map(parse, text.splitlines())):
        if time_of(record) + back < latest:
            sessions.append([])
            latest = 0
        sessions[-1].append(record)
        latest = max(latest, time_of(record))
    return [one for session in sessions for one in sorted(session, key=time_of)]


def check(name, variant, text):
    """The records; None if there are none, as should be."""
    done = read(text)
    if ".default" in variant and not variant.startswith("tp-"):
        assert done.returncode == 1, f"{name}: not refused"
        assert b"-F comm,pid,tid,cpu,time,event,addr" in done.stderr, name
        return None
    assert done.returncode == 0, f"{name}: {done.stderr}"
    heading, *records = done.stdout.splitlines()
    wanted = expected(variant, text)
    assert len(records) == len(wanted), f"{name}: {len(records)} records"
    for ours, theirs in zip(records, wanted):
        assert ours == theirs, f"{name}:\n{ours}\n{theirs}"
    assert heading.split()[1] == b"0", f"{name}: bad lines"
    skipped = int(heading.split()[2])
    assert len(records) + skipped == len(text.splitlines()), name
    print(f"{name}: {len(records)} records, {skipped} skipped")
    return records


def coarse(record):
    """At microseconds."""
    fields = record.split(b" ")
    fields[1] = b"%d" % (int(fields[1]) // 1000)
    return fields


def main():
    directory = os.environ.get("FOLIOSIM_TRACES")
    if not directory:
        print("skipped: FOLIOSIM_TRACES names no directory of recordings")
        return 77
    read_ones = {}
    for name in sorted(os.listdir(directory)):
        found = re.match(r"([^.]+)\.(.*)\.txt(\.\w+)?$", name)
        if found:
            read_ones[found[1], found[2]] = check(
                name, found[2], contents(os.path.join(directory, name)))
    for workload in {one for one, _ in read_ones}:
        for left, right in SAME:
            a, b = (read_ones.get((workload, one)) for one in (left, right))
            if a and b:
                assert sorted(map(coarse, a)) == sorted(map(coarse, b)), (
                    f"{workload}: {left} and {right} differ")
                print(f"{workload}: {left} and {right} are the same")
    return 0


if __name__ == "__main__":
    sys.exit(main())
