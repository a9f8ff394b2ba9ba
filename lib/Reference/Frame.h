//===- Frame.h - The values of a running function ---------------*- C++ -*-===//
#ifndef TT_LIB_REFERENCE_FRAME_H
#define TT_LIB_REFERENCE_FRAME_H

#include "tt/Reference/Interpreter.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

#include <functional>
#include <memory>

namespace tt::reference {

/// What an op computes sums in.
template <typename T> struct AccumulatorOf {
  using Type = double;
};
template <> struct AccumulatorOf<std::complex<double>> {
  using Type = std::complex<double>;
};
template <typename T> using Acc = typename AccumulatorOf<T>::Type;

Shape shapeOf(mlir::Value value);

/// The name and place of an op in front of a message.
std::string errorAt(mlir::Operation *op, const llvm::Twine &message);

/// One activation of a function: its values so far and the first error. Op
/// handlers read operands and set results; types have been verified.
template <typename T> class Frame {
public:
  Frame(const Options &options, int depth) : options(options), depth(depth) {}

  const AnyTensor<T> &any(mlir::Value value) const {
    return *values.find(value)->second;
  }
  const Tensor<T> &floats(mlir::Value value) const {
    return any(value).floats();
  }
  const IntTensor &ints(mlir::Value value) const { return any(value).ints(); }

  /// Rounds (typed mode) or wraps (integers) to the result's element type.
  void set(mlir::Value result, AnyTensor<T> tensor);
  /// Options::roundSum for a sum that is computed in `element`, or 1.
  double sumRounding(mlir::Type element) const {
    if constexpr (std::is_same_v<T, double>)
      if (options.roundSum)
        return options.roundSum(element);
    return 1;
  }
  /// The result is the same value as `operand`.
  void alias(mlir::Value result, mlir::Value operand) {
    auto value = values.find(operand)->second; // a copy: the map may grow
    values[result] = std::move(value);
  }

  /// Keeps the first error; the run stops after this op.
  void fail(mlir::Operation *op, const llvm::Twine &message) {
    if (error.empty())
      error = errorAt(op, message);
  }

  const Options &options;
  const int depth;
  std::string error;

private:
  llvm::DenseMap<mlir::Value, std::shared_ptr<const AnyTensor<T>>> values;
};

/// Handlers by op kind; each family's file adds its own.
template <typename T> class OpTable {
public:
  using Handler = std::function<void(mlir::Operation *, Frame<T> &)>;

  template <typename Op, typename Function> void add(Function function) {
    handlers[mlir::TypeID::get<Op>()] = [function](mlir::Operation *op,
                                                   Frame<T> &frame) {
      function(llvm::cast<Op>(op), frame);
    };
  }
  /// Null if there is none.
  const Handler *find(mlir::OperationName name) const {
    auto info = name.getRegisteredInfo();
    auto it = info ? handlers.find(info->getTypeID()) : handlers.end();
    return it == handlers.end() ? nullptr : &it->second;
  }

private:
  llvm::DenseMap<mlir::TypeID, Handler> handlers;
};

/// The table of all families, built once.
template <typename T> const OpTable<T> &opTable();

template <typename T> void addAttentionOps(OpTable<T> &table);
template <typename T> void addAttentionBwdOps(OpTable<T> &table);
template <typename T> void addControlOps(OpTable<T> &table);
template <typename T> void addElementwiseOps(OpTable<T> &table);
template <typename T> void addElementLossOps(OpTable<T> &table);
template <typename T> void addComparisonOps(OpTable<T> &table);
template <typename T> void addEmbeddingOps(OpTable<T> &table);
template <typename T> void addIndexingOps(OpTable<T> &table);
template <typename T> void addIntegerOps(OpTable<T> &table);
template <typename T> void addKernelOps(OpTable<T> &table);
template <typename T> void addLinearOps(OpTable<T> &table);
template <typename T> void addLoopOps(OpTable<T> &table);
template <typename T> void addLossOps(OpTable<T> &table);
template <typename T> void addNormOps(OpTable<T> &table);
template <typename T> void addOrderOps(OpTable<T> &table);
template <typename T> void addPowerOps(OpTable<T> &table);
template <typename T> void addQuantiseOps(OpTable<T> &table);
template <typename T> void addRandomOps(OpTable<T> &table);
template <typename T> void addReduceOps(OpTable<T> &table);
template <typename T> void addRopeOps(OpTable<T> &table);
template <typename T> void addShapeOps(OpTable<T> &table);
template <typename T> void addStatisticsOps(OpTable<T> &table);
template <typename T> void addTrainingOps(OpTable<T> &table);

/// The key that tt.rng_fold makes of `key` for `site`.
IntTensor foldKey(const IntTensor &key, int64_t site);

/// Evaluates the ops of `block` but its terminator; false and the frame's error
/// in case of failure.
template <typename T> bool evaluateBlock(mlir::Block &block, Frame<T> &frame);

/// Evaluates the one block of a func.func or tt.kernel; empty `results` and an
/// error in case of failure.
template <typename T>
Outcome<T> evaluateBody(mlir::Operation *function,
                        llvm::ArrayRef<AnyTensor<T>> inputs,
                        const Options &options, int depth);

} // namespace tt::reference

/// Instantiates an add...Ops function for all element types.
#define TT_REFERENCE_INSTANTIATE(FUNCTION)                                     \
  template void tt::reference::FUNCTION(OpTable<float> &);                     \
  template void tt::reference::FUNCTION(OpTable<double> &);                    \
  template void tt::reference::FUNCTION(OpTable<std::complex<double>> &);

#endif
