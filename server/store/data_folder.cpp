#include "server/store/data_folder.h"

#include <unistd.h>

#include <cstdlib>

namespace server {

namespace fs = std::filesystem;

std::string process_environment(const char* variable) {
  const char* value = std::getenv(variable);
  return value == nullptr ? "" : value;
}

fs::path models_folder(const Environment& environment, const fs::path& system_folder) {
  if (const auto own = environment("SCRIBED_DATA_DIR"); !own.empty()) {
    return fs::path(own) / "models";
  }
  const fs::path system = system_folder / "models";
  std::error_code ignored;
  if (fs::is_directory(system, ignored) && ::access(system.c_str(), W_OK) == 0) return system;
  if (const auto xdg = environment("XDG_DATA_HOME"); !xdg.empty() && fs::path(xdg).is_absolute()) {
    return fs::path(xdg) / "scribed" / "models";
  }
  const auto home = environment("HOME");
  // Without a home (some services) the working folder is the one place left.
  return fs::path(home.empty() ? "." : home) / ".local" / "share" / "scribed" / "models";
}

fs::path cache_folder(const Environment& environment, const fs::path& system_folder) {
  return models_folder(environment, system_folder).parent_path() / "cache";
}

}  // namespace server
