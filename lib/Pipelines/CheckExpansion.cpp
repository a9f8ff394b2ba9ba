//===- CheckExpansion.cpp - How many ops a graph runs ---------------------===//
//
// A short file can ask for very much: functions that call the next one twice, a repeat
// of many turns, a loss in many chunks. Every run is a launch of the library, so the
// number is bounded, and counted here before anything is unrolled.
//
//===----------------------------------------------------------------------===//
#include "Stages.h"

#include "tt/IR/TTOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tt;

namespace {
/// A model of 1000 layers with 50 ops each has fewer.
constexpr uint64_t kMostRuns = 1 << 16;
/// Ops of one chunk of a loss: its rows, their logits and the loss of these.
constexpr uint64_t kOpsPerChunk = 8;

/// Counts per function, each counted once; sums stop growing at kMostRuns + 1.
class RunCounter {
public:
  /// Null: what `op` itself needs stays within the bound.
  Operation *tooMuch = nullptr;

  uint64_t of(func::FuncOp function) {
    auto [place, isNew] = counts.try_emplace(function, 0);
    if (!isNew) // a cycle counts 0 here; other checks name it
      return place->second;
    uint64_t sum = 0;
    function.walk([&](Operation *op) {
      sum = capped(sum + runsOf(op));
      if (sum > kMostRuns && !tooMuch)
        tooMuch = op;
    });
    return counts[function] = sum;
  }

private:
  static uint64_t capped(uint64_t count) { return std::min(count, kMostRuns + 1); }

  uint64_t ofCallee(Operation *op, FlatSymbolRefAttr symbol) {
    auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(op, symbol);
    return callee ? of(callee) : 0;
  }
  uint64_t runsOf(Operation *op) {
    return llvm::TypeSwitch<Operation *, uint64_t>(op)
        .Case([&](func::CallOp call) { return 1 + ofCallee(op, call.getCalleeAttr()); })
        .Case([&](RepeatOp repeat) { // both factors are below 2^17
          uint64_t turns = std::clamp<int64_t>(repeat.getCount(), 0, kMostRuns + 1);
          return capped(turns * (1 + ofCallee(op, repeat.getCalleeAttr())));
        })
        .Case([&](LinearCrossEntropyOp loss) {
          return kOpsPerChunk * std::clamp<int64_t>(loss.getChunks(), 0, kMostRuns);
        })
        .Default([](Operation *) { return 1; });
  }

  llvm::DenseMap<Operation *, uint64_t> counts;
};
} // namespace

LogicalResult tt::checkExpansion(ModuleOp module) {
  RunCounter counter;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (counter.of(function) <= kMostRuns)
      continue;
    return counter.tooMuch->emitError()
           << "expected at most " << kMostRuns
           << " ops in one run of a function, with calls, repeats and chunks counted, but "
              "got more in @" << counter.tooMuch->getParentOfType<func::FuncOp>().getSymName()
           << ": call less often, or take fewer turns or chunks";
  }
  return success();
}
