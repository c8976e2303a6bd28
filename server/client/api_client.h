#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/base/error.h"
#include "server/client/key_guard.h"
#include "server/client/server_address.h"

namespace server {

// The code of the error for an address where no `scribed serve` answers.
inline constexpr char no_server[] = "no_server";

struct ApiAnswer {
  long status = 0;
  std::string content_type{};
  std::string body{};  // empty where on_bytes took it
};

// The recording of a form. The descriptor stays the caller's, and is read from where it stands.
struct SentFile {
  int fd = -1;
  std::optional<std::uint64_t> bytes{};  // empty: until the end, as of a pipe
  std::string name{};
};

struct ApiRequest {
  std::string method = "GET";
  std::string path{};                  // "/v1/jobs?limit=5"
  std::vector<std::string> headers{};  // "Name: value"
  std::string body{};
  // A request with a file is a multipart form of these fields and the file.
  std::vector<std::pair<std::string, std::string>> fields{};
  std::optional<SentFile> file{};
  // Receives the bytes of an answer of status 200 to 299, as they come. An error ends the request.
  // It may not throw.
  std::function<Result<void>(const ApiAnswer& head, std::string_view bytes)> on_bytes{};
  // Is asked about once a second; true ends the request.
  std::function<bool()> is_stopped{};
  // A connection over which nothing has gone for so long is given up. Streams of scribed have a
  // sign of life every 15 s.
  std::chrono::milliseconds patience{60'000};
};

// Speaks scribed's own REST API (docs/api.md). Calls block; each has a connection of its own, so
// they may run on several threads.
class ApiClient {
 public:
  // `key` may be empty. It is sent only to a server that may get it (KeyGuard); `trusts_server`:
  // to any.
  ApiClient(ServerAddress address, std::string key, bool trusts_server = false)
      : address_(std::move(address)), key_(std::move(key)), trusts_server_(trusts_server) {}

  const ServerAddress& address() const { return address_; }

  // Performs the request. An answer of any status is a result. Errors: no_server (nobody answers),
  // timed_out, cancelled (is_stopped), too_large, unproven_server, unauthorized (before the key was
  // sent), and those of on_bytes.
  Result<ApiAnswer> send(const ApiRequest& request) const;

  // Performs the request; an answer that is no success is an error with the server's own code,
  // sentence and advice.
  Result<ApiAnswer> call(const ApiRequest& request) const;

  // Returns the error that such an answer tells.
  Error error_of(const ApiAnswer& answer) const;

 private:
  Result<void> ask_for_proof(CURL* curl, KeyGuard& guard, const ApiRequest& request) const;
  Result<ApiAnswer> perform(CURL* curl, const ApiRequest& request, const KeyGuard& guard) const;

  ServerAddress address_;
  std::string key_;
  bool trusts_server_;
};

// Reads an answer's body, which is an object. Errors: no_server, as where something else answers.
Result<nlohmann::json> json_of(const ApiClient& client, const ApiAnswer& answer);

}  // namespace server
