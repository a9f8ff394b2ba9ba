#include "tt/Frontend/Dropout.h"

#include <cstdio>
#include <cstdlib>

using namespace tt::frontend;

static bool isProbability(const std::string &text, double &p) {
  char *end = nullptr;
  p = std::strtod(text.c_str(), &end);
  return !text.empty() && *end == 0 && p >= 0 && p < 1;
}

bool tt::frontend::applyDropout(const std::string &option, ModelConfig &config,
                                std::string &note, std::string &error) {
  double p = 0;
  if (option == "config")
    return true;
  if (option.empty()) {
    if (double own = largestDropout(config); own > 0) {
      char text[128];
      std::snprintf(text, sizeof text,
                    "built without dropout, the configuration has up to %g; "
                    "--dropout=config takes it over",
                    own);
      note = text;
    }
  } else if (!isProbability(option, p)) {
    error = "--dropout: found \"" + option +
            "\", wanted a number in [0, 1) or \"config\"";
    return false;
  }
  setDropout(config, p);
  return true;
}
