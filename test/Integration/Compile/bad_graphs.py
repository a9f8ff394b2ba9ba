"""Graphs that no tool may take: name, text, and a pattern of what it must say."""
import re


def graph(body, arguments=None, result="tensor<f32>", name="@loss", extra=""):
    """A loss function of one parameter, %w, and one input, %x."""
    if arguments is None:
        arguments = ('%w: tensor<4xf32> {tt.param = "w"}, '
                     '%x: tensor<4xf32> {tt.input = "x"}')
    return ("%sfunc.func %s(%s) -> (%s {tt.output = \"loss\"}) {\n%s\n}\n"
            % (extra, name, arguments, result, body))


GOOD = """  %y = tt.mul %w, %x : tensor<4xf32>
  %l = tt.sum %y dims = [0] : (tensor<4xf32>) -> tensor<f32>
  return %l : tensor<f32>"""


def loss_of(elements):
    """A graph on tensors of any shape and element type."""
    whole = "tensor<%s>" % elements
    element = elements.split("x")[-1]
    rank = elements.count("x")
    return graph(
        "  %%y = tt.mul %%w, %%x : %s\n"
        "  %%l = tt.sum %%y dims = %s : (%s) -> tensor<%s>\n"
        "  return %%l : tensor<%s>"
        % (whole, list(range(rank)), whole, element, element),
        '%%w: %s {tt.param = "w"}, %%x: %s {tt.input = "x"}' % (whole, whole),
        "tensor<%s>" % element)


def attention(attributes="", extra=""):
    qkv = "tensor<1x2x8x4xf32>"
    return graph(
        "  %%o, %%lse = tt.attention %%w, %%x, %%x %s causal scale = 0.5 %s : "
        "(%s, %s, %s%s) -> (%s, tensor<1x2x8xf32>)\n"
        "  %%l = tt.sum %%o dims = [0, 1, 2, 3] : (%s) -> tensor<f32>\n"
        "  return %%l : tensor<f32>"
        % (extra, attributes, qkv, qkv, qkv,
           ", tensor<2xi32>" if extra else "", qkv, qkv),
        '%%w: %s {tt.param = "w"}, %%x: %s {tt.input = "x"}, '
        '%%key: tensor<2xi32> {tt.input = "key"}' % (qkv, qkv))


def alias_bomb():
    lines = ["#a0 = [1, 1]"]
    lines += ["#a%d = [#a%d, #a%d]" % (i, i - 1, i - 1) for i in range(1, 60)]
    return "\n".join(lines) + "\n" + graph(GOOD).replace(
        'tt.param = "w"', 'tt.param = "w", x = #a59')


def updates(place):
    """tt.updates where it means nothing."""
    state = '%w: tensor<4xf32> {tt.param = "w"}, %x: tensor<4xf32> {tt.input = "x"}, ' \
            '%m: tensor<4xf32> {tt.state = "momentum"}'
    one, two = 'tt.output = "loss"', 'tt.updates = "momentum"'

    def returning(results, body=GOOD):
        """The loss and more results: value, type, attribute."""
        values, types, attributes = zip(("%l", "tensor<f32>", one), *results)
        types = ["%s {%s}" % pair for pair in zip(types, attributes)]
        return ("func.func @loss(%s) -> (%s) {\n%s  return %s : %s\n}\n" % (
            state, ", ".join(types), body[:body.index("  return")], ", ".join(values),
            ", ".join(text.split(" {")[0] for text in types)))

    good = ("%y", "tensor<4xf32>", two)
    for name, results, message in (
            ("an unknown name", [("%y", "tensor<4xf32>", 'tt.updates = "momentun"')],
             r"result 1 of @loss: expected tt\.updates to name a parameter or state of an "
             r"argument, but got \"momentun\", did you mean 'momentum'\?$"),
            ("an input", [("%y", "tensor<4xf32>", 'tt.updates = "x"')],
             r"result 1 of @loss: expected tt\.updates to name a parameter or state, but "
             r"\"x\" is the input of argument 1$"),
            ("another type", [("%l", "tensor<f32>", two)],
             r"result 1 of @loss: expected 'tensor<4xf32>', the type of \"momentum\" "
             r"\(argument 2\), but got 'tensor<f32>'$"),
            ("twice", [good, good],
             r"result 2 of @loss: expected one update of \"momentum\", but got result 1, too$"),
            ("an output", [("%y", "tensor<4xf32>", two + ', tt.output = "m"')],
             r"result 1 of @loss: expected one of tt\.output and tt\.updates, but got both$"),
            ("no string", [("%y", "tensor<4xf32>", "tt.updates = 3")],
             r"result 1: expected 'tt\.updates' to be a non-empty string"),
            ("a state, in a loss", [good],
             r"expected no tt\.updates in @loss, which is the loss to train on, but result 1 "
             r"updates \"momentum\": the training step makes its own updates$")):
        yield "an update of " + name, returning(results), place + message
    yield "an update by the loss itself", graph(GOOD).replace(one, 'tt.updates = "w"'), \
        place + r"result 0 of @loss: expected 'tensor<4xf32>', the type of \"w\""
    yield "an update in a layer without roles", graph(GOOD, extra=(
        "func.func private @layer(%x: tensor<4xf32>) -> (tensor<4xf32> {tt.updates = \"w\"}) "
        "{\n  return %x : tensor<4xf32>\n}\n")), \
        place + r"result 0 of @layer: .* but got \"w\": there is none$"
    for attribute in ("tt.updates", "tt.output"):
        yield "an argument with " + attribute, graph(GOOD).replace(
            'tt.param = "w"', 'tt.param = "w", %s = "w"' % attribute), place + \
            r".* argument 0: expected '%s' on a result of @loss, but an argument has it$" \
            % attribute.replace(".", r"\.")


def graphs():
    """name, text or bytes of the file, pattern of the first line."""
    place = r"bad\.mlir:\d+:\d+: error: "
    yield "a page of text", "# Title\n\nSome words.\n", \
        r"bad\.mlir:1:1: error: "
    yield "empty file", "", place + r"expected .*but got"
    yield "only a comment", "// nothing\n", place + r"expected .*but got"
    yield "NUL-filled file", b"\0" * 4096, place + r"expected .*but got .*NUL"
    yield "NUL inside", graph(GOOD).encode() + b"\0", place + r"expected .*but got"
    yield "random bytes", bytes(range(256)) * 8, place
    yield "10,000 nested brackets", "[" * 10000 + "]" * 10000, place + \
        r"expected .*256.*but got"
    yield "10,000 nested angles", graph(GOOD).replace(
        "tensor<f32> {", "t" + "<" * 10000 + ">" * 10000 + " {"), place + \
        r"expected .*256.*but got"
    yield "alias bomb", alias_bomb(), place + r"expected .*but got"
    yield "MLIR bytecode", b"ML\xefR\x0dMLIR22\0" + bytes(64), place + \
        r"expected .*text.*but got .*bytecode"
    yield "cut off in the middle", graph(GOOD)[:100], place
    yield "unknown op", graph(GOOD.replace("tt.mul", "tt.mull")), place + \
        r".*tt\.mull"
    yield "unknown dialect", graph(GOOD.replace("tt.mul", "tosa.mul")), place + \
        r".*tosa"
    yield "use of an undefined value", graph(GOOD.replace("%y dims", "%z dims")), \
        place + r".*undeclared"
    yield "shape mismatch", graph(
        "  %a = tt.matmul %w, %x : (tensor<4x3xf32>, tensor<4x3xf32>) -> "
        "tensor<4x3xf32>\n"
        "  %l = tt.sum %a dims = [0, 1] : (tensor<4x3xf32>) -> tensor<f32>\n"
        "  return %l : tensor<f32>",
        '%w: tensor<4x3xf32> {tt.param = "w"}, '
        '%x: tensor<4x3xf32> {tt.input = "x"}'), place + r"'tt\.matmul'.*expected"
    yield "operand of another type", graph(GOOD.replace(
        "tt.mul %w, %x : tensor<4xf32>", "tt.mul %w, %x : tensor<5xf32>")), \
        place + r".*expects different type.*tensor<5xf32>.*tensor<4xf32>"
    yield "dynamic dimension", loss_of("?xf32"), place + \
        r".*(static|dynamic).*\?"
    yield "unranked tensor", loss_of("*xf32"), place
    # The dialect's own constraint speaks first where an op has the type.
    size = place + r".*2\^4[07].*but got .*"
    drop = "tt.dropout %%%s, %%k p = 0.5 site = 0 samples = 4 : (tensor<4xf32>, tensor<2xi32>) -> tensor<4xf32>"
    yield "two masks of one key and site", graph(
        "  %%y = %s\n  %%z = %s\n" % (drop % "w", drop % "y") +
        "  %l = tt.sum %z dims = [0] : (tensor<4xf32>) -> tensor<f32>\n"
        "  return %l : tensor<f32>",
        '%w: tensor<4xf32> {tt.param = "w"}, %k: tensor<2xi32> {tt.input = "key"}'), \
        place + r".*tt.dropout' op has site 0 of its key, which another tt.dropout has"
    yield "targets that ignore another id than the loss", graph(
        "  %l, %lse = tt.cross_entropy mean %w, %t : (tensor<2x3xf32>, tensor<2xi32>)"
        " -> (tensor<f32>, tensor<2xf32>)\n  return %l : tensor<f32>",
        '%w: tensor<2x3xf32> {tt.param = "w"}, %t: tensor<2xi32> {tt.input = "t", '
        'tt.index_limit = 3 : i64, tt.index_ignore = 7 : i64}'), \
        place + r".*expected ignore_index 7, which tt.index_ignore says .* but got -100"
    yield "2^41 rows", loss_of("2199023255552xf32"), size + "2199023255552xf32"
    yield "2^63 - 1 elements", loss_of("9223372036854775807xf32"), size + \
        "9223372036854775807xf32"
    yield "2^63 elements", loss_of("9223372036854775808xf32"), place
    yield "product wraps to 0", loss_of("4294967296x4294967296xf32"), size + \
        "4294967296x4294967296xf32"
    yield "product wraps to 4", loss_of(
        "4294967297x4294967296x4294967296xf32"), size + "4294967297x"
    yield "2^48 bytes", loss_of("1048576x67108864xf32"), size + \
        "1048576x67108864xf32"
    yield "arena of more than 2^47 bytes", loss_of("8388608x4194304xf32"), \
        place + r"expected .*2\^47 bytes.*but got"
    yield "a constant of 1.6 TB", graph(
        "  %c = tt.constant dense<1.0> : tensor<100000000000x4xf32>\n"
        "  %y = tt.linear in_out %c, %w : (tensor<100000000000x4xf32>, "
        "tensor<4x4xf32>) -> tensor<100000000000x4xf32>\n"
        "  %l = tt.sum %y dims = [0, 1] : (tensor<100000000000x4xf32>) -> "
        "tensor<f32>\n  return %l : tensor<f32>",
        '%w: tensor<4x4xf32> {tt.param = "w"}'), place + \
        r"expected constants of at most 2\^30 bytes.*100000000000x4xf32"
    yield "a wrapping constant", graph(
        "  %c = arith.constant dense<1.0> : tensor<4294967296x4294967296xf32>\n"
        + GOOD), size + "4294967296x4294967296xf32"
    two = '%w: tensor<4xf32> {tt.param = "w"}, %x: tensor<4xf32> {tt.input = "x"}'
    yield "an argument that is a memref", graph(
        GOOD, two + ', %m: memref<4xf32> {tt.input = "m"}'), place + \
        r"expected argument 2 of @loss to be a tensor.*but got 'memref<4xf32>'"
    yield "a layer on memrefs", graph(GOOD, extra=(
        "func.func private @layer(%m: memref<4xf32>) {\n  return\n}\n")), place + \
        r"expected argument 0 of @layer to be a tensor.*but got 'memref<4xf32>'"
    yield "a function value", graph(GOOD.replace(
        "  %l =", "  %f = constant @loss : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>"
        "\n  %l =")), place + r"'func\.constant' op expected a tensor"
    # With a constant count or condition, too: a clean-up would fold them away.
    yield "a loop", graph(
        "  %c = arith.constant 1 : index\n  %y = scf.for %i = %c to %c step %c "
        "iter_args(%a = %w) -> (tensor<4xf32>) {\n    scf.yield %a : tensor<4xf32>\n  }\n"
        + GOOD.split("\n", 1)[1]), place + r".*scf\.for"
    yield "a branch", graph("  cf.br ^end(%w : tensor<4xf32>)\n^end(%y: tensor<4xf32>):\n"
                            + GOOD.split("\n", 1)[1]), place + r".*cf\.br"
    yield "an allocation", graph("  %m = memref.alloc() : memref<4xf32>\n" + GOOD), place + \
        r".*memref\.alloc"
    yield "201 functions in a row", graph(
        "  %y = call @f1(%w) : (tensor<4xf32>) -> tensor<4xf32>\n" + GOOD.split("\n", 1)[1],
        '%w: tensor<4xf32> {tt.param = "w"}', extra="".join(
            "func.func private @f%d(%%x: tensor<4xf32>) -> tensor<4xf32> {\n%s"
            "  return %%y : tensor<4xf32>\n}\n" % (i, (
                "  %%y = call @f%d(%%x) : (tensor<4xf32>) -> tensor<4xf32>\n" % (i + 1)
                if i < 201 else "  %y = tt.neg %x : tensor<4xf32>\n"))
            for i in range(1, 202))), place + r".*at most 200"
    yield "a name with a NUL", graph(GOOD).replace('"w"', '"w\\00"'), place + \
        r".*without control characters, but got \"w\\00\""
    for name, text, found in (("a newline", "a\\nb", r"a\\0Ab"), ("DEL", "a\\7F", r"a\\7F"),
                              ("C1", "\\C2\\80", r"\\C2\\80"), ("nothing", "", "")):
        yield "a parameter with %s in its name" % name, \
            graph(GOOD).replace('"w"', '"%s"' % text), \
            r'bad\.mlir:1:17: error: .*without control characters, but got "%s"$' % found
        yield "an output with %s in its name" % name, \
            graph(GOOD).replace('"loss"', '"%s"' % text), \
            place + r'result 0: .*without control characters, but got "%s"$' % found
    yield "a name that is not UTF-8", graph(GOOD).replace('"x"', '"x\\FF"'), place + \
        r".*in UTF-8.*but got \"x\\FF\""
    yield "no function", "module {\n}\n", place + r"expected .*function.*found|" + place + r".*without any"
    yield "only private functions", graph(GOOD, name="private @loss"), place + \
        r"expected .*public function.*(found|but got)"
    yield "two public functions", graph(GOOD) + graph(GOOD, name="@other"), \
        place + r"expected one public function or the loss's name \(--function\), " \
        r"but got @loss, @other$"
    yield "a declaration", "func.func @loss(tensor<4xf32>) -> tensor<f32>\n", \
        "bad\\.mlir:1:\\d+: error: "
    yield "no parameter", graph(GOOD.replace("%w", "%v"), (
        '%v: tensor<4xf32> {tt.input = "v"}, '
        '%x: tensor<4xf32> {tt.input = "x"}')), place + \
        r"expected .*(parameter|argument to differentiate)"
    yield "unreached parameter", graph(
        GOOD, '%w: tensor<4xf32> {tt.param = "w"}, '
        '%x: tensor<4xf32> {tt.input = "x"}, '
        '%u: tensor<4xf32> {tt.param = "unused"}'), place + r".*unused"
    yield "an argument without a role", graph(
        GOOD, '%w: tensor<4xf32> {tt.param = "w"}, %x: tensor<4xf32>'), place \
        + r"expected tt\.param, .*but got none"
    for role in ("param", "input"):
        yield "a parameter and another %s of one name" % role, graph(
            GOOD, '%%w: tensor<4xf32> {tt.param = "w"}, '
            '%%x: tensor<4xf32> {tt.%s = "w"}' % role), place + \
            r'expected a name of its own for argument 1 of @loss, but got "w" as for ' \
            r'argument 0'
    yield "two roles of one argument", graph(
        GOOD, '%w: tensor<4xf32> {tt.param = "w", tt.input = "v"}, '
        '%x: tensor<4xf32> {tt.input = "x"}'), place + \
        r"expected one role of argument 0 of @loss, but got tt\.param and tt\.input"
    yield "an argument without elements", loss_of("0x4xf32"), \
        r"bad\.mlir:1:17: error: expected dimensions of at least 1 .*0x4xf32"
    yield "a value without elements", graph(
        "  %c = tt.constant dense<> : tensor<4x0xf32>\n"
        "  %s = tt.sum %c dims = [1] : (tensor<4x0xf32>) -> tensor<4xf32>\n"
        + GOOD.replace("%w, %x", "%w, %s")), \
        r"bad\.mlir:2:8: error: expected dimensions of at least 1 .*4x0xf32"
    for where, text, message in (
            ("an op", graph(GOOD.replace("%w, %x :", "%w, %x {dim = 1} :")),
             r"tt\.mul has no attribute 'dim'$"),
            ("attention", attention("{windw_left = 3}"),
             r"tt\.attention has no attribute 'windw_left', did you mean 'window_left'\?$"),
            ("an argument", graph(GOOD).replace("tt.param", "tt.parm"),
             r".*unknown tt attribute 'tt\.parm', did you mean 'tt\.param'\?$"),
            ("an argument's check", graph(GOOD).replace(
                'tt.param = "w"', 'tt.param = "w", check.rang = [0.0, 1.0]'),
             r"argument 0 has no attribute 'check\.rang', did you mean 'check\.range'\?$"),
            ("a result", graph(GOOD).replace("tt.output", "tt.outptu"),
             r"result 0 has no attribute 'tt\.outptu', did you mean 'tt\.output'\?$"),
            ("a function", graph(GOOD).replace(") {\n", ") attributes {tt.fast} {\n"),
             r"func\.func has no attribute 'tt\.fast'$"),
            ("a module", "module attributes {tt.threads = 4} {\n%s}\n" % graph(GOOD),
             r"builtin\.module has no attribute 'tt\.threads'$")):
        yield "an unknown attribute of " + where, text, place + message
    for name, attribute, message in (
            ("a limit of floats", "tt.index_limit = 3",
             r"expected 'tt\.index_limit' on a tensor of integers, but argument 1 has type 'tensor<"),
            ("an ignored float", "tt.index_ignore = 3",
             r"expected 'tt\.index_ignore' on a tensor of integers"),
            ("first values of an input", 'tt.init = "one"',
             r"expected 'tt\.init' on a parameter or state, but argument 1 has no 'tt\.param'"),
            ("a frozen input", "tt.frozen", r"expected 'tt\.frozen' on a parameter"),
            ("a range that is none", "check.range = 3",
             r"expected 'check\.range' to be \[LOW, HIGH\], two floats, but got 3"),
            ("a range that is empty", "check.range = [2.0, 1.0]",
             r"expected 'check\.range' to be \[LOW, HIGH\], two floats, but got \[2"),
            ("strides of an argument", "tt.strides = [1]",
             r"argument 1 has no attribute 'tt\.strides'")):
        yield name, graph(GOOD).replace('"x"', '"x", ' + attribute), place + message
    yield "a limit of 0", graph(GOOD, '%w: tensor<4xf32> {tt.param = "w"}, %x: tensor<4xf32> '
                                '{tt.input = "x"}, %i: tensor<4xi32> {tt.input = "i", '
                                'tt.index_limit = 0}'), place + \
        r"expected 'tt\.index_limit' of at least 1, but got 0"
    yield "an output's name that is no string", graph(GOOD).replace('"loss"', "3"), \
        place + r"result 0: expected 'tt\.output' to be a non-empty string in UTF-8 .*, but got 3"
    yield from updates(place)
    for name in ("train_step", "grad", "eval", "logits"):
        yield "a layer of the name of an entry, @" + name, graph(GOOD, extra=(
            "func.func private @%s(%%x: tensor<4xf32>) -> tensor<4xf32> {\n  %%y = tt.neg %%x : "
            "tensor<4xf32>\n  return %%y : tensor<4xf32>\n}\n" % name)), \
            r"bad\.mlir:1:1: error: expected no function @%s: a library has an entry of this " \
            r"name, made from @loss" % name
    yield "a parameter's role on an integer", graph(
        GOOD, '%w: tensor<4xf32> {tt.param = "w"}, '
        '%x: tensor<4xf32> {tt.input = "x"}, '
        '%i: tensor<4xi32> {tt.param = "i"}'), place + r"expected .*f32.*4xi32"
    yield "an initialiser of no known kind", graph(
        GOOD, '%w: tensor<4xf32> {tt.param = "w"},\n  '
        '%x: tensor<4xf32> {tt.param = "x", tt.init = "norm:1"}'), \
        r"bad\.mlir:2:3: error: .*argument 1: expected 'tt\.init' .*norm:1"
    for init in ("normal:1e300", "normal:1e38", "uniform:inf", "uniform:3.5e38"):
        yield "an initialiser beyond its type, " + init, graph(
            GOOD, '%w: tensor<4xf32> {tt.param = "w"},\n  '
            '%x: tensor<4xf32> {tt.param = "x", tt.init = "' + init + '"}'), \
            r"bad\.mlir:2:3: error: expected 'tt\.init' to give numbers of 'f32', up to " \
            r'3\.40e\+38, but got "' + re.escape(init)
    yield "a name of no string", graph(GOOD).replace('"w"', "3"), place
    def two(first, second):
        return graph(GOOD).replace(
            '-> (tensor<f32> {tt.output = "loss"})',
            f"-> (tensor<f32>{first}, tensor<f32>{second})").replace(
            "return %l : tensor<f32>", "return %l, %l : tensor<f32>, tensor<f32>")
    named = ' {tt.output = "%s"}'
    yield "two results, none the loss", two("", named % "other"), \
        place + r"expected one scalar float result to train on, but @loss returns " \
        r"\('tensor<f32>', 'tensor<f32>'\): name the one to train on, " \
        r'\{tt\.output = "loss"\}; the others are metrics$'
    yield "a metric without a name", two(named % "loss", ""), \
        place + r"result 1 of @loss: expected tt\.output to name it, as it is not the loss$"
    yield "a metric of a step's name", two(named % "loss", named % "grad_norm"), \
        place + r"result 1 of @loss: expected a name that no entry of the library gives, " \
        r'but got "grad_norm"$'
    yield "a metric called as a gradient", two(named % "grad:w", named % "loss"), \
        place + r'result 0 of @loss: .* but got "grad:w"$'
    yield "two losses", two(named % "loss", named % "loss"), \
        place + r'result 1 of @loss: expected a name of its own, but got "loss" of ' \
        r"result 0, too$"
    yield "a metric that files keep for themselves", two(named % "loss", named % "__metadata__"), \
        place + r'result 1: expected another name than "__metadata__", which safetensors'
    yield "a named loss of rank 1", graph("  return %w : tensor<4xf32>", result="tensor<4xf32>"), \
        place + r"expected one scalar float result .*: reduce it to a scalar$"
    yield "a state in the loss", graph(
        GOOD, '%w: tensor<4xf32> {tt.param = "w"},\n  %x: tensor<4xf32> {tt.input = "x"},\n'
        '  %s: tensor<4xf32> {tt.state = "s"}'), \
        r"bad\.mlir:3:3: error: expected no tt\.state in @loss, as a training step keeps the " \
        r"optimizer's alone, but argument 2 is \"s\""
    for attributes, message in (
            ("tt.index_ignore = -1", r"expected 'tt\.index_limit' beside 'tt\.index_ignore'"),
            ("tt.index_limit = 99999999999",
             r"expected 'tt\.index_limit' of at most 2147483647 \+ 1, as the elements are 'i32'"),
            ("tt.index_limit = 4, tt.index_ignore = 99999999999",
             r"expected 'tt\.index_ignore' to be a number of 'i32', but got 99999999999")):
        yield "index attributes: " + attributes, graph(
            GOOD, '%w: tensor<4xf32> {tt.param = "w"}, %x: tensor<4xf32> {tt.input = "x"},\n'
            '  %i: tensor<4xi32> {tt.input = "i", ' + attributes + '}'), \
            r"bad\.mlir:2:3: error: " + message
    yield "a loss of another name", graph(GOOD).replace('"loss"', '"grad_norm"'), \
        place + r'result 0 of @loss: expected tt\.output to be "loss", as it is the one ' \
        r'to train on, but got "grad_norm"$'
    yield "a loss of rank 1", graph("  return %w : tensor<4xf32>",
                                    result="tensor<4xf32>"), \
        place + r"expected one scalar float result .* @loss returns \('tensor<4xf32>'\): reduce"
    yield "a recursive call", graph(
        "  %l = call @loss(%w, %x) : (tensor<4xf32>, tensor<4xf32>) -> "
        "tensor<f32>\n  return %l : tensor<f32>"), place + r".*(cycle|recurs)"
    yield "a name that checkpoints keep for themselves", graph(GOOD).replace(
        'tt.param = "w"', 'tt.param = "__metadata__"'), \
        place + r"expected another name for argument 0 of @loss: .*__metadata__"
    runs = place + r"expected at most 65536 ops in one run of a function, .* got more in @"
    unary = "(tensor<4xf32>) -> tensor<4xf32>"
    body = ("  %%y = %s : " + unary + "\n"
            "  %%l = tt.sum %%y dims = [0] : (tensor<4xf32>) -> tensor<f32>\n"
            "  return %%l : tensor<f32>")
    yield "functions that call the next one twice, forty deep", graph(
        body % "call @f39(%w)", extra="".join(
            "func.func private @f%d(%%x: tensor<4xf32>) -> tensor<4xf32> {\n%s"
            "  return %%z : tensor<4xf32>\n}\n" % (
                i, "".join("  %%%s = call @f%d(%%%s) : %s\n" % (out, i - 1, into, unary)
                           for into, out in ("xy", "yz")) if i else
                "  %z = tt.tanh %x : tensor<4xf32>\n")
            for i in range(40))), runs
    yield "a repeat of very many turns", graph(
        body % "tt.repeat @f count = 65536 carried(%w)",
        extra="func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
        "  %y = tt.tanh %x : tensor<4xf32>\n  return %y : tensor<4xf32>\n}\n"), runs + "loss"
    yield "a loss in very many chunks", graph(
        "  %l, %lse = tt.linear_cross_entropy mean out_in %x, %w, %t chunks = 9000 : "
        "(tensor<9000x4xf32>, tensor<5x4xf32>, tensor<9000xi32>) -> "
        "(tensor<f32>, tensor<9000xf32>)\n  return %l : tensor<f32>",
        '%w: tensor<5x4xf32> {tt.param = "w"}, %x: tensor<9000x4xf32> {tt.input = "x"}, '
        '%t: tensor<9000xi32> {tt.input = "t", tt.index_limit = 5}'), runs + "loss"
    for feature, attributes, extra in (
            ("dropout_p", "{dropout_p = 0.1 : f64}", "key(%key)"),
            ("window", "{window_left = -2 : i64}", ""),
            ("softcap", "{softcap = -30.0 : f64}", "")):
        yield "attention: " + feature, attention(attributes, extra), place + \
            r".*" + feature
    for element in ("bf16", "f16", "f64"):
        yield "a graph in " + element, loss_of("4x" + element), place + \
            r"expected .*f32.*but got 'tensor<4x" + element
    yield "a graph in f8", loss_of("4xf8E4M3FN"), place
