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
  line("parameters", report.parameters);
  line("optimizer state", report.state);
  line("gradients", report.gradients);
  line("activations", report.activations);
  line("workspace", report.workspace);
  line("inputs", report.io);
  line(("workers (" + llvm::Twine(threads) + ")").str(), workers);
  line("total", report.parameters + report.state + report.gradients +
                    report.activations + report.workspace + report.io + workers);
  for (const auto &[name, bytes] : report.perEntry)
    line("arena of " + name, bytes);
  return text;
}
