#include "tt/Trainer/LossPlot.h"

#include "gtest/gtest.h"

#include <cmath>

using namespace tt::trainer;

static std::vector<LogRow> rowsOf(int64_t count) {
  std::vector<LogRow> rows;
  for (int64_t step = 1; step <= count; ++step) {
    LogRow row;
    row.step = step;
    row.loss = 2.0f + 1.0f / static_cast<float>(step);
    if (step % 10 == 0)
      row.validationLoss = 2.5f;
    rows.push_back(row);
  }
  return rows;
}

static size_t countOf(const std::string &text, const std::string &part) {
  size_t count = 0;
  for (size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at)
    ++count;
  return count;
}

TEST(LossPlot, EscapesItsTexts) {
  LossPlot plot;
  plot.title = "<script>alert(\"1\")</script> & ]]> \x1b[31m \xff";
  plot.baselineLabel = "<b>";
  std::string svg = drawLossPlot(plot, rowsOf(20));
  EXPECT_EQ(svg.find("<script"), std::string::npos);
  EXPECT_EQ(svg.find("<b>"), std::string::npos);
  EXPECT_EQ(svg.find('\x1b'), std::string::npos);
  EXPECT_EQ(svg.find('\xff'), std::string::npos);
  EXPECT_NE(svg.find("&lt;script&gt;"), std::string::npos);
  EXPECT_NE(svg.find("&lt;b&gt; 0.0000"), std::string::npos);
}

TEST(LossPlot, HasTwoCurvesAndABaseline) {
  LossPlot plot;
  plot.steps = 100;
  plot.baseline = 2.25;
  std::string svg = drawLossPlot(plot, rowsOf(100));
  EXPECT_EQ(countOf(svg, "<path"), 3u); // training, its mean, validation
  EXPECT_EQ(countOf(svg, "stroke-dasharray"), 1u);
  EXPECT_NE(svg.find("bigram baseline 2.2500"), std::string::npos);
  EXPECT_EQ(svg, drawLossPlot(plot, rowsOf(100)));
  EXPECT_EQ(svg.substr(svg.size() - 7), "</svg>\n");
}

TEST(LossPlot, LeavesGapsForWhatIsNotFinite) {
  std::vector<LogRow> rows = rowsOf(9);
  rows[3].loss = NAN;
  rows[5].loss = INFINITY;
  std::string svg = drawLossPlot({}, rows);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
  size_t path = svg.find("<path d=\"");
  std::string curve = svg.substr(path, svg.find('>', path) - path);
  EXPECT_EQ(countOf(curve, "M"), 3u);
}

TEST(LossPlot, DrawsNothingAndOnePointAndOneValue) {
  LossPlot plot;
  plot.baseline = NAN;
  for (const auto &rows : {std::vector<LogRow>(), rowsOf(1)}) {
    std::string svg = drawLossPlot(plot, rows);
    EXPECT_EQ(svg.find("nan"), std::string::npos);
    EXPECT_EQ(svg.find("inf"), std::string::npos);
    EXPECT_NE(svg.find("</svg>"), std::string::npos);
  }
}

TEST(LossPlot, StaysSmallForLongRuns) {
  LossPlot plot;
  plot.steps = 200000;
  EXPECT_LT(drawLossPlot(plot, rowsOf(200000)).size(), 400000u);
}
