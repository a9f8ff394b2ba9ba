//===- MaxPlace.cpp - The greater of two, and where it was ----------------===//
#include "MaxPlace.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
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
