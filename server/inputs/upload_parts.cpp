#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "server/base/file_calls.h"
#include "server/base/random_id.h"
#include "server/inputs/upload_catalog.h"
#include "server/inputs/uploads.h"

// Uploads that come in parts.
namespace server {

namespace fs = std::filesystem;

Error too_many_unfinished(std::size_t most) {
  return {errc::too_many_uploads,
          "you have " + std::to_string(most) + " uploads already that are not whole",
          "Go on with them, or remove them."};
}

Error too_many_parts() {
  return {errc::too_large,
          "this upload has come in " + std::to_string(most_upload_parts) + " parts already",
          "Send the rest at once, or start again with larger parts."};
}

Error wrong_offset(std::uint64_t received) {
  return {errc::wrong_offset, "this upload has " + std::to_string(received) + " bytes by now",
          "Ask with HEAD how many there are, and send those that follow."};
}

Result<Upload> Uploads::begin(std::string owner, std::string name, std::uint64_t bytes,
                              std::string metadata) {
  const auto own = by_owner_.find(owner);
  if (own != by_owner_.end() && own->second.unfinished >= settings_.max_unfinished_of_one) {
    return too_many_unfinished(settings_.max_unfinished_of_one);
  }
  if (name.size() > max_upload_name_bytes) name.resize(max_upload_name_bytes);
  return begin_as(
      {.id = random_id(),
       .owner = std::move(owner),
       .name = std::move(name),
       .bytes = bytes,
       .expires = settings_.now() + (bytes > 0 ? time_without_a_byte() : settings_.keep_s),
       .metadata = std::move(metadata)});
}

Result<Upload> Uploads::go_on_with(const Upload& upload) {
  if (auto here = find(upload.id, upload.owner)) return *std::move(here);
  Upload begun = upload;
  begun.received = begun.shared = 0;
  begun.is_entered = true;
  return begin_as(std::move(begun));
}

Upload* Uploads::known(const std::string& id, const std::string& owner) {
  const auto found = known_.find(id);
  return found == known_.end() || found->second.owner != owner ? nullptr : &found->second;
}

Result<void> Uploads::set_entered(const std::string& id, const std::string& owner) {
  Upload* upload = known(id, owner);
  if (upload == nullptr || upload->is_entered) return {};
  upload->is_entered = true;
  return describe(*upload);
}

void Uploads::set_shared(const std::string& id, const std::string& owner, std::uint64_t bytes) {
  if (Upload* upload = known(id, owner)) upload->shared = std::min(bytes, upload->received);
}

Result<void> Uploads::cut_to_shared(const std::string& id, const std::string& owner) {
  Upload* upload = known(id, owner);
  if (upload == nullptr) return no_such_upload();
  const fs::path path = files_.folder() / id;
  if (::truncate(path.c_str(), static_cast<off_t>(upload->shared)) != 0) {
    return files_.failure("cut", path, errno);
  }
  set_received(*upload, upload->shared);
  return {};
}

void Uploads::set_received(Upload& upload, std::uint64_t received) {
  const std::uint64_t before = upload.counted();
  const bool had_a_byte = upload.has_a_byte(), was_whole = upload.is_whole();
  upload.received = received;
  auto& own = by_owner_[upload.owner];
  total_bytes_ += upload.counted() - before;
  own.bytes += upload.counted() - before;
  if (was_whole != upload.is_whole()) own.unfinished += was_whole ? 1 : -1;
  if (!had_a_byte && upload.has_a_byte()) {
    set_expires(upload, upload.expires + settings_.keep_s - time_without_a_byte());
  }
}

void Uploads::set_expires(Upload& upload, double expires) {
  auto& places = by_owner_[upload.owner].places;
  places.erase({upload.expires, upload.id});
  upload.expires = expires;
  places.insert({upload.expires, upload.id});
}

// Where other daemons remove files, too, what is kept does not count.
Result<void> Uploads::reserve(const Upload& upload, int fd, std::uint64_t received) {
  Upload then = upload;
  then.received = received;
  const auto fits = check_bytes(upload.owner, then.counted() - upload.counted());
  if (!fits) return fits;
  DiskRoom& room = files_.room();
  if (!files_.counts_kept()) return room.check(upload.owner, received - upload.received);
  struct ::stat info {};
  if (::fstat(fd, &info) != 0) return no_such_upload();
  return room.reserve(info.st_ino, upload.owner, then.counted());
}

Result<Upload> Uploads::begin_as(Upload upload) {
  auto file = create(upload.owner, upload.bytes);
  if (!file) return file.error();
  const fs::path made = file->keep();
  const auto named = files_.link_as(made, upload.id);
  files_.remove(made);
  if (!named) return named.error();
  files_.adopt(upload.id, upload.owner, upload.counted());
  if (const auto described = write_description(upload); !described) {
    files_.remove(upload.id);
    return described.error();
  }
  remember(upload);
  return upload;
}

Result<std::uint64_t> Uploads::append(const std::string& id, const std::string& owner,
                                      std::uint64_t offset, std::span<const char> bytes) {
  Upload* found = known(id, owner);
  if (found == nullptr) return no_such_upload();
  Upload& upload = *found;
  if (offset != upload.received) return wrong_offset(upload.received);
  if (bytes.size() > upload.bytes - offset) {
    return Error{errc::too_large, "these are more bytes than the upload was to have",
                 "Announce the right length when you create the upload."};
  }
  const fs::path path = files_.folder() / id;
  const platform::UniqueFd fd(::open(path.c_str(), O_WRONLY | O_NOFOLLOW | O_CLOEXEC));
  if (!fd) return files_.failure("open", path, errno);
  const auto reserved = reserve(upload, fd.get(), upload.received + bytes.size());
  if (!reserved) return reserved.error();
  while (!bytes.empty()) {
    const ssize_t written =
        ::pwrite(fd.get(), bytes.data(), bytes.size(), static_cast<off_t>(upload.received));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return files_.failure("write", path, errno);
    set_received(upload, upload.received + static_cast<std::uint64_t>(written));
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return upload.received;
}

}  // namespace server
