// A libscribed-torch.so whose table has one part, which knows no device.
#include "engine/torch_parts/library_entry.h"

extern "C" const engine::TorchParts* scribed_torch_parts(const char* program_version) {
  static constexpr engine::TorchParts parts{
      .check_device = [](const engine::Device&) -> engine::Result<void> {
        return engine::Error{engine::Errc::device_unavailable, "asked the double", "nothing"};
      },
      .open_device = nullptr,
      .try_device = nullptr,
      .describe_device = nullptr,
      .load_whisper = nullptr,
      .load_speaker_networks = nullptr,
      .bench_whisper = nullptr};
  return *program_version != '\0' ? &parts : nullptr;
}
