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
                            const std::function<bool(double seconds)>& heard,
                            const std::stop_token& stop) {
  std::vector<float> block(block_samples);
  std::int64_t samples = 0;
  for (bool goes_on = true; goes_on;) {
    const auto read = read_samples(pipe, block, block.size(), stop);
    if (!read) return read.error();
    samples += static_cast<std::int64_t>(*read);
    for (PcmSink* listener : listeners) {
      if (const auto pushed = listener->push(std::span(block).first(*read)); !pushed) {
        return pushed.error();
      }
    }
    const bool wants_more = heard(static_cast<double>(samples) / sample_rate_hz);
    goes_on = wants_more && *read == block.size();
  }
  for (PcmSink* listener : listeners) {
    if (const auto finished = listener->finish(); !finished) return finished.error();
  }
  return samples;
}

}  // namespace engine
