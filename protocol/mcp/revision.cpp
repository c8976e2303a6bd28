#include "protocol/mcp/revision.h"

#include <algorithm>

namespace protocol::mcp {

std::optional<Era> era_of(std::string_view revision) {
  if (std::ranges::find(revisions, revision) == revisions.end()) return std::nullopt;
  return revision >= newest_modern ? Era::modern : Era::legacy;
}

std::string_view negotiate(std::string_view wanted) {
  return era_of(wanted) == Era::legacy ? wanted : newest_legacy;
}

}  // namespace protocol::mcp
