#pragma once

#include <cstdint>
#include <string>

namespace protocol {

// The places that a model has in its device's memory, all of which exist since it was loaded, and
// how recording what it runs goes. Without places a model takes memory as it needs it.
struct DeviceUse {
  int windows = 0;  // places for windows of sound
  int windows_held = 0;
  int rows = 0;  // places for the beams and samples of all decodes
  int rows_held = 0;
  std::int64_t cache_bytes = 0;  // of all places
  bool records_graphs = false;   // this device can replay steps
  int graphs = 0;                // shapes of steps, prompts and encodes that are replayed
  int graph_failures = 0;
  std::string graphs_off{};    // what is launched one by one for now, and why; empty: nothing is
  int kernel_rows = 0;         // decode steps of at most so many rows run on fused kernels
  bool kernel_choice = false;  // tokens are chosen on fused kernels
  std::string kernels_off{};   // why no more do; empty: all do
  // How windows with less than 30 s of audio are encoded by default, and why; empty: unknown.
  std::string encoder_window{};

  bool operator==(const DeviceUse&) const = default;
};

}  // namespace protocol
