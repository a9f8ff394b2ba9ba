// Differentiates a function of the dialect with the installed rooms.
#include "tt/AD/Passes.h"
#include "tt/IR/TTDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/raw_ostream.h"

int main() {
  mlir::MLIRContext context;
  context.loadDialect<tt::TTDialect, mlir::func::FuncDialect>();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(
      "func.func @f(%x: tensor<4xf32> {tt.param = \"x\"}) -> tensor<4xf32> {\n"
      "  %y = tt.tanh %x : tensor<4xf32>\n"
      "  return %y : tensor<4xf32>\n"
      "}\n",
      &context);
  mlir::PassManager passes(&context);
  passes.addPass(tt::createAutodiffPass());
  if (!module || mlir::failed(passes.run(*module)))
    return 1;
  bool found = bool(module->lookupSymbol("f_bwd"));
  llvm::outs() << "use-dialect: @f_bwd " << (found ? "is there" : "is missing") << "\n";
  return found ? 0 : 1;
}
