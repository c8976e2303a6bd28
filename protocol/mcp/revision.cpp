#include "protocol/mcp/revision.h"

#include <algorithm>

namespace protocol::mcp {

std::optional<Era> era_of(std::string_view revision) {
  if (std::ranges::find(revisions, revision) == revisions.end()) return std::nullopt;
  return revision >= newest_modern ? Era::modern : Era::legacy;
}

}  // namespace protocol::mcp
