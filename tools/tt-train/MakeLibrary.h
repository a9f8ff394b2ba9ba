// From what the user names to a model library.
#ifndef TT_TOOLS_TT_TRAIN_MAKELIBRARY_H
#define TT_TOOLS_TT_TRAIN_MAKELIBRARY_H

#include "tt/Trainer/Console.h"
#include "tt/Trainer/TrainJob.h"

#include <cstdint>

/// Where the model comes from: one of the paths is set; or none, then it is
/// the library that the run began with.
struct ModelSource {
  std::string config, mlir, library;
  std::string directory; // of the run; what is compiled goes there
  // For config: 0 takes the importer's.
  int64_t batch = 0, context = 0, vocabulary = 0;
  bool ignoreUnknown = false; // keys of config
  std::string dropout;        // for config: "config", a probability, or none
  std::string optimizer = "adamw", checkpoint = "none";
  double weightDecay = 0.1, clipNorm = 1.0;
};

/// `recorded`: the path in the run's checkpoint, or empty. `accept` is asked before
/// the long part of a compilation.
bool makeLibrary(const ModelSource &source, const std::string &recorded,
                 const tt::trainer::AcceptTypes &accept,
                 tt::trainer::Console &console, std::string &path,
                 std::string &error);

#endif
