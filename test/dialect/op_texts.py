#!/usr/bin/env python3
"""Checks the texts of the op definitions.

usage: op_texts.py {texts|tested|examples|table} --tblgen=llvm-tblgen --include=DIR...
                   [--opt=tt-opt] [--tests=DIR] [--page=OpTable.md]

texts     every op has a summary, a formula or rule, constraints, residuals and an example
tested    every op is in an ops.mlir, every numbered constraint has a case in an
          invalid.mlir, marked "// tt.op (Cn)"
examples  every example parses and survives a round trip
table     the page of the op table has every op, with rows or the word that it has none,
          and a refusal for every numbered constraint
"""
import argparse
import glob
import json
import os
import re
import subprocess
import sys
import textwrap

# Values of examples that have no type in the statement itself.
BUFFER = "%b = tt.buffer arena bytes = 4096"


def load_ops(options):
    command = [options.tblgen, "--dump-json", options.td]
    command += ["-I" + folder for folder in options.include]
    records = json.loads(subprocess.run(command, check=True,
                                        capture_output=True).stdout)
    ops = [records[name] for name in records["!instanceof"]["TT_Op"]]
    return sorted(ops, key=lambda op: op["opName"])


def example_of(op):
    """The example's text, or None. A reference counts, as in "see `tt.step`"."""
    match = re.search(r"Example:\s*(?:```mlir\n(.*?)```|`([^`]*)`|see `([^`]*)`)",
                      op["description"], re.S)
    if not match:
        return None
    block, line, other = match.groups()
    return textwrap.dedent(block) if block else line or "see " + other


def check_texts(ops):
    for op in ops:
        text = op["description"]
        if not op["summary"].strip():
            yield op, "no summary"
        body = re.split(r"Constraints:|Residuals:|Example:", text)[0]
        if not body.strip() and not re.search(r"Constraints:", text):
            yield op, "no formula or rule before constraints and example"
        if "Constraints:" not in text:
            yield op, "no constraints (write 'Constraints: none.')"
        if "Residuals:" not in text:
            yield op, "no residuals (write 'Residuals: none.')"
        if example_of(op) is None:
            yield op, "no example"
        numbers = [int(n) for n in re.findall(r"\(C(\d+)\)", text)]
        # "as `tt.other`" takes over its constraints and counts on.
        first = numbers[0] if numbers and re.search(r"Constraints: as `", text) else 1
        if numbers != list(range(first, first + len(numbers))):
            yield op, f"constraints are numbered {numbers}"


def read_all(pattern):
    text = ""
    for path in glob.glob(pattern, recursive=True):
        with open(path, encoding="utf-8") as file:
            text += file.read()
    return text


def check_tested(ops, tests):
    round_trips = read_all(os.path.join(tests, "**", "ops.mlir"))
    invalid = read_all(os.path.join(tests, "**", "invalid*.mlir"))
    for op in ops:
        name = "tt." + op["opName"]
        if not re.search(r"CHECK[^\n]*" + re.escape(name) + r"\b(?!_)", round_trips):
            yield op, "is in no ops.mlir"
        for number in re.findall(r"\((C\d+)\)", op["description"]):
            if f"// {name} ({number})" not in invalid:
                yield op, f"has no case marked '// {name} ({number})' in an invalid*.mlir"


def check_table(ops, page):
    with open(page, encoding="utf-8") as file:
        sections = dict(re.findall(r"^## (\S+)\n(.*?)(?=^## |\Z)", file.read(), re.S | re.M))
    for op in ops:
        section = sections.get("tt." + op["opName"])
        if section is None:
            yield op, "is not on the page of the op table"
            continue
        if not re.search(r"^(\d+ rows of element types \S+|No rows;)", section, re.M):
            yield op, "has neither rows on the page nor the word that it has none"
        for number in re.findall(r"\((C\d+)\)", op["description"]):
            if not re.search(r"^\| %s \| [^|]+ \| [^|]+ \|$" % number, section, re.M):
                yield op, f"has no refusal for ({number}) on the page"


def split_types(text):
    """Splits at the commas outside of brackets."""
    parts, depth, part = [], 0, ""
    for c in text:
        depth += c in "<([" and 1 or c in ">)]" and -1 or 0
        if c == "," and depth == 0:
            parts.append(part.strip())
            part = ""
        else:
            part += c
    return parts + [part.strip()] if part.strip() else parts


def operand_types(statement):
    """(name, type) of the operands of one op in its custom form."""
    right = statement.split("=", 1)[1] if re.match(r"\s*%", statement) else statement
    # The types stand after the last " : " outside of brackets and braces.
    depth, colon = 0, None
    for i, c in enumerate(right):
        depth += c in "<([{" and 1 or c in ")]}" and -1 or 0
        if c == ">" and right[i - 1] != "-":
            depth -= 1
        if c == ":" and depth == 0:
            colon = i
    if colon is None:
        return []
    names = re.findall(r"%\w+", right[:colon])
    types = right[colon + 1:].strip()
    match = re.match(r"\((.*?)\)\s*->", types, re.S)
    if match:
        types = split_types(match.group(1))
    else:
        types = split_types(re.split(r"\s->\s|\sto\s", types)[0])
    while types and len(types) < len(names):
        types.append(types[-1])  # one type for all, or for the rest
    return list(zip(names, types))


def module_for(op, example, ops):
    """An example as a module of its own."""
    name = op["opName"]
    if name in ("kernel", "step"):
        others = "" if name == "kernel" else example_of(
            next(o for o in ops if o["opName"] == "kernel"))
        return others + example
    if name == "yield":
        kernel = example_of(next(o for o in ops if o["opName"] == "kernel"))
        assert example in kernel, "the example of tt.yield is that of tt.kernel"
        return kernel
    if name in ("buffer", "view"):
        before = BUFFER + "\n" if name == "view" else ""
        return ("tt.step @s inputs = [] outputs = [] {\n" + before + example +
                "\ntt.yield\n}")
    kernel = ""
    if name == "call_kernel":
        kernel = example_of(next(o for o in ops if o["opName"] == "kernel")) + "\n"
    arguments = dict(operand_types(example))
    if name == "dropout_tile":  # positions known at run time
        arguments.update({"%b": "index", "%e": "index"})
    signature = ", ".join(f"{n}: {t}" for n, t in arguments.items())
    return f"{kernel}func.func @example({signature}) {{\n{example}\nreturn\n}}"


def check_examples(ops, opt):
    for op in ops:
        example = example_of(op)
        if example is None or example.startswith("see "):
            continue
        module = module_for(op, example, ops)
        first = subprocess.run([opt, "--verify-roundtrip"], input=module,
                               capture_output=True, text=True)
        if first.returncode:
            yield op, "example does not parse:\n" + first.stderr + module
        elif "tt." + op["opName"] not in first.stdout:
            yield op, "example does not hold the op"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("check", choices=["texts", "tested", "examples", "table"])
    parser.add_argument("--tblgen", required=True)
    parser.add_argument("--td", required=True)
    parser.add_argument("--include", action="append", default=[])
    parser.add_argument("--opt", help="tt-opt, for examples")
    parser.add_argument("--tests", help="test/dialect, for tested")
    parser.add_argument("--page", help="page of the op table, for table")
    options = parser.parse_args()
    ops = load_ops(options)
    if options.check == "texts":
        problems = list(check_texts(ops))
    elif options.check == "tested":
        problems = list(check_tested(ops, options.tests))
    elif options.check == "table":
        problems = list(check_table(ops, options.page))
    else:
        problems = list(check_examples(ops, options.opt))
    for op, problem in problems:
        print(f"tt.{op['opName']}: {problem}")
    print(f"{options.check}: {len(ops)} ops, {len(problems)} problems")
    sys.exit(1 if problems or not ops else 0)


if __name__ == "__main__":
    main()
