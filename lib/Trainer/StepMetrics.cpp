#include "tt/Trainer/StepMetrics.h"

#include "tt/Trainer/RunLog.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

using namespace tt::trainer;

static bool isLogged(const tt_tensor_info &info) {
  for (std::string_view own : {"loss", "grad_norm", "clip", "skipped"})
    if (own == info.name)
      return false;
  constexpr uint32_t kDtypes[] = {TT_F64, TT_F32, TT_I64, TT_I32, TT_I8, TT_I1};
  return info.rank == 0 && std::find(std::begin(kDtypes), std::end(kDtypes), info.dtype) !=
                               std::end(kDtypes);
}

void StepMetrics::bind(TrainPort &port) {
  for (const tt_tensor_info &info : port.outputInfos) {
    if (!isLogged(info))
      continue;
    metricNames.push_back(info.name);
    dtypes.push_back(info.dtype);
  }
  values.resize(metricNames.size());
  for (size_t i = 0; i < values.size(); ++i)
    port.setOutput(metricNames[i].c_str(), values[i].data());
}

template <typename T> static T read(const std::array<char, 8> &bytes) {
  T value;
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

static std::string textOf(uint32_t dtype, const std::array<char, 8> &bytes) {
  switch (dtype) {
  case TT_F64:
    return formatFloat(read<double>(bytes));
  case TT_F32:
    return formatFloat(read<float>(bytes));
  case TT_I64:
    return fmt::format("{}", read<int64_t>(bytes));
  case TT_I32:
    return fmt::format("{}", read<int32_t>(bytes));
  default: // i8, and i1 as 0 or 1
    return fmt::format("{}", int(read<int8_t>(bytes)));
  }
}

std::vector<std::string> StepMetrics::texts() const {
  std::vector<std::string> result;
  for (size_t i = 0; i < values.size(); ++i)
    result.push_back(textOf(dtypes[i], values[i]));
  return result;
}
