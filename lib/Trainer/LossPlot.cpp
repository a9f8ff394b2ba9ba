#include "tt/Trainer/LossPlot.h"

#include "tt/Support/Escape.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

using namespace tt::trainer;

namespace {

constexpr double kWidth = 840, kHeight = 480;
constexpr double kLeft = 64, kRight = 24, kTop = 48, kBottom = 56;
constexpr char kTrainingColor[] = "#7a9cc6", kMeanColor[] = "#1f4e8c",
               kValidationColor[] = "#c0392b", kBaselineColor[] = "#555555";

struct Point {
  double step, loss;
};
using Curve = std::vector<Point>;

/// The area with its scales.
class Canvas {
public:
  Canvas(int64_t steps, double low, double high)
      : steps(static_cast<double>(std::max<int64_t>(steps, 1))) {
    double pad = high > low ? (high - low) * 0.06 : 0.5;
    bottom = low - pad;
    top = high + pad;
  }

  double x(double step) const {
    return kLeft + step / steps * (kWidth - kLeft - kRight);
  }
  double y(double loss) const {
    return kTop + (top - loss) / (top - bottom) * (kHeight - kTop - kBottom);
  }
  void drawAxes(std::string &svg) const;
  void drawCurve(std::string &svg, const Curve &curve, const char *color,
                 double width) const;

private:
  double steps, bottom, top;
};

} // namespace

/// 1, 2 or 5 times a power of ten that cuts `range` in about `parts`.
static double tickStep(double range, int parts) {
  double raw = range / parts;
  double power = std::pow(10, std::floor(std::log10(raw)));
  double digit = raw / power;
  return power * (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10);
}

static void drawText(std::string &svg, double x, double y, const char *anchor,
                     const std::string &text, const char *color = "#333333") {
  svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" "
                     "fill=\"{}\">{}</text>\n",
                     x, y, anchor, color, tt::support::escapeXml(text));
}

static void drawLine(std::string &svg, double x0, double y0, double x1,
                     double y1, const char *color, const char *dashes = "") {
  svg += fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" "
                     "y2=\"{:.1f}\" stroke=\"{}\"{}/>\n",
                     x0, y0, x1, y1, color, dashes);
}

void Canvas::drawAxes(std::string &svg) const {
  double stepX = std::max(1.0, tickStep(steps, 8));
  for (int i = 0; i * stepX <= steps; ++i) {
    drawLine(svg, x(i * stepX), kTop, x(i * stepX), kHeight - kBottom,
             "#eeeeee");
    drawText(svg, x(i * stepX), kHeight - kBottom + 18, "middle",
             fmt::format("{:.0f}", i * stepX));
  }
  double stepY = tickStep(top - bottom, 6);
  for (double i = std::ceil(bottom / stepY); i * stepY <= top; ++i) {
    drawLine(svg, kLeft, y(i * stepY), kWidth - kRight, y(i * stepY),
             "#eeeeee");
    // + 0.0: no "-0".
    drawText(svg, kLeft - 8, y(i * stepY) + 4, "end",
             fmt::format("{:.4g}", i * stepY + 0.0));
  }
  drawLine(svg, kLeft, kTop, kLeft, kHeight - kBottom, "#333333");
  drawLine(svg, kLeft, kHeight - kBottom, kWidth - kRight, kHeight - kBottom,
           "#333333");
  drawText(svg, (kLeft + kWidth - kRight) / 2, kHeight - 16, "middle", "step");
  drawText(svg, 8, kTop - 12, "start", "loss (nats per token)");
}

void Canvas::drawCurve(std::string &svg, const Curve &curve, const char *color,
                       double width) const {
  std::string path;
  bool isOpen = false;
  for (const Point &point : curve) {
    if (std::isfinite(point.loss))
      path += fmt::format("{}{:.1f} {:.1f}", isOpen ? "L" : "M", x(point.step),
                          y(point.loss));
    isOpen = std::isfinite(point.loss);
  }
  if (!path.empty())
    svg += fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" "
                       "stroke-width=\"{}\" stroke-linecap=\"round\"/>\n",
                       path, color, width);
}

/// At most `count` points, each the mean of neighbours.
static Curve thin(const Curve &curve, size_t count) {
  size_t group = (curve.size() + count - 1) / count;
  if (group <= 1)
    return curve;
  Curve result;
  for (size_t i = 0; i < curve.size(); i += group) {
    Point sum = {0, 0};
    size_t end = std::min(curve.size(), i + group);
    for (size_t j = i; j < end; ++j) {
      sum.step += curve[j].step;
      sum.loss += curve[j].loss;
    }
    auto size = static_cast<double>(end - i);
    result.push_back({sum.step / size, sum.loss / size});
  }
  return result;
}

static void drawLegend(std::string &svg, const LossPlot &plot) {
  double y = kTop + 16;
  auto entry = [&](const char *color, const std::string &text) {
    double x = kWidth - kRight - 210;
    svg += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"18\" "
                       "height=\"4\" fill=\"{}\"/>\n",
                       x, y - 6, color);
    drawText(svg, x + 26, y, "start", text);
    y += 18;
  };
  entry(kMeanColor, "training");
  entry(kValidationColor, "validation");
  if (std::isfinite(plot.baseline))
    entry(kBaselineColor,
          fmt::format("{} {:.4f}", plot.baselineLabel, plot.baseline));
}

std::string tt::trainer::drawLossPlot(const LossPlot &plot,
                                      const std::vector<LogRow> &rows) {
  Curve training, validation;
  int64_t lastStep = plot.steps;
  double low = INFINITY, high = -INFINITY;
  auto add = [&](Curve &curve, int64_t step, double loss) {
    curve.push_back({static_cast<double>(step), loss});
    if (std::isfinite(loss)) {
      low = std::min(low, loss);
      high = std::max(high, loss);
    }
  };
  for (const LogRow &row : rows) {
    lastStep = std::max(lastStep, row.step);
    if (row.loss)
      add(training, row.step, *row.loss);
    if (row.validationLoss)
      add(validation, row.step, *row.validationLoss);
  }
  bool hasBaseline = std::isfinite(plot.baseline);
  if (hasBaseline) {
    low = std::min(low, plot.baseline);
    high = std::max(high, plot.baseline);
  }
  if (low > high)
    low = 0, high = 1;

  std::string title = support::escapeXml(plot.title);
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" "
      "width=\"{0}\" height=\"{1}\" font-family=\"sans-serif\" "
      "font-size=\"12\" role=\"img\">\n<title>{2}</title>\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n",
      kWidth, kHeight, title);
  svg += fmt::format("<text x=\"{}\" y=\"22\" font-size=\"15\" "
                     "text-anchor=\"middle\" fill=\"#111111\">{}</text>\n",
                     kWidth / 2, title);
  Canvas canvas(lastStep, low, high);
  canvas.drawAxes(svg);
  canvas.drawCurve(svg, thin(training, 2000), kTrainingColor, 0.8);
  canvas.drawCurve(svg, thin(training, 100), kMeanColor, 2);
  canvas.drawCurve(svg, validation, kValidationColor, 2);
  if (hasBaseline)
    drawLine(svg, kLeft, canvas.y(plot.baseline), kWidth - kRight,
             canvas.y(plot.baseline), kBaselineColor,
             " stroke-dasharray=\"6 4\"");
  drawLegend(svg, plot);
  return svg + "</svg>\n";
}
