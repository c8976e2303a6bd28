#pragma once

#include "engine/speakers/networks/kaldi_fbank.h"
#include "engine/speakers/networks/packed_cam_plus.h"
#include "engine/speakers/networks/packed_segmentation.h"
#include "engine/speakers/speaker_networks.h"

namespace engine {

// Both networks on this CPU's own kernels: the segmentation in float32, embeddings in `type`.
// Windows and pieces are shared by as many threads as the caller's operations take
// (at::set_num_threads); what is said of one does not hang on that, or on what is beside it.
class PackedSpeakerNetworks : public SpeakerNetworks {
 public:
  PackedSpeakerNetworks(const NetworkFile& segmentation, const NetworkFile& embedding,
                        ComputeType type);

  std::vector<Voices> segment(std::span<const float> windows) const override;
  std::vector<float> embed(std::span<const float> pieces) const override;

 private:
  // Returns the features of each piece, [1, frames, fbank_bins] without their mean.
  std::vector<at::Tensor> features_of(std::span<const float> pieces) const;

  PackedSegmentation segmentation_;
  KaldiFbank fbank_;
  PackedCamPlus embedding_;
};

}  // namespace engine
