//===- ElementwiseOps.cpp - Rules of elementwise ops ----------------------===//
#include "Gelu.h"
#include "UnaryRules.h"
#include "tt/IR/TTOps.h"

#include <cmath>

using namespace mlir;
using namespace tt;

using Values = SmallVectorImpl<Value>;

namespace tt {
// clang-format off
template <> struct Unary<NegOp> { static constexpr int reads = 0;
  static Value apply(Emit &e, NegOp, Value, Value d) { return e.neg(d); } };
template <> struct Unary<AbsOp> { static constexpr int reads = 1;
  static Value apply(Emit &e, AbsOp, Value x, Value d) {
    Value zero = e.splat(x.getType(), 0);
    return e.select(e.compare(ComparePredicate::GT, x, zero), d,
        e.select(e.compare(ComparePredicate::LT, x, zero), e.neg(d), zero)); } };
template <> struct Unary<ExpOp> { static constexpr int reads = 2;
  static Value apply(Emit &e, ExpOp, Value y, Value d) { return e.mul(d, y); } };
template <> struct Unary<LogOp> { static constexpr int reads = 1;
  static Value apply(Emit &e, LogOp, Value x, Value d) { return e.div(d, x); } };
template <> struct Unary<SqrtOp> { static constexpr int reads = 2;
  static Value apply(Emit &e, SqrtOp, Value y, Value d) { return e.div(e.scale(d, 0.5), y); } };
template <> struct Unary<RsqrtOp> { static constexpr int reads = 2;
  static Value apply(Emit &e, RsqrtOp, Value y, Value d) {
    return e.mul(e.scale(d, -0.5), e.mul(y, e.mul(y, y))); } };
template <> struct Unary<SquareOp> { static constexpr int reads = 1;
  static Value apply(Emit &e, SquareOp, Value x, Value d) { return e.mul(e.scale(d, 2), x); } };
template <> struct Unary<ReciprocalOp> { static constexpr int reads = 2;
  static Value apply(Emit &e, ReciprocalOp, Value y, Value d) { return e.neg(e.mul(d, e.mul(y, y))); } };
template <> struct Unary<TanhOp> { static constexpr int reads = 2;
  static Value apply(Emit &e, TanhOp, Value y, Value d) {
    return e.mul(d, e.sub(e.splat(y.getType(), 1), e.mul(y, y))); } };
template <> struct Unary<SigmoidOp> { static constexpr int reads = 2;
  static Value apply(Emit &e, SigmoidOp, Value y, Value d) {
    return e.mul(d, e.mul(y, e.sub(e.splat(y.getType(), 1), y))); } };
template <> struct Unary<SinOp> { static constexpr int reads = 1;
  static Value apply(Emit &e, SinOp, Value x, Value d) {
    return e.mul(d, CosOp::create(e.builder, e.loc, x)); } };
template <> struct Unary<CosOp> { static constexpr int reads = 1;
  static Value apply(Emit &e, CosOp, Value x, Value d) {
    return e.neg(e.mul(d, SinOp::create(e.builder, e.loc, x))); } };
template <> struct Unary<ErfOp> { static constexpr int reads = 1;
  static Value apply(Emit &e, ErfOp, Value x, Value d) {
    return e.mul(e.scale(d, 2 / std::sqrt(M_PI)), e.exp(e.neg(e.mul(x, x)))); } };
template <> struct Unary<ReluOp> { static constexpr int reads = 2;
  static Value apply(Emit &e, ReluOp, Value y, Value d) {
    Value zero = e.splat(y.getType(), 0);
    return e.select(e.compare(ComparePredicate::GT, y, zero), d, zero); } };
template <> struct Unary<SiluOp> { static constexpr int reads = 1;
  static Value apply(Emit &e, SiluOp, Value x, Value d) {
    return SiluBwdOp::create(e.builder, e.loc, x, d); } };
template <> struct Unary<GeluOp> { static constexpr int reads = 1;
  static Value apply(Emit &e, GeluOp op, Value x, Value d) {
    return GeluBwdOp::create(e.builder, e.loc, x, d, op.getApprox()); } };
// clang-format on
} // namespace tt

TT_UNARY_RULES(NegOp)
TT_UNARY_RULES(AbsOp)
TT_UNARY_RULES(ExpOp)
TT_UNARY_RULES(LogOp)
TT_UNARY_RULES(SqrtOp)
TT_UNARY_RULES(RsqrtOp)
TT_UNARY_RULES(SquareOp)
TT_UNARY_RULES(ReciprocalOp)
TT_UNARY_RULES(TanhOp)
TT_UNARY_RULES(SigmoidOp)
TT_UNARY_RULES(SinOp)
TT_UNARY_RULES(CosOp)
TT_UNARY_RULES(ErfOp)
TT_UNARY_RULES(ReluOp)
TT_UNARY_RULES(SiluOp)
TT_UNARY_RULES(GeluOp)

namespace {

/// Partial derivatives of a binary op, applied to a direction `d`. `needs`
/// says which primal values {lhs, rhs, output} the part for operand i reads.
template <typename Op> struct Binary;
struct Primals {
  Value lhs, rhs, output;
};

/// silu''(x) = s (1 - s) (2 + x (1 - 2 s)).
Value siluSecond(Emit &e, Value x) {
  Value s = e.sigmoid(x), oneMinus = e.sigmoid(e.neg(x));
  Value bracket = e.shift(e.mul(x, e.shift(e.scale(s, -2), 1)), 2);
  return e.mul(e.mul(s, oneMinus), bracket);
}

/// gelu''(x). erf: phi(x) (2 - x^2). tanh: with t = tanh u,
/// (1 - t^2) (u' + x/2 (u'' - 2 t u'^2)).
Value geluSecond(Emit &e, Value x, GeluApprox approx) {
  Type type = x.getType();
  if (approx == GeluApprox::Erf) {
    Value x2 = e.mul(x, x);
    Value phi = e.scale(e.exp(e.scale(x2, -0.5)), 1 / std::sqrt(2 * M_PI));
    return e.mul(phi, e.sub(e.splat(type, 2), x2));
  }
  const double c = std::sqrt(2 / M_PI), a = kGeluCubic;
  x = saturatedGelu(e, x);
  Value x2 = e.mul(x, x);
  Value u = e.scale(e.mul(x, e.shift(e.scale(x2, a), 1)), c);
  Value t = e.tanh(u);
  Value u1 = e.scale(e.shift(e.scale(x2, 3 * a), 1), c);
  Value u2 = e.scale(x, 6 * a * c);
  Value inner = e.sub(u2, e.scale(e.mul(t, e.mul(u1, u1)), 2));
  Value sum = e.add(u1, e.mul(e.scale(x, 0.5), inner));
  return e.mul(e.tanhSlope(u), sum);
}

enum Needs { None = 0, Lhs = 1, Rhs = 2, Out = 4 };

// clang-format off
template <> struct Binary<AddOp> {
  static constexpr int needs[2] = {None, None}; static constexpr bool linear[2] = {true, true};
  static Value apply(Emit &, AddOp, Primals, Value d, int) { return d; } };
template <> struct Binary<SubOp> {
  static constexpr int needs[2] = {None, None}; static constexpr bool linear[2] = {true, true};
  static Value apply(Emit &e, SubOp, Primals, Value d, int i) { return i ? e.neg(d) : d; } };
template <> struct Binary<MulOp> {
  static constexpr int needs[2] = {Rhs, Lhs}; static constexpr bool linear[2] = {true, true};
  static Value apply(Emit &e, MulOp, Primals p, Value d, int i) { return e.mul(d, i ? p.lhs : p.rhs); } };
template <> struct Binary<DivOp> {
  static constexpr int needs[2] = {Rhs, Rhs | Out}; static constexpr bool linear[2] = {true, false};
  static Value apply(Emit &e, DivOp, Primals p, Value d, int i) {
    Value q = e.div(d, p.rhs);
    return i ? e.neg(e.mul(q, p.output)) : q; } };
template <> struct Binary<MaximumOp> {
  static constexpr int needs[2] = {Lhs | Rhs, Lhs | Rhs}; static constexpr bool linear[2] = {false, false};
  static Value apply(Emit &e, MaximumOp, Primals p, Value d, int i) {
    Value zero = e.splat(d.getType(), 0);
    Value left = e.compare(ComparePredicate::GE, p.lhs, p.rhs);
    return i ? e.select(left, zero, d) : e.select(left, d, zero); } };
template <> struct Binary<MinimumOp> {
  static constexpr int needs[2] = {Lhs | Rhs, Lhs | Rhs}; static constexpr bool linear[2] = {false, false};
  static Value apply(Emit &e, MinimumOp, Primals p, Value d, int i) {
    Value zero = e.splat(d.getType(), 0);
    Value left = e.compare(ComparePredicate::LE, p.lhs, p.rhs);
    return i ? e.select(left, zero, d) : e.select(left, d, zero); } };
template <> struct Binary<SwigluOp> {
  static constexpr int needs[2] = {Lhs | Rhs, Lhs}; static constexpr bool linear[2] = {false, true};
  static Value apply(Emit &e, SwigluOp, Primals p, Value d, int i) {
    if (i) return e.mul(d, SiluOp::create(e.builder, e.loc, p.lhs));
    return SiluBwdOp::create(e.builder, e.loc, p.lhs, e.mul(d, p.rhs)); } };
template <> struct Binary<SiluBwdOp> {
  static constexpr int needs[2] = {Lhs | Rhs, Lhs}; static constexpr bool linear[2] = {false, true};
  static Value apply(Emit &e, SiluBwdOp, Primals p, Value d, int i) {
    if (i) return SiluBwdOp::create(e.builder, e.loc, p.lhs, d);
    return e.mul(e.mul(d, p.rhs), siluSecond(e, p.lhs)); } };
template <> struct Binary<GeluBwdOp> {
  static constexpr int needs[2] = {Lhs | Rhs, Lhs}; static constexpr bool linear[2] = {false, true};
  static Value apply(Emit &e, GeluBwdOp op, Primals p, Value d, int i) {
    if (i) return GeluBwdOp::create(e.builder, e.loc, p.lhs, d, op.getApprox());
    return e.mul(e.mul(d, p.rhs), geluSecond(e, p.lhs, op.getApprox())); } };
// clang-format on

template <typename Op>
void binaryResiduals(Op op, ActiveSet active, Values &residuals) {
  int needs = 0;
  for (int i = 0; i < 2; ++i)
    if (active.operand(i))
      needs |= Binary<Op>::needs[i];
  residuals.push_back(needs & Lhs ? op.getLhs() : Value());
  residuals.push_back(needs & Rhs ? op.getRhs() : Value());
  residuals.push_back(needs & Out ? op.getOutput() : Value());
}

} // namespace

#define TT_BINARY_RULES(OP)                                                    \
  void OP::getResiduals(ActiveSet active, ActiveSet, Values &residuals) {      \
    binaryResiduals<OP>(*this, active, residuals);                             \
  }                                                                            \
  LogicalResult OP::buildVJP(OpBuilder &builder, ValueRange residuals,         \
                             ValueRange cotangents, ActiveSet active,          \
                             Values &operandCotangents) {                      \
    Emit e(builder, getLoc());                                                 \
    Primals primals{residuals[0], residuals[1], residuals[2]};                 \
    for (int i = 0; i < 2; ++i)                                                \
      if (active.operand(i))                                                   \
        operandCotangents[i] =                                                 \
            Binary<OP>::apply(e, *this, primals, cotangents[0], i);            \
    return success();                                                          \
  }                                                                            \
  LogicalResult OP::buildJVP(OpBuilder &builder, ValueRange tangents,          \
                             Values &resultTangents) {                         \
    Emit e(builder, getLoc());                                                 \
    Primals primals{getLhs(), getRhs(), getOutput()};                          \
    for (int i = 0; i < 2; ++i)                                                \
      if (tangents[i])                                                         \
        resultTangents[0] = e.addOrNull(                                       \
            resultTangents[0],                                                 \
            Binary<OP>::apply(e, *this, primals, tangents[i], i));             \
    return success();                                                          \
  }                                                                            \
  bool OP::isLinearIn(unsigned i) { return Binary<OP>::linear[i]; }            \
  bool OP::isCutAt(unsigned) { return false; }

TT_BINARY_RULES(AddOp)
TT_BINARY_RULES(SubOp)
TT_BINARY_RULES(MulOp)
TT_BINARY_RULES(DivOp)
TT_BINARY_RULES(MaximumOp)
TT_BINARY_RULES(MinimumOp)
TT_BINARY_RULES(SwigluOp)
TT_BINARY_RULES(SiluBwdOp)
TT_BINARY_RULES(GeluBwdOp)

//===----------------------------------------------------------------------===//
// compare, select, cast
//===----------------------------------------------------------------------===//

LogicalResult CompareOp::inferReturnTypes(MLIRContext *context,
                                          std::optional<Location>,
                                          Adaptor adaptor,
                                          SmallVectorImpl<Type> &types) {
  auto type = cast<RankedTensorType>(adaptor.getLhs().getType());
  types.push_back(type.clone(IntegerType::get(context, 1)));
  return success();
}
void CompareOp::getResiduals(ActiveSet, ActiveSet, Values &) {}
LogicalResult CompareOp::buildVJP(OpBuilder &, ValueRange, ValueRange,
                                  ActiveSet, Values &) {
  return success();
}
LogicalResult CompareOp::buildJVP(OpBuilder &, ValueRange, Values &) {
  return success();
}
bool CompareOp::isLinearIn(unsigned) { return false; }
bool CompareOp::isCutAt(unsigned) { return true; }

void SelectOp::getResiduals(ActiveSet active, ActiveSet, Values &residuals) {
  residuals.push_back(active.operand(1) || active.operand(2) ? getCondition()
                                                             : Value());
}
LogicalResult SelectOp::buildVJP(OpBuilder &builder, ValueRange residuals,
                                 ValueRange cotangents, ActiveSet active,
                                 Values &operandCotangents) {
  Emit e(builder, getLoc());
  Value zero = e.splat(getOutput().getType(), 0);
  if (active.operand(1))
    operandCotangents[1] = e.select(residuals[0], cotangents[0], zero);
  if (active.operand(2))
    operandCotangents[2] = e.select(residuals[0], zero, cotangents[0]);
  return success();
}
LogicalResult SelectOp::buildJVP(OpBuilder &builder, ValueRange tangents,
                                 Values &resultTangents) {
  Emit e(builder, getLoc());
  Value zero = e.splat(getOutput().getType(), 0);
  resultTangents[0] = e.select(getCondition(), tangents[1] ? tangents[1] : zero,
                               tangents[2] ? tangents[2] : zero);
  return success();
}
bool SelectOp::isLinearIn(unsigned i) { return i != 0; }
bool SelectOp::isCutAt(unsigned i) { return i == 0; }

void CastOp::getResiduals(ActiveSet, ActiveSet, Values &) {}
LogicalResult CastOp::buildVJP(OpBuilder &builder, ValueRange,
                               ValueRange cotangents, ActiveSet,
                               Values &operandCotangents) {
  Emit e(builder, getLoc());
  operandCotangents[0] =
      e.cast(cotangents[0], tensorOf(getInput()).getElementType());
  return success();
}
LogicalResult CastOp::buildJVP(OpBuilder &builder, ValueRange tangents,
                               Values &resultTangents) {
  if (!isa<FloatType>(tensorOf(getOutput()).getElementType()))
    return success();
  Emit e(builder, getLoc());
  resultTangents[0] = e.cast(tangents[0], tensorOf(getOutput()).getElementType());
  return success();
}
bool CastOp::isLinearIn(unsigned) { return true; }
bool CastOp::isCutAt(unsigned) {
  return !isa<FloatType>(tensorOf(getOutput()).getElementType()) ||
         !isa<FloatType>(tensorOf(getInput()).getElementType());
}
OpFoldResult CastOp::fold(FoldAdaptor) {
  return getInput().getType() == getType() ? getInput() : OpFoldResult();
}

//===----------------------------------------------------------------------===//
// Folds
//===----------------------------------------------------------------------===//

OpFoldResult NegOp::fold(FoldAdaptor) {
  if (auto inner = getInput().getDefiningOp<NegOp>())
    return inner.getInput();
  return {};
}
