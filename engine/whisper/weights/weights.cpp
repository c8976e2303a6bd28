#include "engine/whisper/weights/weights.h"

#include <new>
#include <string>

#include "engine/weights/byte_reader.h"
#include "engine/weights/npz.h"
#include "engine/weights/safetensors.h"
#include "engine/whisper/weights/config.h"
#include "engine/whisper/weights/detect.h"
#include "engine/whisper/weights/folder.h"
#include "engine/whisper/weights/hugging_face.h"
#include "engine/whisper/weights/other_kinds.h"
#include "engine/whisper/weights/plain_names.h"
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
    case WeightFormat::gguf:
      return parse_gguf_model(file);
    case WeightFormat::mlx:
      return {.tensors = parse_npz(file)};
  }
  throw std::invalid_argument("[weights] unknown format");
}

// Reads the parts that an index names, each in the form of the first.
ParsedModel read_shards(std::vector<MappedFile>& files, WeightFormat& format) {
  const std::filesystem::path folder = files[0].path().parent_path();
  ParsedModel model;
  for (const std::string& shard : parse_shard_index(as_text(files[0].bytes()))) {
    const MappedFile& file = files.emplace_back(folder / shard);
    format = detect_format(file.bytes());
    TensorTable part = parse(format, file.bytes()).tensors;
    model.tensors.merge(part);
    if (!part.empty()) damaged(part.begin()->first + ": appears twice");
  }
  return model;
}

// Takes the alignment heads that a file states, unless they are another model's: the times of words
// are all that they are for.
void take_alignment_heads(const std::optional<std::vector<std::pair<int, int>>>& heads,
                          WeightsContent& content) {
  if (!heads) return;
  const ModelDims& dims = content.dims;
  for (const auto& [layer, head] : *heads) {
    if (layer < dims.n_text_layer && head < dims.n_text_head) continue;
    content.notes.push_back("alignment_heads names head " + std::to_string(head) + " of layer " +
                            std::to_string(layer) + ", and the decoder has " +
                            std::to_string(dims.n_text_layer) + " layers of " +
                            std::to_string(dims.n_text_head) +
                            " heads; the times of words come from others and may be less exact");
    content.lacks_stated_heads = true;
    return;
  }
  content.alignment_heads = heads;
}

bool is_torch(WeightFormat format) {
  return format == WeightFormat::torch_zip || format == WeightFormat::torch_legacy;
}

// Returns whether the files beside the weights are theirs: those of CTranslate2 and of transformers
// are kept in a folder of their own, a checkpoint of OpenAI's or a ggml file anywhere.
bool has_config_beside_it(WeightFormat format, const TensorTable& tensors) {
  return format == WeightFormat::ctranslate2 || format == WeightFormat::safetensors ||
         format == WeightFormat::mlx || (is_torch(format) && !has_openai_names(tensors));
}

Config config_of(const std::filesystem::path& folder) {
  Config config = read_config(folder);
  if (!config.quantised_by.empty()) refuse_quantised(config.quantised_by);
  return config;
}

ParsedModel parse_all(std::vector<MappedFile>& files, WeightFormat& format) {
  const auto first = files[0].bytes();
  if (is_shard_index(first)) return read_shards(files, format);
  format = detect_format(first);
  // A quantised model has types that its parser does not know, but the config says what they are.
  if (format == WeightFormat::safetensors) config_of(files[0].path().parent_path());
  return parse(format, first);
}

// One of several parts lacks tensors, and says less well than its name what is wrong with it.
void require_whole(const std::filesystem::path& path) {
  if (!is_shard_name(path.filename().string())) return;
  refused("one part of a model", "Name its folder, or the file that ends in .index.json.");
}

Weights read_file(const std::filesystem::path& path) {
  const std::filesystem::path folder = path.parent_path();
  std::vector<MappedFile> files;
  files.emplace_back(path);
  require_whole(path);
  WeightsContent content;
  ParsedModel parsed = parse_all(files, content.format);
  TensorTable tensors = with_plain_names(std::move(parsed.tensors));
  refuse_adapter(tensors, folder);
  const bool is_of_mlx = is_mlx(tensors);
  if (is_of_mlx) content.format = WeightFormat::mlx;
  content.has_config = has_config_beside_it(content.format, tensors);
  const Config config = content.has_config ? config_of(folder) : Config{};
  if (is_of_mlx) {
    parsed = parse_mlx(std::move(tensors), config.mlx);
    tensors = std::move(parsed.tensors);
  }
  content.tensors = with_openai_names(std::move(tensors));
  content.dims = derive_dims(content.tensors, parsed.heads ? parsed.heads : config.heads);
  if (parsed.declared_dims) require_equal(*parsed.declared_dims, content.dims);
  validate_tensors(content.tensors, content.dims);
  take_alignment_heads(config.alignment_heads ? config.alignment_heads : parsed.alignment_heads,
                       content);
  content.writer = parsed.writer.empty() ? config.writer : std::move(parsed.writer);
  content.token_bytes = std::move(parsed.token_bytes);
  content.made = std::move(parsed.made);
  return {std::move(files), std::move(content)};
}

// Chooses the file of a folder, and notes what else there was.
Weights read_folder(const std::filesystem::path& folder, std::filesystem::path& chosen) {
  const ModelChoice choice = model_file_in(folder);
  chosen = choice.file;
  Weights weights = read_file(choice.file);
  if (!choice.passed_over.empty()) {
    std::string others;
    for (const std::string& name : choice.passed_over) {
      others += (others.empty() ? "" : ", ") + name;
    }
    weights.add_note("Of several models in the folder, " + choice.file.filename().string() +
                     " is taken, and not " + others + ".");
  }
  return weights;
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
    case WeightFormat::gguf:
      return "GGUF";
    case WeightFormat::mlx:
      return "MLX";
  }
  return "unknown";
}

Result<Weights> read_weights(const std::filesystem::path& file_or_folder) {
  std::filesystem::path path = file_or_folder;
  try {
    return std::filesystem::is_directory(path) ? read_folder(file_or_folder, path)
                                               : read_file(path);
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
