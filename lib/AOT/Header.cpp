//===- Header.cpp - NAME.h ------------------------------------------------===//
#include "tt/AOT/Library.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace tt::aot;
using llvm::StringRef;

// The text of tt/runtime/tt.h, so that NAME.h stands alone.
static const char kAbiText[] = {
#include "AbiText.inc"
    , 0};

static StringRef cType(tt_dtype dtype) {
  switch (dtype) {
  case TT_F64:
    return "double";
  case TT_F32:
    return "float";
  case TT_BF16:
  case TT_F16:
    return "uint16_t";
  case TT_I64:
    return "int64_t";
  case TT_I32:
    return "int32_t";
  case TT_I8:
    return "int8_t";
  case TT_I1:
    return "uint8_t";
  }
  return "void";
}

static std::string upper(StringRef name) { return toIdentifier(name.upper()); }

namespace {
/// C identifiers for names of any spelling, distinct within one scope.
class Scope {
public:
  Scope() {
    for (const char *word :
         {"auto", "break", "case", "char", "const", "continue", "default", "do", "double",
          "else", "enum", "extern", "float", "for", "goto", "if", "inline", "int", "long",
          "register", "restrict", "return", "short", "signed", "sizeof", "static", "struct",
          "switch", "typedef", "union", "unsigned", "void", "volatile", "while", "class",
          "delete", "new", "private", "public", "template", "this", "throw", "try", "typename",
          "using", "virtual", "bool", "true", "false", "namespace", "operator", "protected",
          "friend", "catch", "export", "explicit", "mutable", "and", "or", "not", "xor",
          "instance", "inputs", "outputs"})
      used[word] = true;
  }
  std::string add(StringRef name) {
    std::string identifier = toIdentifier(name);
    while (!used.try_emplace(identifier, true).second)
      identifier += "_";
    return identifier;
  }

private:
  llvm::StringMap<bool> used;
};
} // namespace

static std::string shapeText(const TensorPlan &tensor) {
  std::string text = "[";
  for (size_t i = 0; i < tensor.shape.size(); ++i)
    text += (i ? ", " : "") + std::to_string(tensor.shape[i]);
  return text + "]";
}

/// Comment text must not end the comment.
static std::string safe(StringRef text) {
  std::string out;
  for (char c : text)
    out += llvm::isPrint(c) && c != '*' && c != '\\' ? c : '_';
  return out;
}

static void emitWrapper(const ModelPlan &plan, const EntryPlan &entry, unsigned index,
                        llvm::raw_ostream &out) {
  // A function of very many arguments (the grad of a large model) helps nobody.
  if (entry.outputs.size() > 24) {
    out << "/* " << safe(entry.name) << " has " << entry.outputs.size()
        << " outputs: tt_call(instance, " << index
        << "u, inputs, outputs) with pointers in\n * the order of the entry in "
        << safe(plan.name) << ".json. */\n\n";
    return;
  }
  out << "/* " << safe(entry.name) << ". Inputs, row-major:";
  for (const TensorPlan &input : entry.inputs) {
    out << "\n *   " << safe(input.name) << " " << shapeText(input);
    if (input.indexLimit)
      out << " in [0, " << input.indexLimit << ")";
    if (input.indexLimit && input.indexIgnore)
      out << ", or " << input.indexIgnore;
  }
  out << "\n * Outputs (NULL: not wanted):";
  for (const TensorPlan &output : entry.outputs)
    out << "\n *   " << safe(output.name) << " " << shapeText(output);
  Scope scope;
  std::vector<std::string> inputs, outputs;
  for (const TensorPlan &input : entry.inputs)
    inputs.push_back(scope.add(input.name));
  for (const TensorPlan &output : entry.outputs)
    outputs.push_back(scope.add("out_" + output.name));
  out << " */\nstatic inline tt_status " << plan.name << "_" << toIdentifier(entry.name)
      << "(tt_instance *instance";
  for (auto [input, name] : llvm::zip(entry.inputs, inputs)) {
    bool scalar = input.shape.empty();
    out << ",\n    " << (scalar ? "" : "const ") << cType(input.dtype)
        << (scalar ? " " : " *") << name;
  }
  for (auto [output, name] : llvm::zip(entry.outputs, outputs))
    out << ",\n    " << cType(output.dtype) << " *" << name;
  out << ") {\n  const void *inputs[" << std::max<size_t>(entry.inputs.size(), 1) << "] = {";
  for (size_t i = 0; i < entry.inputs.size(); ++i)
    out << (i ? ", " : "") << (entry.inputs[i].shape.empty() ? "&" : "")
        << inputs[i];
  out << (entry.inputs.empty() ? "0" : "") << "};\n  void *outputs["
      << std::max<size_t>(entry.outputs.size(), 1) << "] = {";
  for (size_t i = 0; i < entry.outputs.size(); ++i)
    out << (i ? ", " : "") << outputs[i];
  out << (entry.outputs.empty() ? "0" : "") << "};\n  return tt_call(instance, " << index
      << "u, inputs, outputs);\n}\n\n";
}

/// Shapes of an entry's inputs, and the bound of index inputs.
static void emitShapes(const ModelPlan &plan, const EntryPlan &entry,
                       llvm::raw_ostream &out) {
  Scope scope;
  for (const TensorPlan &input : entry.inputs) {
    std::string prefix = upper(plan.name) + "_" + upper(entry.name) + "_" +
                         scope.add(upper(input.name)) + "_";
    for (size_t i = 0; i < input.shape.size(); ++i)
      out << "#define " << prefix << "DIM" << i << " " << input.shape[i] << "\n";
    if (input.indexLimit)
      out << "#define " << prefix << "LIMIT " << input.indexLimit << "\n";
    if (input.indexLimit && input.indexIgnore)
      out << "#define " << prefix << "IGNORE (" << input.indexIgnore << ")\n";
  }
}

std::string tt::aot::emitHeader(const ModelPlan &plan) {
  std::string text;
  llvm::raw_string_ostream out(text);
  std::string name = upper(plan.name);
  out << "/* " << plan.name << ".h - written by tt-compile. Model hash\n * " << plan.hash
      << "\n * The first part is tt's C ABI, the second this model's. */\n"
      << kAbiText << "\n#ifndef " << name << "_TT_MODEL_H\n#define " << name
      << "_TT_MODEL_H\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n"
      << "/* The tables of this model, for tt_model_query and tt_model_bind. */\n"
      << "const tt_model_desc *" << plan.name << "_model(void);\n\n"
      << "#define " << name << "_HASH \"" << plan.hash << "\"\n"
      << "#define " << name << "_PARAMETERS " << plan.parameters.size() << "u\n"
      << "#define " << name << "_STATES " << plan.states.size() << "u\n"
      << "#define " << name << "_PARAMETER_BYTES " << plan.parameterBytes << "ull\n"
      << "#define " << name << "_STATE_BYTES " << plan.stateBytes << "ull\n"
      << "/* The arena is ARENA_BYTES + threads * WORKER_BYTES. */\n"
      << "#define " << name << "_ARENA_BYTES " << plan.ioBytes + plan.plannedBytes
      << "ull\n#define " << name << "_WORKER_BYTES " << plan.workerBytes << "ull\n\n";
  for (size_t i = 0; i < plan.entries.size(); ++i)
    out << "#define " << name << "_ENTRY_" << upper(plan.entries[i].name) << " " << i
        << "u\n";
  for (const EntryPlan &entry : plan.entries)
    emitShapes(plan, entry, out);
  out << "\n";
  for (size_t i = 0; i < plan.entries.size(); ++i)
    emitWrapper(plan, plan.entries[i], i, out);
  out << "#ifdef __cplusplus\n}\n#endif\n#endif\n";
  return text;
}
