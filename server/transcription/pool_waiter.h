#pragma once

#include <string>
#include <utility>

#include "server/transcription/pool_state.h"

namespace server {

// A call that waits for its model's turn. It is in the pool's list for as long as it waits.
struct PoolState::Waiter {
  Waiter(PoolState& pool, std::string name, ModelHolder holder)
      : pool(pool), name(std::move(name)), holder(std::move(holder)), served(pool.executor_) {
    pool.waiters_.push_back(this);
  }
  Waiter(const Waiter&) = delete;
  // A caller who leaves unserved may have held back those behind it.
  ~Waiter() {
    if (pool.waiters_.remove(this) > 0) pool.serve_waiters();
  }

  PoolState& pool;
  // Returns whether the call joins others that have the model, although an earlier one waits for
  // its place: it does not delay that.
  bool may_pass(const PoolModel& wanted) const {
    if (wanted.has(protocol::WorkClass::live)) return true;
    return holder.work_class != protocol::WorkClass::background &&
           wanted.has(protocol::WorkClass::background) && !wanted.turn_is_over;
  }

  std::string name;
  ModelHolder holder;  // as which the call has the model then
  OnceEvent served;
  std::shared_ptr<PoolModel> model{};  // nullptr: the pool has closed, or the call is refused
  std::optional<Error> refusal{};
  Holder place{};  // the call's among the model's holders
};

}  // namespace server
