#include "engine/speakers/networks/packed_speaker_networks.h"

#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>

#include "engine/speakers/evidence.h"
#include "platform/cpu.h"

namespace engine {
namespace {

// Calls work(begin, end) on each thread with its part of so many windows or pieces.
template <class Work>
void share(std::size_t count, Work work) {
  at::parallel_for(0, static_cast<std::int64_t>(count), 1,
                   [&](std::int64_t begin, std::int64_t end) {
                     const c10::InferenceMode inference;
                     work(static_cast<std::size_t>(begin), static_cast<std::size_t>(end));
                   });
}

// Returns the place of the largest number, the first of equal ones.
Voices likeliest(const float* scores) {
  return powerset[static_cast<std::size_t>(
      std::max_element(scores, scores + PackedSegmentation::classes) - scores)];
}

}  // namespace

bool PackedSpeakerNetworks::possible() {
  return kernels::best_isa(platform::probe_cpu()).has_value();
}

PackedSpeakerNetworks::PackedSpeakerNetworks(const NetworkFile& segmentation,
                                             const NetworkFile& embedding, ComputeType type)
    : segmentation_(SegmentationWeights(NetworkTensors(segmentation, at::kCPU))),
      fbank_(at::kCPU),
      embedding_(type, CamPlusWeights(NetworkTensors(embedding, at::kCPU))) {}

std::vector<Voices> PackedSpeakerNetworks::segment(std::span<const float> windows) const {
  const std::size_t count = windows.size() / speaker_window;
  std::vector<Voices> voices(count * frames_per_window);
  share(count, [&](std::size_t begin, std::size_t end) {
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
  share(count, [&](std::size_t begin, std::size_t end) {
    PackedCamPlus::Room room = embedding_.room();
    for (std::size_t i = begin; i < end; ++i) {
      auto* sound = const_cast<float*>(pieces.data() + i * piece_samples);
      const at::Tensor x = fbank_(at::from_blob(sound, {1, piece_samples}, at::kFloat));
      const at::Tensor features = (x - x.mean(1, /*keepdim=*/true)).contiguous();
      embedding_(features.const_data_ptr<float>(), room, embeddings.data() + i * embedding_size);
    }
  });
  return embeddings;
}

}  // namespace engine
