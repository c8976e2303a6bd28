#include "server/transcription/pool_state.h"

#include <algorithm>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <utility>

#include "platform/verdict/finding_codes.h"
#include "server/device/numa_plan.h"
#include "server/transcription/pool_waiter.h"

namespace server {
namespace {

using protocol::WorkClass;
using std::chrono::steady_clock;

// The decoders that may have much memory at once. A recording of five hours and more may need it.
constexpr int large_decoders = 3;

Error model_unloaded() {
  return {errc::cancelled, "the model was unloaded", ""};
}

// Returns whether another model may have to go first. A card that is passed over for want of memory
// counts.
bool lacks_memory(const Result<WorkerSetup>& setup) {
  if (!setup) return setup.error().code == errc::out_of_memory;
  const auto& passed_over = setup->plan.passed_over;
  return passed_over && passed_over->fallback.finding.code == platform::code::memory_too_small;
}

bool is_death(const Error& error) {
  return error.code == errc::worker_died || error.code == errc::worker_hung;
}

}  // namespace

PoolState::PoolState(asio::any_io_executor executor, ModelPool::Settings settings)
    : executor_(std::move(executor)),
      settings_(std::move(settings)),
      decoders_(settings_.decoder, settings_.require_sandbox, large_decoders),
      turns_(executor_) {}

std::shared_ptr<PoolState> PoolState::make(asio::any_io_executor executor,
                                           ModelPool::Settings settings) {
  const std::shared_ptr<PoolState> pool(new PoolState(std::move(executor), std::move(settings)));
  const auto load = [pool = pool.get()](std::string name, KeepAlive keep_alive) {
    return load_again(pool->shared_from_this(), std::move(name), keep_alive);
  };
  pool->revival_ = std::make_shared<ModelRevival>(pool->executor_, load);
  return pool;
}

asio::awaitable<Result<PoolState::Use>> PoolState::use(std::string name, ModelHolder holder,
                                                       std::function<void()> waiting) {
  const auto self = shared_from_this();
  if (is_closed_) co_return model_unloaded();
  if (settings_.refusal) co_return *settings_.refusal;
  if (static_cast<int>(waiters_.size()) >= settings_.max_waiting) {
    co_return Error{errc::queue_full, "too many transcriptions are queued for a model",
                    "Try again later."};
  }
  if (const auto guard = guards_.find(name); guard != guards_.end() && !models_.contains(name)) {
    if (auto refusal = guard->second.refusal(steady_clock::now(), name)) co_return *refusal;
  }
  Waiter waiter(*this, name, std::move(holder));
  serve_waiters();
  if (!waiter.served.has_happened() && waiting) waiting();
  co_await waiter.served.wait();
  if (waiter.refusal) co_return *waiter.refusal;
  if (!waiter.model) co_return model_unloaded();
  co_return Use(self, std::move(waiter.model), waiter.place);
}

int PoolState::waiting_for(const std::string& name) const {
  return static_cast<int>(std::ranges::count(waiters_, name, &Waiter::name));
}

std::shared_ptr<PoolModel> PoolState::find(const std::string& name) const {
  const auto found = models_.find(name);
  return found == models_.end() ? nullptr : found->second;
}

std::shared_ptr<PoolModel> PoolState::least_recently_used() const {
  std::shared_ptr<PoolModel> oldest;
  for (const auto& [name, model] : models_) {
    const bool is_idle = model->jobs() == 0 && !model->is_ending;
    if (is_idle && (!oldest || model->last_use < oldest->last_use)) oldest = model;
  }
  return oldest;
}

// The last job has left the model: it is unloaded, or stays for a while.
void PoolState::settle(PoolModel& model) {
  const KeepAlive stays = keep_alive(model);
  if (!model.takes_jobs() || stays == KeepAlive{0}) return begin_end(model);
  if (stays < KeepAlive{0}) return;
  model.idle.expires_after(stays);
  model.idle.async_wait([self = weak_from_this(), name = model.name,
                         use = model.last_use](boost::system::error_code cancelled) {
    const auto pool = self.lock();
    if (cancelled || !pool) return;
    const auto model = pool->find(name);
    if (model && model->jobs() == 0 && model->last_use == use) pool->begin_end(*model);
  });
}

void PoolState::unload_when_idle(PoolModel& model) {
  model.is_leaving = true;
  if (model.jobs() == 0) begin_end(model);
}

void PoolState::begin_end(PoolModel& model) {
  if (is_closed_ || std::exchange(model.is_ending, true)) return;
  const bool was_leaving = std::exchange(model.is_leaving, true);
  const auto failure = model.failure();
  if (failure && !was_leaving) note_failure(model, *failure);
  model.idle.cancel();
  asio::co_spawn(executor_, end(shared_from_this(), find(model.name)), asio::detached);
}

// The place is free only when the process has ended, because its memory is freed with it.
asio::awaitable<void> PoolState::end(std::shared_ptr<PoolState> self,
                                     std::shared_ptr<PoolModel> model) {
  co_await asio::post(self->executor_, asio::use_awaitable);  // leaves the caller's stack first
  if (model->workers) co_await model->workers->stop();
  self->models_.erase(model->name);
  model->gone.set();
  self->serve_waiters();
}

// Errors of a model's files or of a request stay, so they are not tried again. Neither is a lack of
// memory: the model may need more than there is, and the next call asks again.
void PoolState::note_failure(PoolModel& model, const Error& why) {
  if (is_death(why)) {
    const auto guard = guards_.try_emplace(model.name, settings_.crash).first;
    guard->second.died(steady_clock::now(), why);
  }
  if (!is_about_the_device(why) || why.code == errc::out_of_memory) return;
  revival_->begin(model.name, why, keep_alive(model));
}

asio::awaitable<Result<ModelReplicas::Lease>> PoolState::worker_of(
    std::shared_ptr<PoolModel> model, protocol::TranscribeOptions options) {
  if (!std::exchange(model->setup_begun, true)) {
    asio::co_spawn(executor_, prepare(shared_from_this(), model, std::move(options)),
                   asio::detached);
  }
  co_await model->prepared.wait();
  if (model->error) co_return *model->error;
  co_return model->workers->lend();
}

asio::awaitable<Result<PoolState::Use>> PoolState::load(std::string name,
                                                        std::optional<KeepAlive> keep_alive) {
  const std::function<void()> no_matter;
  ModelHolder holder{.work_class = WorkClass::interactive};
  auto use = co_await this->use(name, std::move(holder), no_matter);
  if (!use) co_return use.error();
  const auto model = use->model();
  if (keep_alive) model->keep_alive = keep_alive;
  const protocol::TranscribeOptions options;
  const auto worker = co_await worker_of(model, options);
  if (!worker) co_return worker.error();
  const auto ready = co_await worker->worker().ready();
  if (!ready) co_return ready.error();
  co_return use;
}

// No request asked for this loading, so it takes no place from another model.
asio::awaitable<Result<void>> PoolState::load_again(std::shared_ptr<PoolState> self,
                                                    std::string name, KeepAlive keep_alive) {
  const bool has_place = self->models_.contains(name) ||
                         static_cast<int>(self->models_.size()) < self->settings_.max_loaded;
  if (self->is_closed_ || !has_place) {
    self->forget(name);
    co_return Result<void>{};
  }
  const auto loaded = co_await self->load(name, keep_alive);
  if (!loaded) co_return loaded.error();
  co_return Result<void>{};
}

// Finds the model's setup. It goes on when the call that began it is cancelled, because others may
// wait for the same.
asio::awaitable<void> PoolState::prepare(std::shared_ptr<PoolState> self,
                                         std::shared_ptr<PoolModel> model,
                                         protocol::TranscribeOptions options) {
  auto setup = co_await self->find_setup(model->name, options);
  while (lacks_memory(setup) && !self->is_closed_) {
    const auto idle = self->least_recently_used();
    if (!idle || idle == model) break;
    self->begin_end(*idle);
    co_await idle->gone.wait();
    setup = co_await self->find_setup(model->name, options);
  }
  if (self->is_closed_) co_return;
  if (setup) {
    begin_on_idle_node(setup->plan, [&](const auto& device) { return self->workers_on(device); });
    model->workers =
        ModelReplicas::make(self->executor_, *std::move(setup),
                            {.card = self->settings_.card_failures, .nodes = self->settings_.crash},
                            self->callbacks(model->name));
  } else {
    model->error = setup.error();
  }
  model->prepared.set();
  if (model->jobs() == 0 && model->has_failed()) self->begin_end(*model);
}

int PoolState::workers_on(const std::string& device) const {
  return static_cast<int>(std::ranges::count_if(models_, [&](const auto& named) {
    const auto& workers = named.second->workers;
    return workers && workers->has_worker_on(device);
  }));
}

ModelReplicas::Callbacks PoolState::callbacks(const std::string& name) {
  return {.on_end =
              [weak = weak_from_this(), name](const Error& why) {
                if (const auto pool = weak.lock()) pool->on_death(name, why);
              },
          .on_change =
              [weak = weak_from_this()] {
                if (const auto pool = weak.lock()) pool->serve_waiters();
              }};
}

void PoolState::on_death(const std::string& name, const Error& why) {
  const auto model = find(name);
  if (is_closed_ || !model) return;
  if (!model->is_leaving) note_failure(*model, why);
  unload_when_idle(*model);  // the workers tell their jobs
}

asio::awaitable<Result<WorkerSetup>> PoolState::find_setup(std::string name,
                                                           protocol::TranscribeOptions options) {
  const auto find = [this, &name, &options]() -> asio::awaitable<Result<WorkerSetup>> {
    co_return settings_.find_setup(name, options);
  };
  // Questions to drivers cannot be cancelled.
  auto to_the_end = asio::bind_cancellation_slot(asio::cancellation_slot(), asio::use_awaitable);
  auto setup = co_await asio::co_spawn(background_, find, std::move(to_the_end));
  co_return setup;
}

void PoolState::close() {
  is_closed_ = true;
  revival_->forget_all();
  for (Waiter* waiter : waiters_) waiter->served.set();
  for (const auto& [name, model] : std::exchange(models_, {})) {
    model->idle.cancel();
    if (model->workers) model->workers->discard();
    if (!model->prepared.has_happened()) {
      model->error = model_unloaded();
      model->prepared.set();
    }
    model->gone.set();
  }
  background_.join();
}

}  // namespace server
