//===- OptimizerEmitter.cpp - AdamW, sums of squares, the global norm -----===//
#include "ElementwiseNests.h"
#include "Epilogue.h"
#include "IndexMath.h"
#include "KernelEmitters.h"
#include "PhiloxEmitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <limits>

using namespace mlir;
using namespace tt;
using namespace tt::cpu;

static Value constantOf(LoopEmitter &e, Type type, double value) {
  return splatConstant(e.b, e.loc, type, value);
}

//===----------------------------------------------------------------------===//
// AdamW
//===----------------------------------------------------------------------===//

/// 1 - base^step in f64, by squaring: the same bits everywhere.
static Value emitOneMinusPower(LoopEmitter &e, double base, Value step) {
  Type f64 = e.b.getF64Type(), i64 = e.b.getI64Type();
  Value one = constantOf(e, f64, 1.0);
  Value oneInt = integerConstant(e.b, e.loc, i64, 1);
  Value power = e.loop(
      e.index(0), e.index(63), 1,
      ValueRange{one, constantOf(e, f64, base), step},
      [&](Value, ValueRange old) {
        Value bit = arith::AndIOp::create(e.b, e.loc, old[2], oneInt);
        Value isSet = arith::CmpIOp::create(
            e.b, e.loc, arith::CmpIPredicate::ne, bit,
            integerConstant(e.b, e.loc, i64, 0));
        Value taken = e.mulF(old[0], old[1]);
        return SmallVector<Value>{
            arith::SelectOp::create(e.b, e.loc, isSet, taken, old[0]),
            e.mulF(old[1], old[1]),
            arith::ShRUIOp::create(e.b, e.loc, old[2], oneInt)};
      })[0];
  return e.subF(one, power);
}

namespace {
/// The factors of one step, splat over lanes.
struct AdamWFactors {
  Value clip, decay, beta1, keep1, beta2, keep2, stepSize, rootScale, eps;
};
} // namespace

static AdamWFactors emitFactors(LoopEmitter &e, ElementBuilder &builder,
                                AdamWOp op) {
  Type f32 = e.b.getF32Type(), f64 = e.b.getF64Type();
  Value rate = builder.element(op.getLearningRate(), Position{});
  Value step = builder.element(op.getStep(), Position{});
  if (step.getType().isInteger(32))
    step = arith::ExtSIOp::create(e.b, e.loc, e.b.getI64Type(), step);
  double beta1 = op.getBeta1().convertToDouble();
  double beta2 = op.getBeta2().convertToDouble();
  auto narrow = [&](Value value) -> Value {
    return arith::TruncFOp::create(e.b, e.loc, f32, value);
  };
  auto constant = [&](double value) { return constantOf(e, f32, value); };
  Value wideRate = arith::ExtFOp::create(e.b, e.loc, f64, rate);
  Value correction1 = emitOneMinusPower(e, beta1, step);
  Value correction2 = emitOneMinusPower(e, beta2, step);
  Value root = math::SqrtOp::create(e.b, e.loc, correction2);
  Value decay = e.mulF(
      wideRate, constantOf(e, f64, -op.getWeightDecay().convertToDouble()));
  AdamWFactors factors{
      builder.element(op.getClip(), Position{}),
      narrow(decay),
      constant(beta1),
      constant(1.0 - beta1),
      constant(beta2),
      constant(1.0 - beta2),
      narrow(arith::DivFOp::create(e.b, e.loc, wideRate, correction1)),
      narrow(arith::DivFOp::create(e.b, e.loc, constantOf(e, f64, 1.0), root)),
      constant(op.getEps().convertToDouble())};
  for (Value *factor :
       {&factors.clip, &factors.decay, &factors.beta1, &factors.keep1,
        &factors.beta2, &factors.keep2, &factors.stepSize, &factors.rootScale,
        &factors.eps})
    *factor = builder.spread(*factor);
  return factors;
}

/// Binds the results of `op` to the updated values.
static void bindUpdate(LoopEmitter &e, ElementBuilder &builder, AdamWOp op,
                       const AdamWFactors &f) {
  auto gradient = [=, &e, &builder](const Position &at) mutable {
    return e.mulF(builder.lanes(op.getGradient(), at), f.clip);
  };
  builder.bind(op.getNewM(), [=, &e, &builder](const Position &at) mutable {
    Value m = builder.lanes(op.getM(), at);
    return e.fma(f.beta1, m, e.mulF(f.keep1, gradient(at)));
  });
  builder.bind(op.getNewV(), [=, &e, &builder](const Position &at) mutable {
    Value g = gradient(at), v = builder.lanes(op.getV(), at);
    return e.fma(f.beta2, v, e.mulF(f.keep2, e.mulF(g, g)));
  });
  builder.bind(op.getNewParameter(), [=, &e,
                                      &builder](const Position &at) mutable {
    Value p = builder.lanes(op.getParameter(), at);
    Value decayed = e.fma(f.decay, p, p);
    Value root = math::SqrtOp::create(e.b, e.loc,
                                      builder.lanes(op.getNewV(), at));
    Value divisor = e.fma(root, f.rootScale, f.eps);
    Value change = arith::DivFOp::create(
        e.b, e.loc, e.mulF(f.stepSize, builder.lanes(op.getNewM(), at)),
        divisor);
    return e.subF(decayed, change);
  });
}

LogicalResult tt::cpu::emitAdamWKernel(const KernelJob &job, AdamWOp op,
                                       EmittedKernel &emitted) {
  auto type = cast<RankedTensorType>(op.getParameter().getType());
  for (Value operand : op->getOperands().take_front(4))
    if (!getElementTypeOrSelf(operand.getType()).isF32())
      return op.emitError() << "'tt.adamw' of type " << operand.getType()
                            << " is not lowered on the CPU yet";
  FailureOr<SmallVector<ResultView>> yields =
      matchYields(job, {type.getShape()});
  if (failed(yields) || failed(checkEpilogue(op.getOperation())))
    return failure();
  SmallVector<NestItem> items;
  for (const ResultView &view : *yields)
    items.push_back({view.value, view.storage});

  PhaseShell shell(job.module, job.loc(), job.phaseSymbol(),
                   job.signature.numOperands(), job.mayAlias());
  LoopEmitter e(shell);
  ElementBuilder builder(e, job);
  std::vector<ElementwiseNest> nests = planNests(job, items);
  AdamWFactors factors = emitFactors(e, builder, op);
  Value skipped = builder.element(op.getSkipped(), Position{});
  Value isSkipped = arith::CmpIOp::create(
      e.b, e.loc, arith::CmpIPredicate::ne, skipped,
      integerConstant(e.b, e.loc, skipped.getType(), 0));
  // A step below 1 or a learning rate that is not finite updates nothing.
  Value step = builder.element(op.getStep(), Position{});
  Value early = arith::CmpIOp::create(
      e.b, e.loc, arith::CmpIPredicate::slt, step,
      integerConstant(e.b, e.loc, step.getType(), 1));
  Value rate = builder.element(op.getLearningRate(), Position{});
  Value finite = arith::CmpFOp::create(
      e.b, e.loc, arith::CmpFPredicate::OLT,
      math::AbsFOp::create(e.b, e.loc, rate),
      arith::ConstantOp::create(
          e.b, e.loc,
          e.b.getFloatAttr(rate.getType(),
                           std::numeric_limits<double>::infinity())));
  Value one = arith::ConstantOp::create(e.b, e.loc, e.b.getBoolAttr(true));
  Value endless = arith::XOrIOp::create(e.b, e.loc, finite, one);
  isSkipped = arith::OrIOp::create(
      e.b, e.loc, isSkipped, arith::OrIOp::create(e.b, e.loc, early, endless));
  int64_t tasks = 0;
  e.ifElse(
      isSkipped,
      [&] {
        ElementBuilder::Scope scope(builder);
        for (auto [result, operand] :
             {std::pair<Value, Value>(op.getNewParameter(), op.getParameter()),
              std::pair<Value, Value>(op.getNewM(), op.getM()),
              std::pair<Value, Value>(op.getNewV(), op.getV())})
          builder.bind(result, [&builder, operand = operand](
                                   const Position &at) {
            return builder.element(operand, at);
          });
        tasks = emitNests(e, builder, nests, shell.task());
      },
      [&] {
        ElementBuilder::Scope scope(builder);
        bindUpdate(e, builder, op, factors);
        emitNests(e, builder, nests, shell.task());
      });
  emitted.phases.push_back(shell.finish(tasks));
  return success();
}

//===----------------------------------------------------------------------===//
// Sum of squares
//===----------------------------------------------------------------------===//

static constexpr int64_t kSquaresBlock = 16384;

/// Adds the squares of 16 elements to f64 lanes.
static Value addSquares(LoopEmitter &e, ElementBuilder &builder, Value input,
                        const Position &at, Value sum) {
  ElementBuilder::Scope scope(builder);
  Value x = builder.lanes(input, at);
  if (at.mask)
    x = arith::SelectOp::create(
        e.b, e.loc, at.mask, x,
        splatConstant(e.b, e.loc, x.getType(), 0.0));
  if (getElementTypeOrSelf(x.getType()).isF32())
    x = arith::ExtFOp::create(e.b, e.loc, getLanesType(e.b.getF64Type()), x);
  return e.addF(sum, e.mulF(x, x));
}

LogicalResult tt::cpu::emitSumSquaresKernel(const KernelJob &job,
                                            SumSquaresOp op,
                                            EmittedKernel &emitted) {
  ArrayRef<int64_t> shape = op.getInput().getType().getShape();
  int64_t count = elementCount(shape), blocks = ceilDiv(count, kSquaresBlock);
  FailureOr<SmallVector<ResultView>> yields =
      matchYields(job, {ArrayRef<int64_t>()});
  if (failed(yields) || failed(checkEpilogue(op.getOperation())))
    return failure();
  std::optional<StridedOperand> view =
      viewOfArgument(job.signature, op.getInput());
  Type f64 = OpBuilder(op).getF64Type();
  auto partials = [&](PhaseShell &shell) {
    return shell.shared(0, MemRefType::get({blocks}, f64));
  };
  {
    PhaseShell shell(job.module, job.loc(), job.phaseSymbol("_blocks"),
                     job.signature.numOperands(), job.mayAlias());
    LoopEmitter e(shell);
    ElementBuilder builder(e, job);
    LaneMath math(e);
    Value begin = e.mul(shell.task(), kSquaresBlock);
    Value end = e.min(e.add(begin, kSquaresBlock), e.index(count));
    Value zero = splatConstant(e.b, e.loc, getLanesType(f64), 0.0);
    Value lanes = forLanes(
        e, count, begin, end, zero,
        [&](const LaneIndex &index, Value mask, ValueRange old) {
          Position at{math.delinearize(index, shape), mask};
          if (view && view->isDense()) {
            at.dims.assign(shape.size(), math.constant(0));
            if (!shape.empty())
              at.dims.back() = index;
          }
          return SmallVector<Value>{
              addSquares(e, builder, op.getInput(), at, old[0])};
        })[0];
    memref::StoreOp::create(e.b, e.loc, horizontalSum(e.b, e.loc, lanes),
                            partials(shell), ValueRange{shell.task()});
    emitted.phases.push_back(shell.finish(blocks));
  }
  emitted.sharedBytes = blocks * int64_t(sizeof(double));
  PhaseShell shell(job.module, job.loc(), job.phaseSymbol(),
                   job.signature.numOperands(), job.mayAlias());
  LoopEmitter e(shell);
  ElementBuilder builder(e, job);
  Value total = e.loop(
      e.index(0), e.index(blocks), 1, constantOf(e, f64, 0.0),
      [&](Value block, ValueRange old) {
        Value part = memref::LoadOp::create(e.b, e.loc, partials(shell),
                                            ValueRange{block});
        return SmallVector<Value>{e.addF(old[0], part)};
      })[0];
  builder.bind(op.getOutput(), [total](const Position &) { return total; });
  for (const ResultView &yield : *yields)
    builder.store(yield.storage, Position{},
                  builder.element(yield.value, Position{}));
  emitted.phases.push_back(shell.finish(1));
  return success();
}

//===----------------------------------------------------------------------===//
// Global norm
//===----------------------------------------------------------------------===//

LogicalResult tt::cpu::emitGlobalNormKernel(const KernelJob &job,
                                            GlobalNormOp op,
                                            EmittedKernel &emitted) {
  FailureOr<SmallVector<ResultView>> yields =
      matchYields(job, {ArrayRef<int64_t>()});
  if (failed(yields) || failed(checkEpilogue(op.getOperation())))
    return failure();
  PhaseShell shell(job.module, job.loc(), job.phaseSymbol(),
                   job.signature.numOperands(), job.mayAlias());
  LoopEmitter e(shell);
  ElementBuilder builder(e, job);
  Type f64 = e.b.getF64Type(), f32 = e.b.getF32Type();
  Value sum;
  for (Value part : op.getSums()) {
    Value value = builder.element(part, Position{});
    sum = sum ? e.addF(sum, value) : value;
  }
  Value norm = math::SqrtOp::create(e.b, e.loc, sum);
  // inf - inf and nan - nan are no zeros. Of the norm that callers see: gradients near
  // the end of f32 have a norm that f64 alone holds.
  Value rounded = arith::TruncFOp::create(e.b, e.loc, f32, norm);
  Value finite = arith::CmpFOp::create(e.b, e.loc, arith::CmpFPredicate::OEQ,
                                       e.subF(rounded, rounded),
                                       constantOf(e, f32, 0.0));
  Value one = constantOf(e, f64, 1.0), clip = one;
  double maxNorm = op.getMaxNorm().convertToDouble();
  if (maxNorm > 0) {
    Value ratio = arith::DivFOp::create(
        e.b, e.loc, constantOf(e, f64, maxNorm),
        e.addF(norm, constantOf(e, f64, 1e-6)));
    Value below = arith::CmpFOp::create( // NaN stays NaN
        e.b, e.loc, arith::CmpFPredicate::ULT, ratio, one);
    clip = arith::SelectOp::create(e.b, e.loc, below, ratio, one);
  }
  auto bind = [&](Value result, Value value) {
    builder.bind(result, [value](const Position &) { return value; });
  };
  bind(op.getNorm(), rounded);
  bind(op.getClip(), arith::TruncFOp::create(e.b, e.loc, f32, clip));
  Type i32 = e.b.getI32Type();
  bind(op.getSkipped(),
       arith::SelectOp::create(e.b, e.loc, finite,
                               integerConstant(e.b, e.loc, i32, 0),
                               integerConstant(e.b, e.loc, i32, 1)));
  for (const ResultView &yield : *yields)
    builder.store(yield.storage, Position{},
                  builder.element(yield.value, Position{}));
  emitted.phases.push_back(shell.finish(1));
  return success();
}
