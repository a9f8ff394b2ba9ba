//===- MinimalProgram.cpp - A kernel, or an op of it, by itself -----------===//
#include "MinimalProgram.h"

#include "tt/Reference/Interpreter.h"
#include "tt/Support/SafetensorsFile.h"
#include "tt/runtime/AtomicFile.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tt;
using namespace tt::check;
using tt::runtime::SafetensorsDtype;

KernelValues tt::check::evaluateKernel(KernelOp kernel, const std::vector<HostTensor> &inputs) {
  KernelValues values;
  reference::Options options;
  options.mode = reference::Mode::Typed;
  options.onValue = [&](Value value, HostTensor &tensor) {
    if (value.getParentRegion() == &kernel.getBody())
      values[value] = tensor;
  };
  // What stops the run is reported by who asks for results; values so far count.
  (void)reference::Interpreter<double>(kernel->getParentOfType<ModuleOp>(), options)
      .run(kernel.getSymName(), inputs);
  return values;
}

/// A function of the types of `inputs`, whose body `fill` makes.
static MinimalProgram
makeProgram(Location loc, ValueRange inputs, TypeRange results,
            llvm::function_ref<SmallVector<Value>(OpBuilder &, IRMapping &)> fill) {
  MinimalProgram program;
  OpBuilder builder(loc.getContext());
  program.module = ModuleOp::create(loc);
  builder.setInsertionPointToEnd(program.module->getBody());
  program.function = func::FuncOp::create(
      builder, loc, "minimal", builder.getFunctionType(inputs.getTypes(), results));
  Block *body = program.function.addEntryBlock();
  builder.setInsertionPointToEnd(body);
  IRMapping map;
  for (auto [from, to] : llvm::zip(inputs, body->getArguments()))
    map.map(from, to);
  SmallVector<Value> returned = fill(builder, map);
  func::ReturnOp::create(builder, loc, returned);
  return program;
}

MinimalProgram tt::check::wholeKernel(KernelOp kernel, const std::vector<HostTensor> &inputs) {
  Block &body = kernel.getBody().front();
  MinimalProgram program = makeProgram(
      kernel.getLoc(), ValueRange(body.getArguments()), kernel.getResultTypes(),
      [&](OpBuilder &builder, IRMapping &map) {
        for (Operation &op : body.without_terminator())
          builder.clone(op, map);
        SmallVector<Value> results;
        for (Value value : body.getTerminator()->getOperands())
          results.push_back(map.lookup(value));
        return results;
      });
  program.inputs = inputs;
  return program;
}

MinimalProgram tt::check::singleOp(Operation *op, const KernelValues &values) {
  SmallVector<Value> operands;
  std::vector<HostTensor> inputs;
  for (Value operand : op->getOperands()) {
    auto found = values.find(operand);
    if (llvm::is_contained(operands, operand) || found == values.end())
      continue;
    operands.push_back(operand);
    inputs.push_back(found->second);
  }
  MinimalProgram program =
      makeProgram(op->getLoc(), operands, op->getResultTypes(),
                  [&](OpBuilder &builder, IRMapping &map) {
                    Operation *copy = builder.clone(*op, map);
                    return SmallVector<Value>(copy->getResults());
                  });
  program.inputs = std::move(inputs);
  return program;
}

bool tt::check::writeProgram(MinimalProgram &program, const std::string &base,
                             const std::string &comment, std::string &error) {
  std::string text = comment;
  llvm::raw_string_ostream out(text);
  program.module->print(out);
  out << "\n";
  char problem[512] = "";
  runtime::ErrorText sink{problem, sizeof problem};
  runtime::AtomicFile file;
  if (!file.open((base + ".mlir").c_str(), sink) ||
      !file.write(text.data(), text.size(), sink) || !file.commit(sink)) {
    error = problem;
    return false;
  }
  std::vector<Encoded> kept;
  std::vector<support::SafetensorsInput> tensors;
  for (auto [type, value] : llvm::zip(program.function.getArgumentTypes(), program.inputs))
    kept.push_back(encode(value, dtypeOf(getElementTypeOrSelf(type))));
  for (auto [i, value] : llvm::enumerate(kept))
    tensors.push_back({"arg" + std::to_string(i), value.dtype, value.shape,
                       value.bytes.data()});
  return support::writeSafetensorsFile(base + ".safetensors", tensors, {}, error);
}
