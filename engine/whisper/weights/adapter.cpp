#include "engine/whisper/weights/adapter.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <vector>

#include "engine/weights/byte_reader.h"
#include "engine/weights/mapped_file.h"
#include "engine/weights/safetensors.h"
#include "engine/weights/safetensors_writer.h"
#include "engine/whisper/weights/detect.h"
#include "engine/whisper/weights/folder.h"
#include "engine/whisper/weights/hugging_face.h"
#include "engine/whisper/weights/lora_config.h"
#include "engine/whisper/weights/readers.h"

namespace engine {
namespace {

namespace fs = std::filesystem;

// The two matrices of a layer: its change is their product, up * down, scaled.
struct LoraPair {
  WeightTensor down;  // [rank, in]
  WeightTensor up;    // [out, rank]
};

constexpr const char* merge_fix =
    "Merge it in Python and import the result: PeftModel.from_pretrained("
    "WhisperForConditionalGeneration.from_pretrained(BASE), ADAPTER).merge_and_unload()"
    ".save_pretrained(NEW).";

TensorTable parse_adapter(std::span<const std::byte> file) {
  switch (detect_format(file)) {
    case WeightFormat::safetensors:
      return parse_safetensors(file);
    case WeightFormat::torch_zip:
      return parse_torch_zip(file).tensors;
    default:
      refused("an adapter in a form that PEFT does not write", merge_fix);
  }
}

// Returns "decoder.blocks.0.attn.query.weight" for
// "base_model.model.model.decoder.layers.0.self_attn.q_proj.lora_A.weight".
std::string changed_tensor(const std::string& name, std::string_view ending) {
  constexpr std::string_view start = "base_model.model.";
  std::string layer = name.substr(0, name.size() - ending.size()) + ".weight";
  if (layer.starts_with(start)) layer.erase(0, start.size());
  TensorTable one;
  one[layer];
  const TensorTable renamed = with_openai_names(std::move(one));
  if (renamed.empty())
    refused(name + ": changes the projection, which is the embedding", merge_fix);
  return renamed.begin()->first;
}

std::map<std::string, LoraPair> pairs_of(const TensorTable& tensors) {
  constexpr std::string_view down = ".lora_A.weight";
  constexpr std::string_view up = ".lora_B.weight";
  std::map<std::string, LoraPair> pairs;
  for (const auto& [name, tensor] : tensors) {
    if (name.ends_with(down)) {
      pairs[changed_tensor(name, down)].down = tensor;
    } else if (name.ends_with(up)) {
      pairs[changed_tensor(name, up)].up = tensor;
    } else {
      refused(name + ": scribed merges the pairs of LoRA on linear layers alone", merge_fix);
    }
  }
  return pairs;
}

bool is_plain(const WeightTensor& tensor) {
  const bool plain =
      tensor.dtype == DType::f32 || tensor.dtype == DType::f16 || tensor.dtype == DType::bf16;
  return plain && !tensor.channels_last && !tensor.fortran_order;
}

void require_fit(const std::string& name, const LoraPair& pair, const TensorTable& base) {
  const auto found = base.find(name);
  const auto& down = pair.down.shape;
  const auto& up = pair.up.shape;
  const bool fits = found != base.end() && found->second.shape.size() == 2 && down.size() == 2 &&
                    up.size() == 2 && down[0] == up[1] && down[0] > 0 && is_plain(pair.down) &&
                    is_plain(pair.up) && up[0] == found->second.shape[0] &&
                    down[1] == found->second.shape[1];
  if (!fits) {
    refused(name + ": the adapter's " + shape_text(up) + " and " + shape_text(down) +
                " do not fit the base's " +
                (found == base.end() ? "no such tensor" : shape_text(found->second.shape)),
            "Name the base that the adapter was trained on.");
  }
}

std::vector<float> values_of(const WeightTensor& tensor) {
  std::vector<float> values(static_cast<std::size_t>(tensor.elements()));
  to_float(tensor, values);
  return values;
}

std::vector<float> merged(const WeightTensor& weight, const LoraPair& pair,
                          const LoraConfig& config) {
  std::vector<float> sum = values_of(weight);
  const std::vector<float> down = values_of(pair.down);
  const std::vector<float> up = values_of(pair.up);
  const auto rank = static_cast<std::size_t>(pair.down.shape[0]);
  const float divisor = static_cast<float>(rank);
  const float scale = config.alpha / (config.divides_by_root ? std::sqrt(divisor) : divisor);
  const auto width = static_cast<std::size_t>(pair.down.shape[1]);
  for (std::size_t row = 0; row * width < sum.size(); ++row) {
    for (std::size_t r = 0; r < rank; ++r) {
      const float factor = scale * up[row * rank + r];
      for (std::size_t i = 0; i < width; ++i) sum[row * width + i] += factor * down[r * width + i];
    }
  }
  return sum;
}

// An adapter that was compared with its base. The pairs point into the file.
struct FittingAdapter {
  LoraConfig config;
  MappedFile file;
  std::map<std::string, LoraPair> pairs;
};

FittingAdapter read_fitting(const Adapter& adapter, const Weights& base) {
  LoraConfig config = read_lora_config(adapter.file.parent_path());
  if (!config.unknown.empty()) {
    refused("the adapter has " + config.unknown + ", which scribed does not merge", merge_fix);
  }
  MappedFile file(adapter.file);
  auto pairs = pairs_of(parse_adapter(file.bytes()));
  for (const auto& [name, pair] : pairs) require_fit(name, pair, base.tensors());
  return {std::move(config), std::move(file), std::move(pairs)};
}

// Calls `work` with the adapter as it was compared with its base; errors become values.
template <class T, class Work>
Result<T> with_fitting(const Adapter& adapter, const Weights& base, const Work& work) {
  try {
    return work(read_fitting(adapter, base));
  } catch (const Exception& e) {
    return e.error;
  } catch (const fs::filesystem_error& e) {
    return Error{Errc::unreadable, std::string("[weights] ") + e.what(),
                 "Check who may read the adapter."};
  }
}

void write_merged(const std::map<std::string, LoraPair>& pairs, const LoraConfig& config,
                  const Weights& base, const fs::path& out) {
  std::vector<SafetensorsEntry> entries;
  for (const auto& [name, tensor] : base.tensors()) {
    const bool kept = is_plain(tensor) && !pairs.contains(name);
    entries.push_back({name, kept ? tensor.dtype : DType::f32, tensor.shape});
  }
  SafetensorsWriter writer(out, entries);
  for (const auto& [name, tensor] : base.tensors()) {
    const auto pair = pairs.find(name);
    if (pair == pairs.end() && is_plain(tensor)) {
      writer.write(tensor.data);
      continue;
    }
    const auto values =
        pair == pairs.end() ? values_of(tensor) : merged(tensor, pair->second, config);
    writer.write(std::as_bytes(std::span(values)));
  }
  writer.finish();
}

}  // namespace

std::optional<Adapter> find_adapter(const fs::path& file_or_folder) {
  try {
    const bool is_folder = fs::is_directory(file_or_folder);
    const fs::path file = is_folder ? model_file_in(file_or_folder).file : file_or_folder;
    if (!file.filename().string().starts_with("adapter_model.")) return std::nullopt;
    return Adapter{file, read_lora_config(file.parent_path()).base};
  } catch (const std::exception&) {
    return std::nullopt;  // who reads the model says what is wrong
  }
}

Result<AdapterContent> examine_adapter(const Adapter& adapter, const Weights& base) {
  return with_fitting<AdapterContent>(adapter, base, [](const FittingAdapter& fitting) {
    AdapterContent content{.writer = fitting.config.writer,
                           .layers = static_cast<int>(fitting.pairs.size())};
    for (const auto& [name, pair] : fitting.pairs) {
      content.rank = std::max(content.rank, static_cast<int>(pair.down.shape[0]));
      for (const WeightTensor& tensor : {pair.down, pair.up}) {
        content.numbers[std::string(engine::name(tensor.dtype))] += tensor.elements();
      }
    }
    return content;
  });
}

Result<void> merge_adapter(const Adapter& adapter, const Weights& base, const fs::path& out) {
  return with_fitting<void>(adapter, base, [&](const FittingAdapter& fitting) {
    write_merged(fitting.pairs, fitting.config, base, out);
    return Result<void>();
  });
}

}  // namespace engine
