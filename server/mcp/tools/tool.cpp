#include "server/mcp/tools/tool.h"

namespace server {

mcp::Outcome refusal(const Error& error) {
  return mcp::tool_error(error.fix.empty() ? error.message : error.message + "\n" + error.fix);
}

}  // namespace server
