//===- TileSubject.cpp - Tile loops against the kernels' part -------------===//
#include "Subject.h"

#include "tt/Attention/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace tt;
using namespace tt::test;

using Tensors = std::vector<reference::AnyTensor<double>>;

TileSubject::TileSubject(MLIRContext &context, AttentionCase form, bool isAdjoint)
    : Subject(form.name() + (isAdjoint ? "_tiled_adjoint" : "_tiled")), context(context),
      form(std::move(form)), isAdjoint(isAdjoint) {}

/// Runs the kernel of `module`; false if it has no result.
static bool run(ModuleOp module, reference::Mode mode, const Tensors &inputs,
                Tensors &results, llvm::DenseSet<Value> *seen = nullptr) {
  reference::Options options;
  options.mode = mode;
  if (seen)
    options.onValue = [seen](Value value, auto &) { seen->insert(value); };
  auto outcome = reference::Interpreter<double>(module, options).run("a", inputs);
  results = std::move(outcome.results);
  return outcome.succeeded();
}

/// The whole of each result: its sample, at these sizes.
bool TileSubject::passes(ModuleOp loops) const {
  for (const Draw &draw : draws) {
    Tensors found;
    if (!run(loops, reference::Mode::Typed, draw.inputs, found))
      return false;
    for (auto [i, result] : llvm::enumerate(found)) {
      certify::Finding finding;
      certify::compareResult(result, draw.ideal[i], draw.typed[i], depth, finding);
      if (!finding.passed)
        return false;
    }
  }
  return true;
}

/// The adjoint gets what the forward gives: a random lse would make some p so large
/// that the others count nothing.
std::string TileSubject::draw(uint64_t seed) {
  reference::Random random(seed);
  Draw draw;
  draw.inputs = form.inputs(random);
  if (isAdjoint) {
    auto forward = parseSourceString<ModuleOp>(form.forwardKernel(), &context);
    Tensors results;
    if (!run(*forward, reference::Mode::Ideal, draw.inputs, results))
      return "its forward does not run";
    draw.inputs.insert(draw.inputs.end(), results.begin(), results.end());
    draw.inputs.push_back(form.likeOutput(random));
    draw.inputs.push_back(form.likeLse(random));
  }
  if (!run(*module, reference::Mode::Ideal, draw.inputs, draw.ideal) ||
      !run(*module, reference::Mode::Typed, draw.inputs, draw.typed))
    return "it does not run";
  draws.push_back(std::move(draw));
  return "";
}

std::string TileSubject::prepare() {
  module = parseSourceString<ModuleOp>(
      isAdjoint ? form.adjointKernel() : form.forwardKernel(), &context);
  certify::KernelSample sample;
  std::string error;
  if (!module ||
      !certify::sampleKernel(*module->getOps<KernelOp>().begin(), 2e7, 1, sample, error))
    return error;
  depth = sample.depth;
  tiled = cast<ModuleOp>((*module)->clone());
  PassManager passes(&context);
  passes.addPass(createTileAttentionPass());
  if (failed(passes.run(*tiled)))
    return "it cannot be tiled";
  for (uint64_t seed : {5, 6}) {
    Tensors results;
    if (error = draw(seed); !error.empty())
      return error;
    if (!run(*tiled, reference::Mode::Typed, draws.back().inputs, results, &seen))
      return "the loops do not run";
  }
  return this->passes(*tiled) ? "" : "the loops do not give the op's numbers";
}

ModuleOp TileSubject::emitted(Kind kind) {
  return kind == Kind::Tiles ? *tiled : ModuleOp();
}

bool TileSubject::survives(const Mutant &mutant) {
  OwningOpRef<ModuleOp> changed = cast<ModuleOp>((*tiled)->clone());
  return mutant.apply(*changed) && passes(*changed);
}

bool TileSubject::runs(const Mutant &mutant) {
  for (Operation *at = opOf(*tiled, mutant)->getParentOp(); at; at = at->getParentOp())
    if (auto loop = dyn_cast<scf::ForOp>(at); loop && !seen.contains(loop.getInductionVar()))
      return false;
  return true;
}

/// Blocks of 3 queries and 4 keys, the last ones cut short to 1 and 2; no two sizes of
/// a tile agree, so that what is turned round does not fit. Two queries of the second
/// form see no key.
std::vector<std::unique_ptr<Subject>> tt::test::tileSubjects(MLIRContext &context) {
  AttentionCase plain;
  plain.queries = 7, plain.keys = 10, plain.headSize = 5;
  plain.blockQ = 3, plain.blockK = 4;
  plain.element = "f32";
  std::vector<AttentionCase> forms(5, plain);
  forms[1].causal = true, forms[1].queries = 16, forms[1].keys = 14;
  forms[2].queries = 16, forms[2].keys = 22;
  forms[2].left = 7, forms[2].right = 5, forms[2].prefix = 6;
  forms[3].segments = true, forms[3].bias = "heads", forms[3].softcap = 1.5;
  forms[4].causal = forms[4].slopes = forms[4].sinks = true, forms[4].dropout = 0.25;
  std::vector<std::unique_ptr<Subject>> subjects;
  for (const AttentionCase &form : forms)
    for (bool isAdjoint : {false, true})
      subjects.push_back(std::make_unique<TileSubject>(context, form, isAdjoint));
  return subjects;
}
