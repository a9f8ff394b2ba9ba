//===- Perturbation.cpp - Rounding errors as random factors ---------------===//
#include "tt/Reference/Perturbation.h"

#include "tt/IR/TTOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace tt;
using namespace tt::reference;

double tt::reference::unitRoundoff(Type element) {
  auto type = dyn_cast<FloatType>(element);
  return type ? std::ldexp(1.0, -int(type.getFPMantissaWidth())) : 0;
}

double tt::reference::smallestNormal(Type element) {
  auto type = dyn_cast<FloatType>(element);
  if (!type)
    return 0;
  return llvm::APFloat::getSmallestNormalized(type.getFloatSemantics()).convertToDouble();
}

double tt::reference::largestNumber(Type element) {
  auto type = dyn_cast<FloatType>(element);
  if (!type)
    return 0;
  return llvm::APFloat::getLargest(type.getFloatSemantics()).convertToDouble();
}

/// Elements of a value's tensor, with or without its last dimension.
static double elementsOf(Value value, bool withLast = true) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  double count = 1;
  if (!type || !type.hasStaticShape())
    return count;
  ArrayRef<int64_t> shape = type.getShape();
  for (int64_t size : withLast || shape.empty() ? shape : shape.drop_back())
    count *= double(size); // checked: a double
  return count;
}

double tt::reference::reductionDepth(Operation *op) {
  if (isa<ReshapeOp, TransposeOp, SliceOp, ConcatOp, BroadcastOp, StopGradientOp,
          RematBarrierOp, ConstantOp, TakeOp, GatherRowsOp, GatherAlongOp, SortOp,
          TopKOp, OneHotOp>(op) ||
      isa<func::CallOp, CallKernelOp>(op) || op->hasTrait<OpTrait::IsTerminator>())
    return 0;
  if (isa<ScalarOpInterface>(op))
    return 1;
  // Of several results the largest has a row for each row of the operands; the
  // others, such as a mean loss, add over rows, which the last lines count.
  double largest = 1;
  for (Value result : op->getResults())
    largest = std::max(largest, elementsOf(result));
  // A product of matrices says by itself how long its sums are.
  if (auto cost = dyn_cast<CostOpInterface>(op); cost && op->getNumResults() == 1)
    if (int64_t flops = cost.getMatmulFlops(); flops > 0)
      return std::max(1.0, double(flops) / 2 / elementsOf(op->getResult(0)));
  // Others reduce over rows or columns, or everything into few elements.
  double depth = 1;
  for (Value operand : op->getOperands()) {
    double all = elementsOf(operand), rows = elementsOf(operand, /*withLast=*/false);
    depth = std::max({depth, rows > 0 ? all / rows : 0, rows, all / largest});
  }
  return depth;
}

/// Constants and whole numbers have no rounding error to stand for, and a comparison
/// of one with the other may hit exactly: a factor would turn it.
static bool isExact(Value value) {
  return isa_and_present<ConstantOp, RoundOp, FloorOp, CeilOp, SignOp, RoundSteOp>(
      value.getDefiningOp());
}

/// Whether sums, differences and products of whole numbers stay whole on the way to
/// `value`, and what reads it rounds by itself. Positions and distances are such.
static bool mayBeWhole(Value value) {
  Operation *op = value.getDefiningOp();
  bool isMoved = !op || reductionDepth(op) == 0 ||
                 isa<IotaOp, CastOp, AddOp, SubOp, MulOp, NegOp, AbsOp, MaximumOp, MinimumOp,
                     SelectOp>(op);
  return isMoved && llvm::all_of(value.getUsers(),
                                 [](Operation *user) { return reductionDepth(user) <= 1; });
}

/// True if every element is a whole number that an element type of this u holds, as all
/// smaller ones. In a perturbed run a value that was rounded before is not whole.
static bool areWhole(const std::vector<double> &data, double unit) {
  return llvm::all_of(data, [&](double x) {
    return std::nearbyint(x) == x && std::fabs(x) * unit <= 1;
  });
}

double Perturbation::scaleOf(Value value) {
  auto [entry, isNew] = scales.try_emplace(value, 0.0);
  if (!isNew || isExact(value))
    return entry->second;
  double unit = unitRoundoff(getElementTypeOrSelf(value.getType()));
  double depth = value.getDefiningOp() ? reductionDepth(value.getDefiningOp()) : 0;
  for (Operation *user : value.getUsers())
    depth = std::max(depth, reductionDepth(user));
  return entry->second = times * unit * std::sqrt(depth);
}

/// True if many elements other than 0 are equal, by a sample of them.
static bool hasEqualElements(const std::vector<double> &data) {
  constexpr size_t kSample = 512;
  std::vector<double> sample;
  for (size_t i = 0, step = data.size() / kSample + 1; i < data.size(); i += step)
    if (data[i] != 0)
      sample.push_back(data[i]);
  llvm::sort(sample);
  size_t distinct = std::unique(sample.begin(), sample.end()) - sample.begin();
  return sample.size() - distinct > sample.size() / 8;
}

/// In [-1, 1), from the number and the seed alone (splitmix64).
static double randomOf(double x, uint64_t seed) {
  uint64_t bits = llvm::bit_cast<uint64_t>(x) ^ seed;
  bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9u;
  bits = (bits ^ bits >> 27) * 0x94d049bb133111ebu;
  return std::ldexp(double(bits ^ bits >> 31), -63) - 1;
}

/// Equal numbers are rounded alike, which no sum over them averages out: where there
/// are many, a factor of the number comes to that of the element.
void Perturbation::operator()(Value value, reference::AnyTensor<double> &tensor) {
  if (!tensor.isFloat())
    return;
  double scale = scaleOf(value);
  if (scale == 0)
    return;
  std::vector<double> &data = tensor.floats().data;
  double unit = unitRoundoff(getElementTypeOrSelf(value.getType()));
  if (mayBeWhole(value) && areWhole(data, unit))
    return;
  bool areAlike = hasEqualElements(data);
  uint64_t seed = areAlike ? random.bits() : 0;
  for (double &x : data)
    x *= 1 + scale * (random.between(-1, 1) + (areAlike ? randomOf(x, seed) : 0));
}

bool tt::reference::forEachPerturbedRun(
    ModuleOp module, llvm::StringRef function, const std::vector<AnyTensor<double>> &inputs,
    uint64_t seed, llvm::function_ref<void(const std::vector<AnyTensor<double>> &)> handle,
    std::string &error) {
  for (int run = 0; run < kPerturbedRuns; ++run) {
    Options options;
    options.onValue = Perturbation(seed * kPerturbedRuns + run);
    Random ofSums(seed * kPerturbedRuns + run + 0x5c4a1e);
    options.roundSum = [&ofSums](Type element) {
      return 1 + unitRoundoff(element) * ofSums.between(-1, 1);
    };
    Outcome<double> changed = Interpreter<double>(module, options).run(function, inputs);
    error = changed.error;
    if (!changed.succeeded())
      return false;
    handle(changed.results);
  }
  return true;
}

void tt::reference::addSquaredChanges(const Tensor<double> &changed,
                                      const Tensor<double> &truth,
                                      std::vector<double> &squares) {
  for (size_t i = 0; i < squares.size(); ++i) {
    double change = changed.data[i] - truth.data[i];
    if (std::isfinite(change))
      squares[i] += change * change / kPerturbedRuns;
  }
}
