#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "server/transcription/crash_guard.h"
#include "server/transcription/model_worker.h"

namespace server {

// The workers of one model: one, or where the plan has several GPUs, one on each card that is
// needed; likewise on a CPU with several NUMA nodes. The first is the plan's choice; another is
// started when all that run are at work, and takes jobs once it is loaded. A worker that dies
// leaves, its jobs fail, and the others go on; its card is left alone for a while, its node only
// after deaths again and again. All calls are on the executor's thread.
class ModelReplicas : public std::enable_shared_from_this<ModelReplicas> {
 public:
  struct Replica {
    std::shared_ptr<ModelWorker> worker{};
    int jobs = 0;
  };

  // Holds the place of a job on the worker that it began on, and that worker.
  class Lease {
   public:
    explicit Lease(std::shared_ptr<Replica> replica) : replica_(std::move(replica)) {
      ++replica_->jobs;
    }
    Lease(Lease&&) = default;
    Lease& operator=(Lease&&) = delete;
    ~Lease() {
      if (replica_) --replica_->jobs;
    }
    ModelWorker& worker() const { return *replica_->worker; }

   private:
    std::shared_ptr<Replica> replica_;
  };

  struct Callbacks {
    std::function<void(const Error&)> on_end{};  // no worker is left, and none is being loaded
    std::function<void()> on_change{};           // a further worker is loaded, or one has left
  };

  struct Limits {
    CrashLimits card{};   // how long a card is left alone after its worker has failed
    CrashLimits nodes{};  // the same for the NUMA nodes, whose failures are counted together
  };

  static std::shared_ptr<ModelReplicas> make(asio::any_io_executor executor, WorkerSetup setup,
                                             Limits limits, Callbacks callbacks);

  // Returns the loaded worker with the fewest jobs, or where none is loaded the first, which is to
  // be loaded. Starts a further one if all are at work.
  Lease lend();

  // Starts a worker on a further card or node if all that run are at work.
  void spread();

  // There is always a first worker, if only one that has died.
  const ModelWorker& first() const { return *replicas_.front()->worker; }
  const std::vector<std::shared_ptr<Replica>>& all() const { return replicas_; }

  // Returns the number of workers that take jobs, at least 1.
  int size() const;
  bool is_loaded() const;
  bool is_loading() const;
  // Returns whether there is a worker on this device ("cuda:0", "cpu:1").
  bool has_worker_on(const std::string& device) const;
  // Returns whether every worker has died or could not be loaded.
  bool has_failed() const;

  // Returns the cards that are not used, the most wanted one first.
  std::vector<PassedOver> passed_over() const;

  // Ends all processes. stop() returns when their memory is free.
  void discard();
  asio::awaitable<void> stop();

 private:
  // A card that has failed, or the nodes of the CPU; used again after a pause.
  struct FailedDevice {
    CrashGuard guard;
    std::optional<PassedOver> passed_over{};  // nothing: it is in use again, or no card
  };

  ModelReplicas(asio::any_io_executor executor, WorkerSetup setup, Limits limits,
                Callbacks callbacks);
  std::shared_ptr<Replica> add(WorkerSetup setup);
  std::optional<WorkerSetup> next_device() const;
  bool is_free(const platform::Verdict& device) const;
  void note_failure(ModelWorker& worker, const Error& why);
  void leave(const std::shared_ptr<Replica>& replica, const Error& why);
  static asio::awaitable<void> load(std::shared_ptr<ModelReplicas> self,
                                    std::shared_ptr<Replica> replica);

  asio::any_io_executor executor_;
  WorkerSetup setup_;
  Limits limits_;
  Callbacks callbacks_;
  std::vector<std::shared_ptr<Replica>> replicas_{};  // never empty
  std::map<std::string, FailedDevice> failed_{};      // by what is counted together
  bool is_over_ = false;
};

}  // namespace server
