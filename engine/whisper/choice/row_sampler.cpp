#include "engine/whisper/choice/row_sampler.h"

#include <cmath>
#include <cstddef>

#include "engine/whisper/choice/logit_row.h"
#include "engine/whisper/choice/noise_keys.h"

namespace engine {
namespace {

// No noise is larger: it is that of the smallest uniform number, 2^-33.
constexpr float most_noise = 23;

// Makes the uniform number's noise of a hash.
float gumbel(std::uint32_t hash) {
  const float uniform = (static_cast<float>(hash) + 0.5F) * (1.0F / 4294967296.0F);
  return -std::log(-std::log1p(-uniform));
}

}  // namespace

RowSampler::RowSampler(std::uint64_t seed, int row, double temperature)
    : temperature_(static_cast<float>(temperature)) {
  const auto [key, other] = noise_keys(seed, row);
  key_ = key;
  other_key_ = other;
}

int RowSampler::draw(std::span<const float> logits, int position) const {
  const std::uint32_t of_row = scramble(static_cast<std::uint32_t>(position) + key_) ^ other_key_;
  const auto noisy = [&](int token) {
    const float noise = gumbel(scramble(scramble(static_cast<std::uint32_t>(token)) ^ of_row));
    return logits[static_cast<std::size_t>(token)] / temperature_ + noise;
  };
  int drawn = likeliest(logits);
  float best = noisy(drawn);
  // Most tokens are so much less likely that no noise makes up for it.
  float least = (best - most_noise) * temperature_;
  for (int token = 0; token < std::ssize(logits); ++token) {
    const float logit = logits[static_cast<std::size_t>(token)];
    if (logit < least || std::isinf(logit)) continue;
    const float found = noisy(token);
    if (found < best || (found == best && token >= drawn)) continue;
    drawn = token;
    best = found;
    least = (best - most_noise) * temperature_;
  }
  return drawn;
}

}  // namespace engine
