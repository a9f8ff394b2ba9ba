//===- PlantedFaultTest.cpp - Random programs find what is wrong ----------===//
//
// A fault is planted, the run finds it within a number of seeds that is fixed here,
// shrinks the program to the op at fault, prints and saves it, and finds it again in
// the saved file.
//
//===----------------------------------------------------------------------===//
#include "../Common/TemporaryDirectory.h"
#include "ProgramRun.h"
#include "Shrink.h"

#include "tt/AD/Passes.h"
#include "tt/Pipelines/LoadModule.h"

#include "mlir/IR/Verifier.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace tt;
using namespace tt::test;

namespace {

/// What a run said, and the file that it wrote.
struct Found {
  std::string said;
  uint64_t seed = 0;
  std::string path;
};

class PlantedFaultTest : public testing::Test {
protected:
  PlantedFaultTest() : context(MLIRContext::Threading::DISABLED) {
    registerADPasses();
    loadGraphDialects(context);
  }

  /// From seed `first` on, up to the first failure.
  Found find(const std::string &fault, const std::string &check, uint64_t first,
             uint64_t count);
  /// The saved program: small, with the op, right without the fault and wrong with it.
  void expectShrunk(const Found &found, const std::string &fault, const std::string &check,
                    unsigned most);

  static PlantedFault parse(const std::string &text) {
    std::string error;
    auto fault = PlantedFault::parse(text, error);
    EXPECT_TRUE(fault) << error;
    return fault.value_or(PlantedFault());
  }
  static bool isOfCode(const std::string &check) { return check == "compiled"; }
  /// What checking the file again says.
  std::string again(ModuleOp module, const RunOptions &options, unsigned numFailed);

  MLIRContext context;
  TemporaryDirectory directory;
};

Found PlantedFaultTest::find(const std::string &fault, const std::string &check,
                             uint64_t first, uint64_t count) {
  RunOptions options;
  options.seed = first;
  options.count = count;
  options.maxFailures = 1;
  options.save = directory.path();
  options.compile = isOfCode(check);
  options.fault = parse(fault);
  Found found;
  llvm::raw_string_ostream out(found.said);
  ProgramRun run(options, out);
  run.generate(ProgramGenerator(context));
  run.summarize();
  EXPECT_EQ(run.numFailed(), 1u) << found.said;
  EXPECT_FALSE(run.passed());
  StringRef said = found.said;
  EXPECT_TRUE(said.consume_front("// seed ") && !said.consumeInteger(10, found.seed))
      << found.said;
  EXPECT_TRUE(said.starts_with(": " + check + " failed: ")) << found.said;
  EXPECT_TRUE(StringRef(found.said).contains(" passed, 1 failed, ")) << found.said;
  found.path = directory.path("random_" + std::to_string(found.seed) + ".mlir");
  return found;
}

std::string PlantedFaultTest::again(ModuleOp module, const RunOptions &options,
                                    unsigned numFailed) {
  std::string said;
  llvm::raw_string_ostream out(said);
  ProgramRun run(options, out);
  run.check(module);
  EXPECT_EQ(run.numFailed(), numFailed) << said;
  EXPECT_EQ(run.discarded().size(), 0u) << said;
  return said;
}

void PlantedFaultTest::expectShrunk(const Found &found, const std::string &fault,
                                    const std::string &check, unsigned most) {
  std::string text = readFile(found.path), error;
  ASSERT_NE(text, "");
  EXPECT_NE(found.said.find(text), std::string::npos) << text;
  EXPECT_EQ(savedSeed(found.path), found.seed);
  auto module = loadModule(context, found.path, error); // parses and verifies
  ASSERT_TRUE(module) << error;
  EXPECT_LE(countOps(*module), most) << text;
  std::string op = fault.substr(fault.find(':') + 1);
  bool hasOp = false;
  module->walk([&](Operation *inner) { hasOp |= inner->getName().getStringRef() == op; });
  EXPECT_TRUE(hasOp) << text;

  RunOptions options;
  options.seed = found.seed;
  options.compile = isOfCode(check);
  again(*module, options, 0);
  options.fault = parse(fault);
  EXPECT_NE(again(*module, options, 1).find(": " + check + " failed: "), std::string::npos);
}

struct Planted {
  const char *fault, *check;
  uint64_t first, count; // seeds in which it must be found
};

void PrintTo(const Planted &planted, std::ostream *out) { *out << planted.fault; }

/// Names of cases: "reverse_tt_gelu".
std::string caseName(const testing::TestParamInfo<Planted> &info) {
  std::string name = info.param.fault;
  for (char &c : name)
    c = isalnum(c) ? c : '_';
  return name;
}

class PlantedFaults : public PlantedFaultTest, public testing::WithParamInterface<Planted> {};

TEST_P(PlantedFaults, isFoundAndShrunk) {
  Planted planted = GetParam();
  Found found = find(planted.fault, planted.check, planted.first, planted.count);
  if (!HasFailure())
    expectShrunk(found, planted.fault, planted.check, 10);
}

INSTANTIATE_TEST_SUITE_P(Rules, PlantedFaults,
                         testing::Values(Planted{"reverse:tt.gelu", "dot", 1, 400},
                                         Planted{"reverse:tt.rms_norm", "dot", 1, 400},
                                         Planted{"reverse:tt.linear", "dot", 1, 400},
                                         Planted{"reverse:tt.attention", "dot", 1, 400},
                                         Planted{"forward:tt.gelu", "dot", 1, 400},
                                         Planted{"forward:tt.log_softmax", "dot", 1, 400},
                                         Planted{"forward:tt.softmax", "dot", 1, 400}),
                         caseName);

INSTANTIATE_TEST_SUITE_P(Code, PlantedFaults,
                         testing::Values(Planted{"compiled:tt.square", "compiled", 1, 60},
                                         Planted{"compiled:tt.rms_norm", "compiled", 1, 60},
                                         Planted{"second-way:tt.exp", "compiled", 1, 60}),
                         caseName);

/// The relations of checkMetamorphic see a wrong rule by themselves: of an op that they
/// insert, and one that is not linear.
TEST_F(PlantedFaultTest, isFoundByRelations) {
  const char *text = R"(
func.func @loss(%x: tensor<3x4xf32> {tt.param = "x"}, %y: tensor<3x4xf32> {tt.param = "y"}) -> tensor<f32> {
  %a = tt.sin %x : tensor<3x4xf32>
  %b = tt.mul %a, %y : tensor<3x4xf32>
  %c = tt.exp %b : tensor<3x4xf32>
  %m = tt.mean %c dims = [0, 1] : (tensor<3x4xf32>) -> tensor<f32>
  %n = tt.mean %y dims = [0, 1] : (tensor<3x4xf32>) -> tensor<f32>
  %s = tt.add %m, %n : tensor<f32>
  return %s : tensor<f32>
})";
  std::string path = directory.path("relations.mlir"), error;
  writeText(path, text);
  auto module = loadModule(context, path, error);
  ASSERT_TRUE(module) << error;
  EXPECT_EQ(checkMetamorphic(*module, 1).kind, Verdict::Passed);
  for (auto [fault, check] : {std::pair("reverse:tt.slice", "identity"),
                              {"offset:tt.exp", "linear"}}) {
    Verdict verdict = checkMetamorphic(*module, 1, parse(fault));
    EXPECT_EQ(verdict.kind, Verdict::Failed) << fault;
    EXPECT_EQ(verdict.check, check) << verdict.text;
  }
}

/// Of 100 programs two may be close to the bound, and a quarter may say nothing.
TEST_F(PlantedFaultTest, programsThatSayNothingAreFew) {
  std::string said;
  llvm::raw_string_ostream out(said);
  RunOptions options;
  ProgramRun close(options, out), kinks(options, out);
  for (int i = 0; i < 98; ++i)
    close.count({});
  for (int i = 0; i < 2; ++i)
    close.count({Verdict::Discarded, "", kCloseToBound});
  close.summarize();
  EXPECT_EQ(said, "discarded: 2 close to the bound\n98 passed, 0 failed, 2 discarded\n");
  EXPECT_TRUE(close.passed());
  close.count({Verdict::Discarded, "", kCloseToBound});
  EXPECT_FALSE(close.passed());

  said.clear();
  for (int i = 0; i < 74; ++i)
    kinks.count({});
  for (int i = 0; i < 26; ++i)
    kinks.count({Verdict::Discarded, "", i % 2 ? "kinks" : "not finite"});
  kinks.summarize();
  EXPECT_EQ(said, "discarded: 13 kinks, 13 not finite\n74 passed, 0 failed, 26 discarded\n");
  EXPECT_TRUE(kinks.passed());
  kinks.count({Verdict::Discarded, "", "kinks"});
  kinks.count({Verdict::Discarded, "", "kinks"});
  EXPECT_FALSE(kinks.passed());
}

TEST_F(PlantedFaultTest, whatIsNoFault) {
  std::string error;
  EXPECT_FALSE(PlantedFault::parse("sideways:tt.gelu", error));
  EXPECT_EQ(error.find("found sideways:tt.gelu, wanted reverse:, "), 0u) << error;
  EXPECT_FALSE(PlantedFault::parse("reverse:gelu", error));
  EXPECT_FALSE(PlantedFault::parse("", error));
}

} // namespace
