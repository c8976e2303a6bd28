#include "engine/whisper/weights/other_kinds.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/weights/byte_reader.h"
#include "engine/whisper/weights/detect.h"
#include "engine/whisper/weights/folder.h"
#include "engine/whisper/weights/lora_config.h"

namespace engine {
namespace {

namespace fs = std::filesystem;

constexpr const char* export_fix =
    "An export cannot be turned back: use the model that it was made from, as safetensors, .pt or "
    "CTranslate2.";
constexpr const char* old_transformers_fix =
    "Convert it with transformers 4, which still reads it (from_tf=True, from_flax=True), and "
    "save_pretrained; or use the safetensors of the model.";

// A kind of file that people name, by the end of its name.
struct OtherKind {
  std::string_view ending;
  const char* is;
  const char* fix;
};

constexpr std::array other_kinds{
    OtherKind{".onnx", "a model exported to ONNX", export_fix},
    OtherKind{".onnx_data", "a model exported to ONNX", export_fix},
    OtherKind{".ort", "a model exported to ONNX Runtime", export_fix},
    OtherKind{".tflite", "a model exported to LiteRT (TensorFlow Lite)", export_fix},
    OtherKind{".mlmodelc", "a model exported to Core ML", export_fix},
    OtherKind{".mlpackage", "a model exported to Core ML", export_fix},
    OtherKind{".engine", "a model exported to TensorRT", export_fix},
    OtherKind{".plan", "a model exported to TensorRT", export_fix},
    OtherKind{".nemo", "a model of NVIDIA NeMo, which is no Whisper", "Choose a Whisper model."},
    OtherKind{".h5", "a model of TensorFlow", old_transformers_fix},
    OtherKind{".msgpack", "a model of Flax", old_transformers_fix},
};

Error refusal(const std::string& what, std::string fix) {
  return {Errc::refused_model, "[weights] " + what, std::move(fix)};
}

bool contains(std::span<const std::byte> file, std::size_t first, std::string_view text) {
  const auto head = as_text(file.subspan(0, std::min(file.size(), first)));
  return head.find(text) != head.npos;
}

// An ONNX file is a protobuf: the version of its representation, then by custom who wrote it.
bool looks_like_onnx(std::span<const std::byte> file) {
  return file.size() > 4 && file[0] == std::byte{8} && file[1] < std::byte{32} &&
         file[2] == std::byte{0x12} && file[3] < std::byte{64};
}

bool looks_like_tar(std::span<const std::byte> file) {
  constexpr std::size_t at = 257;
  return file.size() > 512 && as_text(file.subspan(at, 5)) == "ustar";
}

// A training leaves folders of this name; the newest has the highest number.
int step_of_checkpoint(const std::string& name) {
  constexpr std::string_view start = "checkpoint-";
  int step = 0;
  if (!name.starts_with(start)) return -1;
  for (const char c : name.substr(start.size())) {
    if (c < '0' || c > '9' || step > 100'000'000) return -1;
    step = 10 * step + (c - '0');
  }
  return step;
}

struct Listing {
  std::vector<fs::path> files;
  std::vector<fs::path> folders;
};

Listing list(const fs::path& folder) {
  Listing listing;
  for (const auto& entry : fs::directory_iterator(folder)) {
    (entry.is_directory() ? listing.folders : listing.files).push_back(entry.path());
  }
  std::ranges::sort(listing.files);
  std::ranges::sort(listing.folders);
  return listing;
}

std::optional<Error> checkpoints_in(const std::vector<fs::path>& folders) {
  const auto step = [](const fs::path& path) {
    return step_of_checkpoint(path.filename().string());
  };
  const auto newest = std::ranges::max_element(folders, {}, step);
  if (newest == folders.end() || step(*newest) < 0) return std::nullopt;
  return refusal("the folder holds checkpoints of a training and no final model",
                 "Name one of them; the newest is " + newest->string() + ".");
}

std::optional<Error> kind_among(const std::vector<fs::path>& paths) {
  for (const OtherKind& kind : other_kinds) {
    for (const fs::path& path : paths) {
      const std::string name = path.filename().string();
      if (name.ends_with(kind.ending)) return refusal(name + " is " + kind.is, kind.fix);
    }
  }
  return std::nullopt;
}

}  // namespace

void refuse_other_kinds(std::span<const std::byte> file) {
  const auto text = as_text(file);
  const auto is = [](const char* what, const char* fix = export_fix) {
    throw Exception(refusal(std::string("it is ") + what, fix));
  };
  if (text.starts_with("\x89HDF")) is("a model of TensorFlow (HDF5)", old_transformers_fix);
  if (text.substr(0, 8).ends_with("TFL3")) is("a model exported to LiteRT (TensorFlow Lite)");
  if (text.substr(0, 8).ends_with("ORTM")) is("a model exported to ONNX Runtime");
  if (text.starts_with("<?xml") && contains(file, 256, "<net ")) is("a model of OpenVINO");
  if (looks_like_onnx(file)) is("a model exported to ONNX");
  if (looks_like_tar(file)) is("an archive (tar)", "Unpack it first.");
}

Error what_else_is_in(const fs::path& folder) {
  const Listing listing = list(folder);
  for (const fs::path& file : listing.files) {
    if (file.extension() == ".xml" && fs::exists(fs::path(file).replace_extension(".bin"))) {
      return refusal("the folder holds a model of OpenVINO (" + file.filename().string() + ")",
                     export_fix);
    }
  }
  if (auto kind = kind_among(listing.files)) return *kind;
  if (auto kind = kind_among(listing.folders)) return *kind;
  for (const fs::path& file : listing.files) {
    if (is_shard_name(file.filename().string())) {
      return refusal("the folder holds parts of a model (" + file.filename().string() +
                         ") without the index that names them all",
                     "Fetch the file whose name ends in .index.json, too.");
    }
  }
  if (auto checkpoints = checkpoints_in(listing.folders)) return *checkpoints;
  return {Errc::not_found, "[weights] the folder holds no model file", known_formats};
}

void refuse_quantised(const std::string& method) {
  const std::string what = "the weights are quantised by " + method.substr(0, 32);
  if (method == "bitsandbytes") {
    refused(what,
            "Dequantise it in Python: WhisperForConditionalGeneration.from_pretrained(FOLDER)"
            ".dequantize().save_pretrained(NEW). The model that it was made from is more exact.");
  }
  refused(what, "Use the model that it was quantised from, in float16, bfloat16 or float32.");
}

void refuse_adapter(const TensorTable& tensors, const fs::path& folder) {
  bool adapts = false;
  bool has_base = false;
  for (const auto& [name, tensor] : tensors) {
    adapts |= name.find(".lora_A.") != name.npos || name.find(".lora_B.") != name.npos;
    has_base |= name.find(".base_layer.") != name.npos;
  }
  if (!adapts) return;
  if (has_base) {
    refused("a model with the layers of an adapter (LoRA) beside its own",
            "Merge them in Python and save the result: "
            "peft_model.merge_and_unload().save_pretrained(NEW).");
  }
  const std::string base = read_lora_config(folder).base;
  refused("an adapter (LoRA) of " + (base.empty() ? "another model" : base) + ", no whole model",
          "scribed models import merges it with its base, where that is installed or named with "
          "--base.");
}

}  // namespace engine
