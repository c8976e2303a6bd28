#pragma once

#include "engine/whisper/cpu/window_rows.h"
#include "engine/whisper/model/model.h"
#include "engine/whisper/torch_model/whisper.h"

namespace engine {

// Does Model::attend for a model of libtorch's operations and what it reads of a window.
//   rows  of the window
TokenAttention attend_to(const Whisper& whisper, const CrossAttention& window,
                         const cpu::WindowRows& rows, std::span<const int> tokens, int n_text,
                         std::span<const std::pair<int, int>> heads);

}  // namespace engine
