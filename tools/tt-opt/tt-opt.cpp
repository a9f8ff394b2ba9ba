//===- tt-opt.cpp - Pass driver -------------------------------------------===//
#include "tt/AD/Passes.h"
#include "tt/Attention/Passes.h"
#include "tt/Forms/Passes.h"
#include "tt/IR/TTDialect.h"
#include "tt/Kernels/Passes.h"
#include "tt/Memory/Passes.h"
#include "tt/Remat/Passes.h"
#include "tt/Training/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<tt::TTDialect, mlir::func::FuncDialect,
                  mlir::arith::ArithDialect, mlir::scf::SCFDialect,
                  mlir::tensor::TensorDialect>();
  mlir::registerTransformsPasses();
  tt::registerADPasses();
  tt::registerAttentionPasses();
  tt::registerFormsPasses();
  tt::registerKernelsPasses();
  tt::registerMemoryPasses();
  tt::registerRematPasses();
  tt::registerTrainingPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "tt pass driver\n", registry));
}
