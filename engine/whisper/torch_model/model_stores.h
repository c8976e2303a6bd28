#pragma once

#include <cstdint>
#include <vector>

#include "engine/torch/placement.h"
#include "engine/whisper/model/memory_plan.h"
#include "engine/whisper/torch_model/slot_store.h"

namespace engine {

// The places of a model that decodes in batches, all of its memory beside weights and activations.
// They are allocated when the model is loaded, and nothing is added or moved later.
struct ModelStores {
  MemoryPlan plan;
  SlotStore history;  // [n_layer, 2, rows, n_head, n_text_ctx, 64]
  SlotStore audio;    // [n_layer, 2, windows, n_head, n_audio_ctx, 64]
};

// The parts of a model's memory that depend on the way it computes.
struct StoreForm {
  bool records = false;       // encodes, prompts and steps are recorded
  bool int8_windows = false;  // windows' keys and values are in int8
};

// Divides what the device has free and allocates it. Where the device does not give what it said is
// free, it is asked for half. Errors: those of plan_memory; throws what else libtorch throws.
Result<ModelStores> allocate_stores(const ModelDims& dims, const Placement& placement,
                                    MemoryWish wish, const StoreForm& form = {});

}  // namespace engine
