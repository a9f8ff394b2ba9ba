"""Words of command lines that no tool may take, and what each must say."""

HELP = r" \(--help lists the options\)$"

# tool, option, its default as --help has it
DEFAULTS = (("tt-compile", "beta2", "0.95"), ("tt-compile", "emit", "so"),
            ("tt-plan", "checkpoint", "none"), ("tt-run", "threads", "1"),
            ("tt-check", "directions", "3"), ("tt-import", "dtype", "f32"),
            ("tt-train", "lr", "0.001"), ("tt-train", "steps", "1000"))


def words(tour, out):
    """tool, arguments that are good, rows of what is wrong behind them: arguments, and a
    pattern of what stands between the tool's name and the word about --help; None where
    the words are right and only the file is not there."""
    text = ["--text=" + tour, "--out=" + out]
    graph = "Graph file \\(.mlir\\)"
    yield "tt-compile", [tour, "-o", out], [
        (["--chekpoint=full"], "found the unknown option --chekpoint, wanted those of "
         "tt-compile, did you mean '--checkpoint'\\?"),
        (["--fast", "--treads", "3"], "found the unknown options --fast and --treads, wanted "
         "those of tt-compile, did you mean '--threads'\\?"),
        (["-\u00e9"], "found the unknown option -\u00e9, wanted those of tt-compile"),
        (["--target"], "expected a value after '--target', found nothing"),
        (["--target", "--no-fuse"], "expected a value after '--target', found the option "
         "--no-fuse \\('--target=--no-fuse' makes it a value\\)"),
        (["--target="], "expected a value after '--target=', found nothing"),
        (["--target=", "cpu"], "expected a value after '--target=', found nothing"),
        (["--target", ""], "expected a value after '--target', found an empty one"),
        (["--max-threads=many"], "--max-threads: found many, wanted a whole number in "
         "\\[1, 256\\]"),
        (["--beta1", "x"], "--beta1: found x, wanted a number"),
        (["a.mlir", "b.mlir"], "found the words 'a\\.mlir' and 'b\\.mlir' after '.*tour\\.mlir', "
         "wanted one input: " + graph),
        (["--certify=yes"], "expected no value after '--certify', found 'yes'"),
        (["--target=cpu", "--target=cpu"], "--target: found it 2 times, wanted it once")]
    yield "tt-compile", [], [([], "found no input, wanted one: " + graph),
                             (["--emit=tt", "--", "-o"], None)]
    yield "tt-plan", [tour], [
        (["--chekpoint=full"], ".* --chekpoint, .* did you mean '--checkpoint'\\?"),
        (["--why-saved"], "expected a value after '--why-saved', found nothing"),
        (["--why-saved=", "%x"], "expected a value after '--why-saved=', found nothing"),
        (["b.mlir"], "found the word 'b\\.mlir' after '.*tour\\.mlir', wanted one input: " + graph)]
    yield "tt-plan", [], [([], "found no input, wanted one: " + graph)]
    yield "tt-run", ["model.so"], [
        (["--tread=3"], ".* --tread, wanted those of tt-run, did you mean '--threads'\\?"),
        (["--entry"], "expected a value after '--entry', found nothing"),
        (["--time="], "expected a value after '--time=', found nothing"),
        (["--entry=", "eval"], "expected a value after '--entry=', found nothing"),
        (["--threads", "-1"], "--threads: found -1, wanted a whole number in \\[1, 256\\]"),
        (["--time=often"], "--time: found often, wanted a whole number in \\[1, 1000000\\]"),
        (["b.so"], "found the word 'b\\.so' after 'model\\.so', wanted one file: .*")]
    yield "tt-run", [], [(["--entry=eval"], "found no file, wanted one: The .mlir file or the "
                          "library")]
    yield "tt-check", [tour], [
        (["--compile"], ".* --compile, .* did you mean '--compiled'\\?"),
        (["--wrt"], "expected a value after '--wrt', found nothing"),
        (["--wrt=", "0"], "expected a value after '--wrt=', found nothing"),
        (["--directions=some"], "--directions: found some, wanted a whole number in "
         "\\[1, 1000\\]"),
        (["b.mlir"], "found the word 'b\\.mlir' after .*, wanted one file: The .mlir file")]
    yield "tt-check", [], [([], "found no file, wanted one: The .mlir file")]
    yield "tt-import", ["--workload=W2", "-o", out], [
        (["--droput=0"], ".* --droput, .* did you mean '--dropout'\\?"),
        (["--seq"], "expected a value after '--seq', found nothing"),
        (["--weights=", "a"], "expected a value after '--weights=', found nothing"),
        (["--batch=x"], "--batch: found x, wanted a whole number in \\[1, 16777216\\]"),
        (["a", "b"], "found the words 'a' and 'b', wanted only options")]
    yield "tt-import", ["--workload=W2"], [
        ([], "--output: found nothing, wanted DIR/NAME: Where DIR/NAME.mlir and "
         "DIR/NAME.safetensors go"),
        (["-o=", "x"], "expected a value after '-o=', found nothing")]
    yield "tt-train", text, [
        (["--stpes=3"], ".* --stpes, .* did you mean '--steps'\\?"),
        (["--steps"], "expected a value after '--steps', found nothing"),
        (["--out", "--resume"], "expected a value after '--out', found the option --resume .*"),
        (["--steps=", "3"], "expected a value after '--steps=', found nothing"),
        (["--lr=fast"], "--lr: found fast, wanted a number"),
        (["--resume=true"], "expected no value after '--resume', found 'true'"),
        (["file"], "found the word 'file', wanted only options")]
