#include "engine/model/torch_model.h"

#include <algorithm>
#include <utility>

#include "engine/model/token_probabilities.h"

namespace engine {
namespace {

struct TorchAudio : EncodedAudio {
  explicit TorchAudio(CrossAttention attention) : cross(std::move(attention)) {}
  CrossAttention cross;
};

const CrossAttention& cross_of(const EncodedWindow& window) {
  return static_cast<const TorchAudio&>(*window).cross;
}

at::Tensor ids_of(std::span<const int> tokens) {
  return at::tensor(std::vector<std::int64_t>(tokens.begin(), tokens.end()), at::kLong);
}

struct TorchState : DecodeState {
  TorchState(EncodedWindow audio, KvCache rows)
      : window(std::move(audio)), cache(std::move(rows)) {}

  const CrossAttention& cross() const { return cross_of(window); }

  EncodedWindow window;
  KvCache cache;
};

}  // namespace

EncodedWindow TorchModel::encode(const at::Tensor& mel) {
  const at::Tensor encoded = whisper_.encoder(mel.unsqueeze(0))[0];
  return std::make_shared<const TorchAudio>(whisper_.decoder.cross_attention(encoded));
}

std::unique_ptr<DecodeState> TorchModel::start(EncodedWindow window, int n_rows) {
  return std::make_unique<TorchState>(std::move(window),
                                      KvCache(whisper_.dims, n_rows, whisper_.placement.options()));
}

at::Tensor TorchModel::read_prompt(DecodeState& state, std::span<const int> tokens,
                                   std::span<const int> positions) {
  auto& own = static_cast<TorchState&>(state);
  const at::Tensor x = whisper_.decoder(ids_of(tokens).unsqueeze(0), own.cross(), own.cache)[0];
  std::vector<at::Tensor> wanted;
  for (const int position : positions) wanted.push_back(x[position]);
  const at::Tensor logits = whisper_.decoder.logits(at::stack(wanted));
  own.cache.spread_first_row();
  return logits;
}

at::Tensor TorchModel::step(std::span<const DecodeStep> steps) {
  std::vector<at::Tensor> logits;
  for (const DecodeStep& step : steps) {
    auto& own = static_cast<TorchState&>(*step.state);
    own.cache.reorder(step.source_rows);
    const at::Tensor tokens = at::tensor(step.tokens, at::kLong).unsqueeze(1);
    logits.push_back(
        whisper_.decoder.logits(whisper_.decoder(tokens, own.cross(), own.cache).squeeze(1)));
  }
  return logits.size() == 1 ? logits[0] : at::cat(logits);
}

TokenAttention TorchModel::attend(const EncodedWindow& window, std::span<const int> tokens,
                                  int n_text, std::span<const std::pair<int, int>> heads) {
  KvCache cache(whisper_.dims, 1, whisper_.placement.options());
  CrossCapture capture{heads, {}};
  const at::Tensor x =
      whisper_.decoder(ids_of(tokens).unsqueeze(0), cross_of(window), cache, &capture)[0];
  // Logits of all rows at once would be 50 MB.
  constexpr std::size_t part_rows = 32;
  std::vector<at::Tensor> probabilities;
  const auto next = tokens.subspan(1);
  for (std::size_t row = 0; row < next.size(); row += part_rows) {
    const auto part = next.subspan(row, std::min(part_rows, next.size() - row));
    const auto begin = static_cast<std::int64_t>(row);
    const auto count = static_cast<std::int64_t>(part.size());
    probabilities.push_back(
        token_probabilities(whisper_.decoder.logits(x.narrow(0, begin, count)), part, n_text));
  }
  return {at::stack(capture.weights).cpu(), at::cat(probabilities)};
}

Result<std::unique_ptr<Model>> load_torch_model(std::shared_ptr<const Weights> weights,
                                                const Placement& placement) {
  auto whisper = load_whisper(std::move(weights), placement);
  if (!whisper) return whisper.error();
  return std::unique_ptr<Model>(std::make_unique<TorchModel>(std::move(*whisper)));
}

}  // namespace engine
