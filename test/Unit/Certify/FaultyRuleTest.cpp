//===- FaultyRuleTest.cpp - Wrong rules are found and named ---------------===//
#include "tt/AD/Adjoint.h"
#include "tt/AD/Passes.h"
#include "tt/Certify/Certificate.h"
#include "tt/IR/Emit.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace tt;
using namespace tt::certify;

namespace {

/// A layer with a norm, an activation and a skip connection, called twice.
const char *const kBlock = R"(func.func private @layer(%x: tensor<3x5xf32>, %g: tensor<5xf32>, %w: tensor<5x5xf32>) -> tensor<3x5xf32> {
  %n, %r = tt.rms_norm %x, %g eps = 1.0e-5 : (tensor<3x5xf32>, tensor<5xf32>) -> (tensor<3x5xf32>, tensor<3xf32>)
  %h = tt.linear in_out %n, %w : (tensor<3x5xf32>, tensor<5x5xf32>) -> tensor<3x5xf32>
  %a = tt.gelu tanh %h : tensor<3x5xf32>
  %y = tt.add %x, %a : tensor<3x5xf32>
  return %y : tensor<3x5xf32>
}
func.func @loss(%x: tensor<3x5xf32> {tt.param = "x"}, %g: tensor<5xf32> {tt.param = "g"}, %w: tensor<5x5xf32> {tt.param = "w"}, %t: tensor<3xi32> {tt.input = "t"}) -> tensor<f32> {
  %1 = call @layer(%x, %g, %w) : (tensor<3x5xf32>, tensor<5xf32>, tensor<5x5xf32>) -> tensor<3x5xf32>
  %2 = call @layer(%1, %g, %w) : (tensor<3x5xf32>, tensor<5xf32>, tensor<5x5xf32>) -> tensor<3x5xf32>
  %c = tt.stop_gradient %2 : tensor<3x5xf32>
  %3 = tt.mul %2, %c : tensor<3x5xf32>
  %l, %lse = tt.cross_entropy mean %3, %t : (tensor<3x5xf32>, tensor<3xi32>) -> (tensor<f32>, tensor<3xf32>)
  return %l : tensor<f32>
})";

using Hook = reference::Derivatives::Hook;

class FaultyRuleTest : public testing::Test {
protected:
  FaultyRuleTest() {
    registerADPasses();
    context.loadDialect<TTDialect, func::FuncDialect, arith::ArithDialect>();
    module = parseSourceString<ModuleOp>(kBlock, &context, "block.mlir");
  }

  /// What the certificate of the block says under these hooks.
  Certificate check(const Hook &onPair, const Hook &onTangent = {}) {
    Certificate certificate;
    certificate.parts.emplace_back();
    certificate.parts[0].name = "gradients";
    std::string error;
    EXPECT_TRUE(checkTwinGradients(*module, 1, onPair, false, certificate.parts[0], error,
                                   onTangent))
        << error;
    return certificate;
  }

  /// Scales the last float that the rule of the op on `line` emits in functions with
  /// attribute `kind`: a wrong rule, wherever the op is differentiated.
  static Hook wrongRule(StringRef kind, unsigned line) {
    return [kind = kind.str(), line](ModuleOp derived, std::string &) {
      for (auto function : derived.getOps<func::FuncOp>()) {
        if (!function->hasAttr(kind))
          continue;
        Operation *last = nullptr;
        for (Operation &op : function.getBody().front().without_terminator()) {
          auto place = op.getLoc()->findInstanceOf<FileLineColLoc>();
          if (place && place.getLine() == line && !isa<func::CallOp>(op))
            last = &op;
        }
        if (last)
          scale(last->getResults().back());
      }
      return true;
    };
  }
  static void scale(Value value) {
    OpBuilder builder(value.getContext());
    builder.setInsertionPointAfterValue(value);
    Emit e(builder, value.getLoc());
    Value scaled = e.scale(value, 1.001);
    value.replaceUsesWithIf(scaled, [&](OpOperand &use) {
      return !scaled.getDefiningOp()->isAncestor(use.getOwner());
    });
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

TEST_F(FaultyRuleTest, rightRulesHaveNoFault) {
  Certificate certificate = check({});
  EXPECT_TRUE(certificate.passed()) << certificate.failure();
  EXPECT_FALSE(certificate.parts[0].fault);
}

TEST_F(FaultyRuleTest, namesTheOpOfAWrongReverseRule) {
  for (auto [line, op] : {std::pair(2u, "tt.rms_norm"), {3u, "tt.linear"}, {4u, "tt.gelu"},
                          {12u, "tt.mul"}, {13u, "tt.cross_entropy"}}) {
    SCOPED_TRACE(op);
    Certificate certificate = check(wrongRule(kAdjointAttr, line));
    const std::optional<RuleFault> &fault = certificate.parts[0].fault;
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->op, op);
    EXPECT_EQ(fault->rule, "reverse");
    EXPECT_EQ(fault->place.rfind("block.mlir:" + std::to_string(line) + ":", 0), 0u)
        << fault->place;
    EXPECT_EQ(fault->notChecked, 0);
  }
}

TEST_F(FaultyRuleTest, namesTheOpOfAWrongForwardRule) {
  Certificate certificate = check({}, wrongRule(kTangentAttr, 4));
  const std::optional<RuleFault> &fault = certificate.parts[0].fault;
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->op, "tt.gelu");
  EXPECT_EQ(fault->rule, "forward");
  EXPECT_EQ(fault->check, "dot");
}

/// The cotangents that %x of @layer gets from two readers, without the first.
TEST_F(FaultyRuleTest, saysWhenNoRuleIsWrongByItself) {
  Certificate certificate = check([](ModuleOp pair, std::string &) {
    for (auto function : pair.getOps<func::FuncOp>())
      if (function->hasAttr(kAdjointAttr))
        function.walk([](AddOp add) { add.replaceAllUsesWith(add.getRhs()); });
    return true;
  });
  EXPECT_FALSE(certificate.passed());
  const std::optional<RuleFault> &fault = certificate.parts[0].fault;
  ASSERT_TRUE(fault);
  EXPECT_FALSE(fault->isFound()) << fault->text();
  EXPECT_NE(certificate.failure().find("; no rule is wrong by itself: look at fan-out, "
                                       "calls, checkpointing"),
            std::string::npos)
      << certificate.failure();
}

TEST_F(FaultyRuleTest, isInTextAndJson) {
  Certificate certificate = check(wrongRule(kAdjointAttr, 4));
  EXPECT_NE(certificate.failure().find(
                "; the reverse rule of 'tt.gelu' at block.mlir:4:8 is wrong by itself: "),
            std::string::npos)
      << certificate.failure();
  std::string text = certificate.json();
  for (const char *part : {"\"fault\": {", "\"op\": \"tt.gelu\"",
                           "\"place\": \"block.mlir:4:8\"", "\"rule\": \"reverse\"",
                           "\"not_checked\": 0"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
}

} // namespace
