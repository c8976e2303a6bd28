#include "server/commands/first_steps.h"

#include <fmt/format.h>

#include "server/client/local_socket.h"
#include "server/commands/surroundings.h"
#include "server/config/environment.h"
#include "server/config/folders.h"

namespace server {
namespace {

std::string step(std::string_view command, std::string_view what) {
  return fmt::format("  {:<34}{}\n", command, what);
}

}  // namespace

std::string first_steps(const FirstState& state) {
  const bool has_model = !state.model.empty();
  std::string text;
  text += has_model ? step("scribed models list", "more models than " + state.model)
                    : step("scribed models pull base", "first of all a model, once");
  text += step("scribed transcribe FILE", has_model ? "the text of a recording or a video"
                                                    : "then the text of a recording or a video");
  text += state.server.empty() ? step("scribed serve", "a server that speaks OpenAI's audio API")
                               : step("scribed status", "a server: " + state.server);
  text += step("scribed setup mcp claude", "tools for claude, vscode, cursor or codex");
  text += step("scribed --help", "everything else; scribed doctor: GPUs");
  return text;
}

ExitCode print_first_steps() {
  FirstState state;
  const auto models = own_store().list().models;
  if (!models.empty()) state.model = models.front().manifest.name;
  for (const auto& socket : local_sockets(process_environment)) {
    if (state.server.empty() && is_listened_on(socket)) state.server = "unix:" + socket.string();
  }
  fmt::print("{}", first_steps(state));
  return ExitCode::ok;
}

}  // namespace server
