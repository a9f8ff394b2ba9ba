//===- MemoryReport.cpp - Memory as text ----------------------------------===//
#include "tt/Pipelines/Compile.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

std::string tt::formatMemory(const MemoryReport &report, unsigned threads) {
  std::string text;
  llvm::raw_string_ostream out(text);
  auto line = [&](llvm::StringRef name, uint64_t bytes) {
    out << llvm::format("  %-18s %15llu bytes  %9.2f MiB\n", name.str().c_str(),
                        (unsigned long long)bytes, bytes / 1048576.0);
  };
  uint64_t workers = report.workerBytes * threads;
  uint64_t control = report.control + report.controlPerWorker * threads;
  out << "memory for " << threads << (threads == 1 ? " thread" : " threads")
      << "; gradients, activations and workspace at the arena's peak\n";
  line("parameters", report.parameters);
  line("optimizer state", report.state);
  line("gradients", report.gradients);
  line("activations", report.activations);
  line("kernel workspace", report.workspace);
  line("worker scratch", workers);
  line("inputs and outputs", report.io);
  line("control", control);
  line("total", report.parameters + report.state + report.gradients +
                    report.activations + report.workspace + report.io + workers + control);
  if (report.selfcheckScratch)
    line("self-check, on top", report.selfcheckScratch);
  for (const auto &[name, bytes] : report.perEntry)
    line("arena of " + name, bytes);
  return text;
}
