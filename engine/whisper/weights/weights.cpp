#include "engine/whisper/weights/weights.h"

#include <new>
#include <string>

#include "engine/weights/byte_reader.h"
#include "engine/weights/safetensors.h"
#include "engine/whisper/weights/config.h"
#include "engine/whisper/weights/detect.h"
#include "engine/whisper/weights/hugging_face.h"
#include "engine/whisper/weights/readers.h"

namespace engine {
namespace {

ParsedModel parse(WeightFormat format, std::span<const std::byte> file) {
  switch (format) {
    case WeightFormat::ctranslate2:
      return parse_ctranslate2(file);
    case WeightFormat::safetensors:
      return {.tensors = parse_safetensors(file)};
    case WeightFormat::torch_zip:
      return parse_torch_zip(file);
    case WeightFormat::torch_legacy:
      return parse_torch_legacy(file);
    case WeightFormat::ggml:
      return parse_ggml(file);
  }
  throw std::invalid_argument("[weights] unknown format");
}

ParsedModel read_shards(std::vector<MappedFile>& files) {
  const std::filesystem::path folder = files[0].path().parent_path();
  ParsedModel model;
  for (const std::string& shard : parse_shard_index(as_text(files[0].bytes()))) {
    const MappedFile& file = files.emplace_back(folder / shard);
    TensorTable part = parse_safetensors(file.bytes());
    model.tensors.merge(part);
    if (!part.empty()) damaged(part.begin()->first + ": appears twice");
  }
  return model;
}

void require_heads_exist(const std::vector<std::pair<int, int>>& heads, const ModelDims& dims) {
  for (const auto& [layer, head] : heads) {
    if (layer >= dims.n_text_layer || head >= dims.n_text_head) {
      damaged("alignment_heads: (" + std::to_string(layer) + ", " + std::to_string(head) +
              ") is not in a decoder of " + std::to_string(dims.n_text_layer) + " layers of " +
              std::to_string(dims.n_text_head) + " heads");
    }
  }
}

// Returns whether a format is kept in a folder with a config of its own, as only these two are.
bool has_config_beside_it(WeightFormat format) {
  return format == WeightFormat::ctranslate2 || format == WeightFormat::safetensors;
}

Weights read_file(const std::filesystem::path& path) {
  std::vector<MappedFile> files;
  files.emplace_back(path);
  WeightsContent content;
  ParsedModel parsed;
  if (is_shard_index(files[0].bytes())) {
    content.format = WeightFormat::safetensors;
    parsed = read_shards(files);
  } else {
    content.format = detect_format(files[0].bytes());
    parsed = parse(content.format, files[0].bytes());
  }
  content.tensors = with_openai_names(std::move(parsed.tensors));
  const Config config =
      has_config_beside_it(content.format) ? read_config(path.parent_path()) : Config{};
  content.dims = derive_dims(content.tensors, parsed.heads ? parsed.heads : config.heads);
  if (parsed.declared_dims) require_equal(*parsed.declared_dims, content.dims);
  validate_tensors(content.tensors, content.dims);
  if (config.alignment_heads) require_heads_exist(*config.alignment_heads, content.dims);
  content.alignment_heads = config.alignment_heads;
  content.token_bytes = std::move(parsed.token_bytes);
  return {std::move(files), std::move(content)};
}

}  // namespace

std::string_view name(WeightFormat format) {
  switch (format) {
    case WeightFormat::ctranslate2:
      return "CTranslate2";
    case WeightFormat::safetensors:
      return "safetensors";
    case WeightFormat::torch_zip:
      return "PyTorch";
    case WeightFormat::torch_legacy:
      return "PyTorch (legacy)";
    case WeightFormat::ggml:
      return "ggml";
  }
  return "unknown";
}

Result<Weights> read_weights(const std::filesystem::path& file_or_folder) {
  std::filesystem::path path = file_or_folder;
  try {
    if (std::filesystem::is_directory(path)) path = model_file_in(path);
    return read_file(path);
  } catch (const Exception& e) {
    Error error = e.error;
    if (error.message.find(path.string()) == std::string::npos) {
      error.message += " (" + path.string() + ")";
    }
    return error;
  } catch (const std::filesystem::filesystem_error& e) {
    return Error{Errc::unreadable, std::string("[weights] ") + e.what(),
                 "Check who may read the model."};
  } catch (const std::bad_alloc&) {
    return Error{Errc::out_of_memory, "[weights] out of memory (" + path.string() + ")",
                 "Choose a smaller model."};
  }
}

}  // namespace engine
