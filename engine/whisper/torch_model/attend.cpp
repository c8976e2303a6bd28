#include "engine/whisper/torch_model/attend.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/whisper/model/token_probabilities.h"
#include "engine/whisper/torch_model/host_logits.h"

namespace engine {

namespace {

// Returns the weights of rows [heads, tokens, rows] as those of positions.
std::vector<float> of_positions(const at::Tensor& weights, const cpu::WindowRows& rows) {
  const std::int64_t padding = rows.positions() - weights.size(-1);
  std::vector<float> numbers = host_numbers(at::constant_pad_nd(weights, {0, padding}));
  for (std::size_t i = 0; i < numbers.size(); i += static_cast<std::size_t>(rows.positions())) {
    rows.spread(&numbers[i]);
  }
  return numbers;
}

}  // namespace

TokenAttention attend_to(const Whisper& whisper, const CrossAttention& window,
                         const cpu::WindowRows& rows, std::span<const int> tokens, int n_text,
                         std::span<const std::pair<int, int>> heads) {
  KvCache cache = KvCache::of_length(whisper.dims, tokens.size(), whisper.placement.options());
  CrossCapture capture{heads, {}};
  const std::vector<std::int64_t> ids(tokens.begin(), tokens.end());
  const at::Tensor prompt = at::tensor(ids, at::kLong).unsqueeze(0);
  const at::Tensor x = whisper.decoder(prompt, window, cache, &capture)[0];
  // Logits of all rows at once would be 50 MB.
  constexpr std::size_t part_rows = 32;
  std::vector<float> probabilities;
  const auto next = tokens.subspan(1);
  for (std::size_t row = 0; row < next.size(); row += part_rows) {
    const auto part = next.subspan(row, std::min(part_rows, next.size() - row));
    const auto begin = static_cast<std::int64_t>(row);
    const auto count = static_cast<std::int64_t>(part.size());
    const at::Tensor logits = whisper.decoder.logits(x.narrow(0, begin, count)).contiguous();
    const auto found = token_probabilities(host_logits(logits), part, n_text);
    probabilities.insert(probabilities.end(), found.begin(), found.end());
  }
  return {static_cast<int>(heads.size()), static_cast<int>(tokens.size()),
          of_positions(at::stack(capture.weights), rows), std::move(probabilities)};
}

}  // namespace engine
