#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "server/base/blocking_calls.h"
#include "server/bridge/bridged_post.h"
#include "server/client/api_client.h"
#include "server/inputs/allowed_paths.h"

namespace server::bridge {

// Stands between an MCP host on stdio and the /mcp of a daemon, so that all hosts of a machine
// share one daemon with its models and jobs. Each line of the host is a POST of its own; files that
// a call names are read here, as the user of the host, and uploaded. A daemon that does not answer
// is told to whoever waits; the next line tries again. All calls are on the executor's thread.
class McpBridge {
 public:
  struct Settings {
    std::vector<std::filesystem::path> folders{};  // whose files may be named
    // Returns the path that a call means by "~/talk.wav" or "file:///talk.wav"; empty where it
    // means none of this machine.
    std::function<std::optional<std::string>(const std::string& given)> path_of{};
  };

  // `send` gets the messages for the host. It must stay valid until this object is gone.
  McpBridge(boost::asio::any_io_executor executor, ApiClient client, Settings settings,
            std::function<void(const Json&)> send);

  // Takes a line of the host.
  void receive(std::string line);

  // Ends the requests that are open; nobody is answered any more.
  void close();

 private:
  using Shared = std::shared_ptr<BridgedPost>;

  asio::awaitable<void> forward(Shared post);
  // Opens the files that a call names; false where the call was refused.
  bool take_files(BridgedPost& post);
  // Empty where the call was refused.
  std::optional<NamedFile> open_file(const Json& message, const std::string& named);
  void take_answer(const BridgedPost& post, Json message);
  void take_revision(const Json& result);
  void take_failure(const BridgedPost& post, const Error& error);
  void cancel(const Json& message);

  boost::asio::any_io_executor executor_;
  ApiClient client_;
  Settings settings_;
  AllowedPaths paths_;
  std::function<void(const Json&)> send_;
  std::string revision_{};                // that `initialize` has negotiated
  std::map<std::string, Shared> open_{};  // requests without an answer, by the text of their id
  bool is_closed_ = false;
  BlockingCalls calls_;
};

}  // namespace server::bridge
