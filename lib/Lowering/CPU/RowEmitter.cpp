//===- RowEmitter.cpp - Softmax, norms and sums over rows -----------------===//
#include "KernelEmitters.h"
#include "MaxPlace.h"
#include "RowLoop.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tt;
using namespace tt::cpu;

namespace {

/// Reduces the current row and binds the results of the anchor.
class RowEmitter {
public:
  explicit RowEmitter(RowLoop &row) : row(row), e(row.e) {}

  void reduce(SoftmaxOp op);
  void reduce(SoftmaxBwdOp op);
  void reduce(LayerNormOp op);
  void reduce(LayerNormBwdOp op);
  void reduce(RMSNormOp op);
  void reduce(RMSNormBwdOp op);
  void reduce(const Extremum &extremum);
  void reduceSum(Operation *op);

private:
  using Carried = RowLoop::Carried;

  Value scalar(double value) {
    return splatConstant(e.b, e.loc, e.b.getF32Type(), value);
  }
  Value spread(Value value) { return row.builder.spread(value); }
  Value mean(Value sum) {
    return arith::DivFOp::create(e.b, e.loc, sum,
                                 scalar(double(row.width())));
  }
  Value rstd(Value meanSquare, const APFloat &eps) {
    Value root = math::SqrtOp::create(
        e.b, e.loc, e.addF(meanSquare, scalar(eps.convertToDouble())));
    return arith::DivFOp::create(e.b, e.loc, scalar(1.0), root);
  }
  /// A value of the last dimension only, such as gamma.
  Value alongRow(Value value, const Position &at) {
    return row.builder.lanes(value, Position{{at.dims.back()}, at.mask});
  }
  Value perRow(Value value) {
    return row.builder.element(value, row.stat());
  }
  void bindScalar(Value result, Value value) {
    row.builder.bind(result, [value](const Position &) { return value; });
  }

  RowLoop &row;
  LoopEmitter &e;
};

} // namespace

void RowEmitter::reduce(SoftmaxOp op) {
  Value x = op.getInput();
  Value max = spread(row.max(x));
  Value scratch = row.scratchRow();
  Value sum = row.sums(1, [&](const Position &at) {
    Value power =
        math::ExpOp::create(e.b, e.loc, e.subF(row.read(x, at), max));
    row.storeScratch(scratch, at, power);
    return Carried{power};
  })[0];
  Value factor =
      spread(arith::DivFOp::create(e.b, e.loc, scalar(1.0), sum));
  row.builder.bind(op.getOutput(), [=](const Position &at) {
    return e.mulF(row.loadScratch(scratch, at), factor);
  });
}

void RowEmitter::reduce(SoftmaxBwdOp op) {
  Value p = op.getOutput(), dp = op.getDOutput();
  Value sum = row.sums(1, [&](const Position &at) {
    return Carried{e.mulF(row.read(dp, at), row.read(p, at))};
  })[0];
  Value dot = spread(sum);
  row.builder.bind(op.getDInput(), [=](const Position &at) {
    return e.mulF(row.read(p, at), e.subF(row.read(dp, at), dot));
  });
}

/// The f32 mean of numbers far from 0 is off by more than their spread may be: what is
/// left over, the mean of x - mean, whose terms are exact there, is taken off as well.
/// Its square leaves the mean of squares up to rounding, which for equal numbers would
/// be all that is left. The mean that adjoints read takes it in where it is more than
/// their own roundings, 2^-20 of the spread: of equal numbers it is that number, and
/// gamma's gradient 0.
void RowEmitter::reduce(LayerNormOp op) {
  Value x = op.getInput();
  Value average = mean(row.sums(1, [&](const Position &at) {
    return Carried{row.read(x, at)};
  })[0]);
  Value center = spread(average);
  Carried sums = row.sums(2, [&](const Position &at) {
    Value d = e.subF(row.read(x, at), center);
    return Carried{d, e.mulF(d, d)};
  });
  Value rest = mean(sums[0]), square = mean(sums[1]);
  Value variance = emitMax(e.b, e.loc, e.subF(square, e.mulF(rest, rest)),
                           e.mulF(square, scalar(0x1p-20)));
  Value scale = rstd(variance, op.getEps());
  Value matters = arith::CmpFOp::create(
      e.b, e.loc, arith::CmpFPredicate::OGT, e.mulF(rest, rest),
      e.mulF(variance, scalar(0x1p-40)));
  bindScalar(op.getMean(), arith::SelectOp::create(e.b, e.loc, matters,
                                                   e.addF(average, rest), average));
  bindScalar(op.getRstd(), scale);
  Value scaleLanes = spread(scale), restLanes = spread(rest);
  row.builder.bind(op.getOutput(), [=](const Position &at) mutable {
    Value d = e.subF(e.subF(row.read(x, at), center), restLanes);
    Value xhat = e.mulF(d, scaleLanes);
    Value gamma = alongRow(op.getGamma(), at);
    if (!op.getBeta())
      return e.mulF(xhat, gamma);
    return e.fma(xhat, gamma, alongRow(op.getBeta(), at));
  });
}

void RowEmitter::reduce(RMSNormOp op) {
  Value x = op.getInput();
  Value square = mean(row.sums(1, [&](const Position &at) {
    Value value = row.read(x, at);
    return Carried{e.mulF(value, value)};
  })[0]);
  Value scale = rstd(square, op.getEps());
  bindScalar(op.getRstd(), scale);
  Value scaleLanes = spread(scale);
  row.builder.bind(op.getOutput(), [=](const Position &at) mutable {
    return e.mulF(e.mulF(row.read(x, at), scaleLanes),
                  alongRow(op.getGamma(), at));
  });
}

/// With the mean of x - mean taken off as in the forward, as far as it can be what
/// rounding left: the op takes any `mean`, and means it.
void RowEmitter::reduce(LayerNormBwdOp op) {
  Value x = op.getInput(), dy = op.getDOutput();
  Value average = perRow(op.getMean());
  Value center = spread(average);
  Value scale = spread(perRow(op.getRstd()));
  auto parts = [=](const Position &at) mutable {
    Value h = e.mulF(row.read(dy, at), alongRow(op.getGamma(), at));
    return std::pair<Value, Value>(h, e.subF(row.read(x, at), center));
  };
  Carried sums = row.sums(3, [&](const Position &at) {
    auto [h, d] = parts(at);
    return Carried{h, d, e.mulF(h, d)};
  });
  // Brings mean(x - mean) into [-bound, bound]; NaN stays NaN.
  Value minus = scalar(-1), step = e.mulF(average, scalar(0x1p-20));
  Value low = e.mulF(emitMax(e.b, e.loc, step, e.mulF(step, minus)), minus);
  Value rest = emitMax(e.b, e.loc, low, mean(sums[1]));
  rest = e.mulF(emitMax(e.b, e.loc, low, e.mulF(rest, minus)), minus);
  Value meanH = mean(sums[0]);
  Value meanHD = spread(e.subF(mean(sums[2]), e.mulF(rest, meanH)));
  // mean(h xhat) and the second xhat bring a factor of scale each.
  Value slope = e.mulF(e.mulF(scale, scale), meanHD);
  Value meanHLanes = spread(meanH), restLanes = spread(rest);
  row.builder.bind(op.getDInput(), [=](const Position &at) mutable {
    auto [h, d] = parts(at);
    Value inner = e.subF(e.subF(h, meanHLanes), e.mulF(e.subF(d, restLanes), slope));
    return e.mulF(scale, inner);
  });
}

void RowEmitter::reduce(RMSNormBwdOp op) {
  Value x = op.getInput(), dy = op.getDOutput();
  Value scale = spread(perRow(op.getRstd()));
  auto parts = [=](const Position &at) mutable {
    Value h = e.mulF(row.read(dy, at), alongRow(op.getGamma(), at));
    Value xhat = e.mulF(row.read(x, at), scale);
    return std::pair<Value, Value>(h, xhat);
  };
  Value sum = row.sums(1, [&](const Position &at) {
    auto [h, xhat] = parts(at);
    return Carried{e.mulF(h, xhat)};
  })[0];
  Value meanHX = spread(mean(sum));
  row.builder.bind(op.getDInput(), [=](const Position &at) mutable {
    auto [h, xhat] = parts(at);
    return e.mulF(scale, e.subF(h, e.mulF(xhat, meanHX)));
  });
}

void RowEmitter::reduceSum(Operation *op) {
  Value x = op->getOperand(0);
  Value sum = row.sums(1, [&](const Position &at) {
    return Carried{row.read(x, at)};
  })[0];
  bindScalar(op->getResult(0), isa<MeanOp>(op) ? mean(sum) : sum);
}

void RowEmitter::reduce(const Extremum &op) {
  LaneMath math(e);
  VectorType places = getLanesType(e.b.getI32Type());
  auto placesAt = [&](const LaneIndex &index) -> Value {
    return arith::IndexCastOp::create(e.b, e.loc, places,
                                      math.materialize(index));
  };
  LaneIndex first{e.index(0), 1, 0, 0, {}};
  Carried best = row.sweep(
      Carried{e.splat(-INFINITY), placesAt(first)},
      [&](const Position &at, ValueRange old) {
        Value x = row.masked(op.signedValue(e, row.read(op.input, at)), at,
                             -INFINITY);
        auto [max, place] =
            emitBetterMax(e, old[0], old[1], x, placesAt(at.dims.back()), false);
        return Carried{max, place};
      });
  row.endSweep();
  Value max = best[0], place = best[1];
  for (int64_t distance = kLanes / 2; distance > 0; distance /= 2) {
    SmallVector<int64_t> low, high;
    for (int64_t i = 0; i < distance; ++i) {
      low.push_back(i);
      high.push_back(i + distance);
    }
    auto half = [&](Value v, ArrayRef<int64_t> lanes) -> Value {
      return vector::ShuffleOp::create(e.b, e.loc, v, v, lanes);
    };
    std::tie(max, place) = emitBetterMax(e, half(max, low), half(place, low),
                                     half(max, high), half(place, high), true);
  }
  auto extract = [&](Value v) -> Value {
    return vector::ExtractOp::create(e.b, e.loc, v, ArrayRef<int64_t>{0});
  };
  if (op.output)
    bindScalar(op.output, op.signedValue(e, extract(max)));
  Value at = extract(place);
  Type wanted = getElementTypeOrSelf(op.index.getType());
  if (wanted.isInteger(64))
    at = arith::ExtSIOp::create(e.b, e.loc, wanted, at);
  bindScalar(op.index, at);
}

LogicalResult tt::cpu::emitRowKernel(const KernelJob &job, Operation *anchor,
                                     EmittedKernel &emitted) {
  auto input = cast<RankedTensorType>(anchor->getOperand(0).getType());
  if (!input.getElementType().isF32())
    return anchor->emitError()
           << "'" << anchor->getName() << "' of element type "
           << input.getElementType() << " is not lowered on the CPU yet";
  ArrayRef<int64_t> shape = input.getShape();
  FailureOr<SmallVector<ResultView>> yields =
      matchYields(job, {shape, shape.drop_back()});
  if (failed(yields) || failed(checkEpilogue(anchor, shape)))
    return failure();
  PhaseShell shell(job.module, job.loc(), job.phaseSymbol(),
                   job.signature.numOperands(), job.mayAlias());
  RowLoop row(shell, job, shape);
  row.forRows([&] {
    RowEmitter emitter(row);
    llvm::TypeSwitch<Operation *>(anchor)
        .Case<SoftmaxOp, SoftmaxBwdOp, LayerNormOp, LayerNormBwdOp, RMSNormOp,
              RMSNormBwdOp>([&](auto op) { emitter.reduce(op); })
        .Case<MaxOp, MinOp, ArgMaxOp, ArgMinOp>(
            [&](Operation *op) { emitter.reduce(*getExtremum(op)); })
        .Case<SumOp, MeanOp>([&](Operation *op) { emitter.reduceSum(op); });
    row.storeYields(*yields);
  });
  emitted.workerBytes = row.workerBytes();
  emitted.phases.push_back(shell.finish(row.tasks()));
  return success();
}
