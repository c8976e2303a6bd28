#include "engine/worker/pcm_input.h"

#include <span>
#include <vector>

#include "engine/whisper/audio/log_mel.h"
#include "engine/worker/pcm_pipe.h"
#include "protocol/worker_contract.h"

namespace engine {
namespace {

static_assert(sample_rate_hz == protocol::worker::pcm_rate_hz);

constexpr std::size_t block_samples = 480'000;

}  // namespace

Result<ListenedAudio> listen(const platform::UniqueFd& pcm, int n_mels,
                             const std::function<void(double seconds)>& heard, SileroVad* vad,
                             const std::stop_token& stop) {
  auto spool = MelSpool::create(n_mels);
  if (!spool) return spool.error();
  LogMel mel(n_mels);
  std::vector<float> speech;
  std::vector<float> block(block_samples);
  std::size_t count = block.size();
  while (count == block.size()) {
    const auto read = read_samples(pcm.get(), block, block.size(), stop);
    if (!read) return read.error();
    count = *read;
    const auto samples = std::span(block).first(count);
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
