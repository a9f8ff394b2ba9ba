//===- Interpreter.h - The reference interpreter ----------------*- C++ -*-===//
//
// A plain, slow evaluator of every value op of the dialect and of calls,
// written from the ops' formulas. It shares no code with the compiled kernels:
// it is what they are compared with.
//
//===----------------------------------------------------------------------===//
#ifndef TT_REFERENCE_INTERPRETER_H
#define TT_REFERENCE_INTERPRETER_H

#include "tt/Reference/Tensor.h"

#include "mlir/IR/BuiltinOps.h"

#include <functional>
#include <optional>
#include <string>

namespace tt::reference {

enum class Mode {
  /// All float types are T and casts between them do nothing: the truth for
  /// gradients and error bounds.
  Ideal,
  /// Every result is rounded (to nearest even) to its element type. What an op
  /// does inside, it does in f64 and rounds once.
  Typed,
};

/// The inputs, in one run, of the ops whose derivative is declared and not that of
/// their value: stop_gradient, round_ste, fake_quant, grad_transform, embedding with a
/// padding row, custom_vjp with a surrogate. Runs on nearby inputs hold them and move
/// along the declared slope from there: then differences agree with the declared
/// derivative.
///
/// Ops that decide by their inputs (relu, maximum, compare, sort, ...) note these, too,
/// and decide in replays as the run did: differences are then those of the smooth piece
/// that the rules take at the point, also where it is on a kink (0 behind a rounding,
/// equal elements in a sort).
struct Recording {
  bool isReplay = false;
  bool holdsDecisions = true; // false: replays decide anew
  size_t next = 0;
  std::vector<Tensor<double>> values;

  /// An op whose derivative is declared as a rule for cotangents, which need not be
  /// linear or of any function (clip, a surrogate). In replays its results are the
  /// recorded ones y; with cotangents dy, and dx of the rule, they are
  /// y + dy <dx, x' - x> / |dy|^2: then a difference of what is behind it, whose
  /// cotangent of y is dy, sees <dx, x' - x>.
  struct Ruled {
    std::vector<Tensor<double>> inputs; // the float ones
    std::vector<AnyTensor<double>> outputs;
    /// Those of the float outputs to those of the inputs; else an error text.
    std::function<std::string(const std::vector<Tensor<double>> &,
                              std::vector<Tensor<double>> &)>
        rule;
    std::vector<Tensor<double>> outputCotangents, inputCotangents; // empty: not known
  };
  size_t nextRuled = 0;
  std::vector<Ruled> ruled;
  /// In replays `step` is added to one element of a float output; other than in complex
  /// numbers, its real part.
  struct Probe {
    size_t ruled, output;
    int64_t element;
    std::complex<double> step;
  };
  std::optional<Probe> probe;
};

struct Options {
  Mode mode = Mode::Ideal;
  /// An index outside its range is an error instead of a row of zeros. (An
  /// ignored target stays legal.)
  bool strictIndices = false;
  /// The first op that makes a NaN is an error.
  bool nanIsError = false;
  /// Largest tensor that is accepted, in elements.
  int64_t maxElements = int64_t(1) << 30;
  /// Filled, or read from its start, by every run; may be null.
  Recording *recording = nullptr;
  /// Called in runs in f64 with every value as it comes to be (arguments of
  /// functions too), which it may change: to watch a run, or to perturb it.
  std::function<void(mlir::Value, AnyTensor<double> &)> onValue;
  /// Gives, in runs in f64, a factor for a sum inside an op, computed in the type that is
  /// handed over: rounding that a perturbed result cannot stand for, as the terms cancel
  /// in it. Null: 1.
  std::function<double(mlir::Type)> roundSum;
};

/// Results, or an error text: "FILE:LINE:COL: error: ...".
template <typename T> struct Outcome {
  std::vector<AnyTensor<T>> results;
  std::string error;

  bool succeeded() const { return error.empty(); }
};

/// True if the interpreter evaluates ops of this name.
bool isKnown(mlir::OperationName op);

/// T is float, double or std::complex<double>. In complex numbers, for the
/// complex step, comparisons are made on real parts and |x| is x or -x.
template <typename T> class Interpreter {
public:
  explicit Interpreter(mlir::ModuleOp module, Options options = {});

  /// Runs the func.func (or tt.kernel) `function`. Inputs must have the shapes
  /// and kinds (float or integer) of its arguments.
  Outcome<T> run(llvm::StringRef function,
                 llvm::ArrayRef<AnyTensor<T>> inputs) const;

private:
  mlir::ModuleOp module;
  Options options;
};

extern template class Interpreter<float>;
extern template class Interpreter<double>;
extern template class Interpreter<std::complex<double>>;

} // namespace tt::reference

#endif
