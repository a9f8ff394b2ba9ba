//===- FaultFile.cpp - A reported fault with its right values -------------===//
#include "FaultFile.h"

#include "tt/Pipelines/LoadModule.h"

#include "llvm/Support/MemoryBuffer.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace tt;
using namespace tt::reference;
using namespace tt::test;

static bool parseNumber(StringRef text, double &value) {
  bool isNegative = text.starts_with("-");
  StringRef magnitude = text.drop_front(isNegative ? 1 : 0);
  if (magnitude == "inf" || magnitude == "nan") {
    value = magnitude == "inf" ? std::numeric_limits<double>::infinity()
                               : std::numeric_limits<double>::quiet_NaN();
    value = isNegative ? -value : value;
    return true;
  }
  return !text.getAsDouble(value);
}

/// "fill(a,b)" or "full(x)"; false if the text is neither.
static bool parseForm(StringRef text, int64_t count, std::vector<double> &values) {
  auto [name, rest] = text.split('(');
  if (!rest.consume_back(")"))
    return false;
  if (name == "full") {
    double x;
    if (!parseNumber(rest, x))
      return false;
    values.assign(size_t(count), x);
    return true;
  }
  auto [first, second] = rest.split(',');
  int64_t a, b;
  if (name != "fill" || first.trim().getAsInteger(10, a) || second.trim().getAsInteger(10, b))
    return false;
  for (int64_t i = 0; i < count; ++i)
    values.push_back(double((a * i + b) % 129 - 64) / 64);
  return true;
}

bool tt::test::parseNumbers(StringRef numbers, Type type, AnyTensor<double> &value,
                            std::string &error) {
  auto tensor = cast<RankedTensorType>(type);
  int64_t count = tensor.getNumElements();
  std::vector<double> values;
  if (!parseForm(numbers.trim(), count, values)) {
    SmallVector<StringRef> parts;
    numbers.split(parts, ' ', -1, /*KeepEmpty=*/false);
    for (StringRef part : parts) {
      double x;
      if (!parseNumber(part.trim(','), x)) {
        error = "expected a number, but got '" + part.str() + "'";
        return false;
      }
      values.push_back(x);
    }
  }
  if (int64_t(values.size()) != count) {
    error = "expected " + std::to_string(count) + " numbers, but got " +
            std::to_string(values.size()) + " in '" + numbers.str() + "'";
    return false;
  }
  Shape shape(tensor.getShape().begin(), tensor.getShape().end());
  if (isa<FloatType>(tensor.getElementType()))
    value = Tensor<double>(shape, values);
  else
    value = IntTensor(shape, std::vector<int64_t>(values.begin(), values.end()));
  return true;
}

bool FaultFile::readLine(StringRef line, std::string &error) {
  StringRef text = line;
  if (!text.consume_front("// "))
    return true;
  auto [key, numbers] = text.split(':');
  double number = 0;
  if (key == "input") {
    inputLines.push_back(numbers.str());
  } else if (key == "cotangent") {
    cotangentLines.push_back(numbers.str());
  } else if (key == "tolerance" || key == "absolute-tolerance" || key == "f32-tolerance") {
    if (!parseNumber(numbers.trim(), number))
      error = "expected a number in '" + line.str() + "'";
    if (key == "tolerance")
      tolerance = number;
    else
      (key == "f32-tolerance" ? f32Tolerance : absoluteTolerance) = number;
  } else if (key.consume_front("not on ")) {
    notOn[key.str()] = numbers.trim().str();
  } else if (text.contains(':')) {
    readRight(line, key, numbers, error);
  }
  return error.empty();
}

/// A sentence may begin with such a word; a number behind it makes it a line for us.
bool FaultFile::readRight(StringRef line, StringRef key, StringRef numbers,
                          std::string &error) {
  SmallVector<StringRef> words;
  key.split(words, ' ');
  RightValue value;
  if (words.size() < 2 || (words[0] != "result" && words[0] != "gradient") ||
      words[1].getAsInteger(10, value.index))
    return true;
  value.isGradient = words[0] == "gradient";
  value.numbers = numbers.trim().str();
  value.line = line.str();
  StringRef form = words.size() > 2 ? words[2] : "";
  bool wrong = words.size() != (form == "at" ? 4 : form.empty() ? 2 : 3);
  if (form == "abs-sum")
    value.form = RightValue::AbsSum;
  else if (form == "as")
    value.form = RightValue::As;
  else if (form == "at")
    value.form = RightValue::At, wrong |= wrong || words[3].getAsInteger(10, value.element);
  else
    wrong |= !form.empty();
  if (form.empty() && value.numbers == "none")
    value.form = RightValue::None, wrong |= !value.isGradient;
  if (wrong)
    error = "expected 'result N' or 'gradient N' with abs-sum, at N or as, but got '" +
            line.str() + "'";
  else
    right.push_back(std::move(value));
  return error.empty();
}

bool FaultFile::hasGradients() const {
  return llvm::any_of(right, [](const RightValue &value) { return value.isGradient; });
}

double FaultFile::allowed(double wanted, bool isF32) const {
  if (!std::isfinite(wanted))
    return 0;
  double relative = isF32 ? f32Tolerance.value_or(tolerance) : tolerance;
  return absoluteTolerance.value_or(relative) + relative * std::fabs(wanted);
}

/// Gives inputs and cotangents their shapes.
bool FaultFile::fillUp(std::string &error) {
  if (inputLines.size() != function.getNumArguments() || right.empty()) {
    error = "expected an input line per argument of @f and at least one right value";
    return false;
  }
  for (auto [type, line] : llvm::zip(function.getArgumentTypes(), inputLines))
    if (!parseNumbers(line, type, inputs.emplace_back(Tensor<double>(Shape())), error))
      return false;
  unsigned next = 0;
  for (Type type : function.getFunctionType().getResults()) {
    if (!isa<FloatType>(cast<RankedTensorType>(type).getElementType()))
      continue;
    std::string line = next < cotangentLines.size() ? cotangentLines[next] : "full(1)";
    ++next;
    if (!parseNumbers(line, type, cotangents.emplace_back(Tensor<double>(Shape())), error))
      return false;
  }
  return true;
}

bool FaultFile::read(MLIRContext &context, const std::string &path, std::string &error) {
  module = loadModule(context, path, error);
  if (!module)
    return false;
  function = module->lookupSymbol<func::FuncOp>("f");
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!function || !file) {
    error = "expected a function @f";
    return false;
  }
  SmallVector<StringRef> lines;
  (*file)->getBuffer().split(lines, '\n');
  for (StringRef line : lines)
    if (!readLine(line, error))
      return false;
  return fillUp(error);
}
