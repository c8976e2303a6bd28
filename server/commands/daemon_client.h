#pragma once

#include <string>

#include "server/base/error.h"
#include "server/config/config.h"

// Questions of commands to the daemon that runs on this machine.
namespace server {

// Where the daemon answers, and the key that it is sent.
struct DaemonAddress {
  std::string url{};     // "http://127.0.0.1:8080"
  std::string socket{};  // the file of the socket that leads there; empty: TCP
  std::string key{};     // empty: none is sent
};

// Returns where a daemon with this configuration answers: its first socket in the file system that
// this user may use, else its first address, where "every address" includes loopback. Errors:
// usage, unreachable.
Result<DaemonAddress> daemon_address(const Config& config);

struct DaemonAnswer {
  long status = 0;
  std::string body{};
};

// Asks, and waits for the whole answer, of which it keeps 1 MiB. Errors: unreachable (nobody
// listens), internal.
Result<DaemonAnswer> ask_daemon(const DaemonAddress& daemon, const std::string& method,
                                const std::string& path, double timeout_s);

// Asks for a path, and writes the bytes of an answer of status 200 to a descriptor as they come.
// Errors: unreachable (nobody listens), internal (the answer has no
// end), output_not_writable.
Result<DaemonAnswer> save_answer(const DaemonAddress& daemon, const std::string& path, int to);

// Returns the error that an answer of the daemon is.
Error error_of(const DaemonAnswer& answer);

}  // namespace server
