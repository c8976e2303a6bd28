#pragma once

#include <algorithm>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <chrono>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "server/base/once_event.h"
#include "server/transcription/model_pool.h"
#include "server/transcription/model_replicas.h"
#include "server/transcription/model_revival.h"

namespace server {

// A call that has a model.
struct ModelHolder {
  protocol::WorkClass work_class{};
  std::string owner{};  // owners take turns where models do
  GiveWay give_way{};
};

// A model that has a place in the pool: from the first call for it until its process has ended.
struct PoolModel {
  PoolModel(asio::any_io_executor executor, std::string name)
      : name(std::move(name)), prepared(executor), gone(executor), idle(executor) {}

  // False if the model leaves the pool: after a failure, or because it is to be unloaded.
  bool takes_jobs() const { return !is_leaving && !has_failed(); }
  // Returns whether its workers died, or could not be started.
  bool has_failed() const { return error || (workers && workers->has_failed()); }
  // Returns why loading has failed, if it has.
  std::optional<Error> failure() const { return workers ? workers->first().load_error() : error; }
  int jobs() const { return static_cast<int>(holders.size()); }
  bool has(protocol::WorkClass work_class) const {
    return std::ranges::count(holders, work_class, &ModelHolder::work_class) > 0;
  }
  bool is_of(const std::string& owner) const {
    return std::ranges::count(holders, owner, &ModelHolder::owner) > 0;
  }
  std::string name;
  std::chrono::steady_clock::time_point since = std::chrono::steady_clock::now();
  bool setup_begun = false;                  // its setup is being looked for, or found
  OnceEvent prepared;                        // happens when there are workers or an error
  std::shared_ptr<ModelReplicas> workers{};  // their processes may not have been started
  std::optional<Error> error{};              // why there are none
  OnceEvent gone;
  asio::steady_timer idle;  // runs while it is loaded and has no jobs
  std::list<ModelHolder> holders{};
  // Since when live sessions have it without a pause; nothing: none has it.
  std::optional<std::chrono::steady_clock::time_point> live_since{};
  bool turn_is_over = false;  // nobody joins the holders, who give way as soon as all are ready
  std::optional<KeepAlive> keep_alive{};  // as the last call that gave one has set it
  std::uint64_t last_use = 0;             // its number in the count of all uses
  bool is_leaving = false;                // takes no more jobs
  bool is_ending = false;                 // its process is being ended
};

// The state behind a ModelPool: which job has which model, who waits, and which models leave. Only
// ModelPool and its calls use it.
class PoolState : public std::enable_shared_from_this<PoolState> {
 public:
  using Holder = std::list<ModelHolder>::iterator;

  // Holds a model for one job.
  class Use {
   public:
    Use(std::shared_ptr<PoolState> pool, std::shared_ptr<PoolModel> model, Holder holder)
        : pool_(std::move(pool)), model_(std::move(model)), holder_(holder) {}
    Use(Use&&) = default;
    Use& operator=(Use&&) = delete;
    ~Use() {
      if (model_) pool_->release(*model_, holder_);
    }
    const std::shared_ptr<PoolModel>& model() const { return model_; }

   private:
    std::shared_ptr<PoolState> pool_;
    std::shared_ptr<PoolModel> model_;
    Holder holder_;
  };

  static std::shared_ptr<PoolState> make(asio::any_io_executor executor,
                                         ModelPool::Settings settings);

  // Waits for the model's turn. `waiting` may be empty.
  asio::awaitable<Result<Use>> use(std::string name, ModelHolder holder,
                                   std::function<void()> waiting);
  // Returns why there can be no live session of the model now, if so.
  std::optional<Error> check_live(const std::string& name) const;

  // Returns a worker of the model for one job, whose process may still have to be started. The
  // options of the first call decide the setup of all workers.
  asio::awaitable<Result<ModelReplicas::Lease>> worker_of(std::shared_ptr<PoolModel> model,
                                                          protocol::TranscribeOptions options);

  // Waits until the model is loaded.
  asio::awaitable<Result<Use>> load(std::string name, std::optional<KeepAlive> keep_alive);

  // Ends the model's process after its last job.
  void unload_when_idle(PoolModel& model);
  void forget(const std::string& name) { revival_->forget(name); }  // it is not loaded again
  void close();

  const ModelPool::Settings& settings() const { return settings_; }
  const asio::any_io_executor& executor() const { return executor_; }
  Decoders& decoders() { return decoders_; }
  const std::map<std::string, std::shared_ptr<PoolModel>>& models() const { return models_; }
  int waiting_for(const std::string& name) const;
  // A gateway has no model by its role, which is no trouble.
  std::optional<Error> trouble() const {
    const bool is_gateway = settings_.refusal && settings_.refusal->code == errc::no_model;
    return settings_.refusal && !is_gateway ? settings_.refusal : revival_->trouble();
  }
  KeepAlive keep_alive(const PoolModel& model) const {
    return model.keep_alive.value_or(settings_.keep_alive);
  }

 private:
  struct Waiter;

  PoolState(asio::any_io_executor executor, ModelPool::Settings settings);
  static asio::awaitable<Result<void>> load_again(std::shared_ptr<PoolState> self, std::string name,
                                                  KeepAlive keep_alive);
  void serve_waiters();
  void give_free_places();
  void serve_joiners();
  void refuse_beside_live();
  // Returns the call that gets the next place; nullptr: none needs one.
  Waiter* next_for_place() const;
  // Returns whether calls of the owner have a model in memory.
  bool has_places(const std::string& owner) const;
  // Returns whether calls of the owner have another model, or wait for a place.
  bool has_calls_beside(const std::string& owner, const PoolModel& one) const;
  HeldPlace place_of(const PoolModel& model) const;
  PlaceWanted wanted() const;
  void serve(Waiter& waiter, std::shared_ptr<PoolModel> model);
  bool has_room(PoolModel& model) const;
  std::shared_ptr<PoolModel> find(const std::string& name) const;
  int workers_on(const std::string& device) const;  // of all models
  std::shared_ptr<PoolModel> least_recently_used() const;
  void release(PoolModel& model, Holder holder);
  void watch_turns();
  void end_a_turn();
  void settle(PoolModel& model);
  void begin_end(PoolModel& model);
  void note_failure(PoolModel& model, const Error& why);
  ModelReplicas::Callbacks callbacks(const std::string& name);
  void on_death(const std::string& name, const Error& why);
  static asio::awaitable<void> end(std::shared_ptr<PoolState> self,
                                   std::shared_ptr<PoolModel> model);
  static asio::awaitable<void> prepare(std::shared_ptr<PoolState> self,
                                       std::shared_ptr<PoolModel> model,
                                       protocol::TranscribeOptions options);
  asio::awaitable<Result<WorkerSetup>> find_setup(std::string name,
                                                  protocol::TranscribeOptions options);

  asio::any_io_executor executor_;
  ModelPool::Settings settings_;
  Decoders decoders_;
  std::map<std::string, std::shared_ptr<PoolModel>> models_{};
  std::list<Waiter*> waiters_{};  // in the order of asking; owned by their calls
  std::map<std::string, CrashGuard> guards_{};
  std::shared_ptr<ModelRevival> revival_{};
  std::uint64_t uses_ = 0;
  asio::steady_timer turns_;  // runs while somebody waits for a place and none is coming
  bool watches_turns_ = false;
  bool wants_place_ = false;  // somebody needs a place, and none is coming
  // When each owner got a place last, by the count of all that were given. Owners who have no place
  // are forgotten while nobody needs one.
  std::map<std::string, std::uint64_t> last_places_{};
  std::uint64_t given_places_ = 0;
  bool is_closed_ = false;
  asio::thread_pool background_{1};  // last: it ends before what its work uses
};

}  // namespace server
