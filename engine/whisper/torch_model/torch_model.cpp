#include "engine/whisper/torch_model/torch_model.h"

#include <c10/core/InferenceMode.h>

#include <utility>

#include "engine/whisper/model/host_choice.h"
#include "engine/whisper/torch_model/attend.h"
#include "engine/whisper/torch_model/batched_model.h"
#include "engine/whisper/torch_model/host_logits.h"
#include "engine/whisper/torch_model/short_windows.h"
#include "engine/whisper/torch_model/window_tensor.h"

namespace engine {
namespace {

struct TorchAudio : EncodedAudio {
  TorchAudio(CrossAttention attention, cpu::WindowRows computed)
      : cross(std::move(attention)), rows(std::move(computed)) {}
  bool is_short() const override { return !rows.is_full(); }

  CrossAttention cross;
  cpu::WindowRows rows;
};

const TorchAudio& torch_audio(const EncodedWindow& window) {
  return static_cast<const TorchAudio&>(*window);
}
const CrossAttention& cross_of(const EncodedWindow& window) {
  return torch_audio(window).cross;
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

TorchModel::TorchModel(Whisper whisper, SpecialTokens specials)
    : whisper_(std::move(whisper)), specials_(std::move(specials)) {}

std::vector<EncodedWindow> TorchModel::encode(std::span<const MelWindow> mels) {
  const c10::InferenceMode inference;
  std::vector<EncodedWindow> windows;
  for (const MelWindow& mel : mels) windows.push_back(encode_one(mel));
  return windows;
}

ShortWindows TorchModel::short_windows() const {
  return short_windows_of(dims(), whisper_.placement);
}

EncodedWindow TorchModel::encode_one(const MelWindow& mel) {
  const at::Tensor input = window_tensor(mel, dims()).unsqueeze(0);
  cpu::WindowRows rows(dims().n_audio_ctx, mel.frames);
  if (rows.is_full()) {
    return std::make_shared<const TorchAudio>(
        whisper_.decoder.cross_attention(whisper_.encoder(input)[0]), std::move(rows));
  }
  const ShortRows computed = short_rows(rows);
  CrossAttention cross = whisper_.decoder.cross_attention(whisper_.encoder(input, computed)[0]);
  cross.key_bias = key_bias(computed)[0];
  return std::make_shared<const TorchAudio>(std::move(cross), std::move(rows));
}

std::unique_ptr<DecodeState> TorchModel::start(EncodedWindow window, const ChoiceOptions& options) {
  const c10::InferenceMode inference;
  return std::make_unique<TorchState>(std::move(window),
                                      KvCache(dims(), options.n_rows, whisper_.placement.options()),
                                      HostChooser(options, specials_));
}

std::unique_ptr<PendingStep> TorchModel::read_prompts(std::span<const Prompt> prompts) {
  const c10::InferenceMode inference;
  std::vector<StepOutcome> outcomes;
  for (const Prompt& prompt : prompts) outcomes.push_back(read_prompt(prompt));
  return std::make_unique<ReadyStep>(std::move(outcomes));
}

StepOutcome TorchModel::read_prompt(const Prompt& prompt) {
  auto& own = static_cast<TorchState&>(*prompt.state);
  const at::Tensor x =
      whisper_.decoder(ids_of(prompt.tokens).unsqueeze(0), own.cross(), own.cache)[0];
  const at::Tensor logits =
      whisper_.decoder.logits(at::stack({x[prompt.sot_index], x[-1]})).contiguous();
  own.cache.spread_first_row();
  const LogitRows rows = host_logits(logits);
  return own.chooser.choose_first(rows[0], rows[1], static_cast<int>(prompt.tokens.size()) - 1);
}

std::unique_ptr<PendingStep> TorchModel::step(std::span<DecodeState* const> states) {
  const c10::InferenceMode inference;
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
  const at::Tensor logits = whisper_.decoder.logits(x).contiguous();
  std::vector<StepOutcome> outcomes;
  for (const auto& [chooser, rows] : host_choices<TorchState>(states, host_logits(logits))) {
    outcomes.push_back(chooser->choose(rows));
  }
  return std::make_unique<ReadyStep>(std::move(outcomes));
}

std::vector<float> TorchModel::logits(const EncodedWindow& window, std::span<const int> tokens) {
  const c10::InferenceMode inference;
  KvCache cache(dims(), 1, whisper_.placement.options());
  return host_numbers(whisper_.decoder.logits(
      whisper_.decoder(ids_of(tokens).unsqueeze(0), cross_of(window), cache)[0]));
}

TokenAttention TorchModel::attend(const EncodedWindow& window, std::span<const int> tokens,
                                  int n_text, std::span<const std::pair<int, int>> heads) {
  const c10::InferenceMode inference;
  const TorchAudio& audio = torch_audio(window);
  return attend_to(whisper_, audio.cross, audio.rows, tokens, n_text, heads);
}

Result<std::unique_ptr<Model>> load_torch_model(std::shared_ptr<const Weights> weights,
                                                const Placement& placement, StepTools tools,
                                                const MemoryWish& wish,
                                                std::optional<SpecialTokens> specials) {
  if (!placement.on_cpu()) {
    return load_batched_model(std::move(weights), placement, std::move(tools), wish,
                              std::move(specials));
  }
  auto whisper = load_whisper(std::move(weights), placement);
  if (!whisper) return whisper.error();
  if (!specials) specials = special_tokens(whisper->dims.n_vocab).value();
  return std::unique_ptr<Model>(
      std::make_unique<TorchModel>(std::move(*whisper), *std::move(specials)));
}

}  // namespace engine
