#pragma once

#include <string>

#include "protocol/mcp/features.h"
#include "server/mcp/allowed_paths.h"
#include "server/mcp/mcp_server.h"
#include "server/transcription/model_host.h"

namespace server {

// The tools that scribed offers to MCP hosts.
protocol::mcp::Features speech_features(const std::string& version);

class SpeechTools final : public CallHandler {
 public:
  SpeechTools(ModelHost& host, const AllowedPaths& paths, std::string default_model)
      : host_(host), paths_(paths), default_model_(std::move(default_model)) {}

  boost::asio::awaitable<protocol::mcp::Outcome> answer(const protocol::mcp::Call& call,
                                                        CallReporter& reporter) override;

 private:
  boost::asio::awaitable<protocol::mcp::Outcome> transcribe(const protocol::mcp::Json& arguments,
                                                            CallReporter& reporter);
  protocol::mcp::Outcome status() const;

  ModelHost& host_;
  const AllowedPaths& paths_;
  std::string default_model_;
};

}  // namespace server
