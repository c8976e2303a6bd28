#pragma once

#include <filesystem>
#include <memory>

#include "engine/error.h"
#include "engine/speakers/networks/cam_plus.h"
#include "engine/speakers/networks/kaldi_fbank.h"
#include "engine/speakers/networks/segmentation.h"
#include "engine/speakers/speaker_networks.h"

namespace engine {

// Both networks on a device of libtorch, in float32. The thread that calls them decides how many
// threads one operation takes (at::set_num_threads).
class TorchSpeakerNetworks : public SpeakerNetworks {
 public:
  TorchSpeakerNetworks(const NetworkFile& segmentation, const NetworkFile& embedding,
                       at::Device device);

  std::vector<Voices> segment(std::span<const float> windows) const override;
  std::vector<float> embed(std::span<const float> pieces) const override;

 private:
  at::Device device_;
  Segmentation segmentation_;
  KaldiFbank fbank_;
  CamPlus embedding_;
};

// Loads the model from its folder. Errors: not_found, unreadable, damaged_model, out_of_memory, and
// those of the device.
Result<std::shared_ptr<const SpeakerNetworks>> load_speaker_networks(
    const std::filesystem::path& folder, at::Device device);

}  // namespace engine
