#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "engine/device/compute_type.h"
#include "engine/device/device.h"
#include "engine/error.h"
#include "engine/speakers/speaker_networks.h"
#include "engine/whisper/model/memory_plan.h"
#include "engine/whisper/model/model.h"
#include "engine/whisper/text/special_tokens.h"
#include "engine/whisper/weights/weights.h"
#include "protocol/bench_messages.h"

namespace engine {

// A device's own account of itself.
struct DeviceFacts {
  std::string name{};  // of the card, by its vendor; empty where this build cannot ask
  DeviceMemory memory{};
};

// The functions of the engine that need libtorch. A transcription on a CPU that kernels are written
// for needs none of them. They throw nothing.
struct TorchParts {
  // Fails with device_unavailable where this build has no code for the device.
  Result<void> (*check_device)(const Device& device);

  // Opens the device for the calling thread. What is returned gives the device's free memory back
  // when it ends, and so outlives a model. Errors: device_unavailable, with libtorch's words.
  Result<std::shared_ptr<void>> (*open_device)(const DeviceOptions& options);

  // Finds out whether an open device computes right, see smoke_run.
  Result<void> (*try_device)(const Device& device, ComputeType type);

  Result<DeviceFacts> (*describe_device)(const Device& device);

  // Loads a Whisper model onto an open device.
  Result<std::unique_ptr<Model>> (*load_whisper)(std::shared_ptr<const Weights> weights,
                                                 const SpecialTokens& specials,
                                                 const Device& device, ComputeType type,
                                                 const MemoryWish& wish);

  // Loads the networks that tell speakers apart, see load_speaker_networks. On a CPU they take
  // `options.threads` threads.
  Result<std::shared_ptr<const SpeakerNetworks>> (*load_speaker_networks)(
      const std::filesystem::path& folder, const DeviceOptions& options, ComputeType type);

  Result<protocol::worker::BenchResult> (*bench_whisper)(const protocol::worker::Bench& request);
};

// Returns the parts. In the worker for CPUs they are a library of their own, which is loaded when
// somebody asks for the first time: libtorch takes 0.2 s to start, and 100 MB. Fails with internal
// where that library cannot be loaded.
Result<const TorchParts*> torch_parts();

}  // namespace engine
