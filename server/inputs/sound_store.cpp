#include "server/inputs/sound_store.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <set>
#include <string_view>
#include <utility>

#include "server/base/random_id.h"

namespace server {
namespace {

namespace fs = std::filesystem;

constexpr char part_extension[] = ".part";
constexpr char peaks_extension[] = ".peaks";
// The copy of a recording whose channels are transcribed separately comes from a filter of its own.
constexpr std::uint64_t tolerance_bytes = sound_bytes_per_second / 10;

std::uint64_t size_of(int fd) {
  struct ::stat info {};
  return ::fstat(fd, &info) == 0 ? static_cast<std::uint64_t>(info.st_size) : 0;
}

Error no_sound_kept() {
  return {errc::no_sound, "The audio of this job is not stored.",
          "Submit the recording again; the setting jobs.keep_audio stores audio."};
}

void name_as_whole(const Spool& files, const std::string& job) {
  const auto path = files.folder() / job;
  if (::rename((path.string() + part_extension).c_str(), path.c_str()) == 0) return;
  // The job was removed meanwhile, or its sound has that name already.
  if (errno != ENOENT) files.failure("rename", job, errno);
}

}  // namespace

SoundWriter::SoundWriter(const Spool& files, platform::UniqueFd fd, std::string job,
                         std::string owner)
    : files_(&files), fd_(std::move(fd)), job_(std::move(job)), owner_(std::move(owner)) {
  struct ::stat info {};
  if (::fstat(fd_.get(), &info) != 0) return;
  inode_ = info.st_ino;
  bytes_ = static_cast<std::uint64_t>(info.st_size);
  if (bytes_ == 0) files_->room().give_back(inode_);  // an earlier file of this inode is gone
}

// A file that other daemons may remove counts toward the room only while it is written. One that
// nothing was written to is of no use, as that of a recording which could not be decoded; of
// several daemons another one may be writing to it by now.
SoundWriter::~SoundWriter() {
  if (!fd_) return;
  if (!files_->counts_kept()) {
    files_->room().give_back(inode_);
  } else if (size_of(fd_.get()) == 0) {
    files_->remove(job_ + part_extension);
  }
}

Result<void> SoundWriter::write(std::span<const std::int16_t> samples) {
  auto bytes = std::as_bytes(samples);
  const auto room = files_->room().reserve(inode_, owner_, bytes_ + bytes.size(), files_->kind());
  if (!room) return room.error();
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd_.get(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return files_->failure("write", job_, errno);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
    bytes_ += static_cast<std::uint64_t>(written);
  }
  return {};
}

void SoundWriter::finish() {
  name_as_whole(*files_, job_);
}

std::uint64_t SoundWriter::room() const {
  return bytes_ + files_->room().spare(owner_);
}

void SoundWriter::measure() {
  struct ::stat info {};
  const bool is_there = ::fstat(fd_.get(), &info) == 0 && info.st_nlink > 0;
  const auto now = static_cast<std::uint64_t>(info.st_size);
  if (!is_there || now == bytes_) return;
  bytes_ = now;
  files_->room().settle(inode_, owner_, bytes_, files_->kind());
}

void SoundWriter::finish_at(double seconds) {
  measure();
  const auto wanted =
      static_cast<std::uint64_t>(std::llround(seconds * sound_rate_hz)) * sizeof(std::int16_t);
  if (bytes_ + tolerance_bytes < wanted) {
    files_->remove(job_ + part_extension);
    return;
  }
  // An earlier attempt may have had more, of a file that was changed since.
  const bool is_longer = bytes_ > wanted + tolerance_bytes;
  if (is_longer && ::ftruncate(fd_.get(), static_cast<off_t>(wanted)) == 0) measure();
  finish();
}

Result<SoundStore> SoundStore::open(fs::path folder, SpoolSettings settings) {
  settings.kind = FileKind::audio;
  auto files = Spool::open(std::move(folder), std::move(settings));
  if (!files) return files.error();
  return SoundStore(*std::move(files));
}

Result<SoundWriter> SoundStore::open_to_write(const std::string& job, const std::string& owner,
                                              int flags) const {
  const fs::path path = files_.folder() / (job + part_extension);
  platform::UniqueFd fd(
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC | flags, 0600));
  if (!fd) return files_.failure("make", path.filename(), errno);
  return SoundWriter(files_, std::move(fd), job, owner);
}

Result<SoundWriter> SoundStore::begin(const std::string& job, const std::string& owner) const {
  return open_to_write(job, owner, O_APPEND);
}

Result<SoundWriter> SoundStore::begin_anew(const std::string& job, const std::string& owner) const {
  return open_to_write(job, owner, 0);
}

Result<void> SoundStore::link(const fs::path& file, const std::string& job) const {
  const fs::path path = files_.folder() / job;
  if (::link(file.c_str(), path.c_str()) == 0 || errno == EEXIST) return {};
  return files_.failure("link", job, errno);
}

void SoundStore::finish(const std::string& job) const {
  name_as_whole(files_, job);
}

Result<OpenSound> SoundStore::read(const std::string& job) const {
  if (!is_id(job)) return no_sound_kept();
  for (const std::string& name : {job, job + part_extension}) {
    platform::UniqueFd fd(
        ::open((files_.folder() / name).c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
    if (!fd) continue;
    const std::uint64_t bytes = size_of(fd.get()) / 2 * 2;  // whole samples
    if (bytes == 0) continue;
    return OpenSound{std::move(fd), {.bytes = bytes, .is_whole = name == job}};
  }
  return no_sound_kept();
}

std::optional<KeptSound> SoundStore::find(const std::string& job) const {
  for (const std::string& name : {job, job + part_extension}) {
    struct ::stat info {};
    if (::lstat((files_.folder() / name).c_str(), &info) != 0 || info.st_size < 2) continue;
    return KeptSound{.bytes = static_cast<std::uint64_t>(info.st_size) / 2 * 2,
                     .is_whole = name == job};
  }
  return std::nullopt;
}

Result<fs::path> SoundStore::take(const std::string& job, const Spool& spool) const {
  const auto sound = find(job);
  if (!sound || !sound->is_whole) return no_sound_kept();
  return spool.link(files_.folder() / job);
}

fs::path SoundStore::peaks_path(const std::string& job) const {
  return files_.folder() / (job + peaks_extension);
}

platform::UniqueFd SoundStore::open_peaks(const std::string& job) const {
  const fs::path path = peaks_path(job);
  platform::UniqueFd fd(::open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
  // remove() may have run since the caller saw the sound. It takes the peaks last, so either it or
  // this call finds them.
  if (!find(job)) files_.remove(path.filename());
  return fd;
}

void SoundStore::remove(const std::string& job) const {
  // The peaks are the last (open_peaks).
  for (const char* extension : {"", part_extension, peaks_extension})
    files_.remove(job + extension);
}

void SoundStore::adopt(const std::string& job, const std::string& owner) const {
  for (const char* extension : {"", part_extension}) files_.adopt(job + extension, owner);
}

SoundUse SoundStore::use() const {
  SoundUse use;
  for (const auto& job : jobs()) {
    const auto sound = find(job);
    if (!sound) continue;
    use.bytes += sound->bytes;
    ++use.jobs;
  }
  return use;
}

std::vector<std::string> SoundStore::jobs() const {
  std::set<std::string> ids;
  for (const auto& name : files_.names()) ids.insert(name.substr(0, name.find('.')));
  return {ids.begin(), ids.end()};
}

}  // namespace server
