#include "server/inputs/disk_room.h"

#include <fmt/format.h>
#include <sys/statvfs.h>

#include <algorithm>

namespace server {
namespace {

// Returns whether `used` and `more` stay within `limit`, even if their sum overflows.
bool fits(std::uint64_t used, std::uint64_t more, std::uint64_t limit) {
  return more <= limit && used <= limit - more;
}

Error disk_full() {
  return {errc::out_of_disk, "There is no room for recordings and texts on the server's disk now.",
          "Try again later."};
}

}  // namespace

Error too_many_bytes(std::uint64_t limit) {
  return {errc::too_many_bytes,
          fmt::format("Your recordings and texts would take more than the {} bytes that they may "
                      "take on this server.",
                      limit),
          "Try again when some of your transcriptions are finished, or delete jobs or uploads."};
}

void DiskRoom::set_limits(Limits limits) {
  const std::lock_guard lock(mutex_);
  limits_ = std::move(limits);
}

std::uint64_t DiskRoom::limit_of(const std::string& owner) const {
  const auto own = limits_.of_owner.find(owner);
  return own == limits_.of_owner.end() ? limits_.per_owner
                                       : std::min(own->second, limits_.per_owner);
}

Result<void> DiskRoom::check_locked(const std::string& owner, std::uint64_t more) const {
  const std::uint64_t limit = limit_of(owner);
  if (more > limit || more > limits_.total) {
    const auto most = std::min(limit, limits_.total);
    return Error{errc::too_large,
                 fmt::format("The recording has more than the {} bytes that one client may keep "
                             "on this server.",
                             most),
                 "Send a shorter one, or compress it."};
  }
  if (!fits(used_by_locked(owner), more, limit)) return too_many_bytes(limit);
  if (!fits(used_, more, limits_.total)) return disk_full();
  if (!limits_.free_bytes || fits(limits_.min_free, more, limits_.free_bytes())) return {};
  return disk_full();
}

Result<void> DiskRoom::check(const std::string& owner, std::uint64_t bytes) const {
  const std::lock_guard lock(mutex_);
  return check_locked(owner, bytes);
}

std::uint64_t DiskRoom::most_of(const std::string& owner) const {
  const std::lock_guard lock(mutex_);
  return limit_of(owner);
}

std::uint64_t DiskRoom::most_of_all() const {
  const std::lock_guard lock(mutex_);
  return limits_.total;
}

std::uint64_t DiskRoom::min_free() const {
  const std::lock_guard lock(mutex_);
  return limits_.min_free;
}

void DiskRoom::set_stored(Kind kind, std::map<std::string, std::uint64_t> bytes) {
  const std::lock_guard lock(mutex_);
  auto& stored = stored_[kind];
  for (const auto& [owner, before] : stored) used_ -= before;
  stored = std::move(bytes);
  for (const auto& [owner, now] : stored) used_ += now;
}

Result<std::uint64_t> DiskRoom::check_stored(const std::string& owner, std::uint64_t more) const {
  const std::lock_guard lock(mutex_);
  const std::uint64_t free = limits_.free_bytes ? limits_.free_bytes() : ~0ULL;
  if (!fits(limits_.min_free, more, free)) return disk_full();
  const std::uint64_t limit = limit_of(owner), used = used_by_locked(owner);
  if (used >= limit || !fits(used, more, limit)) return too_many_bytes(limit);
  if (used_ >= limits_.total || !fits(used_, more, limits_.total)) return disk_full();
  return std::min({limit - used, limits_.total - used_, free - limits_.min_free});
}

std::uint64_t DiskRoom::spare(const std::string& owner) const {
  const std::lock_guard lock(mutex_);
  const auto left_of = [](std::uint64_t limit, std::uint64_t used) {
    return limit > used ? limit - used : 0;
  };
  const std::uint64_t spare = std::min(left_of(limit_of(owner) / 2, used_by_locked(owner)),
                                       left_of(limits_.total / 2, used_));
  if (!limits_.free_bytes) return spare;
  return std::min(spare, left_of(limits_.free_bytes(), limits_.min_free) / 2);
}

void DiskRoom::set_bytes(File& file, std::uint64_t bytes) {
  used_ += bytes - file.bytes;
  DiskUse& own = by_owner_[file.owner];
  (file.kind == FileKind::audio ? own.audio : own.uploads) += bytes - file.bytes;
  file.bytes = bytes;
}

Result<void> DiskRoom::reserve(ino_t file, const std::string& owner, std::uint64_t bytes,
                               FileKind kind) {
  const std::lock_guard lock(mutex_);
  const auto known = files_.find(file);
  const std::uint64_t before = known == files_.end() ? 0 : known->second.bytes;
  if (bytes <= before) return is_full_locked() ? disk_full() : Result<void>();
  if (auto room = check_locked(owner, bytes - before); !room) return room;
  set_bytes(files_.try_emplace(file, File{owner, kind}).first->second, bytes);
  return {};
}

void DiskRoom::settle(ino_t file, const std::string& owner, std::uint64_t bytes, FileKind kind) {
  const std::lock_guard lock(mutex_);
  set_bytes(files_.try_emplace(file, File{owner, kind}).first->second, bytes);
}

void DiskRoom::give_back(ino_t file) {
  const std::lock_guard lock(mutex_);
  const auto known = files_.find(file);
  if (known == files_.end()) return;
  set_bytes(known->second, 0);
  const auto own = by_owner_.find(known->second.owner);
  if (own->second.total() == 0) by_owner_.erase(own);
  files_.erase(known);
}

std::uint64_t DiskRoom::used() const {
  const std::lock_guard lock(mutex_);
  return used_;
}

std::uint64_t DiskRoom::used_by(const std::string& owner) const {
  const std::lock_guard lock(mutex_);
  return used_by_locked(owner);
}

std::uint64_t DiskRoom::used_by_locked(const std::string& owner) const {
  return use_of_locked(owner).total();
}

DiskUse DiskRoom::use_of(const std::string& owner) const {
  const std::lock_guard lock(mutex_);
  return use_of_locked(owner);
}

DiskUse DiskRoom::use_of_locked(const std::string& owner) const {
  const auto files = by_owner_.find(owner);
  DiskUse use = files == by_owner_.end() ? DiskUse() : files->second;
  for (const auto& [kind, owners] : stored_) {
    const auto found = owners.find(owner);
    if (found != owners.end()) use.transcripts += found->second;
  }
  return use;
}

std::map<std::string, DiskUse> DiskRoom::use_of_all() const {
  const std::lock_guard lock(mutex_);
  std::map<std::string, DiskUse> all = by_owner_;
  for (const auto& [kind, owners] : stored_) {
    for (const auto& [owner, bytes] : owners) all[owner].transcripts += bytes;
  }
  std::erase_if(all, [](const auto& entry) { return entry.second.total() == 0; });
  return all;
}

std::uint64_t DiskRoom::free() const {
  const std::lock_guard lock(mutex_);
  return limits_.free_bytes ? limits_.free_bytes() : 0;
}

bool DiskRoom::disk_is_full() const {
  const std::lock_guard lock(mutex_);
  return is_full_locked();
}

bool DiskRoom::is_full_locked() const {
  return limits_.free_bytes && limits_.free_bytes() < limits_.min_free;
}

std::uint64_t free_bytes(const std::string& folder) {
  struct ::statvfs info {};
  if (::statvfs(folder.c_str(), &info) != 0) return 0;
  return static_cast<std::uint64_t>(info.f_bavail) * info.f_frsize;
}

}  // namespace server
