#ifndef TT_IR_TTBASE_TD
#define TT_IR_TTBASE_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "tt/Interfaces/CostOpInterface.td"
include "tt/Interfaces/DecomposableOpInterface.td"
include "tt/Interfaces/DifferentiableOpInterface.td"
include "tt/Interfaces/ScalarOpInterface.td"

def TT_Dialect : Dialect {
  let name = "tt";
  let cppNamespace = "::tt";
  let summary = "Graphs of transformers and their training step";
  let description = [{
    Ranked tensors of static shape, value semantics, explicit broadcasting.

    Roles of the arguments of an entry function: `tt.param = "name"` (trainable
    unless `tt.frozen`), `tt.input = "name"`, `tt.state = "name"`. A result with
    `tt.updates = "name"` replaces that parameter or state.
    `tt.init = "normal:0.02" | "uniform:0.1" | "zero" | "one"` gives a
    parameter its initialiser, `tt.index_limit = N` says that an integer input
    holds indices in [0, N).
  }];
  let useDefaultTypePrinterParser = 1;
  let hasOperationAttrVerify = 0;
  let hasRegionArgAttrVerify = 1;
  let hasConstantMaterializer = 1;
  let dependentDialects = ["::mlir::func::FuncDialect"];
}

class TT_Op<string mnemonic, list<Trait> traits = []>
    : Op<TT_Dialect, mnemonic, traits>;

def TT_FloatElement : AnyTypeOf<[F64, F32, BF16, F16]>;
def TT_IndexElement : AnyTypeOf<[I32, I64]>;
def TT_Element : AnyTypeOf<[F64, F32, BF16, F16, I64, I32, I8, I1]>;

/// Static shapes only, each dimension at most 2^40 and the tensor at most 2^47
/// bytes: products of sizes do not overflow after this check.
class TT_TensorOf<list<Type> elements> : ConfinedType<StaticShapeTensorOf<elements>,
    [CPred<"::tt::hasBoundedSize($_self)">],
    StaticShapeTensorOf<elements>.summary # " of at most 2^47 bytes">;
def TT_Tensor : TT_TensorOf<[TT_Element]>;
def TT_FloatTensor : TT_TensorOf<[TT_FloatElement]>;
def TT_IndexTensor : TT_TensorOf<[TT_IndexElement]>;
def TT_IntTensor : TT_TensorOf<[I64, I32, I8, I1]>;
def TT_BoolTensor : TT_TensorOf<[I1]>;
/// f32, or f64 where the values it describes are f64.
def TT_StatTensor : TT_TensorOf<[F32, F64]>;
def TT_ScalarF32 : Type<And<[TT_FloatTensor.predicate,
    CPred<"::llvm::cast<::mlir::RankedTensorType>($_self).getRank() == 0">]>,
    "float tensor of rank 0", "::mlir::TensorType">;
def TT_ScalarInt : Type<And<[TT_IndexTensor.predicate,
    CPred<"::llvm::cast<::mlir::RankedTensorType>($_self).getRank() == 0">]>,
    "i32 or i64 tensor of rank 0", "::mlir::TensorType">;
/// A counter RNG key: two 32-bit words.
def TT_Key : Type<And<[IsTensorTypePred,
    CPred<"::llvm::cast<::mlir::ShapedType>($_self).hasRank() && "
          "::llvm::cast<::mlir::ShapedType>($_self).getShape() == "
          "::llvm::ArrayRef<int64_t>{2} && "
          "::llvm::cast<::mlir::ShapedType>($_self).getElementType().isSignlessInteger(32)">]>,
    "tensor<2xi32> random key", "::mlir::TensorType">;

/// An op with a reverse and a forward rule in its family's .cpp.
class TT_DiffOp<string mnemonic, list<Trait> traits = []>
    : TT_Op<mnemonic, !listconcat(traits, [Pure,
        DeclareOpInterfaceMethods<TT_DifferentiableOpInterface,
                                  ["isLinearIn", "isCutAt"]>])>;

/// A differentiable op whose result types follow from its operands and
/// attributes; constraints are checked where the types are inferred.
class TT_InferOp<string mnemonic, list<Trait> traits = []>
    : TT_DiffOp<mnemonic, !listconcat(traits, [InferTypeOpAdaptor])>;

/// An op that simpler ops can stand in for; the decomposition is in its
/// family's .cpp.
defvar TT_Decomposable = DeclareOpInterfaceMethods<TT_DecomposableOpInterface>;

/// Adjoint ops: pure, types inferred; differentiated through decomposition.
class TT_AdjointOp<string mnemonic, list<Trait> traits = []>
    : TT_Op<mnemonic, !listconcat(traits, [Pure, InferTypeOpAdaptor])>;

#endif
