#include "engine/speakers/networks/packed_speaker_networks.h"

#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>

#include "engine/speakers/evidence.h"
#include "engine/speakers/networks/share_work.h"
#include "engine/torch/torch_error.h"

namespace engine {
namespace {

// Returns the place of the largest number, the first of equal ones.
Voices likeliest(const float* scores) {
  return powerset[static_cast<std::size_t>(
      std::max_element(scores, scores + PackedSegmentation::classes) - scores)];
}

}  // namespace

PackedSpeakerNetworks::PackedSpeakerNetworks(const NetworkFile& segmentation,
                                             const NetworkFile& embedding, ComputeType type)
    : segmentation_(SegmentationWeights(NetworkTensors(segmentation, at::kCPU))),
      fbank_(at::kCPU),
      embedding_(type, CamPlusWeights(NetworkTensors(embedding, at::kCPU))) {}

std::vector<Voices> PackedSpeakerNetworks::segment(std::span<const float> windows) const {
  const std::size_t count = windows.size() / speaker_window;
  std::vector<Voices> voices(count * frames_per_window);
  share_work(count, at::get_num_threads(), [&](std::size_t begin, std::size_t end) {
    std::vector<float> scores((end - begin) * frames_per_window * PackedSegmentation::classes);
    segmentation_(windows.data() + begin * speaker_window, static_cast<int>(end - begin),
                  scores.data());
    Voices* to = voices.data() + begin * frames_per_window;
    for (std::size_t i = 0; i < scores.size(); i += PackedSegmentation::classes) {
      *to++ = likeliest(scores.data() + i);
    }
  });
  return voices;
}

std::vector<float> PackedSpeakerNetworks::embed(std::span<const float> pieces) const {
  const std::size_t count = pieces.size() / piece_samples;
  std::vector<float> embeddings(count * embedding_size);
  const std::vector<at::Tensor> features = features_of(pieces);
  share_work(count, at::get_num_threads(), [&](std::size_t begin, std::size_t end) {
    PackedCamPlus::Room room = embedding_.room();
    for (std::size_t i = begin; i < end; ++i) {
      embedding_(features[i].const_data_ptr<float>(), room, embeddings.data() + i * embedding_size);
    }
  });
  return embeddings;
}

// The filter bank is libtorch's operations, which share their work themselves.
std::vector<at::Tensor> PackedSpeakerNetworks::features_of(std::span<const float> pieces) const
    try {
  const c10::InferenceMode inference;
  std::vector<at::Tensor> features;
  for (std::size_t begin = 0; begin < pieces.size(); begin += piece_samples) {
    auto* sound = const_cast<float*>(pieces.data() + begin);
    const at::Tensor x = fbank_(at::from_blob(sound, {1, piece_samples}, at::kFloat));
    features.push_back((x - x.mean(1, /*keepdim=*/true)).contiguous());
  }
  return features;
} catch (...) {
  throw Exception(error_of_torch_exception("speakers"));
}

}  // namespace engine
