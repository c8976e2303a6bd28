#include "server/commands/connection_options.h"

#include <CLI/CLI.hpp>
#include <fstream>
#include <sstream>

#include "server/client/local_socket.h"
#include "server/config/environment.h"
#include "server/config/folders.h"
#include "server/config/load_config.h"

namespace server {
namespace {

// The daemon that this machine's configuration describes.
Result<ServerAddress> own_server(const Config& config) {
  const std::string socket = listening_socket(config, process_environment);
  if (!socket.empty()) return parse_server_address("unix:" + socket);
  for (const auto& listen : config.server.listen) {
    if (!listen.starts_with("unix:")) return address_of_listener(listen);
  }
  const auto& listen = config.server.listen;
  return address_of_listener(listen.empty() ? "127.0.0.1:8080" : listen.front());
}

Result<std::string> given_key(const ConnectionOptions& options) {
  if (!options.key_file.empty()) return read_key(options.key_file);
  return process_environment("SCRIBED_API_KEY");
}

}  // namespace

void add_connection_options(CLI::App& command, ConnectionOptions& options) {
  command
      .add_option("--server", options.server,
                  "Server, as http://HOST:PORT or unix:/PATH; also $SCRIBED_SERVER (default: the "
                  "server of this machine)")
      ->type_name("URL");
  command
      .add_option("--api-key-file", options.key_file,
                  "File with the API key to send; also $SCRIBED_API_KEY")
      ->type_name("FILE");
  add_trust_option(command, options.trust_server);
  command.add_option("--config", options.config, "Also read this file, for server.listen")
      ->type_name("FILE");
}

void add_trust_option(CLI::App& command, bool& trust_server) {
  command.add_flag("--trust-server", trust_server,
                   "Send the key to a local server that cannot prove that it has it, such as one "
                   "behind a proxy or in a container");
}

std::string listening_socket(const Config& config, const Environment& environment) {
  constexpr std::string_view scheme = "unix:";
  for (const auto& listen : config.server.listen) {
    const bool is_socket = listen.starts_with(scheme);
    if (is_socket && is_listened_on(listen.substr(scheme.size()))) {
      return listen.substr(scheme.size());
    }
  }
  for (const auto& socket : local_sockets(environment)) {
    if (is_listened_on(socket)) return socket;
  }
  return {};
}

Result<ApiClient> find_server(const ConnectionOptions& options) {
  auto key = given_key(options);
  if (!key) return key.error();
  const std::string named =
      options.server.empty() ? process_environment("SCRIBED_SERVER") : options.server;
  if (!named.empty()) {
    auto address = parse_server_address(named);
    if (!address) return address.error();
    return ApiClient(*std::move(address), *std::move(key), options.trust_server);
  }
  const auto config =
      load_config({.environment = process_environment, .named_file = options.config});
  if (!config) return config.error();
  auto address = own_server(*config);
  if (!address) return address.error();
  return ApiClient(*std::move(address), key->empty() ? config->server.api_key : *std::move(key),
                   options.trust_server);
}

Result<std::string> read_key(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::stringstream words;
  if (!stream || !(words << stream.rdbuf())) {
    return Error{errc::input_not_found, "the key's file " + file.string() + " cannot be read", ""};
  }
  std::string key, more;
  words >> key >> more;
  if (!key.empty() && more.empty()) return key;
  return Error{errc::usage, file.string() + " does not hold one key and nothing else",
               "The file of a server's keys is another one: write the key alone into a file."};
}

}  // namespace server
