#include "engine/worker/loaded_model.h"

#include <chrono>
#include <utility>

#include "engine/torch/device_graphs.h"
#include "engine/torch/exception_error.h"
#include "engine/torch/smoke_run.h"
#include "engine/whisper/model/int8_model.h"
#include "engine/whisper/model/torch_model.h"
#include "engine/whisper/weights/weights.h"
#include "engine/worker/process_stats.h"
#include "platform/cpu.h"
#include "protocol/worker_contract.h"

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

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// What is found out on the device thread beside the model itself.
struct Loading {
  LoadedModel& model;
  bool is_device_wrong = false;  // its smoke run failed
};

// On the device thread, with the device open. Fills in what is read beside the weights, and how
// long the smoke run took.
Result<std::unique_ptr<Model>> load_on_device(const protocol::worker::Load& request,
                                              const Placement& placement, int threads,
                                              Loading& loading) {
  LoadedModel& model = loading.model;
  if (request.smoke_test) {
    const auto begin = std::chrono::steady_clock::now();
    const auto well = smoke_run(placement);
    loading.is_device_wrong = !well;
    if (!well) return well.error();
    model.summary.smoke_s = seconds_since(begin);
  }
  auto read = read_weights(request.model_path);
  if (!read) return read.error();
  const auto weights = std::make_shared<const Weights>(std::move(*read));
  auto tokenizer = load_tokenizer(*weights, request.model_path);
  if (!tokenizer) return tokenizer.error();
  model.tokenizer = std::make_unique<const Tokenizer>(std::move(*tokenizer));
  if (weights->alignment_heads()) model.alignment_heads = *weights->alignment_heads();
  if (placement.type == ComputeType::int8)
    return load_int8_model(weights, threads, model.summary.notes);
  return load_torch_model(weights, placement, make_step_graphs(placement.device));
}

void describe(const at::Device& device, LoadedModel& model) {
  protocol::worker::Loaded& summary = model.summary;
  const DeviceMemory memory = device_memory(device);
  summary.device = device_text(device);
  summary.device_name = device_name(device);
  summary.device_free_bytes = memory.free_bytes;
  summary.device_total_bytes = memory.total_bytes;
  summary.n_mels = model.runner->dims().n_mels;
  summary.n_vocab = model.runner->dims().n_vocab;
  summary.multilingual = model.tokenizer->multilingual();
  summary.memory_bytes = process_stats().rss_bytes;
}

protocol::Error told(const Error& error) {
  return {name(error.code), error.message, error.fix};
}

}  // namespace

protocol::Result<LoadedModel> load_model(const protocol::worker::Load& request) {
  const auto begin = std::chrono::steady_clock::now();
  const auto device = parse_device(request.device);
  if (!device) return told(device.error());
  const platform::CpuFacts cpu = platform::probe_cpu();
  const auto compute_type = choose_compute_type(request.compute_type, device->type(), cpu);
  if (!compute_type) return told(compute_type.error());
  const int threads = request.threads > 0 ? request.threads : cpu.physical_cores;

  LoadedModel model;
  Loading loading{model};
  // The int8 kernels have threads of their own, beside which libtorch's would only be in the way.
  const int torch_threads = compute_type->type == ComputeType::int8 ? 1 : threads;
  const auto load = [&] {
    return load_on_device(request, {*device, compute_type->type}, threads, loading);
  };
  auto runner = Runner::start({*device, torch_threads, request.flash_attn}, load, request.windows);
  if (!runner) {
    auto error = told(runner.error());
    if (loading.is_device_wrong) error.code = protocol::worker::smoke_run_failed;
    return error;
  }
  model.runner = std::move(*runner);
  model.vad_path = request.vad_path;
  try {
    describe(*device, model);
  } catch (...) {
    return told(error_of_current_exception("device"));
  }
  model.summary.compute_type = name(compute_type->type);
  model.summary.notes.insert(model.summary.notes.begin(), compute_type->reason);
  model.summary.load_s = seconds_since(begin);
  return model;
}

}  // namespace engine
