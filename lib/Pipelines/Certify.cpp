//===- Certify.cpp - The certificate of a library -------------------------===//
#include "Certify.h"
#include "Stages.h"
#include "tt/AD/Passes.h"
#include "tt/Certify/Twin.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <set>

using namespace mlir;
using namespace tt;
using certify::Part;

Certifier::Certifier(const CompileOptions &options, uint32_t levels)
    : options(options), levels(levels) {
  this->options.warn = {}; // of the model, not of its twin
  result.version = options.version;
  result.seed = options.certifySeed;
}

bool Certifier::runPart(StringRef name, std::string &error, const Body &body) {
  auto start = std::chrono::steady_clock::now();
  result.parts.emplace_back();
  Part &part = result.parts.back();
  part.name = name.str();
  bool done = body(part);
  part.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (!done) // without an error of its own: the caller has the diagnostics
    return false;
  if (part.findings.empty() || part.failure()) {
    error = result.failure();
    return false;
  }
  std::string line;
  llvm::raw_string_ostream stream(line);
  stream << "certified " << name << ": " << part.findings.size() << " checks, "
         << llvm::format("%.1f", part.seconds) << " s";
  if (!part.note.empty())
    stream << " (" << part.note << ")";
  std::set<std::string> kinds; // one line, however many ops
  for (const reference::LeftOutCheck &left : part.leftOut)
    if (kinds.insert(left.op).second)
      stream << "; " << left.check << " left out: '" << left.op << "' " << left.why;
  if (options.progress)
    options.progress(line);
  return true;
}

bool Certifier::checkTwin(ModuleOp graph, std::string &error) {
  registerADPasses(); // the reference room runs them by name
  certify::TwinReport report;
  OwningOpRef<ModuleOp> twin = certify::makeTwin(graph, options.function, report, error);
  if (!twin)
    return false;
  // The pair as it is compiled: later passes on it are part of what is checked.
  auto asCompiled = [&](ModuleOp pair, std::string &) {
    return succeeded(runPairStage(pair, options));
  };
  bool done = runPart("gradients", error, [&](Part &part) {
    part.note = (report.isShrunken ? Twine("twin of ") : Twine("the graph itself, ")) .str() +
                std::to_string(report.elements) + " elements, " +
                std::to_string(report.removedCalls) + " repeated layers left out";
    return certify::checkTwinGradients(*twin, result.seed, asCompiled,
                                       options.allowUnreached, part, error);
  });
  return done && runPart("same bits", error, [&](Part &part) {
           return checkSameBits(*twin, part, error);
         });
}
