//===- IndexMath.h - Short forms for index arithmetic -----------*- C++ -*-===//
//
// Emitting address arithmetic op by op hides it. Index math is a builder and a
// location with the few operations that the emitters need. Sums and products
// are marked free of overflow, which they are: they stay within an operand.
//
//===----------------------------------------------------------------------===//
#ifndef TT_LIB_LOWERING_CPU_INDEXMATH_H
#define TT_LIB_LOWERING_CPU_INDEXMATH_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"

namespace tt::cpu {

class IndexMath {
public:
  IndexMath(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc) {}

  mlir::Value constant(int64_t value) {
    return mlir::arith::ConstantIndexOp::create(builder, loc, value);
  }
  mlir::Value add(mlir::Value a, mlir::Value b) {
    return mlir::arith::AddIOp::create(builder, loc, a, b, exact());
  }
  mlir::Value add(mlir::Value a, int64_t b) {
    return b ? add(a, constant(b)) : a;
  }
  mlir::Value mul(mlir::Value a, int64_t b) {
    return b == 1 ? a
                  : mlir::arith::MulIOp::create(builder, loc, a, constant(b),
                                                exact());
  }
  mlir::Value sub(mlir::Value a, mlir::Value b) {
    return mlir::arith::SubIOp::create(builder, loc, a, b);
  }
  mlir::Value min(mlir::Value a, mlir::Value b) {
    return mlir::arith::MinSIOp::create(builder, loc, a, b);
  }
  /// Both operands are known not to be negative.
  mlir::Value div(mlir::Value a, int64_t b) {
    return b == 1 ? a
                  : mlir::arith::DivUIOp::create(builder, loc, a, constant(b));
  }
  mlir::Value rem(mlir::Value a, int64_t b) {
    return b == 1 ? constant(0)
                  : mlir::arith::RemUIOp::create(builder, loc, a, constant(b));
  }
  mlir::Value equal(mlir::Value a, int64_t b) {
    return compare(mlir::arith::CmpIPredicate::eq, a, constant(b));
  }
  mlir::Value less(mlir::Value a, mlir::Value b) {
    return compare(mlir::arith::CmpIPredicate::slt, a, b);
  }

  /// for (i = lower; i < upper; i += step) body(i).
  void loop(mlir::Value lower, mlir::Value upper, int64_t step,
            llvm::function_ref<void(mlir::Value)> body) {
    auto op =
        mlir::scf::ForOp::create(builder, loc, lower, upper, constant(step));
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(op.getBody());
    body(op.getInductionVar());
  }
  /// if (condition) body().
  void when(mlir::Value condition, llvm::function_ref<void()> body) {
    auto op = mlir::scf::IfOp::create(builder, loc, condition, false);
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&op.getThenRegion().front());
    body();
  }
  /// if (condition) yes(); else no().
  void choose(mlir::Value condition, llvm::function_ref<void()> yes,
              llvm::function_ref<void()> no) {
    auto op = mlir::scf::IfOp::create(builder, loc, condition, true);
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&op.getThenRegion().front());
    yes();
    builder.setInsertionPointToStart(&op.getElseRegion().front());
    no();
  }

private:
  static mlir::arith::IntegerOverflowFlags exact() {
    return mlir::arith::IntegerOverflowFlags::nsw |
           mlir::arith::IntegerOverflowFlags::nuw;
  }
  mlir::Value compare(mlir::arith::CmpIPredicate predicate, mlir::Value a,
                      mlir::Value b) {
    return mlir::arith::CmpIOp::create(builder, loc, predicate, a, b);
  }

  mlir::OpBuilder &builder;
  mlir::Location loc;
};

inline int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }
inline int64_t roundUp(int64_t a, int64_t b) { return ceilDiv(a, b) * b; }

} // namespace tt::cpu

#endif // TT_LIB_LOWERING_CPU_INDEXMATH_H
