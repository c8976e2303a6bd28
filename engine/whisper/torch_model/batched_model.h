#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "engine/torch/torch_error.h"
#include "engine/whisper/device_choice/device_chooser.h"
#include "engine/whisper/model/kernel_use.h"
#include "engine/whisper/model/model.h"
#include "engine/whisper/text/special_tokens.h"
#include "engine/whisper/torch_model/fused_decoder.h"
#include "engine/whisper/torch_model/model_stores.h"
#include "engine/whisper/torch_model/step_batch.h"
#include "engine/whisper/torch_model/step_tools.h"
#include "engine/whisper/torch_model/whisper.h"

namespace engine {

// Runs the model on libtorch's operations, for devices that are fast at much at once: decodes of
// any windows take their steps as one batch, windows are encoded and prompts read as one, and all
// of it is in memory that stays where it is, so that it can be recorded and replayed. Steps of few
// rows run on fused kernels where the device has some. Tokens are chosen on the device, where the
// next step finds them; nothing of a step is waited for.
class BatchedModel : public Model {
 public:
  using Model::encode;

  // The tools' kernels do what `use` says, and are not null where it says anything.
  BatchedModel(Whisper whisper, SpecialTokens specials, StepTools tools, ModelStores stores,
               KernelUse use = {});

  // Measures steps with the kernels and without, and keeps the kernels for those that they make
  // faster. To be called before the first decode, or never.
  void keep_faster_kernels();

  const ModelDims& dims() const override { return whisper_.dims; }
  Error error_of_exception() const override { return error_of_torch_exception("model"); }
  bool runs_ahead() const override { return true; }
  MemoryPlan plan() const override { return plan_; }
  std::optional<GraphState> graphs() const override;
  std::optional<KernelUse> kernels() const override { return use_; }
  ShortWindows short_windows() const override;
  std::vector<EncodedWindow> encode(std::span<const MelWindow> mels) override;
  std::unique_ptr<DecodeState> start(EncodedWindow window, const ChoiceOptions& options) override;
  std::unique_ptr<PendingStep> read_prompts(std::span<const Prompt> prompts) override;
  std::unique_ptr<PendingStep> step(std::span<DecodeState* const> states) override;
  std::vector<float> logits(const EncodedWindow& window, std::span<const int> tokens) override;
  TokenAttention attend(const EncodedWindow& window, std::span<const int> tokens, int n_text,
                        std::span<const std::pair<int, int>> heads) override;

 private:
  // Encodes some of the windows (encode_groups) as one batch.
  void encode_group(std::span<const std::size_t> group, std::span<const MelWindow> mels,
                    std::span<const cpu::WindowRows> rows, std::vector<EncodedWindow>& windows);
  CrossAttention audio_of(const EncodedWindow& window) const;
  // Return what a step of this shape reads of all windows, and the bias of those rows.
  StoredRows audio_rows(const StepShape& shape) const;
  at::Tensor audio_bias(const StepShape& shape) const;
  // Uploads the numbers of a step, unless they are there.
  void hand_over(std::vector<std::int64_t> numbers);
  // Runs a step, recorded or not.
  at::Tensor run(const StepShape& shape, const Step& step);

  // Do a step of this shape with what numbers_ says, and mels_: they can be recorded. All but the
  // encoder return what is said of the choice (DeviceChoice).
  at::Tensor encode_mels(const StepShape& shape);
  at::Tensor read_and_choose(const StepShape& shape);
  at::Tensor decode_and_choose(const StepShape& shape);

  // Does a decode step up to the logits, [shape.choice.rows, n_vocab] float32, on the device.
  at::Tensor decode(const StepShape& shape) const;
  // Returns the numbers of a step's choice, behind so many of its batch.
  at::Tensor choice_numbers(const ChoiceShape& shape, std::int64_t behind) const;
  // Returns the seconds of a step of rows that have just begun.
  double time_step(int rows, bool fused);
  StepLimits limits() const;

  Whisper whisper_;
  SpecialTokens specials_;
  std::unique_ptr<StepKernels> kernels_;
  std::unique_ptr<StepGraphs> graphs_;  // may have recorded kernels, which have to outlive it
  KernelUse use_;
  std::optional<FusedDecoder> fused_;
  MemoryPlan plan_;
  SlotStore history_;
  SlotStore audio_;
  at::Tensor key_bias_;                 // by slot of audio_, [windows, n_audio_ctx] float32
  DeviceChooser chooser_;               // by slot of history_
  at::Tensor mels_;                     // what an encode reads, [encodes, n_mels, frames] float32
  at::Tensor numbers_;                  // what a step reads of its batches, on the device
  std::vector<std::int64_t> uploaded_;  // the beginning of numbers_
};

// Loads the weights, and takes of the memory that is left then what is wished for (ModelStores).
// Kernels are used where they have passed their check on the device, and are faster there.
//   specials  as of load_torch_model
Result<std::unique_ptr<Model>> load_batched_model(std::shared_ptr<const Weights> weights,
                                                  const Placement& placement, StepTools tools,
                                                  const MemoryWish& wish = {},
                                                  std::optional<SpecialTokens> specials = {});

}  // namespace engine
