// The loss over the steps as an SVG picture.
#ifndef TT_TRAINER_LOSSPLOT_H
#define TT_TRAINER_LOSSPLOT_H

#include "tt/Trainer/RunLog.h"

namespace tt::trainer {

struct LossPlot {
  std::string title; // any text; it is escaped
  int64_t steps = 1; // the right end
  double baseline = 0;
  std::string baselineLabel = "bigram baseline";
};

/// A whole SVG document. Same input, same bytes. Losses that are not finite
/// leave gaps.
std::string drawLossPlot(const LossPlot &plot, const std::vector<LogRow> &rows);

} // namespace tt::trainer
#endif
