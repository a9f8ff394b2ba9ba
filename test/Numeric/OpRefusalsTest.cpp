//===- OpRefusalsTest.cpp - What ops refuse, and with which words ---------===//
#include "OpTable.h"

#include "tt/IR/TTOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace tt::test;

namespace {

class OpRefusals : public testing::TestWithParam<Refusal> {};

TEST_P(OpRefusals, refusesWithTheRowsText) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<tt::TTDialect, mlir::func::FuncDialect, mlir::arith::ArithDialect>();
  std::string said;
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
    said += diagnostic.str() + "\n";
    return mlir::success();
  });
  auto module = mlir::parseSourceString<mlir::ModuleOp>(GetParam().text, &context);
  EXPECT_FALSE(module) << GetParam().text;
  EXPECT_FALSE(GetParam().errors.empty());
  for (const std::string &error : GetParam().errors)
    EXPECT_NE(said.find(error), std::string::npos)
        << "wanted: " << error << "\nfound: " << said;
}

INSTANTIATE_TEST_SUITE_P(Table, OpRefusals, testing::ValuesIn(refusalTable()),
                         [](const auto &info) { return info.param.name; });

TEST(OpRefusalsTest, rowsNameTheirOp) {
  std::vector<Refusal> table = refusalTable();
  EXPECT_GT(table.size(), 190u);
  for (const Refusal &row : table) {
    SCOPED_TRACE(row.name);
    EXPECT_EQ(row.op.rfind("tt.", 0), 0u) << row.text;
    EXPECT_FALSE(row.constraint.empty() && row.why.empty() && row.errors.empty());
  }
}

} // namespace
