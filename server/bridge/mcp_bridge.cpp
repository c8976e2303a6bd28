#include "server/bridge/mcp_bridge.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <exception>
#include <utility>

#include "protocol/error_text.h"
#include "protocol/json_text.h"
#include "protocol/jsonrpc.h"
#include "server/bridge/bridged_tools.h"

namespace server::bridge {
namespace {

// Requests at once. A subscription holds one for as long as it lives.
constexpr std::size_t threads = 24;
constexpr int max_pending = 256;

std::string method_of(const Json& message) {
  return message.is_object() && message.contains("method") && message["method"].is_string()
             ? message["method"].get<std::string>()
             : std::string();
}

// Returns the text of a request's id; "" for what is no request.
std::string id_text(const Json& message) {
  if (method_of(message).empty() || !message.contains("id")) return {};
  return protocol::json::dump(message["id"]);
}

bool tells_of_files(const std::string& method) {
  return method == "initialize" || method == "server/discover" || method == "tools/list";
}

}  // namespace

McpBridge::McpBridge(boost::asio::any_io_executor executor, ApiClient client, Settings settings,
                     std::function<void(const Json&)> send)
    : executor_(std::move(executor)),
      client_(std::move(client)),
      settings_(std::move(settings)),
      paths_(settings_.folders),
      send_(std::move(send)),
      calls_(threads, max_pending) {}

void McpBridge::receive(std::string line) {
  if (is_closed_ || line.find_first_not_of(" \t\r") == line.npos) return;
  const auto post = std::make_shared<BridgedPost>();
  auto parsed = protocol::jsonrpc::parse_json(line);
  if (parsed) post->message = *std::move(parsed);
  post->line = std::move(line);
  post->revision = revision_;
  if (method_of(post->message) == "notifications/cancelled") cancel(post->message);
  if (!take_files(*post)) return;
  const std::string id = id_text(post->message);
  if (!id.empty()) open_[id] = post;
  // close() stops its request; a coroutine that is left over ends with the executor.
  asio::co_spawn(executor_, forward(post), [](std::exception_ptr failure) {
    if (failure) std::rethrow_exception(failure);
  });
}

bool McpBridge::take_files(BridgedPost& post) {
  if (!post.message.is_object() || !post.message.contains("id")) return true;
  if (const auto named = named_path(post.message)) {
    post.file = open_file(post.message, *named);
    if (!post.file) return false;
  }
  for (const auto& [speaker, named] : named_clips(post.message)) {
    auto file = open_file(post.message, named);
    if (!file) return false;
    post.clips.emplace(speaker, *std::move(file));
  }
  return true;
}

std::optional<NamedFile> McpBridge::open_file(const Json& message, const std::string& named) {
  const auto path = settings_.path_of(named);
  if (!path) {
    send_(refused_call(message, named + " is no address of a file on this machine."));
    return std::nullopt;
  }
  auto input = paths_.open(*path);
  if (input) {
    return NamedFile{*std::move(input), std::filesystem::path(*path).filename().string()};
  }
  send_(refused_call(message, protocol::error_text(input.error())));
  return std::nullopt;
}

asio::awaitable<void> McpBridge::forward(Shared post) {
  const auto tell = [this, post](Json message) {
    asio::post(executor_, [this, post, message = std::move(message)]() mutable {
      take_answer(*post, std::move(message));
    });
  };
  std::function<Result<void>(std::stop_token)> work = [this, post,
                                                       tell](std::stop_token end) -> Result<void> {
    return perform(client_, *post, tell, end);
  };
  auto running = calls_.run<void>(std::move(work));
  const auto done = co_await std::move(running);
  const std::string id = id_text(post->message);
  const auto open = open_.find(id);
  const bool is_open = open != open_.end() && open->second == post;
  if (!is_open) co_return;
  open_.erase(open);
  const Error silent{no_server, "the server closed the connection without a response", ""};
  take_failure(*post, done ? silent : done.error());
}

void McpBridge::take_answer(const BridgedPost& post, Json message) {
  if (is_closed_ || post.stop.stop_requested()) return;
  const std::string method = method_of(post.message);
  const bool answers = message.is_object() && !message.contains("method") &&
                       message.contains("id") && post.message.is_object() &&
                       post.message.contains("id");
  // A refusal of the transport names no id, though it answers this request.
  if (answers && message["id"].is_null()) message["id"] = post.message["id"];
  if (answers && message["id"] == post.message["id"]) {
    open_.erase(id_text(post.message));
    if (message.contains("result") && tells_of_files(method)) {
      offer_paths(message["result"], settings_.folders);
    }
    if (method == "initialize" && message.contains("result")) take_revision(message["result"]);
  }
  send_(message);
}

void McpBridge::take_revision(const Json& result) {
  if (!result.is_object() || !result.contains("protocolVersion")) return;
  const Json& negotiated = result["protocolVersion"];
  if (negotiated.is_string()) revision_ = negotiated.get<std::string>();
}

void McpBridge::take_failure(const BridgedPost& post, const Error& error) {
  if (is_closed_ || post.stop.stop_requested()) return;
  const protocol::jsonrpc::Error told{
      protocol::jsonrpc::internal_error, protocol::error_text(error), {}};
  send_(protocol::jsonrpc::error_message(post.message["id"], told));
}

void McpBridge::cancel(const Json& message) {
  const auto params = message.find("params");
  if (params == message.end() || !params->is_object() || !params->contains("requestId")) return;
  const auto open = open_.find(protocol::json::dump((*params)["requestId"]));
  if (open == open_.end()) return;
  // A modern client's daemon takes the end of the connection for a cancellation, a legacy one's the
  // notification, which is passed on.
  open->second->stop.request_stop();
  open_.erase(open);
}

void McpBridge::close() {
  is_closed_ = true;
  for (const auto& [id, post] : open_) post->stop.request_stop();
  open_.clear();
}

}  // namespace server::bridge
