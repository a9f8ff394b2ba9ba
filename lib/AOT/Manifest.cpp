//===- Manifest.cpp - NAME.json -------------------------------------------===//
#include "tt/AOT/Library.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace tt::aot;
namespace json = llvm::json;

static llvm::StringRef dtypeName(tt_dtype dtype) {
  static const char *const names[] = {"f64", "f32", "bf16", "f16", "i64", "i32", "i8", "i1"};
  return names[dtype];
}

static void writeTensors(json::OStream &out, llvm::StringRef key,
                         const std::vector<TensorPlan> &tensors) {
  out.attributeArray(key, [&] {
    for (const TensorPlan &tensor : tensors)
      out.object([&] {
        out.attribute("name", json::fixUTF8(tensor.name));
        out.attribute("dtype", dtypeName(tensor.dtype));
        out.attributeArray("shape", [&] {
          for (int64_t size : tensor.shape)
            out.value(size);
        });
        out.attribute("bytes", int64_t(tensor.bytes));
        if (tensor.indexLimit)
          out.attribute("index_limit", tensor.indexLimit);
        // A target that is not counted; 0 where there is none.
        if (tensor.indexLimit && tensor.indexIgnore)
          out.attribute("index_ignore", tensor.indexIgnore);
      });
  });
}

std::string tt::aot::emitManifest(const ModelPlan &plan) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  json::OStream out(stream, 1);
  out.object([&] {
    out.attribute("format", "tt-manifest-1");
    out.attribute("name", plan.name);
    out.attribute("hash", plan.hash);
    out.attribute("abi_version", int64_t(TT_ABI_VERSION));
    out.attribute("numerics", "cpu-f32-1");
    out.attributeObject("options", [&] {
      for (const auto &[name, value] : plan.options)
        out.attribute(name, json::fixUTF8(value));
    });
    out.attributeArray("levels", [&] {
      if (plan.isaMask & (1u << TT_ISA_V3))
        out.value("x86-64-v3");
      if (plan.isaMask & (1u << TT_ISA_V4))
        out.value("x86-64-v4");
    });
    out.attributeObject("memory", [&] {
      out.attribute("parameters", int64_t(plan.parameterBytes));
      out.attribute("optimizer_state", int64_t(plan.stateBytes));
      out.attribute("io", int64_t(plan.ioBytes));
      out.attribute("gradients", int64_t(plan.gradientBytes));
      out.attribute("activations", int64_t(plan.activationBytes));
      out.attribute("workspace", int64_t(plan.workspaceBytes));
      out.attribute("per_worker", int64_t(plan.workerBytes));
      ControlBytes control = controlBytes(plan);
      out.attribute("control", int64_t(control.fixed));
      out.attribute("control_per_worker", int64_t(control.perWorker));
      out.attribute("selfcheck_scratch", int64_t(selfcheckScratchBytes(plan)));
      out.attribute("max_threads", int64_t(plan.maxThreads));
    });
    out.attributeArray("entries", [&] {
      for (const EntryPlan &entry : plan.entries)
        out.object([&] {
          out.attribute("name", entry.name);
          out.attribute("launches", int64_t(entry.launches.size()));
          out.attribute("arena_bytes", int64_t(entry.arenaBytes));
          writeTensors(out, "inputs", entry.inputs);
          writeTensors(out, "outputs", entry.outputs);
        });
    });
    writeTensors(out, "parameters", plan.parameters);
    writeTensors(out, "states", plan.states);
    out.attribute("kernels", int64_t(plan.kernels.size()));
    if (!plan.certificate.empty()) {
      out.attributeBegin("certificate");
      out.rawValue(plan.certificate);
      out.attributeEnd();
    }
  });
  text += "\n";
  return text;
}
