#pragma once

#include <curl/curl.h>

#include <cstdint>
#include <optional>
#include <string>

#include "server/base/error.h"
#include "server/client/server_address.h"

namespace server {

// The code of the error for a program that may not get the key, which is not sent then.
inline constexpr char unproven_server[] = "unproven_server";

// Whoever is first to listen at an address of this machine is sent what clients say there. So
// before a key goes out on a connection, this object looks at who is at its other end: at a socket
// of the file system it must be this user, root or the user of the installed service; and by plain
// HTTP at a loopback address it must have proven that it knows the key (server/http/key_proof.h).
// Everywhere else the key goes where it is sent to: TLS tells who that is, or nobody does.
class KeyGuard {
 public:
  // `key` may be empty: then there is nothing to guard. `trusts_server`: whoever gave the address
  // answers for the program there. `address` and `key` must outlive this object.
  KeyGuard(const ServerAddress& address, const std::string& key, bool trusts_server);

  // Looks at every connection of the handle before something is sent on it. This object must
  // outlive the handle.
  void watch(CURL* curl);

  bool needs_proof() const { return needs_proof_; }
  // Returns the path of the next request for a proof. The requests after it are without the key
  // until take_proof() succeeds.
  std::string challenge();
  // Reads the answer to it. From then on requests carry the key, on that connection alone. Errors:
  // unproven_server, unauthorized (the server does not know the key).
  Result<void> take_proof(long status, const std::string& body);

  // Returns why the last request was not sent; nothing: it was, or failed otherwise.
  const std::optional<Error>& refusal() const { return refusal_; }
  // Whether it was not sent because its connection was another one than that of the proof.
  bool has_lost_connection() const { return has_lost_connection_; }

 private:
  static curl_socket_t open_socket(void* user, curlsocktype type, curl_sockaddr* address);
  static int before_request(void* user, char* their_address, char* own_address, int their_port,
                            int own_port);
  std::optional<Error> distrust_of_socket() const;
  Error unproven(const char* fix) const;

  const ServerAddress& address_;
  const std::string& key_;
  const bool needs_proof_;
  std::string nonce_{};
  std::string server_{};              // the other end of the last connection: "127.0.0.1:8080"
  int own_port_ = 0;                  // of the last connection
  std::optional<int> proven_port_{};  // our port of the connection on which the proof came
  curl_socket_t socket_ = CURL_SOCKET_BAD;  // of the file system
  std::optional<Error> refusal_{};
  bool has_lost_connection_ = false;
};

}  // namespace server
