#include "engine/worker/loaded_model.h"

#include <ATen/Parallel.h>

#include <chrono>
#include <utility>

#include "engine/weights/weights.h"
#include "engine/worker/process_stats.h"
#include "platform/cpu.h"

namespace engine {
namespace {

Result<Tokenizer> load_tokenizer(const Weights& weights, const std::string& path) {
  const int n_vocab = weights.dims().n_vocab;
  if (weights.token_bytes()) {
    // English ggml files hold some tokens as U+FFFD; a vocabulary beside them is right.
    auto tokenizer = Tokenizer::from_tokens(*weights.token_bytes(), n_vocab);
    if (tokenizer) return tokenizer;
  }
  const std::filesystem::path model(path);
  const bool is_folder = std::filesystem::is_directory(model);
  return Tokenizer::load(is_folder ? model : model.parent_path(), n_vocab);
}

Result<void> check_device(const std::string& device) {
  if (device == "auto" || device == "cpu") return {};
  return Error{Errc::device_unavailable,
               "this build of scribed-worker has no device '" + device + "'",
               "Use --device cpu or auto."};
}

}  // namespace

Result<LoadedModel> load_model(const protocol::worker::Load& request) {
  const auto begin = std::chrono::steady_clock::now();
  const auto device = check_device(request.device);
  if (!device) return device.error();
  const platform::CpuFacts cpu = platform::probe_cpu();
  const auto compute_type = choose_compute_type(request.compute_type, cpu);
  if (!compute_type) return compute_type.error();
  const int threads = request.threads > 0 ? request.threads : cpu.physical_cores;
  at::set_num_threads(threads);  // of this thread's packing; the device thread sets its own

  auto read = read_weights(request.model_path);
  if (!read) return read.error();
  const auto weights = std::make_shared<const Weights>(std::move(*read));
  auto tokenizer = load_tokenizer(*weights, request.model_path);
  if (!tokenizer) return tokenizer.error();
  auto whisper = load_whisper(weights, compute_type->type);
  if (!whisper) return whisper.error();

  protocol::worker::Loaded summary;
  summary.device = "cpu";
  summary.compute_type = name(compute_type->type);
  summary.n_mels = weights->dims().n_mels;
  summary.n_vocab = weights->dims().n_vocab;
  summary.multilingual = tokenizer->multilingual();
  summary.notes = {compute_type->reason};
  auto runner = std::make_unique<Runner>(std::move(*whisper), threads);
  summary.memory_bytes = process_stats().rss_bytes;
  summary.load_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return LoadedModel{std::move(*tokenizer), std::move(runner), std::move(summary)};
}

}  // namespace engine
