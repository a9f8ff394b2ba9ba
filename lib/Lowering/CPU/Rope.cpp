//===- Rope.cpp - Rotary position embedding -------------------------------===//
#include "tt/Lowering/CPU/Rope.h"
#include "LoopEmitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace tt::cpu;

/// About this many elements make a task.
static constexpr int64_t kElementsPerTask = 16384;

RopeTable tt::cpu::computeRopeTable(int64_t firstPosition, int64_t tokens,
                                    ArrayRef<double> frequencies) {
  RopeTable table;
  for (int64_t t = 0; t < tokens; ++t)
    for (double frequency : frequencies) {
      double angle = double(firstPosition + t) * frequency;
      table.cosines.push_back(float(std::cos(angle)));
      table.sines.push_back(float(std::sin(angle)));
    }
  return table;
}

RopeTable tt::cpu::computeRopeTable(int64_t firstPosition, int64_t tokens,
                                    int64_t headSize, double theta) {
  std::vector<double> frequencies;
  for (int64_t i = 0; i < headSize / 2; ++i)
    frequencies.push_back(std::pow(theta, -2.0 * double(i) / double(headSize)));
  return computeRopeTable(firstPosition, tokens, frequencies);
}

namespace {

class RopeEmitter {
public:
  RopeEmitter(PhaseShell &shell, const RopeSpec &spec) : e(shell), spec(spec) {}

  int64_t emit(); // returns the number of tasks

private:
  Value open(const HeadsOperand &operand);
  void emitPairs(Value xAt, Value yAt, Value tableAt, Value pair,
                 int64_t count);
  Value pick(Value a, Value c, ArrayRef<int64_t> lanes) {
    return vector::ShuffleOp::create(e.b, e.loc, a, c, lanes);
  }

  LoopEmitter e;
  const RopeSpec &spec;
  Value x, y, cosines, sines;
};

Value RopeEmitter::open(const HeadsOperand &operand) {
  int64_t extent = (spec.batch - 1) * operand.batch +
                   (spec.heads - 1) * operand.head +
                   (spec.tokens - 1) * operand.token + spec.headSize;
  return e.shell.operand(operand.operand,
                         MemRefType::get({extent}, e.b.getF32Type()));
}

/// Turns the pairs [pair, pair + count), count <= 16, of one token.
void RopeEmitter::emitPairs(Value xAt, Value yAt, Value tableAt, Value pair,
                            int64_t count) {
  int64_t second = spec.interleaved ? kLanes : spec.headSize / 2;
  Value first = e.mul(pair, spec.interleaved ? 2 : 1);
  // The two vectors that hold the pairs in memory, and how full they are.
  int64_t firstCount = spec.interleaved ? 2 * count : count;
  int64_t secondCount = spec.interleaved ? 2 * count - kLanes : count;
  Value firstMask = e.firstLanesOrNull(firstCount);
  Value secondMask = e.firstLanesOrNull(std::max<int64_t>(secondCount, 0));
  Value x0 = e.load(x, e.add(xAt, first), firstMask);
  Value x1 = e.load(x, e.add(e.add(xAt, first), second), secondMask);
  Value tableMask = e.firstLanesOrNull(count);
  Value c = e.load(cosines, e.add(tableAt, pair), tableMask);
  Value s = e.load(sines, e.add(tableAt, pair), tableMask);
  SmallVector<int64_t> even, odd, low, high;
  for (int64_t i = 0; i < kLanes; ++i) {
    even.push_back(2 * i);
    odd.push_back(2 * i + 1);
    low.push_back(i / 2 + (i % 2) * kLanes);
    high.push_back(kLanes / 2 + i / 2 + (i % 2) * kLanes);
  }
  if (spec.interleaved) {
    Value memory0 = x0, memory1 = x1;
    x0 = pick(memory0, memory1, even);
    x1 = pick(memory0, memory1, odd);
  }
  Value cross0 = e.mulF(x1, s), cross1 = e.mulF(x0, s);
  Value &negated = spec.inverse ? cross1 : cross0;
  negated = arith::NegFOp::create(e.b, e.loc, negated);
  Value y0 = e.fma(x0, c, cross0), y1 = e.fma(x1, c, cross1);
  if (spec.interleaved) {
    Value turned0 = y0, turned1 = y1;
    y0 = pick(turned0, turned1, low);
    y1 = pick(turned0, turned1, high);
  }
  e.store(y0, y, e.add(yAt, first), firstMask);
  e.store(y1, y, e.add(e.add(yAt, first), second), secondMask);
}

int64_t RopeEmitter::emit() {
  assert(spec.headSize % 2 == 0 && "rope turns pairs");
  int64_t half = spec.headSize / 2;
  MemRefType tableType =
      MemRefType::get({spec.tokens * half}, e.b.getF32Type());
  x = open(spec.x);
  y = open(spec.y);
  cosines = e.shell.operand(spec.cosOperand, tableType);
  sines = e.shell.operand(spec.sinOperand, tableType);

  int64_t perTask =
      std::clamp<int64_t>(kElementsPerTask / spec.headSize, 1, spec.tokens);
  int64_t chunks = (spec.tokens + perTask - 1) / perTask;
  Value row = e.div(e.shell.task(), chunks);
  Value batch = e.div(row, spec.heads), head = e.rem(row, spec.heads);
  auto base = [&](const HeadsOperand &operand) {
    return e.add(e.mul(batch, operand.batch), e.mul(head, operand.head));
  };
  Value xBase = base(spec.x), yBase = base(spec.y);
  Value begin = e.mul(e.rem(e.shell.task(), chunks), perTask);
  Value end = e.min(e.add(begin, perTask), e.index(spec.tokens));
  e.loop(begin, end, 1, [&](Value token) {
    Value xAt = e.add(xBase, e.mul(token, spec.x.token));
    Value yAt = e.add(yBase, e.mul(token, spec.y.token));
    Value tableAt = e.mul(token, half);
    int64_t whole = half / kLanes * kLanes;
    e.loop(e.index(0), e.index(whole), kLanes,
           [&](Value pair) { emitPairs(xAt, yAt, tableAt, pair, kLanes); });
    if (whole < half)
      emitPairs(xAt, yAt, tableAt, e.index(whole), half - whole);
  });
  return spec.batch * spec.heads * chunks;
}

} // namespace

EmittedKernel tt::cpu::emitRope(ModuleOp module, Location loc, StringRef symbol,
                                const Target &target, const RopeSpec &spec) {
  PhaseShell shell(module, loc, (symbol + target.suffix).str(),
                   spec.numOperands, spec.mayAlias);
  RopeEmitter emitter(shell, spec);
  int64_t tasks = emitter.emit();
  EmittedKernel kernel;
  kernel.phases.push_back(shell.finish(tasks));
  return kernel;
}
