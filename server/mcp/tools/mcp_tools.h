#pragma once

#include <string>
#include <vector>

#include "protocol/mcp/features.h"
#include "server/mcp/call_handler.h"
#include "server/mcp/tools/tool.h"

namespace server {

// Answers what MCP clients ask of scribed, over stdio and HTTP alike: its tools, transcripts as
// resources, prompts, and jobs as tasks. Whose a job is follows from who asks. `services` and
// `submission` must outlive it. On the thread of the executor.
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
