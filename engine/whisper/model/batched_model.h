#pragma once

#include <memory>
#include <vector>

#include "engine/torch/step_graphs.h"
#include "engine/whisper/choice/device_chooser.h"
#include "engine/whisper/model/model.h"
#include "engine/whisper/model/model_stores.h"
#include "engine/whisper/model/step_batch.h"
#include "engine/whisper/model/whisper.h"
#include "engine/whisper/text/special_tokens.h"

namespace engine {

// Runs the model on libtorch's operations, for devices that are fast at much at once: decodes of
// any windows take their steps as one batch, in memory that stays where it is, so that steps can be
// recorded and replayed. Tokens are chosen on the device, where the next step finds them; nothing
// of a step is waited for.
class BatchedModel : public Model {
 public:
  using Model::encode;

  // `graphs` is null where steps run as they are.
  BatchedModel(Whisper whisper, std::unique_ptr<StepGraphs> graphs, ModelStores stores);

  const ModelDims& dims() const override { return whisper_.dims; }
  bool runs_ahead() const override { return true; }
  MemoryPlan plan() const override { return plan_; }
  std::optional<GraphState> graphs() const override;
  std::vector<EncodedWindow> encode(std::span<const at::Tensor> mels) override;
  std::unique_ptr<DecodeState> start(EncodedWindow window, const ChoiceOptions& options) override;
  std::unique_ptr<PendingStep> read_prompts(std::span<const Prompt> prompts) override;
  std::unique_ptr<PendingStep> step(std::span<DecodeState* const> states) override;
  at::Tensor logits(const EncodedWindow& window, std::span<const int> tokens) override;
  TokenAttention attend(const EncodedWindow& window, std::span<const int> tokens, int n_text,
                        std::span<const std::pair<int, int>> heads) override;

 private:
  // Reads prompts as one batch, into the histories of all rows.
  //   returns [2·prompts, n_vocab] float32, on the device: after each one's sot and its last token
  at::Tensor read_batch(std::span<const Prompt* const> prompts);
  // Chooses the first tokens behind them; returns what is said of it.
  at::Tensor choose_first(std::span<const Prompt* const> prompts, const ChoiceBatch& batch,
                          const at::Tensor& logits);
  CrossAttention audio_of(const EncodedWindow& window) const;
  // Does a step of this shape with what numbers_ says.
  at::Tensor run(const StepShape& shape);
  at::Tensor on_device(std::span<const std::int64_t> numbers) const;
  StepLimits limits() const;

  Whisper whisper_;
  SpecialTokens specials_;
  std::unique_ptr<StepGraphs> graphs_;
  MemoryPlan plan_;
  SlotStore history_;
  SlotStore audio_;
  DeviceChooser chooser_;               // by slot of history_
  at::Tensor numbers_;                  // what a step reads of its batches, on the device
  std::vector<std::int64_t> uploaded_;  // the beginning of numbers_
};

// Loads the weights, and takes of the memory that is left then what is wished for (ModelStores).
Result<std::unique_ptr<Model>> load_batched_model(std::shared_ptr<const Weights> weights,
                                                  const Placement& placement,
                                                  std::unique_ptr<StepGraphs> graphs,
                                                  const MemoryWish& wish = {});

}  // namespace engine
