#include <string>

#include "engine/weights/byte_reader.h"
#include "engine/weights/ggml_blocks.h"
#include "engine/whisper/weights/readers.h"

// whisper.cpp's .bin: magic, eleven 32-bit numbers, mel filters, the vocabulary, then tensors
// {rank, name length, type, dimensions with the fastest first, name, data} up to the end.
namespace engine {
namespace {

constexpr std::uint32_t magic = 0x67676d6c;  // "ggml"
constexpr std::int32_t max_name_bytes = 256;
constexpr std::size_t max_tensors = 100'000;
constexpr std::int32_t max_tokens = 1 << 20;

ModelDims read_dims(ByteReader& reader) {
  ModelDims d;
  for (int ModelDims::*field :
       {&ModelDims::n_vocab, &ModelDims::n_audio_ctx, &ModelDims::n_audio_state,
        &ModelDims::n_audio_head, &ModelDims::n_audio_layer, &ModelDims::n_text_ctx,
        &ModelDims::n_text_state, &ModelDims::n_text_head, &ModelDims::n_text_layer,
        &ModelDims::n_mels}) {
    d.*field = reader.read<std::int32_t>();
  }
  reader.read<std::int32_t>();  // the file's main type; every tensor has its own
  return d;
}

void skip_mel_filters(ByteReader& reader) {
  const auto n_mels = reader.read<std::int32_t>();
  const auto n_bins = reader.read<std::int32_t>();
  if (n_mels < 0 || n_bins < 0) damaged("ggml: bad size of the mel filters");
  // Both numbers are below 2^31, so their product in bytes stays below 2^64.
  reader.take(static_cast<std::size_t>(n_mels) * static_cast<std::size_t>(n_bins) * sizeof(float));
}

std::vector<std::string> read_vocabulary(ByteReader& reader) {
  const auto n = reader.read<std::int32_t>();
  if (n < 0 || n > max_tokens) damaged("ggml: a vocabulary of " + std::to_string(n) + " tokens");
  std::vector<std::string> tokens;
  for (std::int32_t i = 0; i < n; ++i) {
    tokens.emplace_back(reader.text(reader.read<std::uint32_t>()));
  }
  return tokens;
}

std::vector<std::int64_t> read_shape(ByteReader& reader, std::int32_t rank) {
  std::vector<std::int64_t> shape(static_cast<std::size_t>(rank));
  for (auto dimension = shape.rbegin(); dimension != shape.rend(); ++dimension) {
    *dimension = reader.read<std::int32_t>();
  }
  return shape;
}

}  // namespace

ParsedModel parse_ggml(std::span<const std::byte> file) {
  ByteReader reader(file, "ggml");
  if (reader.read<std::uint32_t>() != magic) damaged("ggml: wrong magic number");
  ParsedModel model;
  model.writer = "whisper.cpp";
  model.declared_dims = read_dims(reader);
  model.heads = HeadCounts{model.declared_dims->n_audio_head, model.declared_dims->n_text_head};
  skip_mel_filters(reader);
  model.token_bytes = read_vocabulary(reader);
  while (reader.remaining() > 0) {
    const auto rank = reader.read<std::int32_t>();
    const auto name_bytes = reader.read<std::int32_t>();
    const auto type = reader.read<std::int32_t>();
    if (model.tensors.size() >= max_tensors || rank < 1 || rank > max_dimensions ||
        name_bytes < 1 || name_bytes > max_name_bytes) {
      damaged("ggml: no tensor at offset " + std::to_string(reader.offset() - 12));
    }
    WeightTensor tensor;
    tensor.shape = read_shape(reader, rank);
    const std::string name(reader.text(static_cast<std::size_t>(name_bytes)));
    tensor.dtype = ggml_dtype(name, static_cast<std::uint32_t>(type));
    tensor.data = reader.take(byte_size(name, tensor.dtype, tensor.shape));
    // The biases of the convolutions are stored as columns, ready to be added to [channels, time].
    if (name.ends_with(".bias") && tensor.shape.size() == 2 && tensor.shape[1] == 1) {
      tensor.shape.pop_back();
    }
    if (!model.tensors.emplace(name, std::move(tensor)).second) damaged(name + ": appears twice");
  }
  return model;
}

}  // namespace engine
