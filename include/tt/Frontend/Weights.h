// Parameters from safetensors files of transformers' making.
#ifndef TT_FRONTEND_WEIGHTS_H
#define TT_FRONTEND_WEIGHTS_H

#include "tt/Frontend/Models.h"
#include "tt/Support/SafetensorsFile.h"

#include <string>
#include <vector>

namespace tt::frontend {

/// The checkpoint of a model: one file, or the shards of one.
class Checkpoint {
public:
  bool open(const std::vector<std::string> &paths, std::string &error);

  /// What stands in front of this checkpoint's names: "transformer." or
  /// "model.", or nothing if it was saved without the head.
  std::string prefix(const ModelConfig &config) const;

  /// Checks that each parameter is there with its shape and a float type, and
  /// that nothing else is: buffers that carry no weights are ignored, and the
  /// head of a tied model may be there if it equals the embedding.
  bool check(const ModelConfig &config, std::string &error) const;

  /// Writes the parameters as f32 (or f64), under their names; the file loads
  /// in transformers. Atomic; same checkpoint, same bytes. Values that are not
  /// finite add a warning.
  bool convert(const ModelConfig &config, bool toF64, const std::string &path,
               std::string &error, std::vector<std::string> &warnings) const;

  /// True if `path` names one of the open files, by whatever way.
  bool isOneOfFiles(const std::string &path) const;

private:
  struct Entry {
    const support::SafetensorsFile *file = nullptr;
    const support::SafetensorsFile::Tensor *tensor = nullptr;
  };

  Entry find(std::string_view name) const;
  bool checkTied(const ModelConfig &config, std::string &error) const;
  bool isIgnored(const ModelConfig &config, std::string_view name) const;

  std::vector<support::SafetensorsFile> files;
};

} // namespace tt::frontend
#endif
