//===- FunctionInputs.h - A function's arguments from files -----*- C++ -*-===//
#ifndef TT_CHECK_FUNCTIONINPUTS_H
#define TT_CHECK_FUNCTIONINPUTS_H

#include "tt/Check/HostTensors.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <optional>

namespace tt::check {

/// The function of that name, or the only public one. Null with an error.
mlir::FunctionOpInterface findFunction(mlir::ModuleOp module, const std::string &name,
                                       const std::string &file, std::string &error);

/// How files call an argument (tt.param, tt.input, tt.state, else argI) and a
/// result (tt.output, tt.updates, else resultI).
std::string argumentName(mlir::FunctionOpInterface function, unsigned i);
std::string resultName(mlir::FunctionOpInterface function, unsigned i);

struct InputFiles {
  std::vector<std::string> npy;       // for the next argument each
  std::string safetensors;            // by name
  std::optional<uint64_t> randomSeed; // for the rest
};

/// Values by name from the safetensors file, all of whose tensors are arguments, the
/// rest in order from the .npy files, the rest drawn if there is a seed. Asks
/// checkSizes first.
bool readInputs(const InputFiles &files, mlir::FunctionOpInterface function,
                std::vector<HostTensor> &inputs, std::string &error);

} // namespace tt::check

#endif
