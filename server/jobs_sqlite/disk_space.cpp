#include "server/jobs_sqlite/disk_space.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <system_error>
#include <vector>

#include "platform/unique_fd.h"

namespace server {
namespace {

namespace fs = std::filesystem;

constexpr int incremental = 2;        // PRAGMA auto_vacuum
constexpr int most_pages = 256;       // that are given back at once
constexpr int pages_that_stay = 256;  // free ones

std::uint64_t free_for_us(const fs::path& file) {
  struct ::statvfs info {};
  if (::statvfs(file.parent_path().c_str(), &info) != 0) return 0;
  return static_cast<std::uint64_t>(info.f_bavail) * info.f_frsize;
}

std::uint64_t size_or_zero(const fs::path& file) {
  std::error_code missing;
  const auto size = fs::file_size(file, missing);
  return missing ? 0 : size;
}

// A file with a hole would take nothing of the disk, so all of it is written.
bool write_all(const fs::path& file, std::uint64_t bytes) {
  const platform::UniqueFd fd(
      ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600));
  const std::vector<char> piece(1 << 20, 'x');
  for (std::uint64_t done = 0; fd && done < bytes; done += piece.size()) {
    if (::write(fd.get(), piece.data(), piece.size()) != std::ssize(piece)) return false;
  }
  return static_cast<bool>(fd);
}

}  // namespace

void DiskReserve::make() const {
  if (size_or_zero(file_) >= bytes || free_for_us(file_) < least_free) return;
  if (!write_all(file_, bytes)) ::unlink(file_.c_str());
}

bool DiskReserve::release() const {
  return ::unlink(file_.c_str()) == 0;
}

void make_space_returnable(SQLite::Database& db, const fs::path& file) {
  if (db.execAndGet("PRAGMA auto_vacuum").getInt() == incremental) return;
  const auto size = size_or_zero(file);
  if (size > most_to_rebuild || free_for_us(file) < 2 * size + DiskReserve::least_free) return;
  try {
    db.exec("PRAGMA auto_vacuum = INCREMENTAL");
    db.exec("VACUUM main");
    empty_log(db);
  } catch (const SQLite::Exception&) {
    // The database works as before, and the next start tries again.
  }
}

bool give_back_pages(SQLite::Database& db) {
  if (db.execAndGet("PRAGMA auto_vacuum").getInt() != incremental) return false;
  const int free = db.execAndGet("PRAGMA freelist_count").getInt();
  if (free <= pages_that_stay) return false;
  db.exec(
      fmt::format("PRAGMA incremental_vacuum({})", std::min(free - pages_that_stay, most_pages)));
  return free - most_pages > pages_that_stay;
}

void empty_log(SQLite::Database& db) {
  db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
}

void try_to_empty_log(SQLite::Database& db) {
  try {
    empty_log(db);
  } catch (const SQLite::Exception&) {
    // The log stays, and the next checkpoint writes it back.
  }
}

}  // namespace server
