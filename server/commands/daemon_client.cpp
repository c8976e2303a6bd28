#include "server/commands/daemon_client.h"

#include <curl/curl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>

#include "protocol/json_parse.h"
#include "server/http/listen_address.h"
#include "server/models/curl_handle.h"

namespace server {
namespace {

constexpr std::size_t max_answer_bytes = 1 << 20;

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

std::size_t keep_answer(const char* bytes, std::size_t, std::size_t count, void* text) {
  auto& kept = *static_cast<std::string*>(text);
  kept.append(bytes, std::min(count, max_answer_bytes - std::min(max_answer_bytes, kept.size())));
  return count;
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
  const std::string url = daemon.url + path;
  const CurlHandle handle = make_curl(url, {.bearer = daemon.key});
  CURL* curl = handle.get();
  DaemonAnswer answer;
  curl_easy_setopt(curl, CURLOPT_NOPROXY, "*");
  if (!daemon.socket.empty()) {
    curl_easy_setopt(curl, CURLOPT_UNIX_SOCKET_PATH, daemon.socket.c_str());
  }
  curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, method.c_str());
  curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, static_cast<long>(timeout_s * 1000));
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, keep_answer);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &answer.body);
  const CURLcode code = curl_easy_perform(curl);
  if (code != CURLE_OK) {
    const std::string where = daemon.socket.empty() ? url : daemon.socket;
    return Error{errc::unreachable, fmt::format("{}: {}", where, curl_easy_strerror(code)),
                 "Is scribed serve running, and listening there?"};
  }
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &answer.status);
  return answer;
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
