#pragma once

#include <string>
#include <vector>

#include "protocol/mcp/features.h"
#include "server/mcp/call_handler.h"
#include "server/mcp/tools/tool.h"

namespace server {

// Answers the requests of MCP clients, over stdio and HTTP alike: tools, transcripts as resources,
// prompts, and jobs as tasks. The principal decides whose jobs a caller sees. `services` and
// `submission` must outlive it. All calls are on the executor's thread.
class McpTools final : public CallHandler {
 public:
  using Settings = ToolSettings;

  McpTools(Services& services, Submission& submission, Settings settings,
           const std::string& version);

  const mcp::Features& features() const { return features_; }
  boost::asio::awaitable<mcp::Outcome> answer(const mcp::Call& call, CallContext& context) override;

 private:
  Services& services_;
  Submission& submission_;
  Settings settings_;
  std::vector<SpeechTool> tools_;
  mcp::Features features_{};
};

}  // namespace server
