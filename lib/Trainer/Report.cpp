#include "tt/Trainer/Report.h"

#include <fmt/format.h>

using namespace tt::trainer;

std::string tt::trainer::formatCount(uint64_t count) {
  std::string text = std::to_string(count);
  for (auto at = static_cast<int>(text.size()) - 3; at > 0; at -= 3)
    text.insert(at, ",");
  return text;
}

std::string tt::trainer::formatBytes(uint64_t bytes) {
  constexpr const char *kUnits[] = {"KiB", "MiB", "GiB", "TiB"};
  if (bytes < 1024)
    return fmt::format("{} B", bytes);
  double value = static_cast<double>(bytes) / 1024;
  size_t unit = 0;
  for (; value >= 1023.995 && unit + 1 < std::size(kUnits); ++unit)
    value /= 1024;
  return fmt::format("{:.2f} {}", value, kUnits[unit]);
}

std::string tt::trainer::formatMemory(const tt_sizes &sizes) {
  std::string text =
      fmt::format("memory for {} thread{}, as promised by the library\n",
                  sizes.threads, sizes.threads == 1 ? "" : "s");
  auto line = [&](const char *name, uint64_t bytes) {
    text += fmt::format("  {:<22}{:>16} bytes  {:>11}\n", name,
                        formatCount(bytes), formatBytes(bytes));
  };
  line("parameters", sizes.parameter_bytes);
  line("optimizer state", sizes.state_bytes);
  line("gradients", sizes.gradient_bytes);
  line("activations", sizes.activation_bytes);
  line("kernel workspace", sizes.workspace_bytes);
  line("worker scratch", sizes.worker_bytes);
  line("inputs and outputs", sizes.io_bytes);
  line("control", sizes.instance_bytes);
  line("total", sizes.parameter_bytes + sizes.state_bytes + sizes.arena_bytes +
                    sizes.instance_bytes);
  return text;
}

std::string tt::trainer::formatComparison(double loss, double baseline,
                                          const char *unit,
                                          uint64_t numTargets) {
  double difference = loss - baseline;
  const char *verdict = difference < 0    ? "the model is better"
                        : difference > 0  ? "the bigram model is better"
                        : difference == 0 ? "equal"
                                          : "the loss is not a number";
  return fmt::format(
      "validation loss   {:8.4f}  nats, mean over all {} held-out {}\n"
      "bigram baseline   {:8.4f}  add-one counts of the training part, the "
      "same targets\n"
      "difference        {:+8.4f}  {}\n",
      loss, formatCount(numTargets), unit, baseline, difference, verdict);
}
