#include "engine/whisper/model/torch_model.h"

#include <utility>

#include "engine/whisper/model/attend.h"
#include "engine/whisper/model/batched_model.h"

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
  std::vector<StepPart> parts;
  std::vector<std::int64_t> tokens;
  for (const DecodeStep& step : steps) {
    auto& own = static_cast<TorchState&>(*step.state);
    own.cache.reorder(step.source_rows);
    parts.push_back({&own.cache, &own.cross()});
    tokens.insert(tokens.end(), step.tokens.begin(), step.tokens.end());
  }
  return whisper_.decoder.logits(whisper_.decoder.step(at::tensor(tokens, at::kLong), parts));
}

TokenAttention TorchModel::attend(const EncodedWindow& window, std::span<const int> tokens,
                                  int n_text, std::span<const std::pair<int, int>> heads) {
  return attend_to(whisper_, cross_of(window), tokens, n_text, heads);
}

Result<std::unique_ptr<Model>> load_torch_model(std::shared_ptr<const Weights> weights,
                                                const Placement& placement,
                                                std::unique_ptr<StepGraphs> graphs) {
  if (!placement.on_cpu()) {
    return load_batched_model(std::move(weights), placement, std::move(graphs));
  }
  auto whisper = load_whisper(std::move(weights), placement);
  if (!whisper) return whisper.error();
  return std::unique_ptr<Model>(std::make_unique<TorchModel>(std::move(*whisper)));
}

}  // namespace engine
