#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "platform/unique_fd.h"
#include "server/base/error.h"
#include "server/commands/unfinished_file.h"

namespace server {

// The error code for a stdout whose reader went away, which ends the work but is no failure.
inline constexpr char reader_gone[] = "reader_gone";

// The target of the bytes of one transcript.
class OutputSink {
 public:
  virtual ~OutputSink() = default;
  virtual Result<void> write(std::string_view bytes) = 0;
  virtual Result<void> commit() = 0;  // called when everything was written
  // Returns whether a transcript that was interrupted is kept. If so, the writer ends it and calls
  // cut_short() in place of commit().
  virtual bool keeps_partial() const = 0;
  virtual Result<void> cut_short() = 0;
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
  bool keeps_partial() const override { return true; }
  Result<void> cut_short() override { return commit(); }

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
// Without commit() nothing is left.
class FileSink : public OutputSink {
 public:
  static Result<std::unique_ptr<OutputSink>> create(const std::filesystem::path& target);
  FileSink(UnfinishedFile file, std::filesystem::path target)
      : file_(std::move(file)), target_(std::move(target)) {}
  Result<void> write(std::string_view bytes) override;
  Result<void> commit() override;
  bool keeps_partial() const override { return false; }
  Result<void> cut_short() override { return {}; }

 private:
  UnfinishedFile file_;
  std::filesystem::path target_;
};

// Writes to NAME.partial, which commit() renames to NAME. Without commit() that file stays, also
// after a crash, unless nothing was written to it.
class PartialFileSink : public OutputSink {
 public:
  static Result<std::unique_ptr<OutputSink>> create(const std::filesystem::path& target);
  PartialFileSink(platform::UniqueFd fd, std::filesystem::path target)
      : fd_(std::move(fd)), target_(std::move(target)) {}
  ~PartialFileSink() override;
  Result<void> write(std::string_view bytes) override;
  Result<void> commit() override;
  bool keeps_partial() const override { return true; }
  Result<void> cut_short() override;

 private:
  platform::UniqueFd fd_;
  std::filesystem::path target_;
  bool is_empty_ = true;
};

// Returns where PartialFileSink writes: "talk.srt.partial". A name that is too long for that loses
// characters before the end.
std::filesystem::path partial_path(const std::filesystem::path& target);

std::unique_ptr<OutputSink> stdout_sink(int interrupt_fd);

// Returns a PartialFileSink with `keep_partial`, else a FileSink; a StreamSink where `target`
// exists and is not a regular file.
Result<std::unique_ptr<OutputSink>> open_output(const std::filesystem::path& target,
                                                int interrupt_fd, bool keep_partial = false);

}  // namespace server
