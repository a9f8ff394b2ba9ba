//===- ParseAttention.h - Text to a module, tiled or not --------*- C++ -*-===//
#ifndef TT_TEST_UNIT_ATTENTION_PARSEATTENTION_H
#define TT_TEST_UNIT_ATTENTION_PARSEATTENTION_H

#include "tt/Attention/Passes.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <gtest/gtest.h>

#include <string>

namespace tt::attention {

inline mlir::OwningOpRef<mlir::ModuleOp>
parseAttention(mlir::MLIRContext &context, const std::string &text, bool tiled) {
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  EXPECT_TRUE(module) << text;
  mlir::PassManager passes(&context);
  if (tiled)
    passes.addPass(createTileAttentionPass());
  EXPECT_TRUE(succeeded(passes.run(*module)));
  return module;
}

} // namespace tt::attention

#endif
