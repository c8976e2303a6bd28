#pragma once

#include <chrono>

namespace engine {

// The windows that wait to be encoded.
struct WaitingEncodes {
  int count = 0;
  bool any_urgent = false;
  std::chrono::milliseconds oldest{0};  // how long it has waited
};

// Returns whether they are encoded before the next step. One batch costs less than each alone, so
// where decodes are under way, which keep the device busy, others get a moment to come along; what
// is urgent waits for nobody.
//   most  windows of a batch
inline bool is_time_to_encode(const WaitingEncodes& waiting, int most, bool decodes_are_under_way) {
  constexpr std::chrono::milliseconds moment{5};
  return waiting.count > 0 && (!decodes_are_under_way || waiting.any_urgent ||
                               waiting.count >= most || waiting.oldest >= moment);
}

}  // namespace engine
