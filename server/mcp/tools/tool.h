#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstddef>
#include <functional>
#include <string>

#include "protocol/mcp/call.h"
#include "protocol/mcp/features.h"
#include "server/base/error.h"
#include "server/http/api_keys.h"
#include "server/mcp/call_handler.h"
#include "server/submission/services.h"

namespace server {

class Submission;

namespace asio = boost::asio;
namespace mcp = protocol::mcp;
using mcp::Json;

struct ToolSettings {
  // The time that a call waits for its job, below the shortest limit of known hosts, which is 60 s.
  std::chrono::seconds wait{45};
  std::size_t text_bytes = 80'000;     // about 25 000 tokens, what hosts take of one result
  std::size_t audio_bytes = 1U << 20;  // sound in Base64, after decoding
  bool may_write = true;               // files, by output_file
  // Returns whether a principal has a right. Over stdio the principal is the user, who has all.
  std::function<bool(const std::string& principal, Right right)> may = [](const std::string&,
                                                                          Right) { return true; };
};

// One call: of a tool, or about a resource, a prompt or a task, which have no arguments here.
struct ToolCall {
  Services& services;
  Submission& submission;
  const ToolSettings& settings;
  const Json& arguments;
  const mcp::Caller& caller;
  CallContext& context;
  std::chrono::steady_clock::time_point begun = std::chrono::steady_clock::now();

  // Returns what is left of the time that a call may take, all of its waits together.
  std::chrono::milliseconds time_left() const;
};

using ToolAnswer = asio::awaitable<mcp::Outcome>;

struct SpeechTool {
  mcp::Tool tool{};
  ToolAnswer (*run)(ToolCall call) = nullptr;
  Right right = Right::transcribe;
};

// Each tool has a file of its own.
SpeechTool transcribe_tool(const ToolSettings& settings);
SpeechTool detect_language_tool();
SpeechTool get_job_tool(const ToolSettings& settings);
SpeechTool list_jobs_tool();
SpeechTool cancel_job_tool();
SpeechTool status_tool();
SpeechTool list_models_tool();
SpeechTool load_model_tool();
SpeechTool unload_model_tool();

// Returns an error that the calling model can act on: what went wrong, and what to do.
mcp::Outcome refusal(const Error& error);

}  // namespace server
