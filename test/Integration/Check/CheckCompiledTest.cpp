//===- CheckCompiledTest.cpp - Compiled code against the interpreter ------===//
#include "tt/AOT/ObjectCache.h"
#include "tt/Check/CheckCompiled.h"
#include "tt/Check/FunctionInputs.h"
#include "tt/Pipelines/LoadModule.h"

#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace tt;
using namespace tt::check;

namespace {
class CheckCompiledTest : public testing::Test {
protected:
  mlir::func::FuncOp parse(const char *text) {
    loadGraphDialects(context);
    module = mlir::parseSourceString<mlir::ModuleOp>(text, mlir::ParserConfig(&context));
    EXPECT_TRUE(module);
    return *module->getOps<mlir::func::FuncOp>().begin();
  }
  /// What the interpreter expects of a function on drawn inputs.
  std::vector<Expectation> expectations(mlir::func::FuncOp function) {
    std::vector<HostTensor> inputs;
    std::vector<Expectation> results;
    std::string error;
    EXPECT_TRUE(readInputs({{}, "", 1}, function, inputs, error)) << error;
    EXPECT_TRUE(expect(*module, function.getSymName(), inputs, 1, results, error)) << error;
    return results;
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

constexpr char kProduct[] = R"(
  func.func @f(%x: tensor<8x64xf32>, %w: tensor<64x16xf32>) -> tensor<8x16xf32> {
    %y = tt.linear in_out %x, %w : (tensor<8x64xf32>, tensor<64x16xf32>) -> tensor<8x16xf32>
    return %y : tensor<8x16xf32>
  })";
} // namespace

TEST_F(CheckCompiledTest, valuesAndGradientsOfAnyFunction) {
  CompiledReport report = checkCompiled(parse(kProduct), {});
  EXPECT_TRUE(report.passed()) << report.error << report.table();
  ASSERT_EQ(report.rows.size(), 3u) << report.table();
  EXPECT_EQ(report.rows[0].name, "result0");
  EXPECT_EQ(report.rows[2].name, "d_arg1");
  EXPECT_GE(report.ways.size(), 6u);
}

TEST_F(CheckCompiledTest, givenCotangentsAreUsed) {
  CompiledCheckOptions options;
  options.quick = true;
  reference::Tensor<double> cotangent(reference::Shape{8, 16});
  cotangent[3 * 16 + 5] = 2; // of y[3, 5], which column 5 of w makes
  options.cotangents = {cotangent};
  unsigned numOthers = 0, numEntries = 0;
  options.onFirst = [&](const EntryValues &values) {
    ++numEntries;
    if (values.wanted[0].name != "d_arg0")
      return;
    const std::vector<double> &dw = values.found[1].floats().data; // [64, 16]
    for (size_t i = 0; i < dw.size(); ++i)
      numOthers += dw[i] != 0 && i % 16 != 5;
    EXPECT_EQ(float(dw[5]), float(2 * values.inputs.at("arg0").floats()[3 * 64]));
  };
  CompiledReport report = checkCompiled(parse(kProduct), options);
  EXPECT_TRUE(report.passed()) << report.error << report.table();
  EXPECT_EQ(numEntries, 2u);
  EXPECT_EQ(numOthers, 0u);
  options.cotangents.push_back(cotangent);
  EXPECT_EQ(checkCompiled(parse(kProduct), options).error,
            "error: expected 1 cotangents, but got 2");
}

TEST_F(CheckCompiledTest, whatHasNoGradient) {
  mlir::func::FuncOp function = parse(R"(
    func.func @f(%x: tensor<4x5xf32>, %i: tensor<4x5xi32>) -> (tensor<4x5xi1>, tensor<4x5xf32>) {
      %zero = tt.constant dense<0.0> : tensor<4x5xf32>
      %c = tt.compare lt %x, %zero : (tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<4x5xi1>
      %y = tt.stop_gradient %x : tensor<4x5xf32>
      return %c, %y : tensor<4x5xi1>, tensor<4x5xf32>
    })");
  CompiledReport report = checkCompiled(function, {});
  EXPECT_TRUE(report.passed()) << report.error << report.table();
  EXPECT_EQ(report.rows.size(), 2u);
  ASSERT_FALSE(report.notes.empty()); // before it perhaps that the CPU lacks a level
  EXPECT_NE(report.notes.back().find("no gradients are checked"), std::string::npos);
}

/// Kernels from the cache give the bits of those that are compiled; a changed constant
/// is another kernel.
TEST_F(CheckCompiledTest, kernelsAreCompiledOnce) {
  auto program = [](const std::string &factor) {
    return R"(
    func.func @f(%x: tensor<5x7xf32>) -> tensor<5xf32> {
      %c = tt.constant dense<)" + factor + R"(> : tensor<5x7xf32>
      %y = tt.mul %x, %c : tensor<5x7xf32>
      %e = tt.exp %y : tensor<5x7xf32>
      %s = tt.sum %e dims = [1] : (tensor<5x7xf32>) -> tensor<5xf32>
      return %s : tensor<5xf32>
    })";
  };
  std::vector<std::vector<double>> found;
  CompiledCheckOptions options;
  options.quick = true;
  options.onFirst = [&](const EntryValues &values) {
    for (const HostTensor &value : values.found)
      found.push_back(value.floats().data);
  };
  auto run = [&](const std::string &factor) {
    found.clear();
    CompiledReport report = checkCompiled(parse(program(factor).c_str()), options);
    EXPECT_TRUE(report.passed()) << report.error << report.table();
    return found;
  };
  auto plain = run("0.5");
  aot::ObjectCache objects;
  options.objects = &objects;
  EXPECT_EQ(run("0.5"), plain);
  uint64_t numEntries = objects.numEntries(), numHits = objects.numHits();
  EXPECT_GT(numEntries, 0u);
  EXPECT_EQ(run("0.5"), plain);
  EXPECT_EQ(objects.numEntries(), numEntries);
  EXPECT_GE(objects.numHits(), numHits + numEntries);
  EXPECT_NE(run("0.75"), plain);
  EXPECT_GT(objects.numEntries(), numEntries);
}

TEST_F(CheckCompiledTest, aFullCacheStartsAnew) {
  aot::ObjectCache objects(/*maxBytes=*/100);
  objects.insert("a", {{}, aot::Object(60)});
  EXPECT_TRUE(objects.find("a"));
  objects.insert("b", {{}, aot::Object(60)});
  EXPECT_FALSE(objects.find("a"));
  EXPECT_TRUE(objects.find("b"));
  EXPECT_NE(objects.newName(), objects.newName());
}

TEST_F(CheckCompiledTest, nanInBothIsCountedAndAloneComparesNothing) {
  constexpr char text[] = R"(
    func.func @f(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<f32>) {
      %y = tt.log %x : tensor<3xf32>
      %s = tt.sum %y dims = [0] : (tensor<3xf32>) -> tensor<f32>
      return %y, %s : tensor<3xf32>, tensor<f32>
    })";
  CompiledCheckOptions options;
  options.quick = true;
  options.gradients = false;
  options.inputs = {reference::Tensor<double>({3}, {1, -1, 2})};
  CompiledReport report = checkCompiled(parse(text), options);
  ASSERT_EQ(report.error, "");
  ASSERT_EQ(report.rows.size(), 2u);
  EXPECT_TRUE(report.rows[0].passed);
  EXPECT_FALSE(report.rows[0].comparesNothing);
  EXPECT_TRUE(report.rows[1].comparesNothing);
  EXPECT_FALSE(report.passed());
  EXPECT_NE(report.table().find("pass  (1 NaN in both)\n"), std::string::npos) << report.table();
  EXPECT_NE(report.table().find("FAIL  (1 NaN in both: nothing is compared)\n"),
            std::string::npos) << report.table();
  // With a second number the sum is one again.
  options.inputs = {reference::Tensor<double>({3}, {1, 3, 2})};
  EXPECT_TRUE(checkCompiled(parse(text), options).passed());
}

TEST_F(CheckCompiledTest, aFunctionWithoutResultsIsAnError) {
  CompiledReport report = checkCompiled(parse(R"(
    func.func @f(%x: tensor<3xf32>) {
      return
    })"), {});
  EXPECT_NE(report.error.find("error: expected results to compare, but @f has none"),
            std::string::npos) << report.error;
}

TEST_F(CheckCompiledTest, aTypeThatIsNotCompiledIsAnError) {
  CompiledReport report = checkCompiled(parse(R"(
    func.func @f(%x: tensor<1000000000000xf32>) -> tensor<1000000000000xf32> {
      return %x : tensor<1000000000000xf32>
    })"), {});
  EXPECT_FALSE(report.passed());
  EXPECT_NE(report.error.find("expected at most 1073741824 elements"), std::string::npos)
      << report.error;
}

TEST_F(CheckCompiledTest, boundHoldsRoundingAndSeesMore) {
  Expectation expected = expectations(parse(kProduct))[0];
  HostTensor exact = expected.wanted, rounded = expected.wanted;
  EXPECT_TRUE(compare(expected, exact).passed);
  for (double &x : rounded.floats().data)
    x = float(x);
  Comparison near = compare(expected, rounded);
  EXPECT_TRUE(near.passed);
  EXPECT_LE(near.bound, 1e-5); // 64 terms: 6 u sqrt(64) and the operands' share
  // One element, by 1e-4 of its size: most of what a wrong index or a lost term
  // does is far more.
  for (size_t i : {size_t(0), size_t(77), exact.floats().data.size() - 1}) {
    HostTensor wrong = rounded;
    wrong.floats()[i] += 1e-3;
    Comparison found = compare(expected, wrong);
    EXPECT_FALSE(found.passed) << i;
    EXPECT_EQ(found.worst, int64_t(i));
  }
  HostTensor broken = rounded;
  broken.floats()[3] = NAN;
  EXPECT_FALSE(compare(expected, broken).passed);
  broken.floats()[3] = INFINITY;
  EXPECT_FALSE(compare(expected, broken).passed);
}

/// e^0, of a 0 that rounding makes 10^7: the bound does not know how far it moves, and a
/// failure says so.
TEST_F(CheckCompiledTest, whatRoundingMakesInfinite) {
  Expectation expected = expectations(parse(R"(
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      %c = tt.constant dense<1.0e15> : tensor<4xf32>
      %a = tt.mul %x, %c : tensor<4xf32>
      %b = tt.mul %c, %x : tensor<4xf32>
      %d = tt.sub %a, %b : tensor<4xf32>
      %y = tt.exp %d : tensor<4xf32>
      return %y : tensor<4xf32>
    })"))[0];
  EXPECT_GT(expected.numUnbounded, 0);
  EXPECT_TRUE(compare(expected, expected.wanted).passed);
  HostTensor wrong = expected.wanted;
  for (double &x : wrong.floats().data)
    x = INFINITY;
  Comparison found = compare(expected, wrong);
  EXPECT_FALSE(found.passed);
  EXPECT_TRUE(found.isUnbounded);
  EXPECT_NE(found.note.find("rounding alone makes"), std::string::npos) << found.note;
}

/// Beyond f32 an infinity is right, and only that of the same sign.
TEST_F(CheckCompiledTest, whatTheTypeDoesNotHoldIsInfinite) {
  Expectation expected = expectations(parse(R"(
    func.func @f(%x: tensor<2xf32> {check.range = [1.0, 2.0]}) -> tensor<2xf32> {
      %c = tt.constant dense<3.4e38> : tensor<2xf32>
      %y = tt.mul %x, %c : tensor<2xf32>
      return %y : tensor<2xf32>
    })"))[0];
  HostTensor found = expected.wanted;
  found.floats().data = {INFINITY, INFINITY};
  EXPECT_TRUE(compare(expected, found).passed);
  found.floats().data[1] = -INFINITY;
  EXPECT_FALSE(compare(expected, found).passed);
  expected.wanted.floats().data[1] = 3.3e38; // which the type holds
  found.floats().data[1] = INFINITY;
  EXPECT_FALSE(compare(expected, found).passed);
}

/// x where j <= i, of positions times `factor`.
static std::string lowerTriangle(const std::string &factor) {
  return R"(
    func.func @f(%x: tensor<7xf32>) -> tensor<7x7xf32> {
      %p = tt.iota dim = 0 : tensor<7xi32>
      %cast = tt.cast %p : tensor<7xi32> to tensor<7xf32>
      %k = tt.constant dense<)" + factor + R"(> : tensor<7xf32>
      %a = tt.mul %cast, %k : tensor<7xf32>
      %b = tt.mul %k, %cast : tensor<7xf32>
      %i = tt.broadcast %a dims = [0] : tensor<7xf32> -> tensor<7x7xf32>
      %j = tt.broadcast %b dims = [1] : tensor<7xf32> -> tensor<7x7xf32>
      %d = tt.sub %j, %i : tensor<7x7xf32>
      %zero = tt.constant dense<0.0> : tensor<7x7xf32>
      %c = tt.compare le %d, %zero : (tensor<7x7xf32>, tensor<7x7xf32>) -> tensor<7x7xi1>
      %v = tt.broadcast %x dims = [0] : tensor<7xf32> -> tensor<7x7xf32>
      %y = tt.select %c, %v, %zero : tensor<7x7xi1>, tensor<7x7xf32>
      return %y : tensor<7x7xf32>
    })";
}

/// Whole numbers are exact: rounding does not turn a mask of positions, whose comparison
/// is on its edge. What was rounded may be on either side, and the table says so.
TEST_F(CheckCompiledTest, wholeNumbersAreNotRounded) {
  Expectation whole = expectations(parse(lowerTriangle("2.0").c_str()))[0];
  Comparison found = compare(whole, whole.wanted);
  EXPECT_LE(found.bound, 1e-5);
  EXPECT_EQ(found.note, "");
  Expectation unsure = expectations(parse(lowerTriangle("1.1").c_str()))[0];
  found = compare(unsure, unsure.wanted);
  EXPECT_GT(found.bound, 0.1);
  EXPECT_NE(found.note.find("little is compared"), std::string::npos) << found.note;
}

// The difference of two almost equal sums: the bound follows the cancellation.
TEST_F(CheckCompiledTest, boundFollowsTheConditionOfTheProgram) {
  Expectation well = expectations(parse(R"(
    func.func @f(%x: tensor<64xf32>) -> tensor<f32> {
      %y = tt.square %x : tensor<64xf32>
      %s = tt.sum %y dims = [0] : (tensor<64xf32>) -> tensor<f32>
      return %s : tensor<f32>
    })"))[0];
  Expectation badly = expectations(parse(R"(
    func.func @f(%x: tensor<64xf32>) -> tensor<f32> {
      %y = tt.square %x : tensor<64xf32>
      %s = tt.sum %y dims = [0] : (tensor<64xf32>) -> tensor<f32>
      %tiny = tt.constant dense<1.0e-3> : tensor<64xf32>
      %z = tt.add %y, %tiny : tensor<64xf32>
      %t = tt.sum %z dims = [0] : (tensor<64xf32>) -> tensor<f32>
      %d = tt.sub %t, %s : tensor<f32>
      return %d : tensor<f32>
    })"))[0];
  double goodBound = compare(well, well.wanted).bound;
  double badBound = compare(badly, badly.wanted).bound;
  EXPECT_LE(goodBound, 1e-5);
  EXPECT_GE(badBound, 100 * goodBound);
}

TEST_F(CheckCompiledTest, integersAreExactUnlessUndecided) {
  Expectation expected = expectations(parse(R"(
    func.func @f(%x: tensor<4xf32> {check.range = [1.0, 2.0]}) -> tensor<4xi1> {
      %one = tt.constant dense<[0.5, 0.5, 3.0, 3.0]> : tensor<4xf32>
      %c = tt.compare lt %x, %one : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
      return %c : tensor<4xi1>
    })"))[0];
  EXPECT_TRUE(compare(expected, expected.wanted).passed);
  HostTensor wrong = expected.wanted;
  wrong.ints()[2] ^= 1;
  EXPECT_FALSE(compare(expected, wrong).passed);
}
