//===- TypedTest.cpp - Every row in f32, bf16 and f16 ---------------------===//
//
// In typed mode each op must give what the ideal run gives for the same operands,
// rounded once to the type of its result.
//
//===----------------------------------------------------------------------===//
#include "OpTable.h"
#include "Program.h"

#include "tt/IR/TTOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Parser/Parser.h"

#include <cfloat>
#include <cmath>

using namespace tt::test;
using namespace tt::reference;

namespace {

/// Of a float type: digits, the exponent of the least subnormal, the largest number.
struct Format {
  const char *name;
  int digits, least;
  double largest;
};
constexpr Format kF32{"f32", 24, -149, FLT_MAX}, kBf16{"bf16", 8, -133, 0x1.fep127},
    kF16{"f16", 11, -24, 65504}, kF64{"f64", 53, -1074, DBL_MAX};

const Format &formatOf(mlir::Type element) {
  return element.isF32() ? kF32 : element.isBF16() ? kBf16 : element.isF16() ? kF16 : kF64;
}

/// To nearest even; shares no code with the interpreter's.
double nearest(double x, const Format &format) {
  if (x == 0 || !std::isfinite(x))
    return x;
  int exponent;
  std::frexp(x, &exponent);
  int unit = std::max(exponent - format.digits, format.least);
  double y = std::ldexp(std::nearbyint(std::ldexp(x, -unit)), unit);
  return std::fabs(y) > format.largest ? std::copysign(HUGE_VAL, x) : y;
}

/// A row in one type, and what its typed run made in turn.
struct Step {
  mlir::Value value;
  AnyTensor<double> made;
};

std::string inType(std::string text, const std::string &type) {
  for (size_t at = 0; (at = text.find("f64>", at)) != std::string::npos; at += type.size())
    text.replace(at, 3, type);
  return text;
}

/// Sums and statistics of 16-bit operands are f32: types follow from the operands'.
void inferTypes(mlir::ModuleOp module) {
  module.walk([](mlir::InferTypeOpInterface op) {
    llvm::SmallVector<mlir::Type> types;
    if (failed(op.inferReturnTypes(op->getContext(), op->getLoc(), op->getOperands(),
                                   op->getAttrDictionary(), op->getPropertiesStorage(),
                                   op->getRegions(), types)))
      return;
    for (auto [result, type] : llvm::zip_equal(op->getResults(), types)) {
      auto wanted = llvm::dyn_cast<mlir::RankedTensorType>(type);
      if (wanted && llvm::isa<mlir::FloatType>(wanted.getElementType()))
        result.setType(type);
    }
  });
  for (auto function : module.getOps<mlir::func::FuncOp>()) {
    auto results = function.getBody().front().getTerminator()->getOperandTypes();
    function.setType(mlir::FunctionType::get(module.getContext(), function.getArgumentTypes(),
                                             llvm::to_vector(results)));
  }
}

mlir::MLIRContext &context() {
  static mlir::MLIRContext *shared = [] {
    auto *context = new mlir::MLIRContext(mlir::MLIRContext::Threading::DISABLED);
    context->loadDialect<tt::TTDialect, mlir::func::FuncDialect, mlir::arith::ArithDialect>();
    return context;
  }();
  return *shared;
}

/// The row with `type` for f64; verified.
mlir::OwningOpRef<mlir::ModuleOp> convert(const OpCase &row, const std::string &type) {
  mlir::ParserConfig config(&context(), /*verifyAfterParse=*/false);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(inType(row.text, type), config);
  if (!module)
    return module;
  inferTypes(*module);
  return succeeded(mlir::verify(*module)) ? std::move(module) : nullptr;
}

Values inputsOf(const OpCase &row, mlir::ModuleOp module) {
  if (!row.inputs.empty())
    return row.inputs;
  Random random(1);
  return randomInputs(module.lookupSymbol<mlir::func::FuncOp>("f"), random);
}

std::vector<Step> runTyped(mlir::ModuleOp module, const Values &inputs) {
  std::vector<Step> steps;
  Options options;
  options.mode = Mode::Typed;
  options.onValue = [&](mlir::Value value, AnyTensor<double> &tensor) {
    steps.push_back({value, tensor});
  };
  EXPECT_EQ(Interpreter<double>(module, options).run("f", inputs).error, "");
  return steps;
}

/// One value, against the ideal one from the same operands.
void expectRounded(const Step &typed, const AnyTensor<double> &ideal) {
  if (!ideal.isFloat()) {
    EXPECT_EQ(typed.made.ints().data, ideal.ints().data);
    return;
  }
  const Format &format = formatOf(mlir::getElementTypeOrSelf(typed.value.getType()));
  for (int64_t k = 0; k < ideal.floats().size(); ++k) {
    double wanted = nearest(ideal.floats()[k], format), made = typed.made.floats()[k];
    if (std::isnan(wanted) && std::isnan(made))
      continue;
    ASSERT_EQ(made, wanted) << format.name << ", element " << k << " of "
                            << ideal.floats()[k];
  }
}

std::string describe(mlir::Value value) {
  std::string text;
  llvm::raw_string_ostream(text) << value;
  return text;
}

class TypedTest : public testing::TestWithParam<OpCase> {};

} // namespace

static void expectRoundedOps(const OpCase &row, const std::string &type) {
  SCOPED_TRACE(type);
  auto module = convert(row, type);
  ASSERT_TRUE(module) << "the row is not valid in " << type;
  Values inputs = inputsOf(row, *module);
  std::vector<Step> steps = runTyped(*module, inputs);
  size_t next = 0;
  Options ideal; // each op on the operands that the typed run had
  ideal.onValue = [&](mlir::Value value, AnyTensor<double> &tensor) {
    ASSERT_LT(next, steps.size());
    const Step &typed = steps[next++];
    ASSERT_EQ(typed.value, value);
    SCOPED_TRACE(describe(value));
    expectRounded(typed, tensor);
    tensor = typed.made;
  };
  EXPECT_EQ(Interpreter<double>(*module, ideal).run("f", inputs).error, "");
  EXPECT_EQ(next, steps.size());
  EXPECT_GT(next, module->lookupSymbol<mlir::func::FuncOp>("f").getNumArguments());
}

TEST_P(TypedTest, everyOpRoundsOnce) {
  for (const char *type : {"f32", "bf16", "f16"})
    expectRoundedOps(GetParam(), type);
}

INSTANTIATE_TEST_SUITE_P(AllOps, TypedTest, testing::ValuesIn(opTable()),
                         [](const auto &info) { return info.param.name; });
INSTANTIATE_TEST_SUITE_P(Edges, TypedTest, testing::ValuesIn(edgeTable()),
                         [](const auto &info) { return info.param.name; });
