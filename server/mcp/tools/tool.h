#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

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

// How much a call may take and give, and what of the machine it may name. The schemas, descriptions
// and prompts tell of nothing that is not allowed here.
struct ToolSettings {
  // The time that a call waits for its job, below the shortest limit of known hosts, which is 60 s.
  std::chrono::seconds wait{45};
  // A whole result as JSON, `content` and `structuredContent` together. Known hosts cut off what is
  // longer than about 25 000 tokens.
  std::size_t result_bytes = 40'000;
  std::size_t audio_bytes = 1U << 20;  // sound in Base64, after decoding
  std::vector<std::string> folders{};  // files below these can be named by path; none: no path is
  std::string home{};                  // stands for "~" in paths; empty: "~" is a name
  bool may_fetch = false;              // addresses, by url
  bool takes_uploads = false;          // handles of POST /v1/uploads, by upload
  bool may_write = false;              // files below the folders, by output_file
  // Returns whether a principal has a right. Over stdio the principal is the user, who has all.
  std::function<bool(const std::string& principal, Right right)> may = [](const std::string&,
                                                                          Right) { return true; };

  bool may_name_files() const { return !folders.empty(); }
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
SpeechTool detect_language_tool(const ToolSettings& settings);
SpeechTool get_job_tool(const ToolSettings& settings);
SpeechTool list_jobs_tool();
SpeechTool search_transcripts_tool();
SpeechTool cancel_job_tool();
SpeechTool name_speakers_tool();
SpeechTool status_tool();
SpeechTool list_models_tool();
SpeechTool load_model_tool();
SpeechTool unload_model_tool();

// Returns an error that the calling model can act on: what went wrong, and what to do.
mcp::Outcome refusal(const Error& error);

}  // namespace server
