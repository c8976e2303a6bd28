#include "server/packs/inflated_file.h"

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <span>
#include <vector>

#include "platform/unique_fd.h"

namespace server {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t piece_bytes = 1 << 20;

// zlib's state of one raw deflate stream.
class Inflater {
 public:
  Inflater() { ready_ = ::inflateInit2(&stream_, -MAX_WBITS) == Z_OK; }
  Inflater(const Inflater&) = delete;
  ~Inflater() {
    if (ready_) ::inflateEnd(&stream_);
  }

  // Takes bytes from the front of `packed`, and returns those that came out; none at the end, and
  // where the stream is damaged.
  std::span<const std::byte> next(std::span<const std::byte>& packed, std::span<std::byte> into) {
    if (!ready_ || ended_) return {};
    // zlib's types have no const, and no more than 32 bits.
    const auto taken = std::min(packed.size(), piece_bytes);
    stream_.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(packed.data()));
    stream_.avail_in = static_cast<uInt>(taken);
    stream_.next_out = reinterpret_cast<Bytef*>(into.data());
    stream_.avail_out = static_cast<uInt>(into.size());
    const int result = ::inflate(&stream_, Z_NO_FLUSH);
    ended_ = result != Z_OK;
    packed = packed.subspan(taken - stream_.avail_in);
    return into.first(into.size() - stream_.avail_out);
  }

 private:
  z_stream stream_{};
  bool ready_ = false;
  bool ended_ = false;
};

bool write_all(int fd, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t put = ::write(fd, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(put));
  }
  return true;
}

StoreError damaged_member(const fs::path& file) {
  return {StoreErrc::wrong_content, file.filename().string() + " is damaged in its package", ""};
}

}  // namespace

StoreResult<void> write_inflated(const engine::ZipMember& member, const fs::path& file,
                                 const std::function<bool(std::uint64_t)>& go_on) {
  const platform::UniqueFd fd(
      ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0644));
  if (!fd) return system_error("cannot write " + file.string(), errno);
  std::vector<std::byte> buffer(member.deflated ? piece_bytes : 0);
  Inflater inflater;
  std::span<const std::byte> left = member.packed;
  std::uint64_t written = 0;
  uLong checksum = ::crc32(0, nullptr, 0);
  while (written < member.size) {
    if (!go_on(written)) return StoreError{StoreErrc::cancelled, "unpacking was stopped", ""};
    std::span<const std::byte> piece;
    if (member.deflated) {
      piece = inflater.next(left, buffer);
    } else {
      piece = left.first(std::min(left.size(), piece_bytes));
      left = left.subspan(piece.size());
    }
    if (piece.empty() || piece.size() > member.size - written) return damaged_member(file);
    checksum = ::crc32(checksum, reinterpret_cast<const Bytef*>(piece.data()),
                       static_cast<uInt>(piece.size()));
    if (!write_all(fd.get(), piece)) {
      return system_error("cannot write " + file.string(), errno);
    }
    written += piece.size();
  }
  if (checksum != member.checksum) return damaged_member(file);
  if (::fsync(fd.get()) != 0) return system_error("cannot write " + file.string(), errno);
  return {};
}

}  // namespace server
