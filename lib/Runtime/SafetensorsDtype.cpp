// The element types of safetensors files.
#include "SafetensorsDtype.h"

#include "tt/runtime/tt.h"

using namespace tt::runtime;

static_assert(uint32_t(SafetensorsDtype::F64) == TT_F64 &&
                  uint32_t(SafetensorsDtype::F32) == TT_F32 &&
                  uint32_t(SafetensorsDtype::BF16) == TT_BF16 &&
                  uint32_t(SafetensorsDtype::F16) == TT_F16 &&
                  uint32_t(SafetensorsDtype::I64) == TT_I64 &&
                  uint32_t(SafetensorsDtype::I32) == TT_I32 &&
                  uint32_t(SafetensorsDtype::I8) == TT_I8 &&
                  uint32_t(SafetensorsDtype::BOOL) == TT_I1,
              "the first eight have the numbers of tt_dtype");
static_assert(kSafetensorsMaxRank == TT_MAX_RANK, "one rank limit");

namespace {
struct DtypeRow {
  const char *name;
  SafetensorsDtype dtype;
  uint32_t bytes;
};
} // namespace

static constexpr DtypeRow dtypes[] = {
    {"F64", SafetensorsDtype::F64, 8},
    {"F32", SafetensorsDtype::F32, 4},
    {"BF16", SafetensorsDtype::BF16, 2},
    {"F16", SafetensorsDtype::F16, 2},
    {"I64", SafetensorsDtype::I64, 8},
    {"I32", SafetensorsDtype::I32, 4},
    {"I8", SafetensorsDtype::I8, 1},
    {"BOOL", SafetensorsDtype::BOOL, 1},
    {"U8", SafetensorsDtype::U8, 1},
    {"I16", SafetensorsDtype::I16, 2},
    {"U16", SafetensorsDtype::U16, 2},
    {"U32", SafetensorsDtype::U32, 4},
    {"U64", SafetensorsDtype::U64, 8},
    {"F8_E4M3", SafetensorsDtype::F8_E4M3, 1},
    {"F8_E5M2", SafetensorsDtype::F8_E5M2, 1},
    {"F8_E8M0", SafetensorsDtype::F8_E8M0, 1},
    {"C64", SafetensorsDtype::C64, 8},
};

static const DtypeRow *findRow(SafetensorsDtype dtype) {
  for (const DtypeRow &row : dtypes)
    if (row.dtype == dtype)
      return &row;
  return nullptr;
}

bool tt::runtime::findSafetensorsDtype(JsonText name, SafetensorsDtype &dtype) {
  for (const DtypeRow &row : dtypes) {
    if (!jsonEquals(name, row.name))
      continue;
    dtype = row.dtype;
    return true;
  }
  return false;
}

const char *tt::runtime::safetensorsDtypeName(SafetensorsDtype dtype) {
  const DtypeRow *row = findRow(dtype);
  return row ? row->name : "unknown";
}

uint32_t tt::runtime::safetensorsDtypeBytes(SafetensorsDtype dtype) {
  const DtypeRow *row = findRow(dtype);
  return row ? row->bytes : 0;
}

bool tt::runtime::safetensorsDtypeIsSupported(SafetensorsDtype dtype) {
  return static_cast<uint32_t>(dtype) <=
         static_cast<uint32_t>(SafetensorsDtype::BOOL);
}
