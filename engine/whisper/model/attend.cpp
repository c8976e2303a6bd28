#include "engine/whisper/model/attend.h"

#include <algorithm>
#include <vector>

#include "engine/whisper/model/token_probabilities.h"

namespace engine {

TokenAttention attend_to(const Whisper& whisper, const CrossAttention& window,
                         std::span<const int> tokens, int n_text,
                         std::span<const std::pair<int, int>> heads) {
  KvCache cache = KvCache::of_length(whisper.dims, tokens.size(), whisper.placement.options());
  CrossCapture capture{heads, {}};
  const std::vector<std::int64_t> ids(tokens.begin(), tokens.end());
  const at::Tensor prompt = at::tensor(ids, at::kLong).unsqueeze(0);
  const at::Tensor x = whisper.decoder(prompt, window, cache, &capture)[0];
  // Logits of all rows at once would be 50 MB.
  constexpr std::size_t part_rows = 32;
  std::vector<at::Tensor> probabilities;
  const auto next = tokens.subspan(1);
  for (std::size_t row = 0; row < next.size(); row += part_rows) {
    const auto part = next.subspan(row, std::min(part_rows, next.size() - row));
    const auto begin = static_cast<std::int64_t>(row);
    const auto count = static_cast<std::int64_t>(part.size());
    probabilities.push_back(
        token_probabilities(whisper.decoder.logits(x.narrow(0, begin, count)), part, n_text));
  }
  return {at::stack(capture.weights).cpu(), at::cat(probabilities)};
}

}  // namespace engine
