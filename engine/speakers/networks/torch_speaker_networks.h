#pragma once

#include "engine/speakers/networks/cam_plus.h"
#include "engine/speakers/networks/kaldi_fbank.h"
#include "engine/speakers/networks/segmentation.h"
#include "engine/speakers/speaker_networks.h"

namespace engine {

// Both networks in operations of libtorch, in float32, on any device. The thread that calls them
// decides how many threads one operation takes (at::set_num_threads).
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

}  // namespace engine
