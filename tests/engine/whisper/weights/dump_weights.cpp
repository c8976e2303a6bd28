#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "engine/whisper/weights/weights.h"

// dump_weights MODEL OUT: writes every tensor to OUT as float32, one after the other, and prints a
// JSON object {format, dims, tensors: {name: {dtype, shape}}, tokens}. A model that cannot be read
// is {error, message} and exit code 1.
int main(int count, char** arguments) {
  if (count != 3) {
    std::cerr << "usage: dump_weights MODEL OUT\n";
    return 2;
  }
  const auto weights = engine::read_weights(arguments[1]);
  nlohmann::ordered_json report;
  if (!weights) {
    report["error"] = name(weights.error().code);
    report["message"] = weights.error().message;
    std::cout << report << '\n';
    return 1;
  }
  const engine::ModelDims& d = weights->dims();
  report["format"] = name(weights->format());
  report["dims"] = {d.n_mels,  d.n_audio_ctx, d.n_audio_state, d.n_audio_head, d.n_audio_layer,
                    d.n_vocab, d.n_text_ctx,  d.n_text_state,  d.n_text_head,  d.n_text_layer};
  report["tokens"] = weights->token_bytes() ? weights->token_bytes()->size() : 0;
  report["alignment_heads"] =
      weights->alignment_heads() ? nlohmann::ordered_json(*weights->alignment_heads()) : nullptr;
  std::ofstream out(arguments[2], std::ios::binary);
  std::vector<float> values;
  for (const auto& [name, tensor] : weights->tensors()) {
    report["tensors"][name] = {{"dtype", engine::name(tensor.dtype)}, {"shape", tensor.shape}};
    values.resize(static_cast<std::size_t>(tensor.elements()));
    to_float(tensor, values);
    out.write(reinterpret_cast<const char*>(values.data()),
              static_cast<std::streamsize>(values.size() * sizeof(float)));
  }
  std::cout << report << '\n';
  return out.good() ? 0 : 1;
}
