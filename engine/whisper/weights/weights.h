#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/error.h"
#include "engine/weights/mapped_file.h"
#include "engine/weights/tensor.h"
#include "engine/whisper/weights/dims.h"

namespace engine {

enum class WeightFormat { ctranslate2, safetensors, torch_zip, torch_legacy, ggml, gguf, mlx };

std::string_view name(WeightFormat format);

// The content of a model file: tensors are complete, and of the shapes that dims imply.
struct WeightsContent {
  WeightFormat format = WeightFormat::ctranslate2;
  ModelDims dims;
  TensorTable tensors;
  // The bytes of each token in order of id, where the file carries them (ggml, GGUF). Special
  // tokens behind them are in the file or not.
  std::optional<std::vector<std::string>> token_bytes;
  // (decoder layer, head) pairs whose cross-attention follows time, where the file or a config
  // beside it names them.
  std::optional<std::vector<std::pair<int, int>>> alignment_heads;
  bool lacks_stated_heads = false;  // heads are stated that the decoder does not have
  std::string writer{};  // the program that wrote the file, printable text; empty: not known
  // True if config.json and generation_config.json beside the file belong to this model.
  bool has_config = false;
  // Sentences for the person who imports or loads the model: what was passed over or left out.
  std::vector<std::string> notes{};
  std::vector<std::vector<std::byte>> made{};  // the bytes of tensors that the file leaves out
};

// A Whisper model's weights in a mapped file. It is immutable, so any thread may read it; the spans
// of its tensors are valid as long as it lives. The file must not be shortened meanwhile: touching
// a lost page kills the process, as with any mapping.
class Weights {
 public:
  Weights(std::vector<MappedFile> files, WeightsContent content)
      : files_(std::move(files)), content_(std::move(content)) {}

  WeightFormat format() const { return content_.format; }
  const ModelDims& dims() const { return content_.dims; }
  const TensorTable& tensors() const { return content_.tensors; }
  bool has_config() const { return content_.has_config; }
  bool lacks_stated_heads() const { return content_.lacks_stated_heads; }
  const std::string& writer() const { return content_.writer; }
  const std::vector<std::string>& notes() const { return content_.notes; }
  void add_note(std::string note) { content_.notes.push_back(std::move(note)); }
  // It is empty where the tensors lie in memory.
  const std::vector<MappedFile>& files() const { return files_; }
  // Calls MappedFile::release_pages for all files.
  void release_pages() const noexcept {
    for (const auto& file : files_) file.release_pages();
  }
  const std::optional<std::vector<std::string>>& token_bytes() const {
    return content_.token_bytes;
  }
  const std::optional<std::vector<std::pair<int, int>>>& alignment_heads() const {
    return content_.alignment_heads;
  }

 private:
  std::vector<MappedFile> files_;
  WeightsContent content_;
};

// Reads a model file, or the folder of one, in any known format; the content decides, not the name.
Result<Weights> read_weights(const std::filesystem::path& file_or_folder);

}  // namespace engine
