#include "engine/audio/listen.h"

#include <algorithm>
#include <vector>

#include "engine/audio/pcm_pipe.h"
#include "engine/audio/sample_rate.h"

namespace engine {
namespace {

constexpr std::size_t block_samples = std::size_t{30} * sample_rate_hz;

}  // namespace

Result<std::int64_t> listen(int pipe, std::span<PcmSink* const> listeners,
                            const std::function<void(double seconds)>& heard,
                            const std::stop_token& stop, std::int64_t most) {
  std::vector<float> block(block_samples);
  std::int64_t samples = 0;
  for (std::size_t count = block.size(); count == block.size() && samples < most;) {
    const auto left = static_cast<std::size_t>(most - samples);
    const std::span wanted = std::span(block).first(std::min(block.size(), left));
    const auto read = read_samples(pipe, wanted, wanted.size(), stop);
    if (!read) return read.error();
    count = *read;
    samples += static_cast<std::int64_t>(count);
    for (PcmSink* listener : listeners) {
      if (const auto pushed = listener->push(std::span(block).first(count)); !pushed) {
        return pushed.error();
      }
    }
    heard(static_cast<double>(samples) / sample_rate_hz);
  }
  for (PcmSink* listener : listeners) {
    if (const auto finished = listener->finish(); !finished) return finished.error();
  }
  return samples;
}

}  // namespace engine
