//===- FaultsTest.cpp - Faults of other systems, on every path ------------===//
//
// Each file of Inputs/ is a case with right values, which every path must give
// (FaultPaths.h), values and gradients, at the file's own cotangents. Compiled code must
// also agree with the interpreter within what rounding allows. A file of Planted/ is such
// a case whose graph has the fault that was reported: the same comparison must see it.
//
//===----------------------------------------------------------------------===//
#include "../../Common/InputFiles.h"
#include "FaultPaths.h"

#include "tt/AD/Adjoint.h"
#include "tt/AD/Passes.h"
#include "tt/Pipelines/LoadModule.h"
#include "tt/Remat/Passes.h"

#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace tt;
using namespace tt::test;

namespace {

class FaultsTest : public testing::TestWithParam<std::string> {
protected:
  void SetUp() override {
    registerADPasses();
    loadGraphDialects(context);
    std::string error;
    ASSERT_TRUE(fault.read(context, GetParam(), error)) << GetParam() << ": " << error;
    for (const auto &excepted : fault.notOn) {
      auto isIt = [&](Path path) { return excepted.first == nameOf(path); };
      EXPECT_TRUE(llvm::any_of(kPaths, isIt) && !excepted.second.empty())
          << "expected a path and a reason in 'not on " << excepted.first << ":"
          << excepted.second << "'";
    }
  }
  void expectRightOn(Path path);
  void expectSeesChanges(const Found &found, bool isF32);

  MLIRContext context;
  FaultFile fault;
};

void FaultsTest::expectRightOn(Path path) {
  Found found = runOn(path, fault);
  bool isF32 = roundsToF32(path);
  std::string mistakes = found.error + (found.error.empty() || !found.results.empty()
                                            ? mistakesIn(fault, found, isF32) : "");
  if (auto excepted = fault.notOn.find(nameOf(path)); excepted != fault.notOn.end()) {
    EXPECT_NE(mistakes, "") << "the file says that this path fails: " << excepted->second;
    return;
  }
  ASSERT_EQ(mistakes, "");
  expectSeesChanges(found, isF32);
}

/// Changes a little past the tolerance, number by number. Each must be seen.
void FaultsTest::expectSeesChanges(const Found &found, bool isF32) {
  for (const RightValue &right : fault.right) {
    bool sees = true;
    forEachPlantedChange(fault, right, found, isF32, [&](const Found &changed) {
      sees &= !mistakeIn(fault, right, changed, isF32).empty();
    });
    EXPECT_TRUE(sees) << right.line << ": a wrong number passes";
  }
}

TEST_P(FaultsTest, interpreter) { expectRightOn(Path::Interpreter); }
TEST_P(FaultsTest, typed) { expectRightOn(Path::Typed); }
TEST_P(FaultsTest, compiled) { expectRightOn(Path::Compiled); }
TEST_P(FaultsTest, layered) { expectRightOn(Path::Layered); }

INSTANTIATE_TEST_SUITE_P(Reported, FaultsTest,
                         testing::ValuesIn(test::inputFiles(TT_FAULT_INPUTS)), test::inputName);

class DecomposedFaultsTest : public FaultsTest {};

TEST_P(DecomposedFaultsTest, decomposed) { expectRightOn(Path::Decomposed); }

/// Without tiles, files that differ by them are one.
std::vector<std::string> filesWithoutTiles() {
  std::vector<std::string> files = test::inputFiles(TT_FAULT_INPUTS);
  llvm::erase_if(files, [](StringRef path) { return path.contains("_tiles_"); });
  return files;
}
INSTANTIATE_TEST_SUITE_P(Reported, DecomposedFaultsTest,
                         testing::ValuesIn(filesWithoutTiles()), test::inputName);

class PlantedFaultsTest : public FaultsTest {};

// The fault may be one of rounding, which f64 does not show: compiled code counts.
TEST_P(PlantedFaultsTest, isSeenInCompiledCode) {
  for (Path path : {Path::Compiled, Path::Layered}) {
    Found found = runOn(path, fault);
    ASSERT_FALSE(found.results.empty()) << found.error;
    EXPECT_NE(mistakesIn(fault, found, /*isF32=*/true), "") << nameOf(path);
  }
}

INSTANTIATE_TEST_SUITE_P(Planted, PlantedFaultsTest,
                         testing::ValuesIn(test::inputFiles(TT_PLANTED_FAULTS)),
                         test::inputName);

class WrongCodeFaultsTest : public FaultsTest {};

// The graph is right and the code is wrong, by three times the tolerance: every line sees
// it, and without the fault none complains.
TEST_P(WrongCodeFaultsTest, isSeenByEveryLine) {
  Found right = runPlanted(fault, 0);
  EXPECT_EQ(mistakesIn(fault, right, /*isF32=*/true), "");
  Found wrong = runPlanted(fault, 3 * fault.allowed(1, /*isF32=*/true));
  for (const RightValue &line : fault.right)
    EXPECT_NE(mistakeIn(fault, line, wrong, /*isF32=*/true), "") << line.line;
}

std::vector<std::string> filesOf(std::initializer_list<const char *> cases) {
  std::vector<std::string> files = test::inputFiles(TT_FAULT_INPUTS);
  llvm::erase_if(files, [&](StringRef path) {
    return llvm::none_of(cases, [&](const char *name) { return path.contains(name); });
  });
  return files;
}
INSTANTIATE_TEST_SUITE_P(Planted, WrongCodeFaultsTest,
                         testing::ValuesIn(filesOf({"rf13_", "rf17_", "rf18_"})),
                         test::inputName);

/// How many calls a checkpoint policy runs again, and whether the layer keeps anything
/// that it could.
struct Replays {
  unsigned count = 0;
  bool hasExtraResiduals = false;
};
Replays replaysOf(ModuleOp module, const char *policy) {
  Replays replays;
  CheckpointPassOptions options;
  options.policy = policy;
  options.function = "f";
  AutodiffPassOptions autodiff;
  autodiff.function = "f";
  autodiff.wrt = "all";
  autodiff.allowUnreached = true;
  PassManager passes(module->getContext());
  passes.addPass(createAutodiffPass(autodiff));
  EXPECT_TRUE(succeeded(passes.run(module)));
  for (auto function : module.getOps<func::FuncOp>())
    if (auto pair = readAdjoint(function); pair && pair->primal.getSymName() == "fault")
      replays.hasExtraResiduals |= pair->numExtra > 0;
  PassManager checkpoint(module->getContext());
  checkpoint.addPass(createCheckpointPass(options));
  EXPECT_TRUE(succeeded(checkpoint.run(module)));
  module.walk([&](Operation *op) { replays.count += op->hasAttr("tt.replay"); });
  return replays;
}

// What the layered path is for: a layer that keeps values of its own runs again.
TEST(LayeredFaultsTest, areReplayed) {
  registerADPasses();
  MLIRContext context;
  loadGraphDialects(context);
  unsigned replayed = 0;
  for (const std::string &path : test::inputFiles(TT_FAULT_INPUTS)) {
    FaultFile fault;
    std::string error;
    ASSERT_TRUE(fault.read(context, path, error)) << path << ": " << error;
    if (!fault.hasGradients())
      continue;
    Replays replays = replaysOf(*asLayers(fault).module, "full");
    EXPECT_EQ(replays.count > 0, replays.hasExtraResiduals) << path;
    replayed += replays.count > 0;
  }
  EXPECT_GE(replayed, 20u);
}

} // namespace
