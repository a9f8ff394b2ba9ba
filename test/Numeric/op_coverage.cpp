//===- op_coverage.cpp - The page of what each op has ---------------------===//
//
// usage: op-coverage [FILE.md]
//
// Walks the registered ops and writes a table: rules, decomposition, interpreter,
// CPU, GPU, rows of the op table. A cell that is empty must be explained by the
// table below; an explanation that is not needed is an error too.
//
//===----------------------------------------------------------------------===//
#include "OpTable.h"
#include "Program.h"

#include "tt/AD/Passes.h"
#include "tt/IR/TTOps.h"
#include "tt/Lowering/CPU/EmitKernel.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/raw_ostream.h"

#include <fstream>
#include <iostream>
#include <map>
#include <sstream>

using namespace tt::test;

namespace {

enum Column { Rules, Decomposition, Interpreter, Cpu, Tests, kColumns };
const char *const kTitles[kColumns] = {"VJP and JVP", "decomposition", "interpreter", "CPU",
                                       "rows of the op table"};

const char *const kKernelLevel = "kernel level: made after differentiation";
const char *const kUpdate = "part of the update, which nothing differentiates";
const char *const kCall = "a call of its function by then";
const char *const kNoOperand = "no differentiable operand";
const char *const kStep = "a place in storage, no value: the kernels of a step run as tt.kernel";
const char *const kHost = "the step's list, which the runtime walks";
const char *const kKernelTests = "test/dialect/tt/Kernel, test/Kernels, test/Unit/Lowering";

/// Why a cell is empty.
struct Reason {
  const char *op;
  Column column;
  const char *why;
};
const Reason kReasons[] = {
    {"adamw", Rules, kUpdate},
    {"adamw", Tests, "test/Numeric/TrainingTest.cpp"},
    {"and", Rules, kNoOperand},
    {"buffer", Rules, kKernelLevel},
    {"buffer", Interpreter, kStep},
    {"buffer", Cpu, kHost},
    {"buffer", Tests, kKernelTests},
    {"call_kernel", Rules, kKernelLevel},
    {"call_kernel", Cpu, kHost},
    {"call_kernel", Tests, kKernelTests},
    {"constant", Rules, kNoOperand},
    {"custom_vjp", Cpu, kCall},
    {"dequantise", Rules, kNoOperand},
    {"dropout_tile", Rules, "inside of tiled kernels, made after differentiation"},
    {"dropout_tile", Cpu, "stands in loops that the emitter of attention replaces"},
    {"dropout_tile", Tests, "test/Unit/Attention, test/dialect/tt/Random"},
    {"floor_div", Rules, kNoOperand},
    {"global_norm", Rules, kUpdate},
    {"global_norm", Tests, "test/Numeric/TrainingTest.cpp"},
    {"grad_transform", Cpu, "gone before kernels are made"},
    {"iota", Rules, kNoOperand},
    {"kernel", Rules, kKernelLevel},
    {"kernel", Interpreter, "run by name, as a function"},
    {"kernel", Cpu, "what emitKernel is given"},
    {"kernel", Tests, kKernelTests},
    {"launch", Rules, kKernelLevel},
    {"launch", Interpreter, kStep},
    {"launch", Cpu, kHost},
    {"launch", Tests, kKernelTests},
    {"not", Rules, kNoOperand},
    {"one_hot", Rules, kNoOperand},
    {"or", Rules, kNoOperand},
    {"random_normal", Rules, kNoOperand},
    {"random_uniform", Rules, kNoOperand},
    {"rem", Rules, kNoOperand},
    {"remat_barrier", Rules, "put in after differentiation"},
    {"remat_barrier", Tests, "test/Remat, test/Unit/Remat"},
    {"repeat", Rules, kCall},
    {"repeat", Cpu, kCall},
    {"rng_fold", Rules, kNoOperand},
    {"rng_fold", Tests, "test/Numeric/TrainingTest.cpp"},
    {"rng_key", Rules, kNoOperand},
    {"rng_key", Tests, "test/Numeric/TrainingTest.cpp"},
    {"step", Rules, kKernelLevel},
    {"step", Interpreter, kStep},
    {"step", Cpu, kHost},
    {"step", Tests, kKernelTests},
    {"sum_squares", Rules, kUpdate},
    {"sum_squares", Tests, "test/Numeric/TrainingTest.cpp"},
    {"view", Rules, kKernelLevel},
    {"view", Interpreter, kStep},
    {"view", Cpu, kHost},
    {"view", Tests, kKernelTests},
    {"xor", Rules, kNoOperand},
    {"yield", Rules, kKernelLevel},
    {"yield", Interpreter, "the end of a kernel's body"},
    {"yield", Cpu, "the end of a kernel's body"},
    {"yield", Tests, kKernelTests},
};

/// Ops that no row of the table holds, for the question whether the CPU has them.
const char *const kMore = R"(
  func.func @f(%k: tensor<2xi32>, %s: tensor<i64>, %x: tensor<4xf32>, %c: tensor<f32>, %o: tensor<i32>) {
    %r = tt.rng_key %s, %s : (tensor<i64>, tensor<i64>) -> tensor<2xi32>
    %0 = tt.rng_fold %k site = 1 : tensor<2xi32>
    %1 = tt.sum_squares %x : tensor<4xf32> -> tensor<f64>
    %n, %l, %i = tt.global_norm %1 max_norm = 1.0 : (tensor<f64>) -> (tensor<f32>, tensor<f32>, tensor<i32>)
    %p, %m, %v = tt.adamw %x, %x, %x, %x, %c, %s, %c, %o beta1 = 0.9 beta2 = 0.95 eps = 1.0e-8 weight_decay = 0.1 : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<i64>, tensor<f32>, tensor<i32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
    %b = tt.remat_barrier %x after %p : tensor<4xf32>, tensor<4xf32>
    %q = tt.iota dim = 0 : tensor<4xi32>
    return
  })";

/// What the programs of the op table show of an op.
struct Seen {
  int rows = 0;
  bool hasEmitter = false, lacksEmitter = false;
};

using SeenByName = std::map<std::string, Seen>;

void look(mlir::ModuleOp module, SeenByName &seen, bool isRow) {
  std::map<std::string, bool> here;
  module.walk([&](mlir::Operation *op) {
    std::string name = op->getName().getStringRef().str();
    Seen &entry = seen[name];
    (tt::cpu::hasEmitter(op) ? entry.hasEmitter : entry.lacksEmitter) = true;
    here[name] = true;
  });
  for (auto &entry : here)
    seen[entry.first].rows += isRow;
}

SeenByName lookAtAll() {
  SeenByName seen;
  for (const OpCase &row : opTable()) {
    Program program(row.text);
    mlir::PassManager passes(program.module().getContext());
    tt::AutodiffPassOptions options;
    options.function = "f";
    options.wrt = row.wrt;
    options.allowUnreached = true;
    passes.addPass(tt::createExpandRepeatPass());
    passes.addPass(tt::createAutodiffPass(options));
    mlir::ModuleOp module = program.module();
    bool repeats = false; // gone after the passes
    module.walk([&](tt::RepeatOp) { repeats = true; });
    seen["tt.repeat"].rows += repeats;
    if (failed(passes.run(module)))
      std::cerr << "error: " << row.name << " cannot be differentiated\n";
    look(module, seen, true);
  }
  Program more(kMore);
  look(more.module(), seen, false);
  return seen;
}

/// The text of a cell; "" if it has nothing.
std::string cell(mlir::RegisteredOperationName op, const Seen &seen, Column column) {
  bool decomposes = op.hasInterface<tt::DecomposableOpInterface>();
  bool hasRules = op.hasInterface<tt::DifferentiableOpInterface>();
  switch (column) {
  case Rules:
    return hasRules ? "own" : decomposes ? "of its parts" : "";
  case Decomposition:
    return decomposes ? "yes" : "primitive";
  case Interpreter:
    return tt::reference::isKnown(op) ? "yes" : "";
  case Cpu:
    if (seen.lacksEmitter && decomposes)
      return seen.hasEmitter ? "emitter; some forms through their parts" : "its parts";
    return seen.hasEmitter ? "emitter" : "";
  case Tests:
    return seen.rows ? std::to_string(seen.rows) : "";
  case kColumns:
    break;
  }
  return "";
}

/// Writes one row; false if a hole is not explained.
bool writeRow(std::ostream &out, mlir::RegisteredOperationName op, const Seen &seen,
              std::vector<bool> &used, std::vector<std::string> &notes) {
  std::string name = op.stripDialect().str();
  bool ok = true;
  out << "| " << name;
  for (int column = 0; column < kColumns; ++column) {
    std::string text = cell(op, seen, Column(column));
    if (text.empty()) {
      const Reason *found = nullptr;
      for (size_t i = 0; i < std::size(kReasons); ++i)
        if (name == kReasons[i].op && kReasons[i].column == column) {
          found = &kReasons[i];
          used[i] = true;
        }
      if (!found) {
        std::cerr << "error: tt." << name << " has no " << kTitles[column]
                  << " and no reason in op_coverage.cpp\n";
        ok = false;
      } else {
        auto note = std::find(notes.begin(), notes.end(), found->why);
        if (note == notes.end())
          note = notes.insert(notes.end(), found->why);
        text = "- [" + std::to_string(note - notes.begin() + 1) + "]";
      }
    }
    out << " | " << text;
  }
  out << " |\n";
  return ok;
}

} // namespace

int main(int argc, char **argv) {
  SeenByName seen = lookAtAll();
  std::ostringstream page;
  page << "# Coverage of the ops\n\nMade from the code by `op-coverage`. \"of its parts\": "
          "through the decomposition. There is no GPU code yet, for any op.\n\n| op";
  for (const char *title : kTitles)
    page << " | " << title;
  page << " |\n|---|---|---|---|---|---|\n";

  Program any("func.func @f() { return }");
  std::vector<bool> used(std::size(kReasons));
  std::vector<std::string> notes;
  bool ok = true;
  std::map<std::string, mlir::RegisteredOperationName> ops; // by name
  for (mlir::RegisteredOperationName op :
       any.module().getContext()->getRegisteredOperations())
    if (op.getDialectNamespace() == "tt")
      ops.insert({op.getStringRef().str(), op});
  for (auto &[name, op] : ops)
    ok &= writeRow(page, op, seen[name], used, notes);
  page << "\n";
  for (size_t i = 0; i < notes.size(); ++i)
    page << "[" << i + 1 << "] " << notes[i] << "\n\n";
  for (size_t i = 0; i < used.size(); ++i)
    if (!used[i]) {
      std::cerr << "error: the reason for tt." << kReasons[i].op << ", "
                << kTitles[kReasons[i].column] << ", is not needed\n";
      ok = false;
    }
  std::cout << ops.size() << " ops, " << (ok ? "every hole explained" : "with holes") << "\n";
  if (argc > 1) {
    std::ofstream file(argv[1]);
    file << page.str();
    ok &= bool(file.flush());
  }
  return ok && !ops.empty() ? 0 : 1;
}
