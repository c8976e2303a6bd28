#include "engine/speakers/networks/torch_speaker_networks.h"

#include <c10/core/InferenceMode.h>

#include <algorithm>

#include "engine/torch/torch_error.h"

namespace engine {
namespace {

// Returns a copy on the device, [n, samples].
at::Tensor rows_of(std::span<const float> sound, std::int64_t samples, at::Device device) {
  const auto n = static_cast<std::int64_t>(sound.size()) / samples;
  return at::from_blob(const_cast<float*>(sound.data()), {n, samples}, at::kFloat).to(device);
}

}  // namespace

TorchSpeakerNetworks::TorchSpeakerNetworks(const NetworkFile& segmentation,
                                           const NetworkFile& embedding, at::Device device)
    : device_(device),
      segmentation_(SegmentationWeights(NetworkTensors(segmentation, device))),
      fbank_(device),
      embedding_(CamPlusWeights(NetworkTensors(embedding, device))) {}

std::vector<Voices> TorchSpeakerNetworks::segment(std::span<const float> windows) const try {
  const c10::InferenceMode inference;
  const at::Tensor classes =
      segmentation_(rows_of(windows, speaker_window, device_)).argmax(-1).cpu().contiguous();
  const auto* values = classes.data_ptr<std::int64_t>();
  std::vector<Voices> voices(static_cast<std::size_t>(classes.numel()));
  std::transform(values, values + voices.size(), voices.begin(),
                 [](std::int64_t index) { return powerset[static_cast<std::size_t>(index)]; });
  return voices;
} catch (...) {
  throw Exception(error_of_torch_exception("speakers"));
}

std::vector<float> TorchSpeakerNetworks::embed(std::span<const float> pieces) const try {
  const c10::InferenceMode inference;
  const at::Tensor features = fbank_(rows_of(pieces, piece_samples, device_));
  const at::Tensor embeddings =
      embedding_(features - features.mean(1, /*keepdim=*/true)).cpu().contiguous();
  const auto* values = embeddings.data_ptr<float>();
  return {values, values + embeddings.numel()};
} catch (...) {
  throw Exception(error_of_torch_exception("speakers"));
}

}  // namespace engine
