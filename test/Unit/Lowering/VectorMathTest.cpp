//===- VectorMathTest.cpp - Math expansions and lane helpers --------------===//
#include "tt/Lowering/CPU/VectorMath.h"
#include "KernelRunner.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/MLIRContext.h"
#include <cmath>
#include <cstring>
#include <functional>
#include <gtest/gtest.h>

using namespace tt::cpu;
using namespace mlir;

namespace {

using Unary = std::function<Value(OpBuilder &, Location, Value)>;

template <typename Op> Unary unary() {
  return [](OpBuilder &builder, Location loc, Value x) -> Value {
    return Op::create(builder, loc, x);
  };
}

class VectorMathTest : public ::testing::Test {
protected:
  VectorMathTest() {
    DialectRegistry registry;
    registerKernelDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    context.disableMultithreading();
  }

  OwningOpRef<ModuleOp> newModule() {
    return OwningOpRef<ModuleOp>(ModuleOp::create(UnknownLoc::get(&context)));
  }

  /// y[i] = op(x[i]) on lanes or on scalars, on one level.
  FloatBuffer apply(const FloatBuffer &x, unsigned isa, bool scalar,
                    const Unary &op) {
    FloatBuffer y(x.size());
    OwningOpRef<ModuleOp> module = newModule();
    Location loc = module->getLoc();
    PhaseShell shell(*module, loc, "k", 2);
    OpBuilder &b = shell.builder();
    MemRefType type = MemRefType::get({x.size()}, b.getF32Type());
    Value in = shell.operand(0, type), out = shell.operand(1, type);
    if (scalar) {
      auto loop = scf::ForOp::create(b, loc, shell.index(0),
                                     shell.index(x.size()), shell.index(1));
      OpBuilder inner(loop.getBody(), loop.getBody()->begin());
      Value i = loop.getInductionVar();
      Value value = memref::LoadOp::create(inner, loc, in, i);
      memref::StoreOp::create(inner, loc, op(inner, loc, value), out, i);
    } else {
      forEachLanes(b, loc, x.size(), {},
                   [&](OpBuilder &inner, Value i, Value mask, ValueRange,
                       SmallVectorImpl<Value> &) {
                     Value value = loadLanes(inner, loc, in, i, mask);
                     storeLanes(inner, loc, op(inner, loc, value), out, i,
                                mask);
                   });
    }
    EmittedKernel kernel;
    kernel.phases.push_back(shell.finish(1));
    LoadedKernel loaded(*module, getTarget(isa), kernel);
    EXPECT_EQ(loaded.error(), "");
    if (loaded.error().empty())
      loaded.run({x.data(), y.data()});
    return y;
  }

  /// Lanes, scalars and levels agree in every bit; the error against libm in
  /// f64 is at most `tolerance`, relative to max(|want|, floor), for |x| <=
  /// range.
  void check(const char *name, const Unary &op, double (*reference)(double),
             double range, double tolerance, double floor = 1e-30) {
    std::vector<float> values{0.0f,      -0.0f,  1.0f,    -1.0f, INFINITY,
                              -INFINITY, 1e-40f, -1e-40f, 88.8f, -104.0f};
    for (uint64_t bits = 0; bits < (uint64_t(1) << 32); bits += 6007) {
      uint32_t low = uint32_t(bits);
      float value;
      std::memcpy(&value, &low, 4);
      values.push_back(value);
    }
    for (int i = -40000; i <= 40000; ++i)
      values.push_back(float(i * range / 40000));
    FloatBuffer x(values.size());
    std::memcpy(x.data(), values.data(), values.size() * 4);

    FloatBuffer lanes = apply(x, TT_ISA_V3, false, op);
    compare(name, "scalar", x, lanes, apply(x, TT_ISA_V3, true, op));
    if (hostSupports(getTarget(TT_ISA_V4))) {
      compare(name, "v4", x, lanes, apply(x, TT_ISA_V4, false, op));
      compare(name, "v4 scalar", x, lanes, apply(x, TT_ISA_V4, true, op));
    }
    double worst = 0;
    for (int64_t i = 0; i < x.size(); ++i) {
      if (!(std::fabs(x[i]) <= range) || std::fabs(x[i]) < 1.2e-38f)
        continue;
      double want = reference(x[i]);
      if (!std::isfinite(want) || std::fabs(want) < 1.2e-38)
        continue;
      double error =
          std::fabs(lanes[i] - want) / std::max(std::fabs(want), floor);
      worst = std::isnan(error) ? INFINITY : std::max(worst, error);
    }
    RecordProperty(name, std::to_string(worst * 1e9) + "e-9");
    EXPECT_LE(worst, tolerance) << name;
  }

  static void compare(const char *name, const char *what, const FloatBuffer &x,
                      const FloatBuffer &want, const FloatBuffer &got) {
    int64_t different = 0;
    for (int64_t i = 0; i < x.size(); ++i) {
      if (std::isnan(want[i]) && std::isnan(got[i]))
        continue;
      if (std::memcmp(&want[i], &got[i], 4) != 0 && different++ < 3)
        ADD_FAILURE() << name << " " << what << ": " << x[i] << " -> "
                      << want[i] << " and " << got[i];
    }
    EXPECT_EQ(different, 0) << name << " " << what;
  }

  MLIRContext context;
};

TEST_F(VectorMathTest, expansions) {
  check("exp", unary<math::ExpOp>(), std::exp, 88.72, 1.1e-7);
  check("expm1", unary<math::ExpM1Op>(), std::expm1, 87.0, 1e-6);
  check("exp2", unary<math::Exp2Op>(), std::exp2, 125.0, 1e-5);
  check("log", unary<math::LogOp>(), std::log, 1e38, 3e-7);
  check("log1p", unary<math::Log1pOp>(), std::log1p, 1e30, 1e-6);
  check("tanh", unary<math::TanhOp>(), std::tanh, 50.0, 1.8e-7);
  check("erf", unary<math::ErfOp>(), std::erf, 10.0, 5e-7);
  check("sin", unary<math::SinOp>(), std::sin, 100.0, 1e-5, 1.0);
  check("cos", unary<math::CosOp>(), std::cos, 100.0, 1e-5, 1.0);
  check("sqrt", unary<math::SqrtOp>(), std::sqrt, 1e38, 6e-8);
  check(
      "rsqrt", unary<math::RsqrtOp>(),
      [](double x) { return 1 / std::sqrt(x); }, 1e38, 1.2e-7);
}

/// Where exp leaves the normal numbers, and what it has exactly.
TEST_F(VectorMathTest, expAtTheEnds) {
  const float smallest = -87.33654f, largest = 88.722f;
  std::vector<float> in = {0,        -0.0f,    largest, 89,   500,   INFINITY, smallest,
                           -87.337f, -103.97f, -1e30f,  1e30f, -INFINITY, NAN};
  FloatBuffer x(in.size());
  std::memcpy(x.data(), in.data(), in.size() * 4);
  FloatBuffer y = apply(x, TT_ISA_V3, false, unary<math::ExpOp>());
  EXPECT_EQ(y[0], 1);
  EXPECT_EQ(y[1], 1);
  EXPECT_NEAR(y[2] / std::exp(double(largest)), 1, 1.2e-7);
  for (int i = 3; i < 6; ++i)
    EXPECT_EQ(y[i], INFINITY) << x[i];
  EXPECT_NEAR(y[6] / std::exp(double(smallest)), 1, 1.2e-7);
  for (int i : {7, 8, 9, 11})
    EXPECT_EQ(y[i], 0) << x[i];
  EXPECT_EQ(y[10], INFINITY);
  EXPECT_TRUE(std::isnan(y[12]));
}

/// rsqrt rounds twice: the square root and the division, as in C.
TEST_F(VectorMathTest, rsqrtIsExactOps) {
  FloatBuffer x(1000);
  for (int64_t i = 0; i < x.size(); ++i)
    x[i] = 0.37f + float(i) * 1.7f;
  FloatBuffer y = apply(x, TT_ISA_V3, false, unary<math::RsqrtOp>());
  for (int64_t i = 0; i < x.size(); ++i)
    ASSERT_EQ(y[i], 1.0f / std::sqrt(x[i]));
}

/// Nothing contracts a multiplication and an addition that were emitted apart.
TEST_F(VectorMathTest, noContraction) {
  FloatBuffer x(333);
  for (int64_t i = 0; i < x.size(); ++i)
    x[i] = 1.0f + float(i) * 1e-4f;
  Unary op = [](OpBuilder &b, Location loc, Value v) -> Value {
    Value square = arith::MulFOp::create(b, loc, v, v);
    return arith::SubFOp::create(b, loc, square, v);
  };
  for (unsigned isa = 0; isa < TT_ISA_COUNT; ++isa) {
    if (!hostSupports(getTarget(isa)))
      continue;
    FloatBuffer y = apply(x, isa, false, op);
    for (int64_t i = 0; i < x.size(); ++i) {
      volatile float square = x[i] * x[i];
      ASSERT_EQ(y[i], square - x[i]);
    }
  }
}

/// The tree of the horizontal sum is 8, 4, 2, 1.
TEST_F(VectorMathTest, horizontal) {
  FloatBuffer x(16), y(2);
  for (int64_t i = 0; i < 16; ++i)
    x[i] = std::ldexp(1.0f + float(i * 7 % 16) / 16, int(i * 5 % 11));
  for (unsigned isa = 0; isa < TT_ISA_COUNT; ++isa) {
    if (!hostSupports(getTarget(isa)))
      continue;
    OwningOpRef<ModuleOp> module = newModule();
    Location loc = module->getLoc();
    PhaseShell shell(*module, loc, "k", 2);
    OpBuilder &b = shell.builder();
    Value in = shell.operand(0, MemRefType::get({16}, b.getF32Type()));
    Value out = shell.operand(1, MemRefType::get({2}, b.getF32Type()));
    Value lanes = loadLanes(b, loc, in, shell.index(0));
    memref::StoreOp::create(b, loc, horizontalSum(b, loc, lanes), out,
                            shell.index(0));
    memref::StoreOp::create(b, loc, horizontalMax(b, loc, lanes), out,
                            shell.index(1));
    EmittedKernel kernel;
    kernel.phases.push_back(shell.finish(1));
    LoadedKernel loaded(*module, getTarget(isa), kernel);
    ASSERT_EQ(loaded.error(), "");
    loaded.run({x.data(), y.data()});
    float tree[16];
    std::memcpy(tree, x.data(), sizeof tree);
    for (int distance = 8; distance; distance /= 2)
      for (int i = 0; i < distance; ++i)
        tree[i] += tree[i + distance];
    EXPECT_EQ(y[0], tree[0]);
    EXPECT_EQ(y[1], *std::max_element(x.data(), x.data() + 16));
  }
}

/// bf16 rounds to nearest even, the same on lanes and scalars, without a call.
TEST_F(VectorMathTest, bfloat16) {
  FloatBuffer x(1003);
  for (int64_t i = 0; i < x.size(); ++i)
    x[i] = std::ldexp(1.0f + float(i) * 0x1p-9f + float(i % 3) * 0x1p-20f,
                      int(i % 60) - 30) *
           (i % 2 ? -1 : 1);
  Unary op = [](OpBuilder &b, Location loc, Value v) -> Value {
    Type narrow = b.getBF16Type();
    if (auto vector = dyn_cast<VectorType>(v.getType()))
      narrow = VectorType::get(vector.getShape(), narrow);
    Value rounded = arith::TruncFOp::create(b, loc, narrow, v);
    return arith::ExtFOp::create(b, loc, v.getType(), rounded);
  };
  for (unsigned isa = 0; isa < TT_ISA_COUNT; ++isa)
    for (bool scalar : {false, true}) {
      if (!hostSupports(getTarget(isa)))
        continue;
      FloatBuffer y = apply(x, isa, scalar, op);
      for (int64_t i = 0; i < x.size(); ++i) {
        uint32_t bits;
        std::memcpy(&bits, &x[i], 4);
        bits = (bits + 0x7fff + (bits >> 16 & 1)) & 0xffff0000u;
        float want;
        std::memcpy(&want, &bits, 4);
        ASSERT_EQ(y[i], want) << x[i];
      }
    }
}

/// What cannot be lowered is an error and not a call into a library.
TEST_F(VectorMathTest, unknownOpIsReported) {
  OwningOpRef<ModuleOp> module = newModule();
  PhaseShell shell(*module, module->getLoc(), "k", 1);
  OpBuilder &b = shell.builder();
  OperationState state(module->getLoc(), "test.unknown");
  context.allowUnregisteredDialects();
  b.create(state);
  shell.finish(1);
  SmallVector<char> object;
  std::string error;
  EXPECT_TRUE(
      failed(compileToObject(*module, getTarget(TT_ISA_V3), object, error)));
  EXPECT_NE(error.find("test.unknown"), std::string::npos) << error;
}

} // namespace
