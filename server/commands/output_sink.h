#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "platform/unique_fd.h"
#include "server/base/error.h"

namespace server {

// The error code for a stdout whose reader went away, which ends the work but is no failure.
inline constexpr char reader_gone[] = "reader_gone";

// The target of the bytes of one transcript.
class OutputSink {
 public:
  virtual ~OutputSink() = default;
  virtual Result<void> write(std::string_view bytes) = 0;
  virtual Result<void> commit() = 0;  // called when everything was written
};

// Writes to stdout, a device, or a named pipe: bytes go out at once, and what comes after them
// starts on a new line. While the reader is slow a signal at `interrupt_fd` (readable then) ends
// the waiting: the bytes are dropped.
class StreamSink : public OutputSink {
 public:
  StreamSink(platform::UniqueFd owned, int fd, std::string name, int interrupt_fd)
      : owned_(std::move(owned)), fd_(fd), name_(std::move(name)), interrupt_fd_(interrupt_fd) {}
  // Control sequences are escaped for a terminal. `bytes` holds whole characters.
  Result<void> write(std::string_view bytes) override;
  Result<void> commit() override;

 private:
  Result<void> write_out(std::string_view bytes);

  platform::UniqueFd owned_;  // none for stdout
  int fd_;
  std::string name_;
  int interrupt_fd_;
  char last_ = '\n';  // the last byte that was written
  bool dropping_ = false;
};

// Writes a file that appears under its name with commit(), complete, and replaces what was there.
// Without commit() nothing is left behind.
class FileSink : public OutputSink {
 public:
  static Result<std::unique_ptr<OutputSink>> create(const std::filesystem::path& target);
  FileSink(platform::UniqueFd fd, std::filesystem::path temporary, std::filesystem::path target);
  ~FileSink() override;
  Result<void> write(std::string_view bytes) override;
  Result<void> commit() override;

 private:
  platform::UniqueFd fd_;
  std::filesystem::path temporary_, target_;
  bool committed_ = false;
};

std::unique_ptr<OutputSink> stdout_sink(int interrupt_fd);

// Returns a FileSink, or a StreamSink where `target` exists and is not a regular file.
Result<std::unique_ptr<OutputSink>> open_output(const std::filesystem::path& target,
                                                int interrupt_fd);

}  // namespace server
