#include "engine/speakers/networks/load_speaker_networks.h"

#include <c10/core/InferenceMode.h>

#include "engine/kernels/chosen_isa.h"
#include "engine/speakers/networks/packed_speaker_networks.h"
#include "engine/speakers/networks/torch_speaker_networks.h"
#include "engine/torch/device.h"
#include "engine/torch/torch_error.h"
#include "platform/cpu.h"

namespace engine {
namespace {

// A clip of half a minute has so few pieces that int8 can tip a speaker over. Where the CPU has
// bfloat16, that is nearly as fast and tips nothing.
ComputeType type_of_embeddings(ComputeType type) {
  const bool exact = type == ComputeType::int8 && platform::probe_cpu().fast_bfloat16();
  return exact ? ComputeType::bfloat16 : type;
}

}  // namespace

Result<std::shared_ptr<const SpeakerNetworks>> load_speaker_networks(
    const std::filesystem::path& folder, const Device& device, ComputeType type) {
  using Networks = std::shared_ptr<const SpeakerNetworks>;
  try {
    const c10::InferenceMode inference;
    const NetworkFile segmentation(folder / segmentation_file);
    const NetworkFile embedding(folder / embedding_file);
    if (device.is_cpu() && kernels::isa_of_this_cpu()) {
      return Networks(std::make_shared<PackedSpeakerNetworks>(segmentation, embedding,
                                                              type_of_embeddings(type)));
    }
    return Networks(std::make_shared<TorchSpeakerNetworks>(segmentation, embedding,
                                                           torch_device(device).value()));
  } catch (...) {
    return error_of_torch_exception("speakers");
  }
}

}  // namespace engine
