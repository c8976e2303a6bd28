#include "engine/worker/pcm_input.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "engine/audio/log_mel.h"

namespace engine {
namespace {

constexpr std::size_t block_samples = 480'000;
constexpr int stop_check_ms = 100;

// Waits until there is something to read. False on a stop request.
bool wait_readable(int fd, const std::stop_token& stop) {
  pollfd entry{fd, POLLIN, 0};
  while (!stop.stop_requested()) {
    if (::poll(&entry, 1, stop_check_ms) != 0) return true;
  }
  return false;
}

// Fills `block` as far as the pipe goes; returns the bytes read, fewer only at its end.
Result<std::size_t> read_block(int fd, std::span<float> block, const std::stop_token& stop) {
  const auto bytes = std::as_writable_bytes(block);
  std::size_t filled = 0;
  while (filled < bytes.size()) {
    if (!wait_readable(fd, stop))
      return Error{Errc::cancelled, "the transcription was cancelled", ""};
    const ssize_t n = ::read(fd, bytes.data() + filled, bytes.size() - filled);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      return Error{Errc::input_failed,
                   std::string("the decoded audio could not be read: ") + std::strerror(errno), ""};
    }
    if (n == 0) break;
    filled += static_cast<std::size_t>(n);
  }
  return filled;
}

}  // namespace

Result<ListenedAudio> listen(const platform::UniqueFd& pcm, int n_mels,
                             const std::function<void(double seconds)>& heard, SileroVad* vad,
                             const std::stop_token& stop) {
  auto spool = MelSpool::create(n_mels);
  if (!spool) return spool.error();
  LogMel mel(n_mels);
  std::vector<float> speech;
  std::vector<float> block(block_samples);
  std::size_t bytes = block_samples * sizeof(float);
  while (bytes == block_samples * sizeof(float)) {
    const auto read = read_block(pcm.get(), block, stop);
    if (!read) return read.error();
    bytes = *read;
    const auto samples = std::span(block).first(bytes / sizeof(float));
    const auto appended = spool->append(mel.push(samples));
    if (!appended) return appended.error();
    if (vad) vad->push(samples, speech);
    heard(static_cast<double>(mel.samples()) / sample_rate_hz);
  }
  const auto appended = spool->append(mel.finish());
  if (!appended) return appended.error();
  if (vad) vad->finish(speech);
  return ListenedAudio{.spool = std::move(*spool),
                       .content_frames = mel.content_frames(),
                       .samples = mel.samples(),
                       .duration_s = static_cast<double>(mel.samples()) / sample_rate_hz,
                       .speech = std::move(speech)};
}

}  // namespace engine
