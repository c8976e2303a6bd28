#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <filesystem>
#include <utility>

// The disk space of the database: a reserve for removals, and what they give back. Functions throw
// SQLite::Exception.
namespace server {

// A file next to the database that takes some of the disk. Removing a job writes to the disk before
// it frees anything, so a full disk needs this space: release() makes it available.
class DiskReserve {
 public:
  static constexpr std::uint64_t bytes = 8ULL << 20;
  // The disk is left alone if less is free than that.
  static constexpr std::uint64_t least_free = 8 * bytes;

  explicit DiskReserve(std::filesystem::path file) : file_(std::move(file)) {}

  // Makes the file if it is missing and the disk has room for it.
  void make() const;
  // Removes the file. Returns false if there is none.
  bool release() const;

 private:
  std::filesystem::path file_;
};

// Rebuilds a database of an earlier version so that its free pages can be given back. It is left as
// it is if it has more than `most_to_rebuild` bytes, which takes too long at a start, or if the
// disk lacks room for the copy.
inline constexpr std::uint64_t most_to_rebuild = 256ULL << 20;
void make_space_returnable(SQLite::Database& db, const std::filesystem::path& file);

// Cuts at most 1 MiB of free pages off the file. Returns whether there are more; a few stay for
// what is written next. The file gets shorter at the next checkpoint.
bool give_back_pages(SQLite::Database& db);

// Writes the log back into the database, and empties it.
void empty_log(SQLite::Database& db);
// Does so if it can.
void try_to_empty_log(SQLite::Database& db);

}  // namespace server
