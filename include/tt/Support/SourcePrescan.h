// A look at .mlir text before MLIR's parser gets it.
#ifndef TT_SUPPORT_SOURCEPRESCAN_H
#define TT_SUPPORT_SOURCEPRESCAN_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tt::support {

struct PrescanLimits {
  uint64_t maxBytes = uint64_t(256) << 20;
  uint32_t maxDepth = 256;
  uint64_t maxAliasUses = 1000000;
};

/// What is wrong with the text; lines and columns count from 1, in bytes.
struct PrescanError {
  uint64_t line = 1;
  uint64_t column = 1;
  std::string found;
  std::string wanted;

  /// "NAME:LINE:COLUMN: error: expected WANTED, but found FOUND".
  std::string message(std::string_view name) const;
};

/// Refuses what is not MLIR text or would harm the parser: too large, empty
/// (nothing but space and comments), bytecode, a NUL byte, brackets nested too
/// deep, aliases that expand to too many uses. Linear in the text's size (n
/// log n for the aliases' names). Accepting does not mean that it parses.
///
/// Brackets are ( [ { <, outside of strings and comments. More than 256
/// operators in one affine expression count as too deep as well: MLIR's parser
/// recurses into each. The number of uses of an alias is 1 plus the uses of
/// all aliases that its definition names, with repetitions; the sum over all
/// aliases, plus what operations' references add to that, is limited, and so
/// is the depth of brackets after expansion. A cycle is refused.
std::optional<PrescanError> prescanSource(std::string_view text,
                                          const PrescanLimits &limits = {});

} // namespace tt::support
#endif
