#include "server/transcription/model_pool.h"

#include <algorithm>
#include <utility>

#include "server/transcription/channels.h"
#include "server/transcription/pool_state.h"

namespace server {
namespace {

ModelDevice describe(const ModelReplicas::Replica& replica) {
  const ModelWorker& worker = *replica.worker;
  ModelDevice device{.device = worker.device().device(),
                     .device_name = worker.device().device_name,
                     .is_loading = !worker.is_loaded(),
                     .jobs = replica.jobs,
                     .use = worker.use()};
  if (const auto& loaded = worker.loaded()) {
    device.device = loaded->device;
    if (!loaded->device_name.empty()) device.device_name = loaded->device_name;
    device.memory_bytes = loaded->memory_bytes;
  }
  return device;
}

LoadedModel describe(const PoolState& pool, const PoolModel& model) {
  LoadedModel result{.name = model.name, .jobs = model.jobs() + pool.waiting_for(model.name)};
  if (model.jobs() == 0 && pool.keep_alive(model) > KeepAlive{0}) {
    const auto left = model.idle.expiry() - std::chrono::steady_clock::now();
    result.expires_in = std::max(KeepAlive{0}, std::chrono::duration_cast<KeepAlive>(left));
  }
  result.is_loading = !model.workers || !model.workers->is_loaded();
  if (!model.workers) return result;
  for (const auto& replica : model.workers->all()) {
    result.devices.push_back(describe(*replica));
    result.memory_bytes += result.devices.back().memory_bytes;
  }
  result.device = result.devices.front().device;
  result.device_name = result.devices.front().device_name;
  const ModelWorker& first = model.workers->first();
  result.device_reason = first.device_reason();
  result.passed_over = model.workers->passed_over();
  if (const auto& loaded = first.loaded()) {
    result.compute_type = loaded->compute_type;
    result.shields = loaded->shields;
    result.missing_shields = loaded->missing_shields;
    result.load_s = loaded->load_s;
  }
  return result;
}

// Returns whether the model is in the pool and not about to leave it.
bool is_usable(const PoolModel& model) {
  const bool is_loaded = model.workers && model.workers->is_loaded();
  const bool is_loading = model.workers && model.workers->is_loading();
  return !model.is_ending && !model.has_failed() && (is_loaded || is_loading || model.jobs() > 0);
}

}  // namespace

ModelPool::ModelPool(asio::any_io_executor executor, Settings settings)
    : state_(PoolState::make(std::move(executor), std::move(settings))) {}

ModelPool::~ModelPool() {
  state_->close();
}

asio::awaitable<Result<void>> ModelPool::transcribe(std::string model, TranscriptionRequest request,
                                                    protocol::Transcript& transcript,
                                                    protocol::TranscriptSink sink,
                                                    std::optional<KeepAlive> keep_alive,
                                                    std::function<void()> waiting,
                                                    GiveWay give_way) {
  const auto pool = state_;  // this object may be destroyed meanwhile
  ModelHolder holder{
      .work_class = request.work_class, .owner = request.owner, .give_way = std::move(give_way)};
  auto use = co_await pool->use(model, std::move(holder), waiting);
  if (!use) co_return use.error();
  const auto held = use->model();
  if (keep_alive) held->keep_alive = keep_alive;
  transcript.model = model;
  const auto options = request.options;
  if (!held->workers) sink(protocol::ModelLoading{});
  const auto worker = co_await pool->worker_of(held, options);
  if (!worker) co_return worker.error();
  const auto run = request.channels.empty() ? server::transcribe : transcribe_channels;
  auto result =
      co_await run(pool->decoders(), worker->worker(), std::move(request), transcript, sink);
  co_return result;
}

asio::awaitable<Result<void>> ModelPool::listen(std::string model, LiveSound sound,
                                                protocol::TranscriptSink sink) {
  const auto pool = state_;
  if (const auto refusal = pool->check_live(model)) co_return *refusal;
  const std::function<void()> no_matter;
  ModelHolder holder{.work_class = protocol::WorkClass::live, .owner = sound.owner};
  auto use = co_await pool->use(model, std::move(holder), no_matter);
  if (!use) co_return use.error();
  const auto held = use->model();
  const auto options = sound.options;
  const auto worker = co_await pool->worker_of(held, options);
  if (!worker) co_return worker.error();
  auto result = co_await server::listen(worker->worker(), std::move(sound), std::move(sink));
  co_return result;
}

Result<std::unique_ptr<Decoder>> ModelPool::start_decoder(const DecoderOptions& options,
                                                          platform::UniqueFd input) {
  return state_->decoders().spawn(state_->executor(), options, std::move(input));
}

asio::awaitable<Result<LoadedModel>> ModelPool::load(std::string model,
                                                     std::optional<KeepAlive> keep_alive) {
  const auto pool = state_;
  const auto use = co_await pool->load(model, keep_alive);
  if (!use) co_return use.error();
  co_return describe(*pool, *use->model());
}

bool ModelPool::unload(const std::string& model) {
  state_->forget(model);
  const auto found = state_->models().find(model);
  if (found == state_->models().end() || !is_usable(*found->second)) return false;
  state_->unload_when_idle(*found->second);
  return true;
}

void ModelPool::unload_all() {
  for (const auto& [name, model] : state_->models()) {
    state_->forget(name);
    state_->unload_when_idle(*model);
  }
}

std::vector<LoadedModel> ModelPool::loaded() const {
  std::vector<LoadedModel> found;
  for (const auto& [name, model] : state_->models()) {
    if (is_usable(*model)) found.push_back(describe(*state_, *model));
  }
  return found;
}

std::optional<Error> ModelPool::trouble() const {
  return state_->trouble();
}

}  // namespace server
