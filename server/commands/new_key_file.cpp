#include "server/commands/new_key_file.h"

#include <grp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <sstream>

#include "server/commands/owner_rights.h"
#include "server/commands/replaced_file.h"

namespace server {
namespace {

namespace fs = std::filesystem;

Error not_written(const fs::path& file, int error_number) {
  return {errc::output_not_writable,
          "cannot write " + file.string() + ": " + std::strerror(error_number), ""};
}

// The group of the installed service (packaging/sysusers.d).
void let_service_read(const fs::path& keys) {
  const auto* group = ::getgrnam("scribed");
  if (group == nullptr || ::geteuid() != 0) return;
  if (::chown(keys.c_str(), 0, group->gr_gid) == 0) ::chmod(keys.c_str(), 0640);
}

}  // namespace

Result<void> make_folder_of(const KeyFilePlace& place) {
  std::error_code failure;
  fs::path there = place.keys.parent_path();
  while (!fs::exists(there, failure) && there != there.parent_path()) there = there.parent_path();
  if (const auto done = become_owner_of(there); !done) return done;
  fs::create_directories(place.keys.parent_path(), failure);
  return failure ? not_written(place.keys.parent_path(), failure.value()) : Result<void>();
}

Result<void> name_in_config(const KeyFilePlace& place) {
  std::error_code failure;
  std::stringstream text;
  if (fs::exists(place.config, failure)) {
    std::ifstream stream(place.config, std::ios::binary);
    if (!stream || (!(text << stream.rdbuf()) && !stream.eof())) {
      return Error{errc::input_unreadable, "cannot read " + place.config.string(), ""};
    }
  }
  const auto named = with_key_file(text.str(), place.keys);
  if (!named) return named.error();
  const int failed = replace_file(place.config, *named, {.kept = 0777, .fresh = 0644});
  if (failed != 0) return not_written(place.config, failed);
  if (place.keys.parent_path() == "/etc/scribed") let_service_read(place.keys);
  return {};
}

}  // namespace server
