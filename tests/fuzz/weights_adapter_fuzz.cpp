#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "engine/whisper/weights/adapter.h"
#include "tests/engine/whisper/weights/toy_model.h"

namespace {

namespace fs = std::filesystem;

// The folder of an adapter, which is gone when the fuzzer ends.
class AdapterFolder {
 public:
  AdapterFolder() {
    std::string pattern = (fs::temp_directory_path() / "scribed-adapter-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) std::abort();
    path_ = pattern;
  }
  ~AdapterFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }

  fs::path write(const char* name, std::string_view content) const {
    std::ofstream(path_ / name, std::ios::binary) << content;
    return path_ / name;
  }
  fs::path merged() const { return path_ / "model.safetensors"; }

 private:
  fs::path path_;
};

// The smallest model with a layer that an adapter changes.
engine::Weights small_base(const toy::Tensors& tensors) {
  engine::WeightsContent content;
  for (const auto& [name, tensor] : tensors) {
    content.tensors[name] = {
        engine::DType::f32, tensor.shape, std::as_bytes(std::span(tensor.values)), {}};
  }
  return {{}, std::move(content)};
}

}  // namespace

// The first line is adapter_config.json, the rest the adapter's file. An adapter that is said to
// fit its base must be merged, and every failure has a message.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const AdapterFolder folder;
  static const toy::Tensors numbers = toy::tensors({1, 1, 2, 1, 1, 1, 1, 2, 1, 1});
  static const engine::Weights base = small_base(numbers);
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t line = input.find('\n');
  if (line == input.npos) return 0;
  folder.write("adapter_config.json", input.substr(0, line));
  const engine::Adapter adapter{folder.write("adapter_model.safetensors", input.substr(line + 1)),
                                ""};
  const auto content = engine::examine_adapter(adapter, base);
  const auto merged = engine::merge_adapter(adapter, base, folder.merged());
  if (content.has_value() != merged.has_value()) std::abort();
  if (!content && content.error().message.empty()) std::abort();
  return 0;
}
