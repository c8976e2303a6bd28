#include "server/transcription/model_replicas.h"

#include <algorithm>
#include <array>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <chrono>

namespace server {
namespace {

using std::chrono::steady_clock;

bool worker_has_failed(const ModelWorker& worker) {
  const bool has_died = worker.loaded() && !worker.is_loaded() && !worker.is_loading();
  return worker.load_error() || has_died;
}

bool is_cpu(const platform::Verdict& device) {
  return device.backend == platform::Backend::cpu;
}

// Returns the names under which failures of a device are counted. Workers on CPUs die of a job, not
// of their node; what keeps one from being loaded is there for the next one, too.
std::string failure_key(const platform::Verdict& device) {
  return is_cpu(device) ? platform::name(device.backend) : device.device();
}
std::string load_failure_key(const platform::Verdict& device) {
  return failure_key(device) + (is_cpu(device) ? ", loading" : "");
}

}  // namespace

ModelReplicas::ModelReplicas(asio::any_io_executor executor, WorkerSetup setup, Limits limits,
                             Callbacks callbacks)
    : executor_(std::move(executor)),
      setup_(std::move(setup)),
      limits_(limits),
      callbacks_(std::move(callbacks)) {}

std::shared_ptr<ModelReplicas> ModelReplicas::make(asio::any_io_executor executor,
                                                   WorkerSetup setup, Limits limits,
                                                   Callbacks callbacks) {
  const std::shared_ptr<ModelReplicas> replicas(
      new ModelReplicas(std::move(executor), std::move(setup), limits, std::move(callbacks)));
  replicas->add(replicas->setup_);
  return replicas;
}

std::shared_ptr<ModelReplicas::Replica> ModelReplicas::add(WorkerSetup setup) {
  const auto replica = std::make_shared<Replica>();
  replica->worker = std::make_shared<ModelWorker>(executor_, std::move(setup));
  // A job may hold the worker for longer than the pool holds this object.
  const std::weak_ptr<Replica> dying = replica;
  replica->worker->on_death([weak = weak_from_this(), dying](const Error& why) {
    const auto self = weak.lock();
    const auto dead = dying.lock();
    if (self && dead) self->leave(dead, why);
  });
  replicas_.push_back(replica);
  return replica;
}

ModelReplicas::Lease ModelReplicas::lend() {
  spread();
  std::shared_ptr<Replica> least = replicas_.front();
  for (const auto& replica : replicas_) {
    if (!replica->worker->is_loaded()) continue;
    if (!least->worker->is_loaded() || replica->jobs < least->jobs) least = replica;
  }
  return Lease(std::move(least));
}

void ModelReplicas::spread() {
  const bool all_are_at_work = std::ranges::all_of(replicas_, [](const auto& replica) {
    return replica->worker->is_loaded() && replica->jobs > 0;
  });
  if (is_over_ || !all_are_at_work) return;
  auto setup = next_device();
  if (!setup) return;
  const auto further = add(*std::move(setup));
  asio::co_spawn(executor_, load(shared_from_this(), further), asio::detached);
}

// No job waits for a further worker's loading, as all run on the others meanwhile.
asio::awaitable<void> ModelReplicas::load(std::shared_ptr<ModelReplicas> self,
                                          std::shared_ptr<Replica> replica) {
  const auto ready = co_await replica->worker->ready();
  if (self->is_over_) co_return;
  if (!ready) {
    self->leave(replica, ready.error());
    co_return;
  }
  const auto failed = self->failed_.find(failure_key(replica->worker->device()));
  if (failed != self->failed_.end()) failed->second.passed_over.reset();
  self->callbacks_.on_change();
}

// Several packs may suit one card; the worker tries them in the plan's order. It never goes on from
// cards to a CPU, which would be slower than to wait for a card.
std::optional<WorkerSetup> ModelReplicas::next_device() const {
  const auto& planned = setup_.plan.candidates;
  const auto next = std::ranges::find_if(
      planned, [this](const DeviceCandidate& candidate) { return is_free(candidate.verdict); });
  if (next == planned.end()) return std::nullopt;
  WorkerSetup setup = setup_;
  setup.plan.passed_over.reset();
  // A further card takes no card's place; on a CPU each node does where the first one does.
  const auto& unused = first().passed_over();
  if (is_cpu(next->verdict) && !unused.empty()) setup.plan.passed_over = unused.front();
  setup.plan.reason = is_cpu(next->verdict) ? "jobs are spread over the NUMA nodes"
                                            : "jobs are spread over all GPUs that work";
  std::erase_if(setup.plan.candidates, [&](const DeviceCandidate& candidate) {
    return candidate.verdict.device() != next->verdict.device();
  });
  return setup;
}

bool ModelReplicas::is_free(const platform::Verdict& device) const {
  const std::string name = device.device();
  const bool has_failed = std::ranges::any_of(
      replicas_, [&](const auto& replica) { return replica->worker->has_failed_on(name); });
  const bool is_of_the_kind = device.backend == first().device().backend;
  if (!is_of_the_kind || has_worker_on(name) || has_failed) return false;
  return std::ranges::none_of(
      std::array{failure_key(device), load_failure_key(device)}, [&](const std::string& key) {
        const auto failed = failed_.find(key);
        return failed != failed_.end() && failed->second.guard.refusal(steady_clock::now(), name);
      });
}

void ModelReplicas::leave(const std::shared_ptr<Replica>& replica, const Error& why) {
  const auto found = std::ranges::find(replicas_, replica);
  if (is_over_ || found == replicas_.end()) return;
  const bool others_go_on = std::ranges::any_of(replicas_, [&](const auto& other) {
    return other != replica && !worker_has_failed(*other->worker);
  });
  if (!others_go_on) return callbacks_.on_end(why);
  note_failure(*replica->worker, why);
  // The worker may be telling of its own death, and must not be destroyed by that.
  asio::post(executor_, [kept = replica] {});
  replicas_.erase(found);
  callbacks_.on_change();
}

void ModelReplicas::note_failure(ModelWorker& worker, const Error& why) {
  const auto& device = worker.device();
  const bool was_at_work = worker.loaded().has_value();
  const CrashGuard guard(is_cpu(device) && was_at_work ? limits_.nodes : limits_.card);
  const std::string key = was_at_work ? failure_key(device) : load_failure_key(device);
  auto& failed = failed_.emplace(key, FailedDevice{guard}).first->second;
  failed.guard.died(steady_clock::now(), why);
  if (!is_cpu(device)) failed.passed_over = worker.passed_over_after(why);
}

int ModelReplicas::size() const {
  const auto loaded = std::ranges::count_if(
      replicas_, [](const auto& replica) { return replica->worker->is_loaded(); });
  return std::max(1, static_cast<int>(loaded));
}

bool ModelReplicas::is_loaded() const {
  return std::ranges::any_of(replicas_, [](const auto& r) { return r->worker->is_loaded(); });
}

bool ModelReplicas::is_loading() const {
  return std::ranges::any_of(replicas_, [](const auto& r) { return r->worker->is_loading(); });
}

bool ModelReplicas::has_worker_on(const std::string& device) const {
  return std::ranges::any_of(replicas_,
                             [&](const auto& r) { return r->worker->device().device() == device; });
}

bool ModelReplicas::has_failed() const {
  return std::ranges::all_of(replicas_,
                             [](const auto& r) { return worker_has_failed(*r->worker); });
}

std::vector<PassedOver> ModelReplicas::passed_over() const {
  std::vector<PassedOver> cards = first().passed_over();
  for (const auto& [device, failed] : failed_) {
    if (failed.passed_over) cards.push_back(*failed.passed_over);
  }
  return cards;
}

void ModelReplicas::discard() {
  is_over_ = true;
  for (const auto& replica : replicas_) replica->worker->discard();
}

asio::awaitable<void> ModelReplicas::stop() {
  is_over_ = true;
  for (const auto& replica : replicas_) co_await replica->worker->stop();
}

}  // namespace server
