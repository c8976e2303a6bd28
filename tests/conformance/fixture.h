#pragma once

#include <boost/asio/awaitable.hpp>
#include <string>
#include <vector>

#include "protocol/mcp/call.h"
#include "protocol/mcp/features.h"
#include "server/mcp/call_handler.h"
#include "tests/conformance/request_state.h"
#include "tests/conformance/tasks.h"

// The features that the official conformance suite expects of a server under test, on the protocol
// and transport of the product. Names and texts are the suite's.
namespace conformance {

namespace asio = boost::asio;
namespace mcp = protocol::mcp;
using mcp::Json;
using Answer = asio::awaitable<mcp::Outcome>;

// State that lives longer than a call.
struct Shared {
  RequestState state{};
  Tasks tasks{};
};

// One call of a tool.
struct Asked {
  const mcp::CallTool& tool;
  const mcp::Caller& caller;
  server::CallContext& context;
  Shared& shared;
};

struct FixtureTool {
  mcp::Tool tool{};
  Answer (*run)(Asked asked) = nullptr;
};

mcp::Tool tool(const char* name, const char* description, Json properties = Json::object(),
               Json required = Json::array());
// A PNG of one pixel, and a WAV of one sample, as Base64.
std::string png();
std::string wav();

// The first of these can be called without arguments, by any client.
std::vector<FixtureTool> content_tools();
std::vector<FixtureTool> asking_tools();  // tools that ask a legacy client for something
std::vector<FixtureTool> input_tools();   // tools that a modern client calls again with more input
std::vector<FixtureTool> task_tools();

Json input_of_prompt();  // the InputRequests of test_input_required_result_prompt
// Whether the client has answered all of them in the shape of an answer.
bool has_answers(const Json& responses, const Json& requests);

class FixtureCalls final : public server::CallHandler {
 public:
  FixtureCalls();

  const mcp::Features& features() const { return features_; }
  Answer answer(const mcp::Call& call, server::CallContext& context) override;

 private:
  mcp::Features features_{};
  std::vector<FixtureTool> tools_{};
  Shared shared_{};
};

// These serve the methods that are not tools.
mcp::Outcome read_resource(const std::string& uri, mcp::Era era);
mcp::Outcome list_resources();
mcp::Outcome get_prompt(const mcp::GetPrompt& asked);
void add_prompts_and_resources(mcp::Features& features);

}  // namespace conformance
