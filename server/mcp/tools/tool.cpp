#include "server/mcp/tools/tool.h"

#include <algorithm>

#include "protocol/error_text.h"
#include "server/mcp/tools/shown.h"

namespace server {

using std::chrono::milliseconds;

milliseconds ToolCall::time_left() const {
  const auto taken = std::chrono::steady_clock::now() - begun;
  const auto left = std::chrono::duration_cast<milliseconds>(settings.wait - taken);
  return std::max(milliseconds(0), left);
}

mcp::Outcome refusal(const Error& error) {
  // Cut separately, so that a long message does not remove the fix.
  return mcp::tool_error(protocol::error_text(
      {error.code, shown_line(error.message), error.fix.empty() ? "" : shown_line(error.fix)}));
}

}  // namespace server
