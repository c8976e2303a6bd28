#pragma once

#include <utility>
#include <vector>

#include "engine/whisper/model/model.h"
#include "engine/whisper/torch_model/slot_pool.h"

// The windows and decodes of a BatchedModel, by their places in its stores.
namespace engine {

struct PooledAudio : EncodedAudio {
  explicit PooledAudio(SlotPool::Slot taken) : slot(std::move(taken)) {}
  SlotPool::Slot slot;
};

inline int slot_of(const EncodedWindow& window) {
  return static_cast<const PooledAudio&>(*window).slot.index();
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
