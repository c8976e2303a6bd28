#include "server/bridge/bridged_post.h"

#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <list>
#include <string_view>
#include <utility>

#include "protocol/json_parse.h"
#include "protocol/json_text.h"
#include "protocol/mcp/http_mirrors.h"
#include "protocol/mcp/meta_keys.h"
#include "server/bridge/bridged_tools.h"
#include "server/client/sse_reader.h"

namespace server::bridge {
namespace {

// A message of the daemon's is bounded by what a model can read; this is far above it.
constexpr protocol::json::Limits message_limits{.values = 1'000'000};

// Returns the revision that a modern client's message names itself; empty: none.
std::string claimed_revision(const Json& message) {
  const Json* at = &message;
  for (const char* key : {"params", "_meta", protocol::mcp::version_key}) {
    if (!at->is_object() || !at->contains(key)) return {};
    at = &(*at)[key];
  }
  return at->is_string() ? at->get<std::string>() : std::string();
}

// The answer of one POST, which is JSON or a stream of events.
class Answer {
 public:
  explicit Answer(const std::function<void(Json)>& tell) : tell_(tell) {}

  Result<void> take(const ApiAnswer& head, std::string_view bytes) {
    if (!head.content_type.starts_with("text/event-stream")) {
      whole_ += bytes;
      if (whole_.size() <= most_bytes) return {};
    } else {
      for (const auto& event : events_.take(bytes)) tell_text(event);
      if (!events_.is_too_long()) return {};
    }
    return Error{errc::too_large, "the server's message is too long", ""};
  }

  void end() {
    if (!whole_.empty()) tell_text(std::exchange(whole_, {}));
  }

  // Passes a refusal on, which is JSON-RPC as well; false where it is not.
  bool tell_text(const std::string& text) {
    auto message = protocol::json::parse_text(text, message_limits);
    const bool is_message = message && (message->is_array() || message->contains("jsonrpc"));
    if (is_message) tell_(*std::move(message));
    return is_message;
  }

 private:
  static constexpr std::size_t most_bytes = 64U << 20;
  const std::function<void(Json)>& tell_;
  SseReader events_{};
  std::string whole_{};
};

// A recording that lies with the daemon while a call names it. A job has its own name for the
// bytes, so that the upload can go when the call was answered.
class OwnUpload {
 public:
  OwnUpload(const ApiClient& client, std::string id) : client_(client), id_(std::move(id)) {}
  OwnUpload(const OwnUpload&) = delete;
  ~OwnUpload() {
    const ApiRequest request{
        .method = "DELETE", .path = "/v1/uploads/" + id_, .patience = std::chrono::seconds(5)};
    [[maybe_unused]] const auto forgotten = client_.send(request);
  }

  std::string handle() const { return "upload://" + id_; }

 private:
  const ApiClient& client_;
  std::string id_;
};

Result<std::string> upload_file(const ApiClient& client, const NamedFile& file,
                                const std::function<bool()>& is_stopped) {
  SentFile sent{.fd = file.input.fd.get(), .name = file.name};
  struct ::stat status {};
  if (::fstat(sent.fd, &status) == 0) sent.bytes = static_cast<std::uint64_t>(status.st_size);
  const auto answer = client.call(
      {.method = "POST", .path = "/v1/uploads", .file = sent, .is_stopped = is_stopped});
  if (!answer) return answer.error();
  const auto body = json_of(client, *answer);
  if (!body) return body.error();
  const auto id = body->find("id");
  if (id != body->end() && id->is_string()) return id->get<std::string>();
  return Error{no_server, client.address().text() + " does not answer as scribed does", ""};
}

// Returns whether a host's text can stand in a header: a line break in it would begin another one.
// The daemon refuses a message whose headers are missing.
bool is_header_value(std::string_view text) {
  return !text.empty() &&
         std::ranges::all_of(text, [](unsigned char c) { return c >= 0x20 && c != 0x7f; });
}

}  // namespace

std::vector<std::string> headers_of(const Json& message, const std::string& revision) {
  std::vector<std::string> headers{"Content-Type: application/json",
                                   "Accept: application/json, text/event-stream"};
  const std::string claimed = claimed_revision(message);
  const std::string& version = claimed.empty() ? revision : claimed;
  if (is_header_value(version)) headers.push_back("MCP-Protocol-Version: " + version);
  const bool is_request = message.is_object() && message.contains("id") &&
                          message.contains("method") && message["method"].is_string();
  if (claimed.empty() || !is_request) return headers;
  for (const auto& [name, value] : protocol::mcp::mirrors_of(message)) {
    if (is_header_value(value)) headers.push_back(name + ": " + value);
  }
  return headers;
}

Result<void> perform(const ApiClient& client, BridgedPost& post,
                     const std::function<void(Json)>& tell, const std::stop_token& end) {
  const auto is_stopped = [&] { return end.stop_requested() || post.stop.stop_requested(); };
  std::list<OwnUpload> own;
  if (post.file) {
    const auto id = upload_file(client, *post.file, is_stopped);
    if (!id) return id.error();
    name_upload(post.message, own.emplace_back(client, *id).handle());
  }
  for (const auto& [speaker, clip] : post.clips) {
    const auto id = upload_file(client, clip, is_stopped);
    if (!id) return id.error();
    name_clip_upload(post.message, speaker, own.emplace_back(client, *id).handle());
  }
  if (!own.empty()) post.line = protocol::json::dump(post.message);
  Answer answer(tell);
  const auto ended =
      client.send({.method = "POST",
                   .path = "/mcp",
                   .headers = headers_of(post.message, post.revision),
                   .body = post.line,
                   .on_bytes = [&](const ApiAnswer& head,
                                   std::string_view bytes) { return answer.take(head, bytes); },
                   .is_stopped = is_stopped});
  if (!ended) return ended.error();
  answer.end();
  const bool is_success = ended->status >= 200 && ended->status <= 299;
  if (is_success || answer.tell_text(ended->body)) return {};
  return client.error_of(*ended);
}

}  // namespace server::bridge
