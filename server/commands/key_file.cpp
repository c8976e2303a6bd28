#include "server/commands/key_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "platform/unique_fd.h"
#include "server/commands/owner_rights.h"
#include "server/commands/replaced_file.h"
#include "server/http/api_keys.h"

namespace server {
namespace {

namespace fs = std::filesystem;

Error not_replaced(const fs::path& file, int error_number) {
  return {error_number == ENOSPC ? errc::out_of_disk : errc::output_not_writable,
          "cannot write " + file.string() + ": " + std::strerror(error_number), ""};
}

Result<void> check_keys(std::string_view text) {
  ApiKeys keys;
  if (auto checked = keys.add_lines(text); !checked) return checked;
  if (keys.size() > 0) return {};
  return Error{errc::usage,
               "this is the last key, and no server starts with a key file without keys",
               "Add another one first: scribed keys add NAME"};
}

}  // namespace

Result<std::string> read_key_file(const fs::path& file) {
  std::error_code failure;
  if (!fs::exists(file, failure) && !failure) return std::string();
  std::ifstream stream(file, std::ios::binary);
  std::stringstream text;
  if (fs::is_regular_file(file, failure) && stream && (text << stream.rdbuf() || text.eof())) {
    return text.str();
  }
  // An empty file gives nothing to copy, which is no failure.
  if (fs::is_regular_file(file, failure) && fs::is_empty(file, failure)) return std::string();
  return Error{errc::input_unreadable, "the key file " + file.string() + " cannot be read", ""};
}

bool is_for_root_alone(const fs::path& file) {
  struct ::stat status {};
  if (::stat(file.c_str(), &status) != 0 || status.st_uid != 0) return false;
  const bool others_can = (status.st_mode & S_IROTH) != 0;
  const bool group_can = (status.st_mode & S_IRGRP) != 0 && status.st_gid != 0;
  return !others_can && !group_can;
}

Result<void> edit_key_file(const fs::path& named,
                           const std::function<Result<std::string>(std::string_view text)>& edit) {
  // A link to the file stays one.
  std::error_code failure;
  const fs::path whole = fs::absolute(named, failure);
  if (const auto done = become_owner_of(whole); !done) return done;
  const fs::path real = fs::weakly_canonical(whole, failure);
  const fs::path& file = real.empty() ? whole : real;
  const platform::UniqueFd folder(
      ::open(file.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder || ::flock(folder.get(), LOCK_EX) != 0) return not_replaced(file, errno);
  const auto text = read_key_file(file);
  if (!text) return text.error();
  const auto edited = edit(*text);
  if (!edited) return edited.error();
  if (const auto checked = check_keys(*edited); !checked) return checked;
  if (const int failed = replace_file(file, *edited, {.kept = 0770, .fresh = 0600})) {
    return not_replaced(file, failed);
  }
  return {};
}

}  // namespace server
