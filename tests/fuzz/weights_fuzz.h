#pragma once

#include <span>
#include <vector>

#include "engine/error.h"
#include "engine/whisper/weights/hugging_face.h"
#include "engine/whisper/weights/plain_names.h"
#include "engine/whisper/weights/readers.h"

// Does with the bytes of one file as read_weights does; an engine::Exception is a good end.
inline void fuzz_weights(engine::ParsedModel (*parse)(std::span<const std::byte>),
                         const std::uint8_t* data, std::size_t size) {
  try {
    auto model = parse(std::as_bytes(std::span(data, size)));
    for (const auto& [name, tensor] : model.tensors) {
      if (is_count(tensor.dtype)) continue;
      std::vector<float> values(static_cast<std::size_t>(tensor.elements()));
      to_float(tensor, values);
    }
    const auto tensors =
        engine::with_openai_names(engine::with_plain_names(std::move(model.tensors)));
    const auto dims = engine::derive_dims(tensors, model.heads);
    if (model.declared_dims) require_equal(*model.declared_dims, dims);
    engine::validate_tensors(tensors, dims);
  } catch (const engine::Exception&) {
  }
}
