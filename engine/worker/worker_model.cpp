#include "engine/worker/worker_model.h"

#include <chrono>
#include <utility>

#include "engine/audio/spool_file.h"
#include "engine/model_families/load.h"
#include "engine/torch_parts/torch_parts.h"
#include "engine/worker/process_stats.h"
#include "platform/cpu.h"
#include "protocol/worker_contract.h"

namespace engine {
namespace {

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// The result of trying the device, on the thread that owns it.
struct SmokeTest {
  bool wanted = false;
  bool failed = false;
  double seconds = 0;

  Result<void> run(const Device& device, ComputeType type) {
    if (!wanted) return {};
    const auto parts = torch_parts();
    if (!parts) return parts.error();
    const auto begin = std::chrono::steady_clock::now();
    const auto well = (*parts)->try_device(device, type);
    failed = !well;
    seconds = seconds_since(begin);
    return well;
  }
};

Result<void> check_build_has(const Device& device) {
  if (device.is_cpu()) return {};
  const auto parts = torch_parts();
  if (!parts) return parts.error();
  return (*parts)->check_device(device);
}

// The daemon knows the CPU.
Result<DeviceFacts> facts_of(const Device& device) {
  if (device.is_cpu()) return DeviceFacts{};
  const auto parts = torch_parts();
  if (!parts) return parts.error();
  return (*parts)->describe_device(device);
}

void describe(const DeviceFacts& device, WorkerModel& model) {
  protocol::worker::Loaded& summary = model.summary;
  summary.device = device_text(model.device.device);
  summary.device_name = device.name;
  summary.device_free_bytes = device.memory.free_bytes;
  summary.device_total_bytes = device.memory.total_bytes;
  summary.family = model.recognizer->capabilities().family;
  summary.multilingual = model.recognizer->capabilities().multilingual;
  summary.memory_bytes = process_stats().rss_bytes;
  summary.use = model.recognizer->use();
}

protocol::Error as_message(const Error& error) {
  return {name(error.code), error.message, error.fix};
}

}  // namespace

protocol::Result<WorkerModel> load_model(const protocol::worker::Load& request) {
  const auto begin = std::chrono::steady_clock::now();
  const auto device = parse_device(request.run_on.device);
  if (!device) return as_message(device.error());
  if (const auto there = check_build_has(*device); !there) return as_message(there.error());
  const platform::CpuFacts cpu = platform::probe_cpu();
  const auto compute_type = choose_compute_type(request.run_on.compute_type, *device, cpu);
  if (!compute_type) return as_message(compute_type.error());

  const int threads = request.run_on.threads > 0 ? request.run_on.threads : cpu.physical_cores;
  const DeviceOptions options{*device, threads, request.run_on.flash_attn};
  SmokeTest smoke_test{.wanted = request.smoke_test};
  const auto vad = request.auxiliary.find(protocol::worker::speech_detection);
  auto loaded = load_recognizer(
      {.model = request.model_path,
       .speech_detection = vad == request.auxiliary.end() ? "" : vad->second,
       .device = options,
       .type = compute_type->type,
       .windows = request.windows,
       .gpu_windows = request.gpu_windows,
       .rows = request.rows,
       .memory_part = request.memory_part,
       .device_opened = [&] { return smoke_test.run(*device, compute_type->type); }});
  if (!loaded) {
    auto error = as_message(loaded.error());
    if (smoke_test.failed) error.code = protocol::worker::smoke_run_failed;
    return error;
  }
  WorkerModel model;
  model.recognizer = std::move(loaded->recognizer);
  model.auxiliary = request.auxiliary;
  model.device = options;
  if (SpoolFile::is_shared()) model.spools = std::make_shared<SpoolOwners>();
  const auto facts = facts_of(*device);
  if (!facts) return as_message(facts.error());
  describe(*facts, model);
  model.type = compute_type->type;
  model.summary.compute_type = name(compute_type->type);
  model.summary.notes = std::move(loaded->notes);
  model.summary.notes.insert(model.summary.notes.begin(), compute_type->reason);
  model.summary.smoke_s = smoke_test.seconds;
  model.summary.load_s = seconds_since(begin);
  return model;
}

}  // namespace engine
