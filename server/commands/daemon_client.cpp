#include "server/commands/daemon_client.h"

#include <curl/curl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <string_view>
#include <utility>

#include "protocol/json_parse.h"
#include "server/http/listen_address.h"
#include "server/models/curl_handle.h"

namespace server {
namespace {

constexpr std::size_t max_answer_bytes = 1 << 20;

// A copy of many jobs takes a while before its first byte.
constexpr std::chrono::seconds save_patience{300};

// A machine that is asked for by its name or by "every address" is asked by its own loopback.
std::string url_of(const ListenAddress& address) {
  std::string host = address.host;
  if (host.empty() || host == "0.0.0.0") host = "127.0.0.1";
  if (host == "::") host = "::1";
  return fmt::format("http://{}:{}", host.find(':') == host.npos ? host : "[" + host + "]",
                     address.port);
}

bool may_connect(const std::string& socket) {
  return ::access(socket.c_str(), W_OK) == 0;
}

// Takes the bytes of an answer: those of a success go to a descriptor where there is one.
struct Receiver {
  CURL* curl = nullptr;
  int to = -1;
  DaemonAnswer answer{};
  int failure = 0;  // of writing
};

std::size_t receive(const char* bytes, std::size_t, std::size_t count, void* user) {
  auto& receiver = *static_cast<Receiver*>(user);
  long status = 0;
  if (receiver.to >= 0) curl_easy_getinfo(receiver.curl, CURLINFO_RESPONSE_CODE, &status);
  if (status != 200) {
    auto& kept = receiver.answer.body;
    kept.append(bytes, std::min(count, max_answer_bytes - std::min(max_answer_bytes, kept.size())));
    return count;
  }
  for (std::string_view rest(bytes, count); !rest.empty();) {
    const ssize_t wrote = ::write(receiver.to, rest.data(), rest.size());
    if (wrote < 0) {
      receiver.failure = errno;
      return 0;
    }
    rest.remove_prefix(static_cast<std::size_t>(wrote));
  }
  return count;
}

CurlHandle handle_for(const DaemonAddress& daemon, const std::string& path) {
  CurlHandle handle = make_curl(daemon.url + path, {.bearer = daemon.key});
  curl_easy_setopt(handle.get(), CURLOPT_NOPROXY, "*");
  if (!daemon.socket.empty()) {
    curl_easy_setopt(handle.get(), CURLOPT_UNIX_SOCKET_PATH, daemon.socket.c_str());
  }
  return handle;
}

Result<DaemonAnswer> perform(const CurlHandle& curl, const DaemonAddress& daemon,
                             Receiver& receiver) {
  curl_easy_setopt(curl.get(), CURLOPT_WRITEFUNCTION, receive);
  curl_easy_setopt(curl.get(), CURLOPT_WRITEDATA, &receiver);
  const CURLcode code = curl_easy_perform(curl.get());
  if (receiver.failure != 0) {
    return Error{errc::output_not_writable, std::strerror(receiver.failure),
                 "Make room on the disk."};
  }
  if (code != CURLE_OK) {
    const std::string where = daemon.socket.empty() ? daemon.url : daemon.socket;
    return Error{code == CURLE_COULDNT_CONNECT ? errc::unreachable : errc::internal,
                 fmt::format("{}: {}", where, curl_easy_strerror(code)),
                 "Is scribed serve running, and listening there?"};
  }
  curl_easy_getinfo(curl.get(), CURLINFO_RESPONSE_CODE, &receiver.answer.status);
  return std::move(receiver.answer);
}

}  // namespace

Result<DaemonAddress> daemon_address(const Config& config) {
  DaemonAddress daemon{.url = "http://localhost", .key = config.server.api_key};
  for (const auto& text : config.server.listen) {
    const auto address = parse_listen_address(text);
    if (!address) return address.error();
    if (!address->path.empty() && may_connect(address->path)) {
      daemon.socket = address->path;
      return daemon;
    }
  }
  const auto is_tcp = [](const std::string& text) { return !text.starts_with("unix:"); };
  const auto tcp = std::ranges::find_if(config.server.listen, is_tcp);
  if (tcp == config.server.listen.end()) {
    return Error{errc::unreachable, "This user can reach no address of server.listen.",
                 "Run it as the user of the daemon, or start the daemon."};
  }
  daemon.url = url_of(*parse_listen_address(*tcp));
  return daemon;
}

Result<DaemonAnswer> ask_daemon(const DaemonAddress& daemon, const std::string& method,
                                const std::string& path, double timeout_s) {
  const CurlHandle curl = handle_for(daemon, path);
  Receiver receiver;
  curl_easy_setopt(curl.get(), CURLOPT_CUSTOMREQUEST, method.c_str());
  curl_easy_setopt(curl.get(), CURLOPT_TIMEOUT_MS, static_cast<long>(timeout_s * 1000));
  return perform(curl, daemon, receiver);
}

Result<DaemonAnswer> save_answer(const DaemonAddress& daemon, const std::string& path, int to) {
  const CurlHandle curl = handle_for(daemon, path);
  set_patience(curl.get(), save_patience);
  Receiver receiver{.curl = curl.get(), .to = to};
  return perform(curl, daemon, receiver);
}

Error error_of(const DaemonAnswer& answer) {
  const Error unknown{errc::internal, fmt::format("the daemon answers {}", answer.status)};
  const auto body = protocol::json::parse_object(answer.body);
  if (!body || !body->contains("error") || !(*body)["error"].is_object()) return unknown;
  const auto& error = (*body)["error"];
  const auto text = [&](const char* name) {
    return error.contains(name) && error[name].is_string() ? error[name].get<std::string>() : "";
  };
  // Its message has the fix in it.
  return {text("code").empty() ? errc::internal : text("code"), text("message")};
}

}  // namespace server
