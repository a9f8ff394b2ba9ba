// The option --dropout of the tools that read a config.json.
#ifndef TT_FRONTEND_DROPOUT_H
#define TT_FRONTEND_DROPOUT_H

#include "tt/Frontend/ModelConfig.h"

#include <string>

namespace tt::frontend {

constexpr char kDropoutHelp[] =
    "Probability of dropout in all places, or \"config\" for the "
    "configuration's own (default: 0)";

/// `option`: a probability for all places, "config" for the configuration's
/// own, or empty for none. `note` then says what of the configuration is left
/// out.
bool applyDropout(const std::string &option, ModelConfig &config,
                  std::string &note, std::string &error);

} // namespace tt::frontend
#endif
