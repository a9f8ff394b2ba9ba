//===- ExplainValue.cpp - Why a value is kept or recomputed ---------------===//
//
// Values are found again behind AD by their place in the source, which AD keeps.
//
//===----------------------------------------------------------------------===//
#include "tt/Pipelines/ExplainValue.h"
#include "SourceNames.h"
#include "Stages.h"

#include "tt/AD/Residuals.h"
#include "tt/IR/TTOps.h"
#include "tt/Pipelines/LoadModule.h"
#include "tt/Support/CheckedSize.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tt;

namespace {

/// The graph of a job after AD and checkpointing, and what came before.
struct Explanation {
  MLIRContext context;
  CompileOptions options;
  std::string &error;
  OwningOpRef<ModuleOp> primal;  // as written
  OwningOpRef<ModuleOp> adjoint; // under options.checkpoint
  OwningOpRef<ModuleOp> plain;   // under none
  std::string source;

  Explanation(const CompileOptions &options, std::string &error)
      : options(options), error(error) {
    loadGraphDialects(context);
  }

  bool load();
  OwningOpRef<ModuleOp> differentiate(StringRef policy);
  const NamedValue *find(const std::vector<NamedValue> &values, StringRef name);
};

/// Calls of @f_fwd in the forward and in the backward of the entry.
struct Runs {
  unsigned inForward = 0, inBackward = 0;
};

} // namespace

OwningOpRef<ModuleOp> Explanation::differentiate(StringRef policy) {
  OwningOpRef<ModuleOp> copy = cast<ModuleOp>((*primal)->clone());
  CompileOptions other = options;
  other.checkpoint = policy.str();
  DiagnosticText diagnostics(context);
  if (succeeded(checkEntry(*copy, options.function)) &&
      succeeded(checkLoss(*copy, options.function, /*isTrained=*/true)) &&
      succeeded(runAdjointStage(*copy, other)))
    return copy;
  error = diagnostics.text();
  return nullptr;
}

bool Explanation::load() {
  if (!llvm::is_contained({"none", "full", "sqrt"}, StringRef(options.checkpoint))) {
    error = "error: expected --checkpoint to be none, full or sqrt, but got '" +
            options.checkpoint + "'";
    return false;
  }
  primal = loadModule(context, options.input, error);
  if (!primal)
    return false;
  if (auto file = llvm::MemoryBuffer::getFile(options.input))
    source = (*file)->getBuffer().str();
  plain = differentiate("none");
  adjoint = plain ? differentiate(options.checkpoint) : nullptr;
  return bool(adjoint);
}

/// The value called `name`; null with an error if there is none or several.
const NamedValue *Explanation::find(const std::vector<NamedValue> &values, StringRef name) {
  auto [function, value] = name.contains(':') ? name.split(':') : std::pair(StringRef(), name);
  function.consume_front("@");
  SmallVector<const NamedValue *> found;
  for (const NamedValue &candidate : values)
    if (candidate.name == value && (function.empty() || candidate.function == function))
      found.push_back(&candidate);
  if (found.size() == 1)
    return found.front();
  error = options.input + ": error: ";
  if (found.empty())
    error += "expected a value of the graph, such as %x or @layer:%x, but found none called '" +
             name.str() + "'";
  else
    error += "expected one value, but " + std::to_string(found.size()) + " are called '" +
             name.str() + "': say which of";
  for (auto [i, candidate] : llvm::enumerate(found))
    error += (i ? ", " : " ") + ("@" + candidate->function + ":" + candidate->name);
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Facts about a differentiated module
//===----------------------------------------------------------------------===//

static SmallVector<AdjointPair> pairsOf(ModuleOp module) {
  SmallVector<AdjointPair> pairs;
  for (auto function : module.getOps<func::FuncOp>())
    if (std::optional<AdjointPair> pair = readAdjoint(function))
      pairs.push_back(*pair);
  return pairs;
}

static unsigned countCalls(func::FuncOp from, func::FuncOp of) {
  if (from == of)
    return 1;
  unsigned count = 0;
  auto module = from->getParentOfType<ModuleOp>();
  from.walk([&](func::CallOp call) {
    if (auto callee = module.lookupSymbol<func::FuncOp>(call.getCallee()))
      count += countCalls(callee, of);
  });
  return count;
}

static Runs runsOf(ArrayRef<AdjointPair> pairs, const AdjointPair &pair) {
  for (const AdjointPair &entry : pairs)
    if (func::FuncOp(entry.primal).isPublic())
      return {countCalls(entry.forward, pair.forward),
              entry.forward == pair.forward ? 0 : countCalls(entry.backward, pair.forward)};
  return {1, 0};
}

static bool isSame(const KeptValue &kept, const NamedValue &value) {
  if (value.isArgument)
    return kept.source.kind == ResidualSource::Argument &&
           kept.source.index == value.argument;
  auto result = dyn_cast<OpResult>(kept.forward);
  return result && kept.forward.getLoc() == value.location &&
         result.getResultNumber() == value.result;
}

/// The op of @f, after the passes before AD, that `value` comes from.
static Operation *findOp(ModuleOp module, const NamedValue &value) {
  Operation *found = nullptr;
  if (auto function = module.lookupSymbol<func::FuncOp>(value.function))
    function.walk([&](Operation *op) {
      if (op->getLoc() == value.location && op != function)
        found = op;
    });
  return found;
}

/// True if `value` is what a layer's forward returns for its own backward.
static bool isExtraOfCall(Value value, ArrayRef<AdjointPair> pairs) {
  auto call = value.getDefiningOp<func::CallOp>();
  for (const AdjointPair &pair : pairs)
    if (call && func::FuncOp(pair.forward).getSymName() == call.getCallee())
      return cast<OpResult>(value).getResultNumber() >= func::FuncOp(pair.primal).getNumResults();
  return false;
}

static std::string readersOf(const KeptValue &kept) {
  std::string text;
  for (auto [i, reader] : llvm::enumerate(kept.readers))
    text += (i ? ", " : "") + describeReader(reader);
  return text.empty() ? "nothing" : text;
}

//===----------------------------------------------------------------------===//
// Answers
//===----------------------------------------------------------------------===//

static std::string whyNotKept(ModuleOp module, const NamedValue &value) {
  if (value.isArgument)
    return "not saved: no adjoint reads this argument\n";
  Operation *op = findOp(module, value);
  if (!op)
    return "not saved: folded into other ops, or merged with an equal one, before AD\n";
  if (isFreeInBackward(op))
    return "not saved: " + op->getName().getStringRef().str() +
           " costs no memory, so the backward repeats it where it is read\n";
  return "not saved: no adjoint reads it\n";
}

static void explainKept(llvm::raw_ostream &out, const KeptValue &kept, const Runs &runs) {
  if (kept.source.kind != ResidualSource::Extra) {
    out << (kept.source.kind == ResidualSource::Argument
                ? "read in the backward, but costs nothing here: an argument, which the "
                  "caller holds\n"
                : "read in the backward, but costs nothing here: a result, which the caller "
                  "holds\n");
  } else if (runs.inBackward == 0) {
    out << "saved: " << runs.inForward << " x " << kept.bytes
        << " = " << runs.inForward * kept.bytes << " bytes\n";
  } else {
    out << "recomputed: " << runs.inBackward << " of " << runs.inForward + runs.inBackward
        << " calls run again just before their adjoint, so that " << kept.bytes
        << " bytes live for one call at a time; " << runs.inForward << " x " << kept.bytes
        << " = " << runs.inForward * kept.bytes << " bytes are saved\n";
  }
  out << "read by " << readersOf(kept) << "\n";
}

/// True if `value` is kept in `module`; appends what is to be said about it.
static bool explainIn(ModuleOp module, const NamedValue &value, llvm::raw_ostream &out) {
  bool found = false;
  SmallVector<AdjointPair> pairs = pairsOf(module);
  for (const AdjointPair &pair : pairs) {
    if (func::FuncOp(pair.primal).getSymName() != value.function)
      continue;
    for (const KeptValue &kept : keptValues(pair))
      if (isSame(kept, value)) {
        explainKept(out, kept, runsOf(pairs, pair));
        found = true;
      }
  }
  return found;
}

bool tt::explainValue(const CompileOptions &options, const std::string &name,
                      std::string &text, std::string &error) {
  Explanation job(options, error);
  if (!job.load())
    return false;
  std::vector<NamedValue> values = namedValues(*job.primal, job.source);
  const NamedValue *value = job.find(values, name);
  if (!value)
    return false;
  llvm::raw_string_ostream out(text);
  out << value->name << " of @" << value->function << " at " << placeOf(value->location);
  if (Operation *op = value->isArgument ? nullptr : findOp(*job.primal, *value))
    out << ": " << op->getName() << ", " << op->getResult(value->result).getType();
  out << "\n";
  if (explainIn(*job.adjoint, *value, out))
    return true;
  std::string before;
  llvm::raw_string_ostream ignored(before);
  if (explainIn(*job.plain, *value, ignored))
    out << "recomputed: without checkpointing it would be\n" << before;
  else
    out << whyNotKept(*job.plain, *value);
  return true;
}

bool tt::listKept(const CompileOptions &options, std::string &text, std::string &error) {
  Explanation job(options, error);
  if (!job.load())
    return false;
  llvm::raw_string_ostream out(text);
  SmallVector<AdjointPair> pairs = pairsOf(*job.adjoint);
  support::CheckedSize total = 0;
  for (const AdjointPair &pair : pairs) {
    Runs runs = runsOf(pairs, pair);
    bool isEntry = func::FuncOp(pair.primal).isPublic();
    out << "@" << func::FuncOp(pair.primal).getSymName() << ", "
        << runs.inForward + runs.inBackward
        << (runs.inForward + runs.inBackward == 1 ? " run" : " runs") << " of the forward";
    if (runs.inBackward)
      out << ", " << runs.inBackward << " of them in the backward";
    out << "\n";
    for (const KeptValue &kept : keptValues(pair)) {
      if (kept.source.kind != ResidualSource::Extra)
        continue;
      if (isEntry)
        total += kept.bytes;
      Operation *op = kept.forward.getDefiningOp();
      if (isExtraOfCall(kept.forward, pairs))
        continue; // listed with the function that makes it
      out << "  " << kept.bytes << " bytes " << kept.type << " "
          << (op ? op->getName().getStringRef() : StringRef("argument")) << " at "
          << placeOf(kept.forward.getLoc()) << "; read by " << readersOf(kept) << "\n";
    }
  }
  if (!total.isArenaBytes()) {
    error = options.input + ": error: expected at most 2^47 bytes kept between forward and "
                            "backward, but got " + std::to_string(total.value());
    text.clear();
    return false;
  }
  out << "in all " << total.value() << " bytes between forward and backward\n";
  return true;
}
