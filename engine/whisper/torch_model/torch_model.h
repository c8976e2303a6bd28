#pragma once

#include <memory>
#include <optional>

#include "engine/torch/torch_error.h"
#include "engine/whisper/model/model.h"
#include "engine/whisper/text/special_tokens.h"
#include "engine/whisper/torch_model/step_tools.h"
#include "engine/whisper/torch_model/whisper.h"

namespace engine {

// Runs the model on libtorch's operations. Each decode has memory of its own, and steps of several
// read each weight once.
class TorchModel : public Model {
 public:
  using Model::encode;

  TorchModel(Whisper whisper, SpecialTokens specials);

  const ModelDims& dims() const override { return whisper_.dims; }
  Error error_of_exception() const override { return error_of_torch_exception("model"); }
  ShortWindows short_windows() const override;
  std::vector<EncodedWindow> encode(std::span<const MelWindow> mels) override;
  std::unique_ptr<DecodeState> start(EncodedWindow window, const ChoiceOptions& options) override;
  std::unique_ptr<PendingStep> read_prompts(std::span<const Prompt> prompts) override;
  std::unique_ptr<PendingStep> step(std::span<DecodeState* const> states) override;
  std::vector<float> logits(const EncodedWindow& window, std::span<const int> tokens) override;
  TokenAttention attend(const EncodedWindow& window, std::span<const int> tokens, int n_text,
                        std::span<const std::pair<int, int>> heads) override;

 private:
  EncodedWindow encode_one(const MelWindow& mel);
  StepOutcome read_prompt(const Prompt& prompt);

  Whisper whisper_;
  SpecialTokens specials_;
};

// Loads a TorchModel on a CPU, and elsewhere a BatchedModel, which gets the tools for its steps,
// and takes the memory that is wished for.
//   specials  by the model's tokenizer; none: those of a published model of its vocabulary's size
Result<std::unique_ptr<Model>> load_torch_model(std::shared_ptr<const Weights> weights,
                                                const Placement& placement, StepTools tools = {},
                                                const MemoryWish& wish = {},
                                                std::optional<SpecialTokens> specials = {});

}  // namespace engine
