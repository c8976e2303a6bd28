#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "protocol/json_text.h"
#include "protocol/mcp/connection.h"

using namespace protocol::mcp;

namespace {

Features everything() {
  Features features;
  features.server = {.name = "fuzz", .version = "1"};
  features.tools = {{.name = "t", .input_schema = {{"type", "object"}}}};
  features.prompts = {{.name = "p", .arguments = {{.name = "a", .required = true}}}};
  features.resources = features.resource_subscriptions = true;
  features.completions = features.logging = features.tasks = true;
  return features;
}

// Each line is a message. Every sent message must be JSON-RPC in one line, and every call ends.
void run(Connection& connection, const Actions& actions) {
  for (const auto& action : actions) {
    if (const auto* send = std::get_if<Send>(&action)) {
      const auto text = protocol::json::dump(send->message);
      const auto read = protocol::jsonrpc::parse_json(text);
      if (!read || text.find('\n') != std::string::npos) std::abort();
      if (!read->is_array() && !read->contains("error") && !protocol::jsonrpc::parse(*read)) {
        std::abort();
      }
    }
    if (const auto* begin = std::get_if<Begin>(&action)) {
      if (begin->call.id % 3 == 0) continue;  // stays open
      run(connection, connection.progress(begin->call.id, {0.5, {}, "x"}));
      run(connection, connection.finish(begin->call.id, tool_result("x")));
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Features features = everything();
  Connection connection(features);
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  while (!rest.empty()) {
    const auto end = rest.find('\n');
    run(connection, connection.receive(rest.substr(0, end)));
    rest = end == std::string_view::npos ? "" : rest.substr(end + 1);
  }
  run(connection, connection.resource_updated("x"));
  run(connection, connection.close());
  return 0;
}
