// Building tt graphs from C++: functions, names, broadcasting.
#ifndef TT_FRONTEND_GRAPHBUILDER_H
#define TT_FRONTEND_GRAPHBUILDER_H

#include "tt/Frontend/ModelConfig.h"
#include "tt/IR/TTOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <string>
#include <vector>

namespace tt::frontend {

/// Builds a module, one function after the other:
///
///   GraphBuilder b(context);
///   auto args = b.beginFunction("double", {b.argument("x", {4, 8})});
///   b.endFunction({b.add(args[0], args[0])});
///
/// Elementwise ops take operands of different shapes: shapes are aligned at
/// the last dimension and sizes of 1 repeat, as in NumPy; the builder inserts
/// tt.broadcast. Operands that do not fit are our bug: an assertion, and in
/// release builds a module that does not verify.
class GraphBuilder {
public:
  using Value = mlir::Value;

  struct Argument {
    std::string name; // of the SSA value, where it is printed
    mlir::RankedTensorType type;
    llvm::SmallVector<mlir::NamedAttribute> attributes;
  };

  /// Loads the dialects that it needs into `context`.
  explicit GraphBuilder(mlir::MLIRContext *context);

  mlir::OpBuilder &opBuilder() { return builder; }

  //===--------------------------------------------------------------------===//
  // Types, attributes, functions
  //===--------------------------------------------------------------------===//

  /// The element type of argument() and constant(); f32 at first.
  void setElementType(mlir::Type type) { elementType = type; }
  mlir::RankedTensorType tensor(llvm::ArrayRef<int64_t> shape,
                                mlir::Type element = {}) const;
  mlir::NamedAttribute attribute(llvm::StringRef name, llvm::StringRef text);
  mlir::NamedAttribute attribute(llvm::StringRef name, int64_t number);

  Argument argument(llvm::StringRef name, llvm::ArrayRef<int64_t> shape);
  /// `tt.param = name` with its initialiser ("normal:0.02", "zero", ...).
  Argument parameter(llvm::StringRef name, llvm::ArrayRef<int64_t> shape,
                     llvm::StringRef init);
  /// `tt.input = name`: i32 indices in [0, limit).
  Argument indices(llvm::StringRef name, llvm::ArrayRef<int64_t> shape,
                   int64_t limit);
  /// `tt.input = "key"`: the step's random key.
  Argument key();

  /// Starts a function at the end of the module; gives its arguments.
  llvm::SmallVector<Value> beginFunction(llvm::StringRef name,
                                         llvm::ArrayRef<Argument> arguments,
                                         bool isPrivate = false);
  /// Returns `results`; `outputs`, if given, are their `tt.output` names.
  mlir::func::FuncOp endFunction(llvm::ArrayRef<Value> results,
                                 llvm::ArrayRef<llvm::StringRef> outputs = {});
  llvm::SmallVector<Value> call(mlir::func::FuncOp callee,
                                llvm::ArrayRef<Value> operands);

  /// Names the results of the next op (printed with printNameLocAsPrefix).
  GraphBuilder &named(llvm::StringRef name);

  /// The finished module; the builder is empty after that.
  mlir::OwningOpRef<mlir::ModuleOp> takeModule() { return std::move(module); }

  //===--------------------------------------------------------------------===//
  // Ops
  //===--------------------------------------------------------------------===//

  static llvm::ArrayRef<int64_t> shapeOf(Value value);
  static int64_t lastDim(Value value) { return shapeOf(value).back(); }

  Value constant(llvm::ArrayRef<int64_t> shape, double value);
  /// Repeats `value` to `shape` by the rule above; itself if it has the shape.
  Value broadcastTo(Value value, llvm::ArrayRef<int64_t> shape);

  Value add(Value lhs, Value rhs) { return binary<AddOp>(lhs, rhs); }
  Value sub(Value lhs, Value rhs) { return binary<SubOp>(lhs, rhs); }
  Value mul(Value lhs, Value rhs) { return binary<MulOp>(lhs, rhs); }
  Value div(Value lhs, Value rhs) { return binary<DivOp>(lhs, rhs); }
  Value maximum(Value lhs, Value rhs) { return binary<MaximumOp>(lhs, rhs); }
  Value minimum(Value lhs, Value rhs) { return binary<MinimumOp>(lhs, rhs); }
  Value swiglu(Value gate, Value up) { return binary<SwigluOp>(gate, up); }

  template <typename OpTy> Value unary(Value input) {
    return OpTy::create(builder, takeLocation(), input.getType(), input);
  }
  Value gelu(Value input, GeluApprox approx);

  Value reshape(Value input, llvm::ArrayRef<int64_t> shape);
  Value transpose(Value input, llvm::ArrayRef<int64_t> permutation);
  /// A negative `dim` counts from the end. The whole dimension: no op.
  Value slice(Value input, int64_t dim, int64_t start, int64_t size);

  /// `bias` may be null.
  Value linear(Value input, Value weight, Value bias, WeightLayout layout);
  Value matmul(Value lhs, Value rhs, bool transposeLhs = false,
               bool transposeRhs = false);
  /// `beta` may be null.
  Value layerNorm(Value input, Value gamma, Value beta, double epsilon);
  Value rmsNorm(Value input, Value gamma, double epsilon);

  Value embedding(Value table, Value ids);
  Value rope(Value input, double theta, RopeLayout layout,
             const RopeScalingConfig &scaling = {});
  /// Dropout of probabilities under a key and a site of its own.
  struct AttentionDropout {
    double p = 0;
    Value key;
    int64_t site = 0;
  };
  /// q is [B, H, T, D], k and v are [B, Hk, S, D]. A query sees itself and the
  /// `window` - 1 keys before it, or all before it if `window` is 0.
  Value causalAttention(Value q, Value k, Value v, double scale,
                        int64_t window, const AttentionDropout &dropout);
  /// [B, T, H * D] -> [B, H, T, D] and back.
  Value splitHeads(Value input, int64_t heads);
  Value mergeHeads(Value input);

  /// The mean over the targets that are not -100.
  Value crossEntropyMean(Value logits, Value targets);

  Value rngFold(Value key, int64_t site);
  /// `input` itself if p is 0. The first dimension counts the samples.
  Value dropout(Value input, Value key, double p, int64_t site);

private:
  template <typename OpTy> Value binary(Value lhs, Value rhs) {
    mlir::Location location = takeLocation();
    if (!matchShapes(lhs, rhs))
      return {};
    return OpTy::create(builder, location, lhs.getType(), lhs, rhs);
  }
  bool matchShapes(Value &lhs, Value &rhs);
  mlir::Location nameLocation(llvm::StringRef name);
  mlir::Location takeLocation();

  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::OpBuilder builder;
  mlir::Type elementType;
  mlir::func::FuncOp function;
  std::string nextName;
};

/// The module's text with values that carry their names: what tt-import
/// writes. Same module, same bytes.
std::string printModule(mlir::ModuleOp module);

} // namespace tt::frontend
#endif
