#include <memory>
#include <optional>
#include <utility>

#include "engine/audio/spool_file.h"
#include "engine/torch_parts/torch_parts.h"
#include "engine/whisper/cpu/pack_cache.h"
#include "engine/whisper/model/cpu_model.h"
#include "engine/whisper/recognizer/family.h"
#include "engine/whisper/recognizer/model_tokenizer.h"
#include "engine/whisper/recognizer/whisper_recognizer.h"
#include "engine/whisper/weights/weights.h"
#include "platform/landlock.h"
#include "protocol/bench_messages.h"
#include "protocol/worker_contract.h"

namespace engine {
namespace {

// Returns the level of the kernels that the model runs on; none where it runs on libtorch.
std::optional<kernels::Isa> own_kernels(const Device& device) {
  return device.is_cpu() ? kernels::isa_of_this_cpu() : std::nullopt;
}

// Opens the device, which the result holds.
Result<std::shared_ptr<void>> open_device(const LoadRequest& request) {
  if (own_kernels(request.device.device)) return std::shared_ptr<void>();
  const auto parts = torch_parts();
  if (!parts) return parts.error();
  auto opened = (*parts)->open_device(request.device);
  if (!opened) return opened;
  if (const auto fine = request.device_opened(); !fine) return fine.error();
  return opened;
}

Result<std::unique_ptr<Model>> load_model(std::shared_ptr<const Weights> weights,
                                          const SpecialTokens& specials, const LoadRequest& request,
                                          std::vector<std::string>& notes) {
  MemoryWish wish{.rows_per_window = request.rows, .part = request.memory_part};
  if (const auto isa = own_kernels(request.device.device)) {
    const int urgent = protocol::worker::urgent_windows;
    wish.windows = request.windows > 0 ? request.windows + urgent : 0;
    return load_cpu_model(std::move(weights), request.type, *isa, request.device.threads, wish,
                          notes, specials);
  }
  const auto parts = torch_parts();
  if (!parts) return parts.error();
  if (request.gpu_windows > 0) wish.windows = request.gpu_windows;
  return (*parts)->load_whisper(std::move(weights), specials, request.device.device, request.type,
                                wish);
}

// Runs on the device thread. It fills in what is read beside the weights.
//   device  receives the device, to be given back behind the model
Result<std::unique_ptr<Model>> load_on_device(const LoadRequest& request,
                                              std::shared_ptr<void>& device, WhisperParts& parts,
                                              std::vector<std::string>& notes) {
  auto opened = open_device(request);
  if (!opened) return opened.error();
  device = std::move(*opened);
  auto read = read_weights(request.model);
  if (!read) return read.error();
  auto weights = std::make_shared<const Weights>(std::move(*read));
  const bool is_folder = std::filesystem::is_directory(request.model);
  auto tokenizer = tokenizer_of(*weights, is_folder ? request.model : request.model.parent_path());
  notes.insert(notes.end(), weights->notes().begin(), weights->notes().end());
  if (!tokenizer) return tokenizer.error();
  parts.tokenizer = std::make_unique<const Tokenizer>(std::move(tokenizer->tokenizer));
  if (weights->alignment_heads()) parts.alignment_heads = *weights->alignment_heads();
  return load_model(std::move(weights), parts.tokenizer->specials(), request, notes);
}

}  // namespace

Result<LoadedRecognizer> WhisperFamily::load(const LoadRequest& request) {
  LoadedRecognizer loaded;
  WhisperParts parts;
  auto runner = Runner::start(
      [&, device = std::shared_ptr<void>()]() mutable {
        return load_on_device(request, device, parts, loaded.notes);
      },
      request.windows);
  if (!runner) return runner.error();
  const MemoryPlan& plan = (*runner)->plan();
  // On a CPU it is the machine's memory, and nothing to choose.
  if (plan.rows > 0 && !own_kernels(request.device.device)) {
    loaded.notes.push_back("room for " + text_of(plan));
  }
  parts.runner = std::move(*runner);
  loaded.recognizer = std::make_unique<WhisperRecognizer>(std::move(parts));
  return loaded;
}

Result<protocol::worker::BenchResult> WhisperFamily::bench(const protocol::worker::Bench& request) {
  const auto parts = torch_parts();
  if (!parts) return parts.error();
  return (*parts)->bench_whisper(request);
}

std::vector<platform::PathRule> WhisperFamily::written_paths() {
  std::vector<platform::PathRule> paths{{SpoolFile::default_folder(), platform::FileUse::spool}};
  if (auto folder = cpu::pack_cache_folder(); !folder.empty()) {
    paths.push_back({std::move(folder), platform::FileUse::write});
  }
  return paths;
}

}  // namespace engine
