#include "server/jobs/job_search.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace server {
namespace {

// Jobs that the store looks at in one call.
constexpr int slice_size = 25;

}  // namespace

asio::awaitable<Result<std::vector<Job>>> search_jobs(JobQueue& queue,
                                                      std::optional<std::string> owner,
                                                      JobFilter filter, int limit, JobPlace after) {
  std::optional<JobPlace> behind = std::move(after);
  std::vector<Job> found;
  while (behind && static_cast<int>(found.size()) < limit) {
    // Without a filter every job passes.
    const int left = limit - static_cast<int>(found.size());
    const int size = filter == JobFilter{} ? std::min(slice_size, left) : slice_size;
    auto looking = queue.slice(owner, filter, *behind, size);
    auto slice = co_await std::move(looking);
    if (!slice) co_return slice.error();
    std::ranges::move(slice->jobs, std::back_inserter(found));
    behind = slice->end;
    if (!slice->unread || static_cast<int>(found.size()) >= limit) continue;
    auto reading = queue.texts_stand_in(*slice->unread, filter.texts, owner.value_or(""));
    const auto passes = co_await std::move(reading);
    if (!passes) co_return passes.error();
    if (*passes) found.push_back(*std::move(slice->unread));
  }
  if (static_cast<int>(found.size()) > limit) found.resize(static_cast<std::size_t>(limit));
  co_return found;
}

}  // namespace server
