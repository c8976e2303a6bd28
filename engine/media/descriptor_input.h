#pragma once

#include <cstdint>
#include <memory>

#include "engine/media/error.h"
#include "engine/media/ffmpeg.h"

namespace engine::media {

// Gives FFmpeg the bytes of one input, from a descriptor that is not owned here. A regular file is
// seekable, whatever its own offset is; anything else is read once, front to back. FFmpeg sees only
// error numbers, so the real error is kept here.
class DescriptorInput {
 public:
  // `max_bytes` 0 means no limit.
  DescriptorInput(int fd, std::int64_t max_bytes);
  DescriptorInput(const DescriptorInput&) = delete;
  DescriptorInput& operator=(const DescriptorInput&) = delete;
  ~DescriptorInput();

  AVIOContext* context() { return context_; }

  bool seekable() const { return size_ >= 0; }
  // Returns how far into the input FFmpeg has read.
  std::int64_t bytes_read() const { return furthest_; }
  // Returns whether a container wanted to go back in an input that cannot.
  bool refused_seek() const { return refused_seek_; }
  // Returns why reading stopped before the end: too_large or read_failed.
  Result<void> status() const;

 private:
  static int read(void* self, std::uint8_t* buffer, int size);
  static std::int64_t seek(void* self, std::int64_t offset, int whence);
  int read(std::uint8_t* buffer, int size);
  std::int64_t seek(std::int64_t offset, int whence);

  int fd_;
  std::int64_t max_bytes_;
  std::int64_t size_ = -1;  // size of a regular file; -1: it is none
  std::int64_t position_ = 0;
  std::int64_t furthest_ = 0;
  bool refused_seek_ = false;
  bool over_limit_ = false;
  int error_ = 0;  // errno of a read that failed
  AVIOContext* context_ = nullptr;
};

}  // namespace engine::media
