#include "server/daemon/backup_reader.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "server/base/file_error.h"
#include "server/daemon/backup_tar.h"
#include "server/inputs/own_folder.h"

namespace server {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t piece_bytes = 256 * 1024;
constexpr char description[] = ".json";

// The uploads that are whole: their bytes have a description beside them.
std::vector<std::string> whole_uploads(const fs::path& folder) {
  const platform::UniqueFd fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd) return {};
  std::vector<std::string> ids;
  for (const auto& name : names_in(fd)) {
    if (!name.ends_with(description) || !is_own_name(name)) continue;
    ids.push_back(name.substr(0, name.size() - (sizeof description - 1)));
  }
  std::ranges::sort(ids);
  return ids;
}

}  // namespace

BackupReader::BackupReader(StoreCopy copy, const fs::path& uploads) {
  files_.push_back({.name = backup_version_name, .text = backup_version});
  files_.push_back({.name = "jobs.sqlite", .fd = std::move(copy.database)});
  for (auto& input : copy.inputs) {
    files_.push_back({.name = "inputs/" + input.name, .fd = std::move(input.fd)});
  }
  for (const auto& id : whole_uploads(uploads)) {
    for (const auto& name : {id, id + description}) {
      files_.push_back({.name = "uploads/" + name, .path = uploads / name});
    }
  }
}

Result<std::string> BackupReader::next() {
  if (left_ > 0) return read_on();
  if (padding_ > 0) return std::string(std::exchange(padding_, 0), '\0');
  while (!files_.empty()) {
    File file = std::move(files_.front());
    files_.pop_front();
    if (!file.path.empty()) {
      file.fd.reset(::open(file.path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
      if (!file.fd) continue;  // it was removed meanwhile
    }
    return begin(std::move(file));
  }
  return std::exchange(has_ended_, true) ? std::string() : tar_end();
}

Result<std::string> BackupReader::begin(File file) {
  current_ = std::move(file);
  if (!current_.fd) {
    const std::string head = tar_head({current_.name, current_.text.size()});
    return head + current_.text + std::string(tar_padding(current_.text.size()), '\0');
  }
  struct ::stat status {};
  if (::fstat(current_.fd.get(), &status) != 0) return file_error("read", current_.name, errno);
  left_ = static_cast<std::uint64_t>(status.st_size);
  padding_ = tar_padding(left_);
  return tar_head({current_.name, left_});
}

Result<std::string> BackupReader::read_on() {
  std::string piece(std::min<std::uint64_t>(piece_bytes, left_), '\0');
  const ssize_t got = ::read(current_.fd.get(), piece.data(), piece.size());
  if (got <= 0) return file_error("read", current_.name, got == 0 ? EIO : errno);
  piece.resize(static_cast<std::size_t>(got));
  left_ -= piece.size();
  return piece;
}

}  // namespace server
