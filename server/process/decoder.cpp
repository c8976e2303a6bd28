#include "server/process/decoder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "platform/child_environment.h"
#include "protocol/decoder_memory.h"
#include "server/base/exhausted.h"
#include "server/base/private_fds.h"
#include "server/base/race.h"
#include "server/log/escaped_text.h"

namespace server {
namespace {

namespace decoding = protocol::decoder;

constexpr std::chrono::milliseconds decoder_exit_grace{2'000};
constexpr std::size_t max_last_words = 300;

// Decoders leave the processor to this process, which answers everybody, and to those that compute.
// At 5 one has a quarter of a core beside a busy thread, so that the sound of a clip comes soon; at
// 19 it has next to nothing.
constexpr int usual_niceness = 5;
constexpr int background_niceness = 19;

struct Pipe {
  platform::UniqueFd read, write;
};

Result<Pipe> make_pipe(int flags = 0) {
  int ends[2];
  if (private_pipe(ends, flags) != 0) {
    return exhausted_or(
        errno, {errc::internal, fmt::format("cannot make a pipe: {}", std::strerror(errno)), ""});
  }
  return Pipe{platform::UniqueFd(ends[0]), platform::UniqueFd(ends[1])};
}

// Lets the pipe hold 16 s of PCM, so that the decoder rarely waits for the worker. A smaller pipe
// works, too, such as macOS's, which holds 64 KiB.
void grow([[maybe_unused]] int pipe) {
#if defined(F_SETPIPE_SZ)
  constexpr int pipe_bytes = 1024 * 1024;
  ::fcntl(pipe, F_SETPIPE_SZ, pipe_bytes);
#endif
}

// Starts a decoder with these descriptors as its 0, 1, 3 and 4. A forked one has /dev/null as its
// stderr.
Result<ChildProcess> start(const asio::any_io_executor& executor,
                           const std::filesystem::path& program, ForkServer* server,
                           const std::vector<std::string>& arguments, std::span<const int> ours,
                           int error_output) {
  if (server != nullptr) {
    if (const auto pid = server->fork(arguments, ours)) return ChildProcess::adopt(executor, *pid);
  }
  SpawnRequest request{program,
                       arguments,
                       {{.ours = error_output, .childs = STDERR_FILENO}},
                       platform::child_environment(platform::ChildKind::decoder)};
  for (std::size_t i = 0; i < ours.size(); ++i) {
    request.descriptors.push_back({.ours = ours[i], .childs = decoding::fork_descriptors[i]});
  }
  return ChildProcess::spawn(executor, request);
}

// Gives a decoder all the memory that its hard limit allows. One that cannot get it would wait for
// ever.
void raise_limit([[maybe_unused]] ChildProcess& decoder) {
#if defined(__linux__)
  struct rlimit data {};
  if (::prlimit(decoder.pid(), RLIMIT_DATA, nullptr, &data) == 0) {
    data.rlim_cur = data.rlim_max;
    if (::prlimit(decoder.pid(), RLIMIT_DATA, &data, nullptr) == 0) return;
  }
  decoder.kill();
#endif
}

// Returns the last line that came out of the pipe, which does not block.
std::string last_line(int pipe) {
  std::string text;
  std::array<char, 4096> chunk;
  for (ssize_t got = 0; (got = ::read(pipe, chunk.data(), chunk.size())) > 0;) {
    text.append(chunk.data(), static_cast<std::size_t>(got));
  }
  while (text.ends_with('\n')) text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

}  // namespace

std::string extension_of(std::string_view file_name) {
  constexpr std::size_t longest = 8;
  const auto dot = file_name.rfind('.');
  if (dot == file_name.npos || file_name.size() - dot - 1 > longest) return {};
  std::string extension(file_name.substr(dot + 1));
  const auto is_plain = [](unsigned char c) { return c < 0x80 && std::isalnum(c) != 0; };
  if (!std::ranges::all_of(extension, is_plain)) return {};
  std::ranges::transform(extension, extension.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension;
}

std::vector<std::string> decoder_arguments(const DecoderOptions& options) {
  std::vector<std::string> arguments{"--report-fd", "3"};
  const auto add = [&](const char* name, const auto& value) {
    if (value) arguments.insert(arguments.end(), {name, fmt::format("{}", *value)});
  };
  const auto add_text = [&](const char* name, const std::string& value) {
    if (!value.empty()) arguments.insert(arguments.end(), {name, value});
  };
  add_text("--track", options.track);
  add_text("--prefer-language", options.preferred_language);
  add("--channel", options.channel);
  add_text("--format", options.input_format);
  if (options.input_format.empty()) add_text("--extension", options.extension);
  add("--sample-rate", options.input_sample_rate);
  add("--channels", options.input_channels);
  add("--max-seconds", options.max_seconds);
  add("--max-bytes", options.max_bytes);
  add_text("--timeline", options.timeline);
  if (options.unbuffered) arguments.emplace_back("--unbuffered");
  return arguments;
}

Result<std::unique_ptr<Decoder>> Decoder::spawn(asio::any_io_executor executor,
                                                const std::filesystem::path& program,
                                                ForkServer* server, const DecoderOptions& options,
                                                platform::UniqueFd input, SoundCopy copy,
                                                bool require_sandbox,
                                                std::shared_ptr<DecoderMemory> memory) {
  auto pcm = make_pipe();
  if (!pcm) return pcm.error();
  grow(pcm->write.get());
  auto report = make_pipe();
  if (!report) return report.error();
  // Nobody reads stderr before the end: what does not fit into the pipe is lost rather than waited
  // for.
  auto words = make_pipe(O_NONBLOCK);
  if (!words) return words.error();
  auto arguments = decoder_arguments(options);
  if (require_sandbox) arguments.emplace_back("--require-sandbox");
  if (memory) arguments.emplace_back("--memory-on-request");
  std::vector<int> ours{input.get(), pcm->write.get(), report->write.get()};
  if (copy.file >= 0) {
    ours.push_back(copy.file);
    arguments.insert(arguments.end(),
                     {"--sound-fd", std::to_string(decoding::fork_descriptors.back()),
                      "--sound-bytes", std::to_string(copy.max_bytes)});
  }
  auto process = start(executor, program, server, arguments, ours, words->write.get());
  if (!process) return process.error();
  // A system that refuses a niceness has a decoder that gives way less, and no other harm.
  ::setpriority(PRIO_PROCESS, static_cast<id_t>(process->pid()),
                options.gives_way ? background_niceness : usual_niceness);
  std::unique_ptr<Decoder> decoder(new Decoder(std::move(executor), *std::move(process),
                                               std::move(report->read), std::move(pcm->read)));
  decoder->stderr_ = std::move(words->read);
  decoder->memory_ = std::move(memory);
  decoder->owner_ = options.owner;
  return decoder;
}

Decoder::Decoder(asio::any_io_executor executor, ChildProcess process, platform::UniqueFd report,
                 platform::UniqueFd pcm)
    : process_(std::move(process)),
      report_pipe_(std::move(executor), report.release()),
      pcm_(std::move(pcm)),
      kills_before_(out_of_memory_kills()) {}

asio::awaitable<bool> Decoder::read_line() {
  const auto [failure, size] = co_await asio::async_read_until(
      report_pipe_, asio::dynamic_buffer(buffer_, decoding::max_line_bytes), '\n',
      asio::as_tuple(asio::use_awaitable));
  if (failure == asio::error::operation_aborted) throw boost::system::system_error(failure);
  if (failure) {
    // A last line without its end was cut off in the middle; the exit status says why.
    if (failure == asio::error::not_found) add_report_line(report_, buffer_);
    buffer_.clear();
    co_return false;
  }
  take_line(std::string_view(buffer_).substr(0, size));
  buffer_.erase(0, size);
  co_return true;
}

void Decoder::take_line(std::string_view line) {
  if (line != decoding::memory_wanted) {
    add_report_line(report_, line);
  } else if (memory_ && !wish_) {
    wish_ = memory_->ask(owner_, [this] { raise_limit(process_); });
  }
}

asio::awaitable<bool> Decoder::opened() {
  bool more = true;
  while (more && !report_.format && !report_.failed) more = co_await read_line();
  co_return report_.format.has_value();
}

asio::awaitable<ExitStatus> Decoder::ended() {
  bool more = true;
  while (more) more = co_await read_line();
  const ExitStatus status = co_await process_.exited();
  if (!report_.exit) {
    report_.exit = status;
    wish_.reset();
    watch_.reset();
    report_.out_of_memory = out_of_memory_kills() > kills_before_;
    report_.last_words = escaped_text(last_line(stderr_.get()), max_last_words);
    report_.wall_s =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
  }
  co_return status;
}

asio::awaitable<void> Decoder::stop() {
  if (report_.exit) co_return;
  pcm_.reset();
  const auto ended_itself = co_await within(decoder_exit_grace, ended());
  if (ended_itself) co_return;
  stopped_ = true;
  process_.kill();
  co_await ended();
}

void Decoder::cut_short() {
  stopped_ = true;
  process_.kill();
}

std::optional<Error> Decoder::error() const {
  if (stopped_) return std::nullopt;
  return decoder_error(report_);
}

}  // namespace server
