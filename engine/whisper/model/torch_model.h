#pragma once

#include <memory>

#include "engine/torch/step_graphs.h"
#include "engine/whisper/model/model.h"
#include "engine/whisper/model/whisper.h"

namespace engine {

// Runs the model on libtorch's operations. Each decode has memory of its own, and steps of several
// read each weight once.
class TorchModel : public Model {
 public:
  explicit TorchModel(Whisper whisper) : whisper_(std::move(whisper)) {}

  const ModelDims& dims() const override { return whisper_.dims; }
  EncodedWindow encode(const at::Tensor& mel) override;
  std::unique_ptr<DecodeState> start(EncodedWindow window, int n_rows) override;
  at::Tensor read_prompt(DecodeState& state, std::span<const int> tokens,
                         std::span<const int> positions) override;
  at::Tensor step(std::span<const DecodeStep> steps) override;
  TokenAttention attend(const EncodedWindow& window, std::span<const int> tokens, int n_text,
                        std::span<const std::pair<int, int>> heads) override;

 private:
  Whisper whisper_;
};

// Loads a TorchModel on a CPU, and elsewhere a BatchedModel, whose steps `graphs` records; null:
// none does.
Result<std::unique_ptr<Model>> load_torch_model(std::shared_ptr<const Weights> weights,
                                                const Placement& placement,
                                                std::unique_ptr<StepGraphs> graphs = nullptr);

}  // namespace engine
