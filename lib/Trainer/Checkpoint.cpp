#include "tt/Trainer/Checkpoint.h"

#include "tt/Support/SafetensorsFile.h"

#include <charconv>
#include <fmt/format.h>

using namespace tt::trainer;

static constexpr char kStep[] = "tt.train.step";
static constexpr char kSkipped[] = "tt.train.skipped"; // absent: none
static constexpr char kVocabulary[] = "tt.train.vocabulary";
static constexpr char kText[] = "tt.train.text";
static constexpr char kTextHash[] = "tt.train.text-hash";
static constexpr char kLibrary[] = "tt.train.library"; // optional

bool Checkpoint::save(TrainModel &model, const RunSettings &settings,
                      const std::string &path, std::string &error) const {
  RunSettings::Metadata pairs = {{kStep, fmt::format("{}", step)},
                                 {kSkipped, fmt::format("{}", numSkipped)},
                                 {kText, textPath},
                                 {kTextHash, fmt::format("{:016x}", textHash)},
                                 {kVocabulary, vocabulary.serialize()}};
  if (!libraryPath.empty())
    pairs.emplace_back(kLibrary, libraryPath);
  settings.save(pairs);
  if (model.model().save(path, /*withState=*/true, pairs))
    return true;
  error = model.model().error();
  return false;
}

template <typename Int>
static bool parseNumber(const std::string &text, Int &value, int base) {
  const char *end = text.data() + text.size();
  auto result = std::from_chars(text.data(), end, value, base);
  return result.ec == std::errc() && result.ptr == end;
}

bool Checkpoint::read(const std::string &path, std::string &error) {
  support::SafetensorsFile file;
  if (!file.open(path, error, /*foreignDtypes=*/true))
    return false;
  metadata = file.metadata();
  auto get = [&](const char *key) {
    auto found = metadata.find(key);
    if (found != metadata.end())
      return found->second;
    if (error.empty())
      error = fmt::format("{}: found no metadata \"{}\", wanted a checkpoint "
                          "written by tt-train",
                          path, key);
    return std::string();
  };
  std::string stepText = get(kStep), hashText = get(kTextHash),
              form = get(kVocabulary);
  textPath = get(kText);
  modelHash = get("tt.hash");
  if (auto library = metadata.find(kLibrary); library != metadata.end())
    libraryPath = library->second;
  if (!error.empty())
    return false;
  auto skipped = metadata.find(kSkipped);
  if (!parseNumber(stepText, step, 10) || step < 0 ||
      !parseNumber(hashText, textHash, 16)) {
    error = fmt::format("{}: found step \"{}\" and hash \"{}\" in its "
                        "metadata, wanted numbers",
                        path, stepText, hashText);
    return false;
  }
  numSkipped = 0;
  if (skipped != metadata.end() &&
      (!parseNumber(skipped->second, numSkipped, 10) || numSkipped < 0 ||
       numSkipped > step)) {
    error = fmt::format("{}: metadata \"{}\": found \"{}\", wanted 0 to {}, "
                        "the steps",
                        path, kSkipped, skipped->second, step);
    return false;
  }
  std::optional<Vocabulary> parsed = Vocabulary::parse(form, error);
  if (!parsed) {
    error = fmt::format("{}: {}", path, error);
    return false;
  }
  vocabulary = *parsed;
  return true;
}

bool Checkpoint::checkModel(const runtime::ModelTypes &types, int64_t numIds,
                            const std::string &path, bool allowOther,
                            std::string &error) const {
  if (vocabulary.size() > numIds) {
    error = fmt::format("{}: found a vocabulary of {} {}, wanted at most {}, "
                        "that of {}",
                        path, vocabulary.size(), vocabulary.unit(), numIds,
                        types.path);
    return false;
  }
  if (allowOther || modelHash == types.hash)
    return true;
  error = fmt::format("{}: found a checkpoint of model {}, wanted one of {}, "
                      "which {} is (--allow-other-model tries it)",
                      path, modelHash, types.hash, types.path);
  return false;
}
