#include "server/mcp/tools/wait_argument.h"

#include <algorithm>

#include "server/mcp/tools/schema.h"

namespace server {

nlohmann::json wait_property(const char* description, const ToolSettings& settings) {
  return schema::number(description, 0, static_cast<double>(settings.wait.count()));
}

double read_wait(Arguments& arguments, const ToolSettings& settings, double otherwise) {
  return arguments.number("wait_s", 0, static_cast<double>(settings.wait.count()), otherwise);
}

std::chrono::milliseconds time_to_wait(const ToolCall& call, double wait_s) {
  return std::min(std::chrono::milliseconds(static_cast<int>(wait_s * 1000)), call.time_left());
}

}  // namespace server
