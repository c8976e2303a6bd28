#include "engine/whisper/model/torch_model.h"

#include <utility>

#include "engine/whisper/model/attend.h"
#include "engine/whisper/model/batched_model.h"
#include "engine/whisper/model/host_choice.h"

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
  TorchState(EncodedWindow audio, KvCache rows, HostChooser choice)
      : window(std::move(audio)), cache(std::move(rows)), chooser(std::move(choice)) {}

  const CrossAttention& cross() const { return cross_of(window); }

  EncodedWindow window;
  KvCache cache;
  HostChooser chooser;
};

}  // namespace

TorchModel::TorchModel(Whisper whisper)
    : whisper_(std::move(whisper)), specials_(special_tokens(dims().n_vocab).value()) {}

std::vector<EncodedWindow> TorchModel::encode(std::span<const at::Tensor> mels) {
  std::vector<EncodedWindow> windows;
  for (const at::Tensor& mel : mels) windows.push_back(encode_one(mel));
  return windows;
}

EncodedWindow TorchModel::encode_one(const at::Tensor& mel) {
  const at::Tensor encoded = whisper_.encoder(mel.unsqueeze(0))[0];
  return std::make_shared<const TorchAudio>(whisper_.decoder.cross_attention(encoded));
}

std::unique_ptr<DecodeState> TorchModel::start(EncodedWindow window, const ChoiceOptions& options) {
  return std::make_unique<TorchState>(std::move(window),
                                      KvCache(dims(), options.n_rows, whisper_.placement.options()),
                                      HostChooser(options, specials_));
}

std::unique_ptr<PendingStep> TorchModel::read_prompts(std::span<const Prompt> prompts) {
  std::vector<StepOutcome> outcomes;
  for (const Prompt& prompt : prompts) outcomes.push_back(read_prompt(prompt));
  return std::make_unique<ReadyStep>(std::move(outcomes));
}

StepOutcome TorchModel::read_prompt(const Prompt& prompt) {
  auto& own = static_cast<TorchState&>(*prompt.state);
  const at::Tensor x =
      whisper_.decoder(ids_of(prompt.tokens).unsqueeze(0), own.cross(), own.cache)[0];
  const at::Tensor logits = whisper_.decoder.logits(at::stack({x[prompt.sot_index], x[-1]}));
  own.cache.spread_first_row();
  return own.chooser.choose_first(logits[0], logits[1]);
}

std::unique_ptr<PendingStep> TorchModel::step(std::span<DecodeState* const> states) {
  std::vector<StepPart> parts;
  std::vector<int> tokens;
  for (DecodeState* state : states) {
    auto& own = static_cast<TorchState&>(*state);
    own.cache.reorder(own.chooser.source_rows());
    parts.push_back({&own.cache, &own.cross()});
    const std::vector<int> next = own.chooser.next_tokens();
    tokens.insert(tokens.end(), next.begin(), next.end());
  }
  const at::Tensor x = whisper_.decoder.step(ids_of(tokens), parts);
  return choose_on_host<TorchState>(states, whisper_.decoder.logits(x));
}

at::Tensor TorchModel::logits(const EncodedWindow& window, std::span<const int> tokens) {
  KvCache cache(dims(), 1, whisper_.placement.options());
  return whisper_.decoder.logits(
      whisper_.decoder(ids_of(tokens).unsqueeze(0), cross_of(window), cache)[0]);
}

TokenAttention TorchModel::attend(const EncodedWindow& window, std::span<const int> tokens,
                                  int n_text, std::span<const std::pair<int, int>> heads) {
  return attend_to(whisper_, cross_of(window), tokens, n_text, heads);
}

Result<std::unique_ptr<Model>> load_torch_model(std::shared_ptr<const Weights> weights,
                                                const Placement& placement, StepTools tools,
                                                const MemoryWish& wish) {
  if (!placement.on_cpu()) {
    return load_batched_model(std::move(weights), placement, std::move(tools), wish);
  }
  auto whisper = load_whisper(std::move(weights), placement);
  if (!whisper) return whisper.error();
  return std::unique_ptr<Model>(std::make_unique<TorchModel>(std::move(*whisper)));
}

}  // namespace engine
