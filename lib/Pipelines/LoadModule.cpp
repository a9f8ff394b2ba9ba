//===- LoadModule.cpp - User files to modules -----------------------------===//
#include "tt/Pipelines/LoadModule.h"
#include "Stages.h"
#include "tt/AD/OutlineRules.h"

#include "tt/IR/TTDialect.h"
#include "tt/Support/SourcePrescan.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tt;

void tt::loadGraphDialects(MLIRContext &context) {
  context.loadDialect<TTDialect, func::FuncDialect, arith::ArithDialect>();
}

static void printLocation(llvm::raw_ostream &out, Location location) {
  auto file = location->findInstanceOf<FileLineColLoc>();
  if (file) // the module itself is at 0:0
    out << file.getFilename().getValue() << ":" << std::max(file.getLine(), 1u) << ":"
        << std::max(file.getColumn(), 1u) << ": ";
}

DiagnosticText::DiagnosticText(MLIRContext &context) : context(context) {
  // The first line names the op and its place; all of the op is no help.
  context.printOpOnDiagnostic(false);
  handler = context.getDiagEngine().registerHandler([this](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
      return success();
    if (!collected.empty())
      return success();
    llvm::raw_string_ostream out(collected);
    printLocation(out, diagnostic.getLocation());
    out << "error: " << diagnostic.str();
    // One line each: a note may hold a whole op.
    for (Diagnostic &note : diagnostic.getNotes()) {
      if (StringRef(note.str()).starts_with("Available dialects"))
        continue; // hintFor says it in our words
      out << "\n";
      printLocation(out, note.getLocation());
      out << "note: " << StringRef(note.str()).split('\n').first;
    }
    return success();
  });
}

DiagnosticText::~DiagnosticText() { context.getDiagEngine().eraseHandler(handler); }

/// What to do instead of an op whose dialect is not loaded, or "".
static StringRef hintFor(StringRef error) {
  if (error.contains("Dialect `scf' not found") ||
      error.contains("Dialect `cf' not found"))
    return "\nnote: a graph has no control flow that depends on data: choose between "
           "values with tt.select, run a layer several times with tt.repeat";
  if (error.contains("static") && error.contains("tensor<") && error.contains('?'))
    return "\nnote: sizes are fixed when compiling: write a graph for each of a few sizes "
           "(buckets) and fill inputs up to the next one";
  if (error.contains("Dialect `") || error.contains("unregistered ") ||
      error.contains("expected operation name in quotes") || error.contains("custom op '"))
    return "\nnote: a graph has ops of tt, calls of functions and func.return";
  return "";
}

OwningOpRef<ModuleOp> tt::loadModule(MLIRContext &context, const std::string &path,
                                     std::string &error) {
  // A device may have no end, a pipe no writer.
  llvm::sys::fs::file_status status;
  using Kind = llvm::sys::fs::file_type;
  bool isThere = !llvm::sys::fs::status(path, status);
  bool isDevice = isThere && (status.type() == Kind::character_file ||
                              status.type() == Kind::block_file);
  if (isDevice || (isThere && status.type() == Kind::fifo_file)) {
    error = path + ": error: found a " + (isDevice ? "device" : "pipe") + ", wanted a file";
    return nullptr;
  }
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> file =
      llvm::MemoryBuffer::getFile(path);
  if (!file) {
    error = path + ": error: cannot read: " + file.getError().message();
    return nullptr;
  }
  StringRef text = (*file)->getBuffer();
  if (auto problem = support::prescanSource(std::string_view(text.data(), text.size()))) {
    error = problem->message(path);
    return nullptr;
  }
  DiagnosticText diagnostics(context);
  ParserConfig config(&context);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, config, path);
  if (!module || failed(verify(*module)) || failed(checkTypes(*module)) ||
      failed(checkSizes(*module)) || failed(checkAttributes(*module)) ||
      failed(checkExpansion(*module))) {
    error = diagnostics.text();
    error += hintFor(error);
    if (!module && !text.contains("func.func"))
      error += "\nnote: found no func.func in the file: a graph is text of functions of tt ops";
    if (error.empty())
      error = path + ":1:1: error: expected a module of tt functions";
    return nullptr;
  }
  outlineRules(*module);
  if (module->getOps<func::FuncOp>().empty()) {
    error = path + ":1:1: error: expected at least one function, found none";
    return nullptr;
  }
  return module;
}
