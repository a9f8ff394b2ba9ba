// Imported models against transformers: logits, loss and gradients that it
// computed in f64 (reference.safetensors, written by make_tiny.py) against the
// reference interpreter on what the importer builds.
#include "tt/AD/Passes.h"
#include "tt/Frontend/Models.h"
#include "tt/Frontend/Weights.h"
#include "tt/IR/TTDialect.h"
#include "tt/Reference/Derivatives.h"
#include "tt/Reference/Interpreter.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"

#include "../../Common/TemporaryDirectory.h"
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <unistd.h>

using namespace mlir;
using namespace tt;
using namespace tt::frontend;
using namespace tt::reference;
using tt::support::JsonDocument;
using tt::support::SafetensorsFile;

using Value64 = AnyTensor<double>;

namespace {
/// One of the tiny checkpoints, imported.
class ImportNumbers : public testing::TestWithParam<const char *> {
protected:
  void SetUp() override {
    std::string folder = std::string(TT_FRONTEND_INPUTS "/") + GetParam();
    std::string error;
    std::vector<std::string> warnings;
    auto json = JsonDocument::load(folder + "/config.json", error);
    ASSERT_TRUE(json) << error;
    auto config = readModelConfig(*json, error, warnings);
    ASSERT_TRUE(config) << error;
    setDropout(*config, 0);
    Checkpoint checkpoint;
    ASSERT_TRUE(checkpoint.open({folder + "/model.safetensors"}, error));
    ASSERT_TRUE(checkpoint.check(*config, error)) << error;
    tt::test::TemporaryDirectory directory; // the file stays open
    std::string path = directory.path("weights.safetensors");
    ASSERT_TRUE(checkpoint.convert(*config, false, path, error, warnings))
        << error;
    ASSERT_TRUE(weights.open(path, error)) << error;
    ASSERT_TRUE(expected.open(folder + "/reference.safetensors", error));

    EntryShape shape{2, 7, /*f64=*/false, /*logits=*/true};
    ASSERT_TRUE(checkEntryShape(*config, shape, error)) << error;
    module = buildModel(&context, *config, shape, checkpoint.prefix(*config));
    ASSERT_TRUE(succeeded(verify(*module)));
  }

  static Value64 read(const SafetensorsFile &file, StringRef name) {
    const auto *tensor = file.find(name.str());
    EXPECT_TRUE(tensor) << name.str();
    std::vector<char> raw;
    std::string error;
    EXPECT_TRUE(file.read(*tensor, raw, error)) << error;
    auto values = [&](auto element, auto tensorOfValues) {
      for (size_t i = 0; i < tensorOfValues.data.size(); ++i) {
        std::memcpy(&element, raw.data() + i * sizeof element, sizeof element);
        tensorOfValues.data[i] = element;
      }
      return Value64(tensorOfValues);
    };
    if (tensor->dtype == runtime::SafetensorsDtype::I32)
      return values(int32_t(), IntTensor(tensor->shape));
    if (tensor->dtype == runtime::SafetensorsDtype::F64)
      return values(double(), Tensor<double>(tensor->shape));
    return values(float(), Tensor<double>(tensor->shape));
  }

  /// Arguments by their role: parameters from the import, inputs from the
  /// reference.
  Value64 argument(func::FuncOp function, unsigned i) {
    if (auto name = function.getArgAttrOfType<StringAttr>(i, kParamAttr))
      return read(weights, name.getValue());
    return read(
        expected,
        function.getArgAttrOfType<StringAttr>(i, kInputAttr).getValue());
  }
  std::vector<Value64> arguments(func::FuncOp function) {
    std::vector<Value64> values;
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      values.push_back(argument(function, i));
    return values;
  }

  std::vector<Value64> run(ModuleOp module, StringRef name,
                           const std::vector<Value64> &inputs) {
    auto outcome = Interpreter<double>(module).run(name, inputs);
    EXPECT_TRUE(outcome.succeeded()) << outcome.error;
    return outcome.results;
  }

  /// The largest difference, relative to the largest value expected.
  static double difference(const Value64 &found, const Value64 &wanted) {
    EXPECT_EQ(found.shape(), wanted.shape());
    double largest = 1e-6, worst = 0;
    for (int64_t i = 0; i < wanted.floats().size(); ++i) {
      largest = std::max(largest, std::abs(wanted.floats()[i]));
      double d = std::abs(found.floats()[i] - wanted.floats()[i]);
      worst = d <= worst ? worst : d; // NaN counts
    }
    return worst / largest;
  }

  static double norm(const Value64 &value) {
    double sum = 0;
    for (double x : value.floats().data)
      sum += x * x;
    return std::sqrt(sum);
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  SafetensorsFile weights, expected;
};
} // namespace

TEST_P(ImportNumbers, Logits) {
  auto function = module->lookupSymbol<func::FuncOp>("logits");
  auto results = run(*module, "logits", arguments(function));
  ASSERT_EQ(results.size(), 1u);
  // The file has them in f32.
  EXPECT_LT(difference(results[0], read(expected, "logits")), 1e-7);
}

TEST_P(ImportNumbers, Loss) {
  auto function = module->lookupSymbol<func::FuncOp>("loss");
  auto results = run(*module, "loss", arguments(function));
  ASSERT_EQ(results.size(), 1u);
  EXPECT_LT(difference(results[0], read(expected, "loss")), 1e-12);
}

TEST_P(ImportNumbers, Gradients) {
  auto loss = module->lookupSymbol<func::FuncOp>("loss");
  Derivatives derivatives;
  std::string error;
  ASSERT_TRUE(derivatives.build(*module, loss, "params", error)) << error;
  Values gradients;
  Values seed = {Value64(Tensor<double>(Shape(), 1.0))}; // dL/dL
  ASSERT_TRUE(derivatives.pullBack(arguments(loss), seed, gradients, error))
      << error;
  ASSERT_EQ(gradients.size(), weights.tensors().size());
  double all = 0;
  for (const Value64 &gradient : gradients)
    all = std::hypot(all, norm(gradient));
  for (auto [i, argument] : llvm::enumerate(derivatives.active())) {
    StringRef name =
        loss.getArgAttrOfType<StringAttr>(argument, kParamAttr).getValue();
    Value64 wanted = read(expected, ("grad." + name).str());
    ASSERT_EQ(gradients[i].shape(), wanted.shape()) << name.str();
    double scale = std::max(norm(wanted), 1e-3 * all);
    Tensor<double> rest = gradients[i].floats();
    for (int64_t j = 0; j < rest.size(); ++j)
      rest[j] -= wanted.floats()[j];
    EXPECT_LE(norm(rest) / scale, 1e-10) << name.str();
  }
}

INSTANTIATE_TEST_SUITE_P(Tiny, ImportNumbers,
                         testing::Values("gpt2-tiny", "llama-tiny"),
                         [](const auto &info) {
                           std::string name = info.param;
                           return name.substr(0, name.find('-'));
                         });

int main(int argc, char **argv) {
  registerADPasses();
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
