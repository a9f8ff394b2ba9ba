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

enum Column { Vjp, Jvp, Decomposition, Interpreter, Cpu, Gpu, Tests, kColumns };
const char *const kTitles[kColumns] = {"VJP", "JVP", "decomposition", "interpreter", "CPU",
                                       "GPU", "rows of the op table"};

const char *const kKernelLevel = "kernel level: made after differentiation";
const char *const kUpdate = "part of the update, which nothing differentiates";
const char *const kCall = "a call of its function by then";
const char *const kNoOperand = "no differentiable operand";
const char *const kStep = "a place in storage, no value: the kernels of a step run as tt.kernel";
const char *const kHost = "the step's list, which the runtime walks";
const char *const kKernelTests = "test/dialect/tt/Kernel, test/Kernels, test/Unit/Lowering";

/// Why a cell is empty, or has a part only.
struct Reason {
  const char *op; // null: of all ops
  Column column;
  const char *why;
};
/// One about VJP is about JVP as well.
const Reason kReasons[] = {
    {nullptr, Gpu, "there is no GPU code yet, for any op"},
    {"adamw", Vjp, kUpdate},
    {"adamw", Tests, "test/Numeric/TrainingTest.cpp"},
    {"and", Vjp, kNoOperand},
    {"buffer", Vjp, kKernelLevel},
    {"buffer", Interpreter, kStep},
    {"buffer", Cpu, kHost},
    {"buffer", Tests, kKernelTests},
    {"call_kernel", Vjp, kKernelLevel},
    {"call_kernel", Cpu, kHost},
    {"call_kernel", Tests, kKernelTests},
    {"constant", Vjp, kNoOperand},
    {"custom_vjp", Cpu, kCall},
    {"dequantise", Vjp, kNoOperand},
    {"dropout_tile", Vjp, "inside of tiled kernels, made after differentiation"},
    {"dropout_tile", Cpu, "stands in loops that the emitter of attention replaces"},
    {"dropout_tile", Tests, "test/Unit/Attention, test/dialect/tt/Random"},
    {"floor_div", Vjp, kNoOperand},
    {"global_norm", Vjp, kUpdate},
    {"global_norm", Tests, "test/Numeric/TrainingTest.cpp"},
    {"grad_transform", Cpu, "gone before kernels are made"},
    {"iota", Vjp, kNoOperand},
    {"kernel", Vjp, kKernelLevel},
    {"kernel", Interpreter, "run by name, as a function"},
    {"kernel", Cpu, "what emitKernel is given"},
    {"kernel", Tests, kKernelTests},
    {"launch", Vjp, kKernelLevel},
    {"launch", Interpreter, kStep},
    {"launch", Cpu, kHost},
    {"launch", Tests, kKernelTests},
    {"not", Vjp, kNoOperand},
    {"one_hot", Vjp, kNoOperand},
    {"or", Vjp, kNoOperand},
    {"random_normal", Vjp, kNoOperand},
    {"random_uniform", Vjp, kNoOperand},
    {"rem", Vjp, kNoOperand},
    {"remat_barrier", Vjp, "put in after differentiation"},
    {"remat_barrier", Tests, "test/Remat, test/Unit/Remat"},
    {"repeat", Vjp, kCall},
    {"repeat", Cpu, kCall},
    {"rng_fold", Vjp, kNoOperand},
    {"rng_fold", Tests, "test/Numeric/TrainingTest.cpp"},
    {"rng_key", Vjp, kNoOperand},
    {"rng_key", Tests, "test/Numeric/TrainingTest.cpp"},
    {"step", Vjp, kKernelLevel},
    {"step", Interpreter, kStep},
    {"step", Cpu, kHost},
    {"step", Tests, kKernelTests},
    {"sum_squares", Vjp, kUpdate},
    {"sum_squares", Tests, "test/Numeric/TrainingTest.cpp"},
    {"view", Vjp, kKernelLevel},
    {"view", Interpreter, kStep},
    {"view", Cpu, kHost},
    {"view", Tests, kKernelTests},
    {"xor", Vjp, kNoOperand},
    {"yield", Vjp, kKernelLevel},
    {"yield", Interpreter, "the end of a kernel's body"},
    {"yield", Cpu, "the end of a kernel's body"},
    {"yield", Tests, kKernelTests},
};

/// What only some forms of an op have.
const Reason kForms[] = {
    {"custom_vjp", Jvp, "if it names a rule of its own for it; else refused by name"},
    {"grad_transform", Jvp, "scale and reverse; clip is no linear map and refused by name"},
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
  bool lacksJvp = false; // some form of it
  bool hasEmitter = false, lacksEmitter = false;
};

using SeenByName = std::map<std::string, Seen>;

/// Builds the derivatives of @f in what the row differentiates.
mlir::LogicalResult differentiate(const OpCase &row, mlir::ModuleOp module,
                                  const char *mode) {
  mlir::PassManager passes(module.getContext());
  tt::AutodiffPassOptions options;
  options.function = "f";
  options.wrt = row.wrt;
  options.mode = mode;
  options.allowUnreached = true;
  passes.addPass(tt::createExpandRepeatPass());
  passes.addPass(tt::createAutodiffPass(options));
  return passes.run(module);
}

/// The op for which a row has no JVP, or "".
std::string withoutJvp(const OpCase &row) {
  Program program(row.text);
  std::string message;
  mlir::ScopedDiagnosticHandler keep(program.module().getContext(),
                                     [&](mlir::Diagnostic &diagnostic) {
                                       message += diagnostic.str();
                                       return mlir::success();
                                     });
  if (succeeded(differentiate(row, program.module(), "jvp")))
    return "";
  size_t begin = message.find("'tt."), end = message.find('\'', begin + 1);
  return end == std::string::npos ? message : message.substr(begin + 1, end - begin - 1);
}

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
    mlir::ModuleOp module = program.module();
    bool repeats = false; // gone after the passes
    module.walk([&](tt::RepeatOp) { repeats = true; });
    seen["tt.repeat"].rows += repeats;
    std::string missing = withoutJvp(row);
    if (!missing.empty())
      seen[missing].lacksJvp = true;
    if (failed(differentiate(row, module, "vjp")))
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
  case Vjp:
    return hasRules ? "own" : decomposes ? "of its parts" : "";
  case Jvp:
    return seen.lacksJvp ? "" : hasRules ? "own" : decomposes ? "of its parts" : "";
  case Decomposition:
    return decomposes ? "yes" : "primitive";
  case Interpreter:
    return tt::reference::isKnown(op) ? "yes" : "";
  case Cpu:
    if (seen.lacksEmitter && decomposes)
      return seen.hasEmitter ? "emitter; some forms through their parts" : "its parts";
    return seen.hasEmitter ? "emitter" : "";
  case Gpu:
    return "";
  case Tests:
    return seen.rows ? std::to_string(seen.rows) : "";
  case kColumns:
    break;
  }
  return "";
}

/// "[N]" of a note below the table.
std::string noteOf(const char *why, std::vector<std::string> &notes) {
  auto note = std::find(notes.begin(), notes.end(), why);
  if (note == notes.end())
    note = notes.insert(notes.end(), why);
  return "[" + std::to_string(note - notes.begin() + 1) + "]";
}

bool explains(const Reason &reason, const std::string &op, Column column) {
  return (!reason.op || op == reason.op) &&
         (reason.column == column || (reason.column == Vjp && column == Jvp));
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
        if (explains(kReasons[i], name, Column(column))) {
          found = &kReasons[i];
          used[i] = true;
        }
      if (!found) {
        std::cerr << "error: tt." << name << " has no " << kTitles[column]
                  << " and no reason in op_coverage.cpp\n";
        ok = false;
      } else {
        text = "- " + noteOf(found->why, notes);
      }
    }
    for (const Reason &form : kForms)
      if (name == form.op && column == form.column)
        text += " " + noteOf(form.why, notes);
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
          "through the decomposition.\n\n| op";
  for (const char *title : kTitles)
    page << " | " << title;
  page << " |\n|";
  for (int column = 0; column <= kColumns; ++column)
    page << "---|";
  page << "\n";

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
      std::cerr << "error: the reason for " << (kReasons[i].op ? kReasons[i].op : "all") << ", "
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
