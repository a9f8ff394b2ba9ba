#!/usr/bin/env python3
"""Compares our safetensors reader with the reference package on mutants.

usage: differential.py REFERENCE_CHECK [COUNT [SEED]]

What the reference refuses must be refused. What it accepts may be refused
only for a reason in STRICTER. Exits 77 (skipped) without the package.
"""
import collections
import json
import random
import struct
import subprocess
import sys

# Where we are stricter than the reference on purpose, by our message.
STRICTER = {
    "found duplicate key": "duplicate keys",
    "wanted dtype, shape or data_offsets": "fields that nobody knows",
    "wanted a shape of at most 8 dimensions": "rank above 8",
    "wanted a dimension in [0, 2^40]": "huge dimensions",
    "found a shape of more than 2^47 bytes": "huge tensors",
    "found nesting deeper than": "depth",
    "wanted a known dtype": "sub-byte dtypes",
    "wanted an offset in [0, 2^63 - 1]": "offsets past 2^63",
    "integer in [-2^63": "integers past 2^63",
    "wanted metadata in {}": "null metadata",
    "wanted '{' as the header's first byte": "space in front (the format forbids it)",
}
WORDS = ["{", "}", "[", "]", ",", ":", '"', "0", "1", "4", "8", "24", " ", "-0",
         "1.0", "1e0", "null", "true", '"F64"', '"F4"', '"U8"', '"C64"', '"x"',
         "4294967296", "1099511627776", "18446744073709551615", "\\u0061",
         "\\ud800", "\\ud83d\\ude00", "\n", "\x00", "\xe9", '"shape":[]',
         '"__metadata__":null', '"__metadata__":{}', '"a":"b"', '"a":{"b":"c"}']


def seed_headers():
    def entry(dtype, shape, begin, end):
        return {"dtype": dtype, "shape": shape, "data_offsets": [begin, end]}
    yield {"w": entry("F32", [2, 3], 0, 24)}
    yield {"__metadata__": {"format": "pt", "é": "\n"},
           "b": entry("F32", [2], 4, 12), "a": entry("BF16", [2], 0, 4),
           "z": entry("I8", [0, 5], 4, 4)}
    yield {}
    yield {"s": entry("BOOL", [], 0, 1), "t": entry("I64", [1], 1, 9)}
    # The holes of other loaders.
    yield {"w": entry("F32", [1 << 32, 1 << 32], 0, 0)}
    yield {"w": entry("F32", [1 << 62, 4], 0, 0)}
    yield {"w": entry("F32", [4], 0, 8)}
    yield {"w": entry("Q4", [4], 0, 16)}
    yield {"a": entry("I8", [4], 0, 4), "b": entry("I8", [4], 2, 6)}
    yield {"a": entry("I8", [4], 0, 4), "b": entry("I8", [4], 5, 9)}
    for dtype in ("F64 F16 I32 I16 U8 U16 U32 U64 F8_E4M3 F8_E5M2 F8_E8M0 C64 "
                  "F4 F6_E2M3").split():
        for size in (1, 2, 4, 8):
            yield {"w": entry(dtype, [1], 0, size)}


def data_size(header):
    ends = [v["data_offsets"][1] for k, v in header.items()
            if k != "__metadata__"]
    return max(ends, default=0)


def mutate(rng, text):
    text = bytearray(text)
    for _ in range(rng.randint(1, 3)):
        at = rng.randint(0, len(text))
        kind = rng.randint(0, 4)
        if kind == 0 and at < len(text):
            text[at] ^= 1 << rng.randint(0, 7)
        elif kind == 1:
            del text[at:at + rng.randint(1, 8)]
        elif kind == 2:
            start = rng.randint(0, len(text))
            text[at:at] = text[start:start + rng.randint(1, 30)]
        else:
            text[at:at + rng.randint(0, 4)] = rng.choice(WORDS).encode(
                "latin-1" if rng.randint(0, 9) == 0 else "utf-8")
    return bytes(text)


DTYPES = {"F64": 8, "F32": 4, "BF16": 2, "F16": 2, "I64": 8, "I32": 4, "I16": 2,
          "I8": 1, "U8": 1, "U16": 2, "U32": 4, "U64": 8, "BOOL": 1,
          "F8_E4M3": 1, "F8_E5M2": 1, "C64": 8}
NAMES = ["w", "layer.0.weight", "é", "\U0001f600", "", "a b", "\\u0061", "/"]


def spell(rng, text):
    """A JSON string, with some characters escaped that need not be."""
    out = json.dumps(text, ensure_ascii=rng.randint(0, 1) == 0)
    if text and rng.randint(0, 9) == 0 and out[1] not in '\\"' and out[1] < "~":
        out = '"\\u%04x' % ord(out[1]) + out[2:]
    return out


def structured(rng):
    """A valid file, mostly, with at most one thing wrong."""
    def space():
        return rng.choice(["", "", "", " ", "\n", "\t", "\r"])
    fault = rng.randint(0, 19)
    entries, position = [], 0
    names = rng.sample(NAMES, rng.randint(0, 4))
    if fault == 0 and names:
        names.append(names[0])
    for name in names:
        dtype = rng.choice(list(DTYPES))
        shape = [rng.choice([0, 1, 2, 3, 5]) for _ in range(rng.randint(0, 3))]
        size = DTYPES[dtype]
        for dimension in shape:
            size *= dimension
        if fault == 1:
            shape = shape + [1] * rng.randint(1, 8)
        if fault == 2:
            size += rng.choice([-1, 1, 4])
        if fault == 3:
            position += 1
        if fault == 4:
            shape = rng.choice([[1 << 32, 1 << 32], [1 << 63, 2], [1 << 41, 0],
                                [-1], [1.0], [True], ["1"], [[1]], None, 1])
        if fault == 5:
            dtype = rng.choice(["F4", "Q4", "f32", "", "F32 ", "F6_E2M3"])
        fields = [("dtype", json.dumps(dtype)), ("shape", json.dumps(shape)),
                  ("data_offsets", json.dumps([position, position + size]))]
        rng.shuffle(fields)
        if fault == 6:
            fields.append(rng.choice([("x", "1"), fields[0], ("dtype", "null")]))
        if fault == 7:
            fields.pop()
        body = ("," + space()).join(spell(rng, k) + space() + ":" + space() + v
                                    for k, v in fields)
        entries.append(spell(rng, name) + ":" + space() + "{" + body + "}")
        position += size
    if rng.randint(0, 2) == 0:
        value = "{%s}" % ",".join(
            spell(rng, k) + ":" + spell(rng, rng.choice(NAMES))
            for k in rng.sample(NAMES, rng.randint(0, 3)))
        if fault == 8:
            value = rng.choice(["null", "[]", "1", '{"a":1}', '{"a":null}',
                                '{"a":"1","a":"2"}', '{"a":{"b":"c"}}'])
        entries.append('"__metadata__":' + value)
    rng.shuffle(entries)
    header = "{" + ("," + space()).join(entries) + "}"
    header += rng.choice(["", " ", "        ", "\n"])
    if fault == 9:
        header = rng.choice([" ", "\n"]) + header
    if fault == 10:
        header += rng.choice(["x", "{}", "\0", ","])
    header = header.encode()
    data = max(0, position + (rng.choice([-1, 1]) if fault == 11 else 0))
    return struct.pack("<Q", len(header)) + header + bytes(data)


def files(rng, count):
    seeds = [(json.dumps(h, separators=(",", ":"), ensure_ascii=False).encode(),
              data_size(h)) for h in seed_headers()]
    for header, size in seeds:
        yield struct.pack("<Q", len(header)) + header + bytes(size)
        for extra in (-1, 1):
            yield struct.pack("<Q", len(header)) + header + bytes(size + extra
                                                                  if size else 1)
    for _ in range(count):
        if rng.randint(0, 1):
            yield structured(rng)
            continue
        header, size = rng.choice(seeds)
        if rng.randint(0, 4) == 0: # the whole file
            yield mutate(rng, struct.pack("<Q", len(header)) + header
                         + bytes(size))
            continue
        header = mutate(rng, header)
        yield struct.pack("<Q", len(header)) + header + bytes(size)


def main():
    try:
        from safetensors import SafetensorError, deserialize
    except ImportError:
        print("skipped: the safetensors package is not here")
        sys.exit(77)
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 20000
    rng = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    ours = subprocess.Popen([sys.argv[1]], stdin=subprocess.PIPE,
                            stdout=subprocess.PIPE)
    totals = collections.Counter()
    wrong = 0
    for file in files(rng, count):
        ours.stdin.write(struct.pack("<Q", len(file)) + file)
        ours.stdin.flush()
        answer = ours.stdout.readline().decode().rstrip("\n")
        try:
            deserialize(file)
            accepted = True
        except SafetensorError:
            accepted = False
        if accepted == (answer == "ok"):
            totals["both accept" if accepted else "both refuse"] += 1
            continue
        reason = next((why for text, why in STRICTER.items() if text in answer),
                      None)
        if accepted and reason:
            totals["only we refuse: " + reason] += 1
            continue
        wrong += 1
        if wrong <= 10:
            print("%s, the reference %s: %r" % (
                "we: " + answer, "accepts" if accepted else "refuses", file))
    ours.stdin.close()
    for name, number in sorted(totals.items()):
        print("%8d %s" % (number, name))
    print("%8d unexplained differences" % wrong)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
