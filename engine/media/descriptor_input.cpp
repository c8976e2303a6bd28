#include "engine/media/descriptor_input.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>

namespace engine::media {
namespace {

constexpr int buffer_bytes = 64 * 1024;

std::int64_t regular_size(int fd) {
  struct stat facts {};
  if (::fstat(fd, &facts) != 0 || !S_ISREG(facts.st_mode)) return -1;
  return facts.st_size;
}

}  // namespace

DescriptorInput::DescriptorInput(int fd, std::int64_t max_bytes)
    : fd_(fd), max_bytes_(max_bytes), size_(regular_size(fd)) {
  auto* buffer = static_cast<unsigned char*>(av_malloc(buffer_bytes));
  if (buffer == nullptr) throw std::bad_alloc();
  context_ = avio_alloc_context(buffer, buffer_bytes, 0, this, &DescriptorInput::read, nullptr,
                                &DescriptorInput::seek);
  if (context_ == nullptr) {
    av_free(buffer);
    throw std::bad_alloc();
  }
  context_->seekable = seekable() ? AVIO_SEEKABLE_NORMAL : 0;
}

DescriptorInput::~DescriptorInput() {
  av_freep(&context_->buffer);  // FFmpeg may have replaced the buffer
  avio_context_free(&context_);
}

Result<void> DescriptorInput::status() const {
  if (over_limit_) {
    return Error{Errc::too_large,
                 "The input is larger than the limit of " + std::to_string(max_bytes_) + " bytes.",
                 "Send a smaller file (an audio file instead of a video), or raise the limit."};
  }
  if (error_ != 0) {
    return Error{Errc::read_failed,
                 std::string("The input could not be read: ") + std::strerror(error_) + ".",
                 "Check that it is a file and not a folder, and that its disk is in order."};
  }
  return {};
}

int DescriptorInput::read(void* self, std::uint8_t* buffer, int size) {
  return static_cast<DescriptorInput*>(self)->read(buffer, size);
}

std::int64_t DescriptorInput::seek(void* self, std::int64_t offset, int whence) {
  return static_cast<DescriptorInput*>(self)->seek(offset, whence);
}

int DescriptorInput::read(std::uint8_t* buffer, int size) {
  ssize_t count = 0;
  do {
    const auto wanted = static_cast<std::size_t>(size);
    count = seekable() ? ::pread(fd_, buffer, wanted, position_) : ::read(fd_, buffer, wanted);
  } while (count < 0 && errno == EINTR);
  if (count < 0) {
    error_ = errno;
    return AVERROR(errno);
  }
  if (count == 0) return AVERROR_EOF;
  position_ += count;
  furthest_ = std::max(furthest_, position_);
  if (max_bytes_ > 0 && furthest_ > max_bytes_) {
    over_limit_ = true;
    return AVERROR(EFBIG);
  }
  return static_cast<int>(count);
}

std::int64_t DescriptorInput::seek(std::int64_t offset, int whence) {
  if (!seekable()) {
    if (whence != AVSEEK_SIZE) refused_seek_ = true;
    return AVERROR(ESPIPE);
  }
  const int from = whence & ~AVSEEK_FORCE;
  if (from == AVSEEK_SIZE) return size_;
  std::int64_t target = offset;
  if (from == SEEK_CUR) target += position_;
  if (from == SEEK_END) target += size_;
  if (target < 0) return AVERROR(EINVAL);
  position_ = target;
  return position_;
}

}  // namespace engine::media
