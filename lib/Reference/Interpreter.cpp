//===- Interpreter.cpp - The reference interpreter ------------------------===//
#include "tt/Reference/Interpreter.h"

#include "Frame.h"
#include "Rounding.h"
#include "tt/IR/TTOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tt;
using namespace tt::reference;

/// Calls deeper than this are taken for a recursion.
static constexpr int kMaxDepth = 200;

int64_t tt::reference::numElements(const Shape &shape) {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size; // bounded by Options::maxElements
  return count;
}

Shape tt::reference::shapeOf(Value value) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(value.getType()).getShape();
  return Shape(shape.begin(), shape.end());
}

std::string tt::reference::errorAt(Operation *op, const Twine &message) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  Location loc = op->getLoc();
  while (auto named = dyn_cast<NameLoc>(loc))
    loc = named.getChildLoc();
  if (auto place = dyn_cast<FileLineColLoc>(loc))
    stream << place.getFilename().getValue() << ":" << place.getLine() << ":"
           << place.getColumn() << ": ";
  stream << "error: '" << op->getName() << "' op " << message;
  return text;
}

//===----------------------------------------------------------------------===//
// Frame
//===----------------------------------------------------------------------===//

static float rounded(Type element, float value) {
  return float(roundTo(element, value));
}
static double rounded(Type element, double value) {
  return roundTo(element, value);
}
static std::complex<double> rounded(Type, std::complex<double> value) {
  return value; // refused by Interpreter::run
}

template <typename T> void Frame<T>::set(Value result, AnyTensor<T> tensor) {
  Type element = getElementTypeOrSelf(result.getType());
  if (!tensor.isFloat()) {
    for (int64_t &value : tensor.ints().data)
      value = wrapTo(element, value);
  } else if (options.mode == Mode::Typed) {
    for (T &value : tensor.floats().data)
      value = rounded(element, value);
  }
  if constexpr (std::is_same_v<T, double>)
    if (options.onValue)
      options.onValue(result, tensor);
  values[result] = std::make_shared<const AnyTensor<T>>(std::move(tensor));
}

template class tt::reference::Frame<float>;
template class tt::reference::Frame<double>;
template class tt::reference::Frame<std::complex<double>>;

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

template <typename T> const OpTable<T> &tt::reference::opTable() {
  static const OpTable<T> table = [] {
    OpTable<T> all;
    addAttentionOps(all);
    addAttentionBwdOps(all);
    addComparisonOps(all);
    addControlOps(all);
    addElementLossOps(all);
    addElementwiseOps(all);
    addEmbeddingOps(all);
    addIndexingOps(all);
    addIntegerOps(all);
    addKernelOps(all);
    addLinearOps(all);
    addLoopOps(all);
    addLossOps(all);
    addNormOps(all);
    addOrderOps(all);
    addPowerOps(all);
    addQuantiseOps(all);
    addRandomOps(all);
    addReduceOps(all);
    addRopeOps(all);
    addShapeOps(all);
    addStatisticsOps(all);
    addTrainingOps(all);
    return all;
  }();
  return table;
}

bool tt::reference::isKnown(OperationName op) {
  return opTable<double>().find(op) != nullptr;
}

/// Says what is wrong with a value's type or size; "" if nothing is.
static std::string checkType(Type type, const Options &options) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape()) {
    stream << "expected tensors of static shape, but got " << type;
    return text;
  }
  int64_t count = 1;
  for (int64_t size : tensor.getShape())
    if (__builtin_mul_overflow(count, size, &count) ||
        count > options.maxElements) {
      stream << "expected at most " << options.maxElements
             << " elements in the interpreter, but got " << type;
      return text;
    }
  return text;
}

template <typename T> static void checkNan(Operation *op, Frame<T> &frame) {
  for (Value result : op->getResults())
    if (isa<RankedTensorType>(result.getType()) && frame.any(result).isFloat())
      for (const T &value : frame.floats(result).data)
        if (value != value)
          return frame.fail(op, "gives a value that is not a number");
}

template <typename T>
bool tt::reference::evaluateBlock(Block &block, Frame<T> &frame) {
  for (Operation &op : block.without_terminator()) {
    for (Type type : op.getResultTypes()) {
      if (type.isIntOrIndex()) // bounds of loops
        continue;
      if (std::string text = checkType(type, frame.options); !text.empty())
        frame.fail(&op, text);
    }
    const auto *handler = opTable<T>().find(op.getName());
    if (!handler)
      frame.fail(&op, "is not known to the reference interpreter");
    if (frame.error.empty())
      (*handler)(&op, frame);
    if (frame.error.empty() && frame.options.nanIsError)
      checkNan(&op, frame);
    if (!frame.error.empty())
      return false;
  }
  return true;
}

template <typename T>
Outcome<T> tt::reference::evaluateBody(Operation *function,
                                       ArrayRef<AnyTensor<T>> inputs,
                                       const Options &options, int depth) {
  Outcome<T> outcome;
  auto fail = [&](std::string text) {
    outcome.error = std::move(text);
    return outcome;
  };
  Region &body = function->getRegion(0);
  if (!body.hasOneBlock())
    return fail(errorAt(function, "expected a body of one block"));
  if (depth > kMaxDepth)
    return fail(errorAt(function, "expected no recursion and calls of at most " +
                                      Twine(kMaxDepth) + " functions in a row"));
  Block &block = body.front();
  Frame<T> frame(options, depth);
  for (auto [argument, input] : llvm::zip(block.getArguments(), inputs))
    frame.set(argument, input);
  if (!evaluateBlock(block, frame))
    return fail(std::move(frame.error));
  for (Value value : block.getTerminator()->getOperands())
    outcome.results.push_back(frame.any(value));
  return outcome;
}

//===----------------------------------------------------------------------===//
// Entry
//===----------------------------------------------------------------------===//

static void printShape(llvm::raw_ostream &stream, const Shape &shape) {
  stream << "[";
  llvm::interleaveComma(shape, stream);
  stream << "]";
}

/// "" if `input` suits an argument of `type`.
template <typename T>
static std::string checkInput(unsigned index, Type type,
                              const AnyTensor<T> &input,
                              const Options &options) {
  std::string text = checkType(type, options);
  if (!text.empty())
    return text;
  auto tensor = cast<RankedTensorType>(type);
  bool isFloat = isa<FloatType>(tensor.getElementType());
  size_t count = isFloat == input.isFloat()
                     ? (isFloat ? input.floats().data.size()
                                : input.ints().data.size())
                     : 0;
  if (isFloat == input.isFloat() && ArrayRef<int64_t>(input.shape()) == tensor.getShape() &&
      count == size_t(tensor.getNumElements()))
    return text;
  llvm::raw_string_ostream stream(text);
  stream << "expected argument " << index << " to be " << type << ", but got "
         << (input.isFloat() ? "floats" : "integers") << " of shape ";
  printShape(stream, input.shape());
  return text;
}

template <typename T>
Interpreter<T>::Interpreter(ModuleOp module, Options options)
    : module(module), options(options) {}

template <typename T>
Outcome<T> Interpreter<T>::run(StringRef name,
                               ArrayRef<AnyTensor<T>> inputs) const {
  Outcome<T> outcome;
  auto fail = [&](std::string text) {
    outcome.error = std::move(text);
    return outcome;
  };
  Operation *symbol = SymbolTable::lookupSymbolIn(module, name);
  auto function = dyn_cast_or_null<FunctionOpInterface>(symbol);
  if (!function || function.isExternal())
    return fail("error: expected a function @" + name.str() +
                " with a body, but found " +
                (function ? "a declaration" : "none"));
  if (std::is_same_v<T, std::complex<double>> && options.mode == Mode::Typed)
    return fail("error: expected mode ideal for complex numbers, but got typed");
  if (inputs.size() != function.getNumArguments())
    return fail(errorAt(symbol, "expected " + Twine(function.getNumArguments()) +
                                    " inputs, but got " + Twine(inputs.size())));
  for (auto [i, input] : llvm::enumerate(inputs))
    if (std::string text = checkInput(i, function.getArgumentTypes()[i], input, options);
        !text.empty())
      return fail(errorAt(symbol, text));
  if (options.recording && options.recording->isReplay) {
    options.recording->next = options.recording->nextRuled = 0;
  } else if (options.recording) {
    options.recording->values.clear();
    options.recording->ruled.clear();
  }
  return evaluateBody<T>(symbol, inputs, options, 0);
}

template class tt::reference::Interpreter<float>;
template class tt::reference::Interpreter<double>;
template class tt::reference::Interpreter<std::complex<double>>;
#define TT_REFERENCE_BODY(T)                                                   \
  template const OpTable<T> &tt::reference::opTable<T>();                      \
  template bool tt::reference::evaluateBlock<T>(Block &, Frame<T> &);          \
  template Outcome<T> tt::reference::evaluateBody<T>(                          \
      Operation *, ArrayRef<AnyTensor<T>>, const Options &, int);
TT_REFERENCE_BODY(float)
TT_REFERENCE_BODY(double)
TT_REFERENCE_BODY(std::complex<double>)
