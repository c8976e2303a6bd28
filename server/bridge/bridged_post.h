#pragma once

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "server/client/api_client.h"
#include "server/inputs/input.h"

namespace server::bridge {

using Json = nlohmann::json;

// A recording that a call names by its path, opened as the user that runs the bridge.
struct NamedFile {
  Input input;
  std::string name{};
};

// A line of the host on its way to the daemon.
struct BridgedPost {
  std::string line{};
  Json message{};                            // the line, parsed; null where it is no JSON
  std::string revision{};                    // that was negotiated; empty: none yet
  std::optional<NamedFile> file{};           // is uploaded before
  std::map<std::string, NamedFile> clips{};  // of known speakers, by name; uploaded before, too
  std::stop_source stop{};                   // the host does not want the answer any more
};

// Returns the headers of the POST, as Streamable HTTP wants them for the client's revision.
std::vector<std::string> headers_of(const Json& message, const std::string& revision);

// Sends the line and blocks until it was answered. `tell` gets each message of the answer, on this
// thread. Errors: those of ApiClient::call.
Result<void> perform(const ApiClient& client, BridgedPost& post,
                     const std::function<void(Json)>& tell, const std::stop_token& end);

}  // namespace server::bridge
