//===- DifferenceChecks.cpp - Gradients against differences of phi --------===//
#include "GradientChecker.h"

using namespace tt::reference;
using Checker = GradientChecker;

static constexpr double kLinearBound = 1e-13; // Taylor remainder of a linear phi
static constexpr double kSlopeBound = 1.9;    // of log remainder over log h
static constexpr double kCentralBound = 1e-8; // with one Richardson step

/// |phi(x + h v) - phi(x) - h <g, v>| falls like h^2. r(h) adds the remainders
/// for h and -h: about twice the larger of the even and the odd part, so that
/// terms of h^2 and h^3 cannot cancel. The slope is that of the two smallest h
/// whose r stands clear of rounding. Fewer than three such h bound the error of
/// g by 7e-12 of phi's terms.
bool Checker::tryTaylor(const Direction &direction, int firstPower) {
  double slopeAlongV = dot(g, direction.v);
  double scale = phiMagnitude + dotOfMagnitudes(g, direction.v);
  std::vector<double> points; // log2 r for h = 2^-firstPower, ...
  double largest = 0;
  for (int k = firstPower; k <= firstPower + 8; ++k) {
    double h = std::ldexp(1.0, -k);
    double r = std::fabs(phi(direction.v, h) - phiAtX - h * slopeAlongV) +
               std::fabs(phi(direction.v, -h) - phiAtX + h * slopeAlongV);
    if (std::isnan(r)) {
      add("taylor", direction, r, kSlopeBound, "not finite");
      report.rows.back().isLowerBound = true;
      return false;
    }
    largest = std::max(largest, r);
    if (r <= kLinearBound * scale)
      break; // smaller ones are rounding
    points.push_back(std::log2(r));
  }
  if (points.size() < 3) {
    add("taylor", direction, scale > 0 ? largest / scale : largest,
        points.empty() ? kLinearBound : 1e-8, "linear to rounding");
    return report.rows.back().passed;
  }
  double slope = points[points.size() - 2] - points.back();
  add("taylor", direction, slope, kSlopeBound);
  report.rows.back().isLowerBound = true;
  return report.rows.back().passed = slope >= kSlopeBound;
}

/// Where phi turns between x - h v and x + h v (what an op decides by its inputs is
/// held, but a tt.pow near 0 or a saturated curve is not) the slope of a right gradient
/// is spoilt, the less the smaller h; a wrong one has slope 1 for every h. So a failure
/// is tried again with smaller steps, and the note says that it was. With the
/// smallest, "linear to rounding" bounds the error of g by 4e-7 of phi's terms:
/// what is less is left to the other checks.
void Checker::checkTaylor(const Direction &direction) {
  trySteps({4, 12, 20}, [&](int power) { return tryTaylor(direction, power); });
}

void Checker::trySteps(std::initializer_list<int> powers,
                       llvm::function_ref<bool(int)> attempt) {
  for (int power : powers) {
    bool passed = attempt(power);
    if (!report.error.empty())
      return;
    std::string &note = report.rows.back().note;
    if (power != *powers.begin() && (passed || note.empty()))
      note = (note.empty() ? "" : note + "; ") +
             (passed ? "phi turns within larger steps than 2^-" + std::to_string(power)
                     : "with small steps too");
    if (passed)
      return;
    if (power != *std::prev(powers.end()))
      report.rows.pop_back();
  }
}

/// (4 D(h/2) - D(h)) / 3 with D(h) the central difference quotient.
bool Checker::tryCentral(const Direction &direction, int power) {
  auto quotient = [&](double h) {
    return (phi(direction.v, h) - phi(direction.v, -h)) / (2 * h);
  };
  double h = std::ldexp(1.0, -power);
  double derivative = (4 * quotient(h / 2) - quotient(h)) / 3;
  double scale = scaleAlong(direction);
  double difference = std::fabs(derivative - dot(g, direction.v));
  add("central", direction, scale > 0 ? difference / scale : difference,
      kCentralBound);
  return report.rows.back().passed;
}

/// Tried again with a smaller step for the reason given at checkTaylor.
void Checker::checkCentral(const Direction &direction) {
  trySteps({10, 15, 20}, [&](int power) { return tryCentral(direction, power); });
}

/// Says so where an op decides otherwise beside the point, within the smallest step: the
/// derivative is then that of the piece which each op takes, not that of a difference.
void Checker::noteHeld(const Direction &direction, GradientCheckRow &row) {
  constexpr double h = 0x1p-20;
  auto difference = [&](bool holds) {
    recording.holdsDecisions = holds;
    double along = phi(direction.v, h) - phi(direction.v, -h);
    recording.holdsDecisions = true;
    return along;
  };
  double change = std::fabs(difference(true) - difference(false));
  if (change > 1e-3 * h * scaleAlong(direction))
    row.note += std::string(row.note.empty() ? "" : "; ") + "ops decide anew within 2^-20";
}
