//===- TiledKernelTest.cpp - Code of tiled kernels ------------------------===//
#include "ParseAttention.h"

#include "tt/Lowering/CPU/Backend.h"
#include "tt/Lowering/CPU/EmitKernel.h"
#include "tt/runtime/ModelTable.h"

#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace tt::cpu;

namespace {

class TiledKernel : public testing::Test {
protected:
  TiledKernel() : context(MLIRContext::Threading::DISABLED) {
    DialectRegistry registry;
    registerKernelDialects(registry);
    registry.insert<tt::TTDialect>();
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  OwningOpRef<ModuleOp> parse(const std::string &text, bool tiled) {
    return tt::attention::parseAttention(context, text, tiled);
  }
  static tt::KernelOp kernelOf(ModuleOp module) {
    return *module.getOps<tt::KernelOp>().begin();
  }
  /// The emitted code and what the runtime is told about it.
  std::string emit(const std::string &text, bool tiled, const Target &target) {
    auto source = parse(text, tiled);
    OwningOpRef<ModuleOp> into(ModuleOp::create(UnknownLoc::get(&context)));
    EmittedKernel emitted;
    EXPECT_TRUE(succeeded(emitKernel(kernelOf(*source), target, "", *into, emitted)));
    EXPECT_TRUE(getInPlacePairs(kernelOf(*source)).empty());
    std::string result =
        llvm::formatv("{0} {1} {2}\n", emitted.phases.size(), emitted.sharedBytes,
                      emitted.workerBytes);
    llvm::raw_string_ostream stream(result);
    into->print(stream);
    return result;
  }
  void expectSameCode(const std::string &text) {
    for (unsigned isa = 0; isa < TT_ISA_COUNT; ++isa) {
      std::string plain = emit(text, false, getTarget(isa));
      EXPECT_GT(plain.size(), 1000u);
      EXPECT_TRUE(plain == emit(text, true, getTarget(isa))) << "isa " << isa;
    }
  }

  MLIRContext context;
};

/// Heads side by side in rows, as in the projections of a model.
std::string kernel(const std::string &signature, const std::string &body) {
  const std::string q = "tensor<2x4x24x16xf32>", k = "tensor<2x2x40x16xf32>",
                    l = "tensor<2x4x24xf32>",
                    strided = " {tt.strides = array<i64: 1536, 16, 64, 1>}";
  std::string text = "tt.kernel @a" + signature +
                     " attributes {anchor = \"attention\", numerics = {}, schedule = "
                     "{}} {\n" + body + "\n}";
  for (auto [mark, type] : {std::pair{'Q', q}, {'K', k}, {'L', l}, {'$', strided}})
    for (size_t at; (at = text.find(mark)) != std::string::npos;)
      text.replace(at, 1, type);
  return text;
}

TEST_F(TiledKernel, ForwardHasTheCodeOfTheOp) {
  for (const char *options :
       {"causal scale = 0.25", "scale = 0.25", "causal scale = 0.25 {block_k = 16 : i64}"})
    expectSameCode(kernel("(%k: K, %q: Q$, %v: K) -> (Q$, L)",
                          std::string("%o, %l = tt.attention %q, %k, %v ") + options +
                              " : (Q, K, K) -> (Q, L)\ntt.yield %o, %l : Q, L"));
}

TEST_F(TiledKernel, AdjointHasTheCodeOfTheOp) {
  expectSameCode(kernel(
      "(%q: Q$, %k: K, %v: K, %o: Q$, %l: L, %d: Q) -> (Q$, K, K)",
      "%0, %1, %2 = tt.attention_bwd %q, %k, %v, %o, %l, %d causal scale = 0.25 : (Q, "
      "K, K, Q, L, Q) -> (Q, K, K)\ntt.yield %0, %1, %2 : Q, K, K"));
}

TEST_F(TiledKernel, MissingRoleIsRefused) {
  auto source = parse(kernel("(%q: Q, %k: K) -> Q",
                             "%o, %l = tt.attention %q, %k, %k scale = 0.25 : (Q, K, K) "
                             "-> (Q, L)\ntt.yield %o : Q"),
                      true);
  std::string text;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    text = diagnostic.str();
    return success();
  });
  OwningOpRef<ModuleOp> into(ModuleOp::create(UnknownLoc::get(&context)));
  EmittedKernel emitted;
  EXPECT_TRUE(failed(emitKernel(kernelOf(*source), getTarget(0), "", *into, emitted)));
  EXPECT_EQ(text, "expected a tiled attention kernel with its lse among arguments and "
                  "results");
}

} // namespace
