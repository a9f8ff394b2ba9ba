//===- MaxPlace.cpp - The greater of two, and where it was ----------------===//
#include "MaxPlace.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tt;
using namespace tt::cpu;

std::pair<Value, Value> tt::cpu::emitBetterMax(LoopEmitter &e, Value a,
                                               Value aAt, Value b, Value bAt,
                                               bool tieToLower) {
  auto compare = [&](arith::CmpFPredicate predicate, Value x, Value y) -> Value {
    return arith::CmpFOp::create(e.b, e.loc, predicate, x, y);
  };
  auto both = [&](Value x, Value y) -> Value {
    return arith::AndIOp::create(e.b, e.loc, x, y);
  };
  auto either = [&](Value x, Value y) -> Value {
    return arith::OrIOp::create(e.b, e.loc, x, y);
  };
  Value aNaN = compare(arith::CmpFPredicate::UNO, a, a);
  Value bNaN = compare(arith::CmpFPredicate::UNO, b, b);
  Value aNumber = compare(arith::CmpFPredicate::ORD, a, a);
  Value better = either(compare(arith::CmpFPredicate::OGT, b, a),
                        both(bNaN, aNumber));
  if (tieToLower) {
    Value tie = either(compare(arith::CmpFPredicate::OEQ, a, b),
                       both(aNaN, bNaN));
    Value before = arith::CmpIOp::create(e.b, e.loc, arith::CmpIPredicate::slt,
                                         bAt, aAt);
    better = either(better, both(tie, before));
  }
  return {arith::SelectOp::create(e.b, e.loc, better, b, a),
          arith::SelectOp::create(e.b, e.loc, better, bAt, aAt)};
}

Value Extremum::signedValue(LoopEmitter &e, Value x) const {
  return isMin ? Value(arith::NegFOp::create(e.b, e.loc, x)) : x;
}

std::optional<Extremum> tt::cpu::getExtremum(Operation *op) {
  using Found = std::optional<Extremum>;
  return llvm::TypeSwitch<Operation *, Found>(op)
      .Case<MaxOp, MinOp>([](auto op) -> Found {
        return Extremum{op.getInput(), op.getOutput(), op.getIndex(),
                        int64_t(op.getDim()), isa<MinOp>(op)};
      })
      .Case<ArgMaxOp, ArgMinOp>([](auto op) -> Found {
        return Extremum{op.getInput(), Value(), op.getIndex(), int64_t(op.getDim()),
                        isa<ArgMinOp>(op)};
      })
      .Default([](Operation *) { return std::nullopt; });
}
