//===- SecondOrderTest.cpp - Decompositions, and gradients of gradients ---===//
//
// Over all rows of the op table: an op and its decomposition give the same
// numbers, and the adjoint that AD emits is itself differentiated.
//
//===----------------------------------------------------------------------===//
#include "OpTable.h"
#include "Program.h"

#include "tt/AD/Passes.h"
#include "tt/IR/TTOps.h"
#include "tt/Training/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

using namespace tt::test;
using namespace tt::reference;

/// Runs passes on the module of `program`; "" or what went wrong.
static std::string transform(Program &program, const std::string &pipeline) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  mlir::ModuleOp module = program.module();
  mlir::ScopedDiagnosticHandler handler(module.getContext(), [&](mlir::Diagnostic &d) {
    stream << d << "\n";
    return mlir::success();
  });
  mlir::PassManager manager(module.getContext());
  if (failed(mlir::parsePassPipeline(pipeline, manager, stream)) ||
      failed(manager.run(module)))
    return text.empty() ? "failed without a word" : text;
  return "";
}

static mlir::func::FuncOp lookup(Program &program, const char *name) {
  return program.module().lookupSymbol<mlir::func::FuncOp>(name);
}

/// The names of the ops with interface `Interface` in a module.
template <typename Interface>
static void collectNames(mlir::ModuleOp module, llvm::StringSet<> &names) {
  module.walk([&](Interface op) { names.insert(op->getName().getStringRef()); });
}

/// Composite ops that no row of the table holds: each needs a case of its own.
static std::vector<std::string> uncovered(const llvm::StringSet<> &seen) {
  std::vector<std::string> missing;
  Program any("func.func @f() { return }");
  for (mlir::RegisteredOperationName name :
       any.module().getContext()->getRegisteredOperations())
    if (name.hasInterface<tt::DecomposableOpInterface>() &&
        !seen.contains(name.getStringRef()))
      missing.push_back(name.getStringRef().str());
  return missing;
}

/// `program` before and after its decomposition, on the same inputs.
static void expectSameNumbers(const std::string &text, const Values &given) {
  Program whole(text), parts(text);
  ASSERT_EQ(transform(parts, "tt-decompose"), "");
  bool isLeft = false;
  parts.module().walk([&](tt::DecomposableOpInterface) { isLeft = true; });
  EXPECT_FALSE(isLeft) << "a composite op is left";
  Random random(7);
  Values inputs = given.empty() ? randomInputs(lookup(whole, "f"), random) : given;
  auto wanted = whole.run(inputs), found = parts.run(inputs);
  ASSERT_EQ(wanted.size(), found.size());
  for (auto [a, b] : llvm::zip(wanted, found))
    expectNear(b, a.isFloat() ? a.floats().data
                              : std::vector<double>(a.ints().data.begin(),
                                                    a.ints().data.end()),
               1e-11);
}

/// The text of a module with @NAME as @f, alone but for its callees.
static std::string asProgram(Program &program, const char *name) {
  auto function = lookup(program, name);
  for (auto other : program.module().getOps<mlir::func::FuncOp>()) {
    other.setPrivate();
    other->removeAttr("tt.adjoint"); // of the names that change here
  }
  if (auto old = lookup(program, "f"); old && old != function)
    old.setSymName("primal");
  function.setSymName("f");
  function.setPublic();
  std::string text;
  llvm::raw_string_ostream stream(text);
  program.module().print(stream);
  return text;
}

TEST(SecondOrderTest, decompositionsGiveTheSameNumbers) {
  llvm::StringSet<> seen;
  for (const OpCase &row : opTable()) {
    SCOPED_TRACE(row.name);
    Program program(row.text);
    llvm::StringSet<> here;
    collectNames<tt::DecomposableOpInterface>(program.module(), here);
    if (!here.empty())
      expectSameNumbers(row.text, row.inputs);
    // Adjoint ops appear in the backward alone.
    ASSERT_EQ(transform(program, "tt-expand-repeat,tt-autodiff{function=f wrt=" + row.wrt +
                                     " allow-unreached=true}"), "");
    llvm::StringSet<> below;
    lookup(program, "f_bwd").walk([&](tt::DecomposableOpInterface op) {
      below.insert(op->getName().getStringRef());
    });
    if (!below.empty())
      expectSameNumbers(asProgram(program, "f_bwd"), {});
    for (const llvm::StringSet<> *names : {&here, &below})
      for (const auto &name : *names)
        seen.insert(name.getKey());
  }
  EXPECT_EQ(uncovered(seen), std::vector<std::string>());
}

// The backward of every row, as a function of residuals and cotangents that are
// drawn independently, passes the ladder in both modes.
TEST(SecondOrderTest, everyAdjointIsDifferentiated) {
  for (const OpCase &row : opTable()) {
    SCOPED_TRACE(row.name);
    Program program(row.text);
    ASSERT_EQ(transform(program, "tt-expand-repeat,tt-autodiff{function=f wrt=" + row.wrt +
                                     " allow-unreached=true}"), "");
    Program adjoint(asProgram(program, "f_bwd"));
    auto report = adjoint.check("all");
    EXPECT_EQ(report.error, "");
    EXPECT_TRUE(report.passed()) << report.table();
  }
}

/// The module with @grad, which returns the loss and its gradients, as @f.
static std::string gradientOf(const std::string &text) {
  Program program(text);
  mlir::PassManager passes(program.module().getContext());
  passes.addPass(tt::createAutodiffPass());
  passes.addPass(tt::createBuildTrainStepPass());
  EXPECT_TRUE(succeeded(passes.run(program.module())));
  lookup(program, "train_step").erase(); // the optimizer has no derivative
  return asProgram(program, "grad");
}

// x0^2 x1 + x1^3.
static const char *const kCubic = R"(
    func.func @f(%a: tensor<f64> {tt.param = "a"}, %b: tensor<f64> {tt.param = "b"}) -> (tensor<f64> {tt.output = "loss"}) {
      %s = tt.square %a : tensor<f64>
      %p = tt.mul %s, %b : tensor<f64>
      %q = tt.square %b : tensor<f64>
      %c = tt.mul %q, %b : tensor<f64>
      %y = tt.add %p, %c : tensor<f64>
      return %y : tensor<f64>
    })";

// Forward over reverse: the Hessian of x0^2 x1 + x1^3 at (1, 2) times (1, -1).
TEST(SecondOrderTest, hessianVectorProduct) {
  Program gradient(gradientOf(kCubic));
  Values inputs = {full(1, {}), full(2, {}), /*step=*/ints({}, {1}), /*seed=*/ints({}, {0})};
  Values tangents;
  auto first = gradient.run(inputs);
  expectNear(first[0], {10});
  expectNear(first[1], {4});
  expectNear(first[2], {13});
  Derivatives derivatives;
  std::string error;
  ASSERT_TRUE(derivatives.build(gradient.module(), lookup(gradient, "f"), "all", error))
      << error;
  ASSERT_TRUE(derivatives.pushForward(inputs, {full(1, {}), full(-1, {})}, tangents, error))
      << error;
  expectNear(tangents[1], {2});
  expectNear(tangents[2], {-10});
}

// The same from the passes that docs/Rooms/AD.md names.
TEST(SecondOrderTest, documentedHessianVectorProduct) {
  tt::registerTrainingPasses();
  Program program(kCubic);
  ASSERT_EQ(transform(program, "tt-autodiff,tt-build-train-step,"
                               "tt-autodiff{function=grad mode=jvp wrt=0,1}"), "");
  auto results = Program(asProgram(program, "grad_jvp"))
                     .run({full(1, {}), full(2, {}), ints({}, {1}), ints({}, {0}),
                           full(1, {}), full(-1, {})});
  ASSERT_EQ(results.size(), 6u); // loss and gradients, and their tangents
  expectNear(results[4], {2});
  expectNear(results[5], {-10});
}

// The gradient of a block with a norm, gelu, softmax and a loss passes the whole
// ladder: differences of the gradient against both modes of its derivative.
TEST(SecondOrderTest, gradientOfGradientOfABlock) {
  Program gradient(gradientOf(R"(
    func.func private @layer(%x: tensor<3x5xf64>, %g: tensor<5xf64>, %b: tensor<5xf64>, %w: tensor<5x5xf64>) -> tensor<3x5xf64> {
      %n, %m, %r = tt.layer_norm %x, %g, %b eps = 1.0e-5 : (tensor<3x5xf64>, tensor<5xf64>, tensor<5xf64>) -> (tensor<3x5xf64>, tensor<3xf64>, tensor<3xf64>)
      %h = tt.linear in_out %n, %w : (tensor<3x5xf64>, tensor<5x5xf64>) -> tensor<3x5xf64>
      %a = tt.gelu tanh %h : tensor<3x5xf64>
      %p = tt.softmax %a : tensor<3x5xf64>
      %y = tt.add %x, %p : tensor<3x5xf64>
      return %y : tensor<3x5xf64>
    }
    func.func @f(%e: tensor<7x5xf64> {tt.param = "e"}, %g: tensor<5xf64> {tt.param = "g"}, %b: tensor<5xf64> {tt.param = "b"}, %w: tensor<5x5xf64> {tt.param = "w"}, %n: tensor<5xf64> {tt.param = "n"}, %i: tensor<3xi32> {tt.input = "i"}, %t: tensor<3xi32> {tt.input = "t"}) -> (tensor<f64> {tt.output = "loss"}) {
      %x = tt.embedding %e, %i : (tensor<7x5xf64>, tensor<3xi32>) -> tensor<3x5xf64>
      %1 = call @layer(%x, %g, %b, %w) : (tensor<3x5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5x5xf64>) -> tensor<3x5xf64>
      %2 = call @layer(%1, %g, %b, %w) : (tensor<3x5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5x5xf64>) -> tensor<3x5xf64>
      %r, %rstd = tt.rms_norm %2, %n eps = 1.0e-5 : (tensor<3x5xf64>, tensor<5xf64>) -> (tensor<3x5xf64>, tensor<3xf64>)
      %z = tt.linear out_in %r, %e : (tensor<3x5xf64>, tensor<7x5xf64>) -> tensor<3x7xf64>
      %l, %lse = tt.cross_entropy mean %z, %t : (tensor<3x7xf64>, tensor<3xi32>) -> (tensor<f64>, tensor<3xf64>)
      return %l : tensor<f64>
    })"));
  auto report = gradient.check("all");
  EXPECT_EQ(report.error, "");
  EXPECT_TRUE(report.passed()) << report.table();
}

// x = 0 is where both forms of ln(1 + e^-x) meet: differences see no kink there, and
// neither may a rule. From the rules of the op and from those of its parts.
TEST(SecondOrderTest, bceWithLogitsAtZero) {
  const char *text = R"(
    func.func @f(%x: tensor<2x2xf64> {tt.param = "x"}, %y: tensor<2x2xf64> {tt.param = "y"}, %w: tensor<2xf64> {tt.param = "w"}) -> (tensor<f64> {tt.output = "loss"}) {
      %l = tt.bce_with_logits sum %x, %y pos_weight(%w) : (tensor<2x2xf64>, tensor<2x2xf64>, tensor<2xf64>) -> tensor<f64>
      return %l : tensor<f64>
    })";
  Program parts(text);
  ASSERT_EQ(transform(parts, "tt-decompose"), "");
  Values inputs = {full(0, {2, 2}), floats({2, 2}, {0, 1, 0.25, 0.5}), floats({2}, {3, 0.5}),
                   /*step=*/ints({}, {1}), /*seed=*/ints({}, {0})};
  for (const std::string &program : {std::string(text), asProgram(parts, "f")}) {
    Program gradient(gradientOf(program));
    auto report = gradient.check("all", inputs);
    EXPECT_EQ(report.error, "");
    EXPECT_TRUE(report.passed()) << report.table();
    Derivatives derivatives;
    std::string error;
    Values tangents;
    ASSERT_TRUE(derivatives.build(gradient.module(), lookup(gradient, "f"), "all", error))
        << error;
    ASSERT_TRUE(derivatives.pushForward(
        inputs, {full(1, {2, 2}), full(0, {2, 2}), full(0, {2})}, tangents, error))
        << error;
    // Of the gradients along x: (1 + (w - 1) y) / 4, -(w + 1) / 2, and of w the sum
    // of -y / 2 over rows.
    expectNear(tangents[1], {0.25, 0.125, 0.375, 0.1875});
    expectNear(tangents[2], {-2, -0.75, -2, -0.75});
    expectNear(tangents[3], {-0.125, -0.75});
  }
}
