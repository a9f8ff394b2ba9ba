//===- CertifySelfcheck.cpp - What tt_selfcheck will look for -------------===//
#include "Certify.h"

#include <cmath>

using namespace mlir;
using namespace tt;
using certify::Finding;
using certify::Part;

static std::unique_ptr<runtime::Model>
bindModel(const aot::Object &bytes, StringRef name, uint32_t threads, uint32_t level,
          std::string &error) {
  auto library = openBytes(bytes, name, error);
  if (!library)
    return nullptr;
  runtime::ModelOptions options;
  options.threads = threads;
  options.isaLevel = level;
  options.withState = false; // gradients need none
  return runtime::Model::bind(library, options, error);
}

bool Certifier::recordSelfcheck(const aot::Object &library, StringRef name,
                                std::vector<double> &projections, std::string &error) {
  auto model = bindModel(library, name, 1, runnableLevels(levels).front(), error);
  if (!model)
    return false;
  if (model->selfcheckSums(projections))
    return true;
  error = "error: certificate: " + model->error();
  return false;
}

bool Certifier::checkSelfcheck(const aot::Object &library, StringRef name,
                               std::string &error) {
  return runPart("self-check", error, [&](Part &part) {
    for (uint32_t level : runnableLevels(levels)) {
      uint32_t threads = std::min(2u, options.maxThreads);
      auto model = bindModel(library, name, threads, level, error);
      if (!model)
        return false;
      std::vector<double> sums;
      Finding finding;
      finding.check = "self-check";
      finding.subject = std::to_string(threads) + " threads, x86-64-v" + std::to_string(level);
      finding.passed = model->selfcheck(&sums);
      finding.value = finding.passed ? 0 : 1;
      finding.note = finding.passed ? std::to_string(sums.size()) + " signed sums, equal bits"
                                    : model->error();
      part.findings.push_back(finding);
    }
    return true;
  });
}
