#pragma once

#include <CLI/App.hpp>
#include <filesystem>
#include <string>

#include "server/base/environment.h"
#include "server/client/api_client.h"
#include "server/config/config.h"

namespace server {

// The options of commands that ask a running `scribed serve`.
struct ConnectionOptions {
  std::string server{};
  std::filesystem::path key_file{};  // holds one key, and nothing else
  std::filesystem::path config{};
  bool trust_server = false;  // whoever named it answers for the program there
};

// Adds --trust-server to `command`; `trust_server` must outlive it.
void add_trust_option(CLI::App& command, bool& trust_server);

// Adds the options to `command`; `options` must outlive it.
void add_connection_options(CLI::App& command, ConnectionOptions& options);

// Returns a client of the server that is meant: --server, else $SCRIBED_SERVER, else the daemon of
// this machine, by a unix socket where it listens on one. The key is that of the file, else of
// $SCRIBED_API_KEY; only a server that the configuration names gets the configuration's. Nothing is
// sent yet. Errors: those of the configuration, of the key's file, and of the address.
Result<ApiClient> find_server(const ConnectionOptions& options);

// Returns a unix socket on which a daemon of this machine listens now; empty: there is none.
std::string listening_socket(const Config& config, const Environment& environment);

// Reads the key from a file that holds nothing else. Errors: input_not_found, usage.
Result<std::string> read_key(const std::filesystem::path& file);

}  // namespace server
