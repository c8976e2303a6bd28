#include <memory>
#include <utility>

#include "engine/audio/spool_file.h"
#include "engine/torch/device.h"
#include "engine/whisper/bench/bench_run.h"
#include "engine/whisper/cpu/pack_cache.h"
#include "engine/whisper/model/cpu_model.h"
#include "engine/whisper/model/torch_model.h"
#include "engine/whisper/recognizer/family.h"
#include "engine/whisper/recognizer/whisper_recognizer.h"
#include "engine/whisper/weights/weights.h"
#include "platform/landlock.h"
#include "protocol/bench_messages.h"

namespace engine {
namespace {

Result<Tokenizer> load_tokenizer(const Weights& weights, const std::filesystem::path& model) {
  const int n_vocab = weights.dims().n_vocab;
  if (weights.token_bytes()) {
    // English ggml files hold some tokens as U+FFFD; a vocabulary beside them is right.
    auto tokenizer = Tokenizer::from_tokens(*weights.token_bytes(), n_vocab);
    if (tokenizer) return tokenizer;
  }
  const bool is_folder = std::filesystem::is_directory(model);
  return Tokenizer::load(is_folder ? model : model.parent_path(), n_vocab);
}

// Runs on the device thread, with the device open. It fills in what is read beside the weights.
Result<std::unique_ptr<Model>> load_on_device(const LoadRequest& request, WhisperParts& parts,
                                              std::vector<std::string>& notes) {
  if (const auto fine = request.device_opened(); !fine) return fine.error();
  auto read = read_weights(request.model);
  if (!read) return read.error();
  const auto weights = std::make_shared<const Weights>(std::move(*read));
  auto tokenizer = load_tokenizer(*weights, request.model);
  if (!tokenizer) return tokenizer.error();
  parts.tokenizer = std::make_unique<const Tokenizer>(std::move(*tokenizer));
  if (weights->alignment_heads()) parts.alignment_heads = *weights->alignment_heads();
  const at::Device device = request.device.device;
  if (const auto isa = kernels::isa_of_this_cpu(); device.is_cpu() && isa) {
    return load_cpu_model(weights, request.type, *isa, request.device.threads, notes);
  }
  MemoryWish wish{.rows_per_window = request.rows, .part = request.memory_part};
  if (request.gpu_windows > 0) wish.windows = request.gpu_windows;
  return load_torch_model(weights, {device, request.type}, make_step_tools(device), wish);
}

}  // namespace

Result<LoadedRecognizer> WhisperFamily::load(const LoadRequest& request) {
  LoadedRecognizer loaded;
  WhisperParts parts;
  // The CPU's kernels have threads of their own, beside which libtorch's would only be in the way.
  DeviceOptions device = request.device;
  if (device.device.is_cpu() && kernels::isa_of_this_cpu()) device.threads = 1;
  auto runner = Runner::start(
      device, [&] { return load_on_device(request, parts, loaded.notes); }, request.windows);
  if (!runner) return runner.error();
  const MemoryPlan& plan = (*runner)->plan();
  if (plan.windows > 0) loaded.notes.push_back("room for " + text_of(plan));
  parts.runner = std::move(*runner);
  loaded.recognizer = std::make_unique<WhisperRecognizer>(std::move(parts));
  return loaded;
}

Result<protocol::worker::BenchResult> WhisperFamily::bench(const protocol::worker::Bench& request) {
  return bench_whisper(request);
}

std::vector<platform::PathRule> WhisperFamily::written_paths() {
  std::vector<platform::PathRule> paths{{SpoolFile::default_folder(), platform::FileUse::spool}};
  if (auto folder = cpu::pack_cache_folder(); !folder.empty()) {
    paths.push_back({std::move(folder), platform::FileUse::write});
  }
  return paths;
}

}  // namespace engine
