//===- FaultValues.cpp - Found values against right ones ------------------===//
#include "FaultPaths.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace mlir;
using namespace tt::reference;
using namespace tt::test;

static double elementOf(const AnyTensor<double> &value, int64_t i) {
  return value.isFloat() ? value.floats()[i] : double(value.ints().data[i]);
}

static int64_t sizeOf(const AnyTensor<double> &value) {
  return value.isFloat() ? value.floats().size() : int64_t(value.ints().data.size());
}

/// Null if there is none.
static const AnyTensor<double> *find(const Found &found, bool isGradient, unsigned index) {
  if (!isGradient)
    return index < found.results.size() ? &found.results[index] : nullptr;
  auto gradient = found.gradients.find(index);
  return gradient == found.gradients.end() ? nullptr : &gradient->second;
}

static bool isSame(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

static std::string describe(const RightValue &right, int64_t element, double found,
                            double wanted) {
  std::string text;
  llvm::raw_string_ostream(text)
      << right.line << ": element " << element << ": found " << llvm::format("%.9g", found)
      << ", wanted " << llvm::format("%.9g", wanted) << "\n";
  return text;
}

/// "result 0" or "gradient 1" of a line with `as`.
static const AnyTensor<double> *findNamed(const Found &found, StringRef name) {
  auto [kind, number] = name.split(' ');
  unsigned index = 0;
  if ((kind != "result" && kind != "gradient") || number.getAsInteger(10, index))
    return nullptr;
  return find(found, kind == "gradient", index);
}

static std::string differsFrom(const RightValue &right, const AnyTensor<double> &value,
                               const AnyTensor<double> *other) {
  if (!other || sizeOf(*other) != sizeOf(value))
    return right.line + ": no such tensor of this size\n";
  for (int64_t i = 0; i < sizeOf(value); ++i)
    if (!isSame(elementOf(value, i), elementOf(*other, i)))
      return describe(right, i, elementOf(value, i), elementOf(*other, i));
  return "";
}

static double absoluteSum(const AnyTensor<double> &value) {
  double sum = 0;
  for (int64_t i = 0; i < sizeOf(value); ++i)
    sum += std::fabs(elementOf(value, i));
  return sum;
}

/// The right numbers of a line, one for a sum or a single element.
static bool parseWanted(const RightValue &right, const AnyTensor<double> &value,
                        MLIRContext *context, Tensor<double> &wanted, std::string &error) {
  Shape shape = right.form == RightValue::All ? value.shape() : Shape();
  AnyTensor<double> parsed = Tensor<double>{Shape()};
  if (!parseNumbers(right.numbers, RankedTensorType::get(shape, Float64Type::get(context)),
                    parsed, error))
    return false;
  wanted = parsed.floats();
  return true;
}

std::string tt::test::mistakeIn(const FaultFile &fault, const RightValue &right,
                                const Found &found, bool isF32) {
  const AnyTensor<double> *value = find(found, right.isGradient, right.index);
  if (right.form == RightValue::None)
    return value ? right.line + " found a gradient\n" : "";
  if (!value)
    return right.line + ": found none\n";
  if (right.form == RightValue::As)
    return differsFrom(right, *value, findNamed(found, right.numbers));
  if (right.form == RightValue::At && right.element >= sizeOf(*value))
    return right.line + ": no such element\n";
  Tensor<double> wanted{Shape()};
  std::string error;
  if (!parseWanted(right, *value, (*fault.module).getContext(), wanted, error))
    return right.line + ": " + error + "\n";
  for (int64_t i = 0; i < wanted.size(); ++i) {
    int64_t element = right.form == RightValue::At ? right.element : i;
    double have = right.form == RightValue::AbsSum ? absoluteSum(*value)
                                                   : elementOf(*value, element);
    if (!isSame(have, wanted[i]) &&
        !(std::fabs(have - wanted[i]) <= fault.allowed(wanted[i], isF32)))
      return describe(right, element, have, wanted[i]);
  }
  return "";
}

std::string tt::test::mistakesIn(const FaultFile &fault, const Found &found, bool isF32) {
  std::string all;
  for (const RightValue &right : fault.right)
    all += mistakeIn(fault, right, found, isF32);
  return all;
}

void tt::test::forEachPlantedChange(const FaultFile &fault, const RightValue &right,
                                    const Found &found, bool isF32,
                                    llvm::function_ref<void(const Found &)> visit) {
  Found changed = found;
  if (right.form == RightValue::None) {
    changed.gradients[right.index] = fault.inputs[right.index];
    return visit(changed);
  }
  AnyTensor<double> &value =
      right.isGradient ? changed.gradients[right.index] : changed.results[right.index];
  if (!value.isFloat())
    return;
  Tensor<double> &numbers = value.floats();
  if (right.form == RightValue::AbsSum) {
    for (double &x : numbers.data)
      x *= 1 + 3 * fault.allowed(1, isF32);
    return visit(changed);
  }
  bool isWhole = right.form != RightValue::At;
  for (int64_t i = isWhole ? 0 : right.element; i < numbers.size(); ++i) {
    double before = numbers[i];
    if (right.form == RightValue::As)
      numbers[i] = double(std::nextafter(float(before), before > 0 ? 0.0f : 1.0f));
    else if (double step = 3 * fault.allowed(before, isF32); std::isfinite(before))
      numbers[i] = std::max(before + step, std::nextafter(before, HUGE_VAL));
    else
      numbers[i] = 0;
    visit(changed);
    numbers[i] = before;
    if (!isWhole)
      return;
  }
}
