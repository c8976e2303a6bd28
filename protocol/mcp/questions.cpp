#include <utility>

#include "protocol/mcp/connection.h"

// This file sends requests from the server to a legacy client: sampling, elicitation, roots.
namespace protocol::mcp {

Actions Connection::ask(CallId call, const std::string& question, std::string_view method,
                        Json params) {
  const auto it = pending_.find(call);
  if (it == pending_.end() || it->second.caller.era == Era::modern) return {};
  questions_.emplace(question, call);
  return {Send{jsonrpc::request_message(question, method, std::move(params)), it->second.id}};
}

Actions Connection::on_response(const jsonrpc::Response& response) {
  if (!response.id.is_string()) return {};
  auto node = questions_.extract(response.id.get<std::string>());
  if (node.empty()) return {};  // nothing was asked, or the call has ended
  Answered answered{.call = node.mapped(), .question = node.key()};
  if (response.error) {
    answered.answer = *response.error;
  } else {
    answered.answer = jsonrpc::good<jsonrpc::Checked<Json>>(response.result);
  }
  return {std::move(answered)};
}

void Connection::forget_questions(CallId call) {
  std::erase_if(questions_, [call](const auto& entry) { return entry.second == call; });
}

}  // namespace protocol::mcp
