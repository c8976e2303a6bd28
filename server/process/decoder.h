#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "platform/unique_fd.h"
#include "protocol/decoder_messages.h"
#include "server/base/error.h"
#include "server/process/child_process.h"
#include "server/process/decoder_memory.h"
#include "server/process/decoder_options.h"
#include "server/process/decoder_turns.h"
#include "server/process/fork_server.h"

namespace server {

// The report of a decoder so far, and how the decoder ended.
struct DecoderReport {
  std::optional<protocol::decoder::Format> format{};
  std::vector<std::string> warnings{};
  std::optional<Error> failed{};
  std::optional<protocol::decoder::Finished> finished{};
  std::optional<ExitStatus> exit{};
  // The last line of the decoder's stderr, escaped: that of a linker that misses a library, for
  // instance. Once it reads the input it can write nothing there.
  std::string last_words{};
  bool out_of_memory = false;  // the kernel killed a process for lack of memory meanwhile
  double wall_s = 0;           // from the decoder's start to its end
};

// Adds one line of the report. A line that cannot be understood counts as a failure.
void add_report_line(DecoderReport& report, std::string_view line);

// Returns why the input was not decoded to its end; empty when it was, or while the decoder is at
// work.
std::optional<Error> decoder_error(const DecoderReport& report);

// A file that also gets the sound: s16 at 16 kHz, all channels mixed, from the file's offset on.
// A copy that would have more than `max_bytes` is given up, which the report warns of.
struct SoundCopy {
  int file = -1;  // not owned; -1: no copy is made
  std::uint64_t max_bytes = 0;
};

// One scribed-decode process for one input. Destroying it kills it.
class Decoder {
 public:
  // Starts a decoder for `input`, which is read from its current offset. The process is forked by
  // `server` where that exists and answers, else the program is executed. With `require_sandbox` it
  // fails rather than read anything without all parts of its sandbox. With `memory` it starts with
  // a small limit and asks there for more; else it has the large one.
  static Result<std::unique_ptr<Decoder>> spawn(asio::any_io_executor executor,
                                                const std::filesystem::path& program,
                                                ForkServer* server, const DecoderOptions& options,
                                                platform::UniqueFd input, SoundCopy copy = {},
                                                bool require_sandbox = false,
                                                std::shared_ptr<DecoderMemory> memory = nullptr);

  // Returns the read end of the PCM pipe, for whoever transcribes. Call it once.
  platform::UniqueFd take_pcm() { return std::move(pcm_); }

  // Returns whether the decoder has asked for more memory than it began with.
  bool has_asked_for_memory() const { return wish_ != nullptr; }

  // Waits until the input was understood (true) or refused, or the decoder is gone. opened() and
  // ended() may be cancelled and called again.
  asio::awaitable<bool> opened();

  // Waits for the end of the report and of the process.
  asio::awaitable<ExitStatus> ended();

  // Returns whether the decoder waits for other decoders to end, because all have too much memory.
  bool waits_for_memory() const { return wish_ && !wish_->is_granted(); }

  // Gives the decoder a moment to end by itself, then kills it: for when nobody reads its PCM any
  // more. What this makes it end with is no failure and does not show in error().
  asio::awaitable<void> stop();

  // Ends the sound here, though more of the input may come. This counts as its end, not as a
  // failure.
  void cut_short();

  // Returns why the input was not decoded to its end, as far as that is known by now.
  std::optional<Error> error() const;

  // Is watched until it has ended.
  void keep(std::unique_ptr<DecoderTurns::Watch> watch) { watch_ = std::move(watch); }

  const DecoderReport& report() const { return report_; }
  pid_t pid() const { return process_.pid(); }

 private:
  Decoder(asio::any_io_executor executor, ChildProcess process, platform::UniqueFd report,
          platform::UniqueFd pcm);
  asio::awaitable<bool> read_line();  // false at the end of the report
  void take_line(std::string_view line);

  ChildProcess process_;
  asio::posix::stream_descriptor report_pipe_;
  platform::UniqueFd pcm_;
  platform::UniqueFd stderr_{};
  std::string buffer_{};  // bytes read of the report that are no whole line yet
  DecoderReport report_{};
  std::shared_ptr<DecoderMemory> memory_{};
  std::string owner_{};
  std::unique_ptr<DecoderMemory::Wish> wish_{};  // its need for more memory; nullptr: none so far
  std::unique_ptr<DecoderTurns::Watch> watch_{};
  long long kills_before_;
  bool stopped_ = false;  // the rest of the sound was not wanted
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
};

}  // namespace server
