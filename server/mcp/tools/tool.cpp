#include "server/mcp/tools/tool.h"

#include <algorithm>

#include "server/mcp/tools/shown.h"

namespace server {

using std::chrono::milliseconds;

milliseconds ToolCall::time_left() const {
  const auto taken = std::chrono::steady_clock::now() - begun;
  const auto left = std::chrono::duration_cast<milliseconds>(settings.wait - taken);
  return std::max(milliseconds(0), left);
}

mcp::Outcome refusal(const Error& error) {
  const std::string message = shown_line(error.message);
  return mcp::tool_error(error.fix.empty() ? message : message + "\n" + shown_line(error.fix));
}

}  // namespace server
