#pragma once

#include <utility>
#include <vector>

#include "engine/whisper/cpu/window_rows.h"
#include "engine/whisper/model/model.h"
#include "engine/whisper/torch_model/slot_pool.h"

// The windows and decodes of a BatchedModel, by their places in its stores.
namespace engine {

struct PooledAudio : EncodedAudio {
  PooledAudio(SlotPool::Slot taken, cpu::WindowRows computed)
      : slot(std::move(taken)), rows(std::move(computed)) {}
  bool is_short() const override { return !rows.is_full(); }

  SlotPool::Slot slot;
  cpu::WindowRows rows;
};

inline const PooledAudio& pooled(const EncodedWindow& window) {
  return static_cast<const PooledAudio&>(*window);
}
inline int slot_of(const EncodedWindow& window) {
  return pooled(window).slot.index();
}

struct BatchedState : DecodeState {
  BatchedState(EncodedWindow audio, ChoiceOptions rules)
      : window(std::move(audio)), options(std::move(rules)) {}

  EncodedWindow window;
  ChoiceOptions options;
  std::vector<SlotPool::Slot> owned;
  std::vector<int> slots;  // of `owned`, by row
  int length = 0;
};

inline BatchedState& batched(DecodeState* state) {
  return static_cast<BatchedState&>(*state);
}

}  // namespace engine
