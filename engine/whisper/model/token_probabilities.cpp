#include "engine/whisper/model/token_probabilities.h"

#include <cstdint>
#include <vector>

namespace engine {

at::Tensor token_probabilities(const at::Tensor& logits, std::span<const int> next, int n_text) {
  const at::Tensor ids =
      at::tensor(std::vector<std::int64_t>(next.begin(), next.end()), at::kLong).unsqueeze(1);
  const at::Tensor all = at::softmax(logits.narrow(1, 0, n_text), 1);
  const at::Tensor found = all.gather(1, ids.clamp_max(n_text - 1));
  return found.masked_fill(ids >= n_text, 0).squeeze(1);
}

}  // namespace engine
