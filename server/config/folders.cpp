#include "server/config/folders.h"

#include <sys/stat.h>
#include <unistd.h>

#include <string>
#include <system_error>

namespace server {

namespace fs = std::filesystem;

fs::path models_folder(const Environment& environment, const fs::path& system_folder) {
  if (const auto own = environment("SCRIBED_DATA_DIR"); !own.empty()) {
    return fs::path(own) / "models";
  }
  const fs::path system = system_folder / "models";
  std::error_code ignored;
  if (fs::is_directory(system, ignored) && ::access(system.c_str(), W_OK) == 0) return system;
  const auto own = user_folder(environment, "XDG_DATA_HOME", ".local/share");
  // Without a home (some services) the working folder is the one place left.
  return (own.empty() ? fs::path("./.local/share/scribed") : own) / "models";
}

fs::path cache_folder(const Environment& environment, const fs::path& system_folder) {
  const fs::path data = models_folder(environment, system_folder).parent_path();
  const auto own = user_folder(environment, "XDG_CACHE_HOME", ".cache");
  struct ::stat status {};
  const bool is_of_another =
      ::geteuid() == 0 && ::stat(data.c_str(), &status) == 0 && status.st_uid != 0;
  return is_of_another && !own.empty() ? own : data / "cache";
}

std::vector<fs::path> packs_folders(const Environment& environment, const fs::path& system_folder) {
  const fs::path of_machine = system_folder / "packs";
  std::error_code ignored;
  const bool is_administrator = environment("SCRIBED_DATA_DIR").empty() &&
                                fs::is_directory(system_folder, ignored) &&
                                ::access(system_folder.c_str(), W_OK) == 0;
  const fs::path own = is_administrator
                           ? of_machine
                           : models_folder(environment, system_folder).parent_path() / "packs";
  if (own == of_machine) return {own};
  return {own, of_machine};
}

fs::path state_folder(const Config& config, const Environment& environment, bool is_root) {
  if (!config.jobs.state_folder.empty()) return config.jobs.state_folder;
  // systemd separates several folders by colons; the first is ours.
  const std::string given = environment("STATE_DIRECTORY");
  if (!given.empty()) return given.substr(0, given.find(':'));
  if (is_root) return "/var/lib/scribed";
  const auto own = user_folder(environment, "XDG_STATE_HOME", ".local/state");
  return own.empty() ? fs::path(".scribed") : own;
}

std::vector<fs::path> local_sockets(const Environment& environment) {
  constexpr char name[] = "scribed/scribed.sock";
  std::vector<fs::path> sockets;
  const fs::path own = environment("XDG_RUNTIME_DIR");
  if (own.is_absolute()) sockets.push_back(own / name);
  sockets.push_back(fs::path("/run") / name);
  return sockets;
}

fs::path user_folder(const Environment& environment, const char* variable, const char* in_home) {
  const fs::path own = environment(variable);
  if (own.is_absolute()) return own / "scribed";
  const fs::path home = environment("HOME");
  return home.empty() ? fs::path() : home / in_home / "scribed";
}

}  // namespace server
