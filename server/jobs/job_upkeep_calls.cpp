#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <chrono>
#include <memory>
#include <utility>

#include "server/base/race.h"
#include "server/jobs/job_queue.h"
#include "server/jobs/long_work.h"
#include "server/jobs/on_store.h"

// What JobQueue is asked for the upkeep of all jobs.
namespace server {

asio::awaitable<Result<std::vector<KeptInput>>> JobQueue::inputs() {
  const auto work = [](JobStore& store) { return store.inputs(); };
  co_return co_await on_store(work);
}

// It holds up nobody's edits, so it is no owner's.
asio::awaitable<Result<StoreCopy>> JobQueue::copy(std::filesystem::path file,
                                                  std::filesystem::path inputs) {
  LongWork<StoreCopy> work = [file = std::move(file), inputs = std::move(inputs)](
                                 const OnStore& on_store, std::stop_token stop) {
    return copy_store(on_store, file, inputs, std::move(stop));
  };
  auto copying = long_work<StoreCopy>("", std::move(work));
  co_return co_await std::move(copying);
}

asio::awaitable<Result<int>> JobQueue::remove_expired() {
  const auto work = [](JobStore& store) { return store.remove_expired(); };
  const auto removed = co_await on_store(work);
  if (removed && *removed > 0) tidy_up_later();
  co_return removed;
}

void JobQueue::tidy_up_later() {
  has_to_tidy_up_ = true;
  if (std::exchange(tidies_up_, true)) return;
  asio::co_spawn(executor_, tidy_up(), asio::detached);
}

// What is removed at the same time is tidied up together, and the store answers others between two
// pieces.
asio::awaitable<void> JobQueue::tidy_up() {
  constexpr std::chrono::milliseconds wait_for_more{50}, pause{2};
  const std::weak_ptr<const void> life = life_;
  while (has_to_tidy_up_) {
    has_to_tidy_up_ = false;
    co_await sleep_for(wait_for_more);
    bool has_more = true;
    while (has_more) {
      if (life.expired()) co_return;
      const auto work = [](JobStore& store) { return store.tidy_up(); };
      const auto answer = co_await on_store(work);
      if (life.expired()) co_return;
      has_more = answer && *answer;
      if (has_more) co_await sleep_for(pause);
    }
  }
  tidies_up_ = false;
}

asio::awaitable<Result<void>> JobQueue::remove_sounds_without_job(std::vector<std::string> ids) {
  const auto work = [ids = std::move(ids), settings = settings_](JobStore& store) -> Result<void> {
    for (const auto& id : ids) {
      const auto job = store.find(id, std::nullopt);
      if (!job) return job.error();
      if (!*job) settings.remove_sound(id);
    }
    return {};
  };
  co_return co_await on_store(work);
}

asio::awaitable<Result<bool>> JobQueue::set_sound(std::string id, std::uint64_t bytes) {
  const auto work = [id = std::move(id), bytes](JobStore& store) {
    return store.set_sound(id, bytes);
  };
  co_return co_await on_store(work);
}

asio::awaitable<Result<std::vector<std::string>>> JobQueue::sounds_left(int most) {
  const auto work = [most](JobStore& store) { return store.sounds_left(most); };
  co_return co_await on_store(work);
}

asio::awaitable<Result<std::vector<Job>>> JobQueue::undelivered() {
  const auto work = [](JobStore& store) { return store.undelivered(); };
  auto jobs = co_await on_store(work);
  if (!jobs) co_return jobs;
  for (Job& job : *jobs) add_progress(job);
  co_return jobs;
}

asio::awaitable<Result<void>> JobQueue::set_delivered(std::string id) {
  const auto work = [id = std::move(id)](JobStore& store) { return store.set_delivered(id); };
  co_return co_await on_store(work);
}

}  // namespace server
