//===- KernelSample.cpp - Some rows of a kernel ---------------------------===//
#include "tt/Certify/KernelSample.h"
#include "Resize.h"
#include "tt/Certify/DimGraph.h"
#include "tt/Reference/RandomInputs.h"

#include "llvm/ADT/SmallSet.h"

#include <algorithm>
#include <set>

using namespace mlir;
using namespace tt;
using namespace tt::certify;
using Dim = DimGraph::Dim;

namespace {

class Sampler {
public:
  Sampler(KernelOp kernel, DimGraph &graph) : kernel(kernel), graph(graph) {
    for (Dim dim = 0; dim < graph.count(); ++dim)
      sizes.push_back(graph.size(dim));
  }

  void reduce(double maxWork);
  double work() { return countWork(false); }
  int64_t depth() { return int64_t(countWork(true)); }
  void choosePositions(uint64_t seed);
  Positions positionsOf(Value value);

  std::vector<int64_t> sizes; // by dimension; those of a class agree

private:
  double countWork(bool asDepth);
  double workOf(Operation *op, bool asDepth);
  Dim largest();

  KernelOp kernel;
  DimGraph &graph;
  std::vector<std::vector<int64_t>> positions; // by class
};

} // namespace

/// The product of the sizes of an op's classes: what a product of matrices, a
/// sum or an elementwise op costs. `asDepth`: without the classes of the
/// results, which is the number of terms in each.
double Sampler::workOf(Operation *op, bool asDepth) {
  std::set<Dim> classes, free;
  auto collect = [&](ValueRange values, std::set<Dim> &into) {
    for (Value value : values)
      for (Dim dim : graph.dims(value))
        into.insert(graph.find(dim));
  };
  collect(op->getOperands(), classes);
  collect(op->getResults(), asDepth ? free : classes);
  double product = 1;
  for (Dim dim : classes)
    if (!free.count(dim))
      product *= double(asDepth ? graph.size(dim) : sizes[dim]);
  if (isa<AttentionOp, AttentionBwdOp>(op)) { // scores are not values
    Value keys = op->getOperand(1);
    product *= double(asDepth ? graph.size(graph.of(keys, 2)) : sizes[graph.of(keys, 2)]);
    if (asDepth)
      product = std::max(product, double(graph.size(graph.of(keys, 3))));
  }
  if (isa<LayerNormOp, LayerNormBwdOp, RMSNormOp, RMSNormBwdOp, SoftmaxOp, SoftmaxBwdOp,
          CrossEntropyBwdOp>(op) && asDepth) {
    Value row = op->getOperand(0);
    product *= double(cast<RankedTensorType>(row.getType()).getShape().back());
  }
  if (auto scan = dyn_cast<CumSumOp>(op); scan && asDepth)
    product *= double(graph.size(graph.of(scan.getInput(), unsigned(scan.getDim()))));
  return product;
}

double Sampler::countWork(bool asDepth) {
  double sum = asDepth ? 1 : 0;
  for (Operation &op : kernel.getBody().front().without_terminator())
    sum += workOf(&op, asDepth);
  return sum;
}

/// The largest class that may lose positions; count() if there is none.
Dim Sampler::largest() {
  Dim best = graph.count();
  for (Dim dim = 0; dim < graph.count(); ++dim) {
    if (graph.find(dim) != dim || graph.isFixed(dim) || sizes[dim] <= 4 ||
        graph.sampling(dim) == Sampling::None)
      continue;
    if (best == graph.count() || sizes[dim] > sizes[best])
      best = dim;
  }
  return best;
}

void Sampler::reduce(double maxWork) {
  while (work() > maxWork) {
    Dim dim = largest();
    if (dim == graph.count())
      break;
    sizes[dim] = std::max<int64_t>(sizes[dim] / 2, 4);
  }
  for (Dim dim = 0; dim < graph.count(); ++dim)
    sizes[dim] = sizes[graph.find(dim)];
}

/// The first and the last position and random ones between, or the first few.
void Sampler::choosePositions(uint64_t seed) {
  reference::Random random(seed);
  positions.resize(graph.count());
  for (Dim dim = 0; dim < graph.count(); ++dim) {
    if (graph.find(dim) != dim)
      continue;
    std::set<int64_t> chosen;
    int64_t all = graph.size(dim), wanted = sizes[dim];
    bool isFree = graph.sampling(dim) == Sampling::Any && wanted < all && wanted >= 2;
    if (isFree)
      chosen = {0, all - 1};
    while (isFree && int64_t(chosen.size()) < wanted)
      chosen.insert(random.integer(0, all));
    for (int64_t i = 0; int64_t(chosen.size()) < wanted; ++i)
      chosen.insert(i);
    positions[dim].assign(chosen.begin(), chosen.end());
  }
}

Positions Sampler::positionsOf(Value value) {
  Positions result;
  for (Dim dim : graph.dims(value))
    result.push_back(positions[graph.find(dim)]);
  return result;
}

bool tt::certify::sampleKernel(KernelOp kernel, double maxWork, uint64_t seed,
                               KernelSample &sample, std::string &error) {
  sample.module = ModuleOp::create(kernel.getLoc());
  OpBuilder builder(sample.module->getBodyRegion());
  auto clone = cast<KernelOp>(builder.clone(*kernel));
  DimGraph graph;
  if (!graph.build(clone, error))
    return false;
  Sampler sampler(clone, graph);
  sample.depth = sampler.depth();
  sampler.reduce(maxWork);
  sample.work = sampler.work();
  sampler.choosePositions(seed);
  double kept = 0, all = 0;
  for (BlockArgument argument : clone.getBody().getArguments())
    sample.arguments.push_back(sampler.positionsOf(argument));
  for (Value value : clone.getBody().front().getTerminator()->getOperands()) {
    sample.results.push_back(sampler.positionsOf(value));
    double here = 1, whole = 1;
    for (auto [dim, left] : llvm::enumerate(sample.results.back())) {
      here *= double(left.size());
      whole *= double(graph.size(graph.of(value, dim)));
    }
    kept += here, all += whole;
  }
  sample.kept = all > 0 ? kept / all : 1;
  resize(clone, graph, sampler.sizes, /*smallBlocks=*/false);
  return true;
}
