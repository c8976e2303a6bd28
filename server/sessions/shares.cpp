#include "server/sessions/shares.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "server/base/random_id.h"

namespace server {
namespace {

// Thousands of links may end together: others' calls of the store come between a few of them.
constexpr std::size_t most_in_a_call = 200;

}  // namespace

Error share_not_found() {
  return {errc::share_not_found, "This link has expired or does not exist.",
          "Ask the sender for another one."};
}

Shares::Shares(StoreCalls& calls, std::vector<Share> stored) : calls_(calls) {
  enter(std::move(stored));
  calls_.on_changes([this](const SessionChanges& changes) { take(changes); });
}

void Shares::enter(std::vector<Share> shares) {
  for (auto& share : shares) {
    const KeyHash token = share.token;
    shares_.insert_or_assign(token, std::move(share));
  }
  tell_stored();
}

void Shares::on_stored(std::function<void(Stored)> tell) {
  tell_ = std::move(tell);
  tell_stored();
}

void Shares::tell_stored() const {
  Stored stored;
  for (const auto& [token, share] : shares_) stored[share.owner] += bytes_of_one;
  tell_(std::move(stored));
}

void Shares::take(const SessionChanges& changes) {
  if (changes.are_all) shares_.clear();
  erase(changes.ended_shares);
  enter(changes.shares);
}

asio::awaitable<Result<NewShare>> Shares::add(std::string job, std::string owner, double ends_in_s,
                                              double now) {
  auto catching_up = calls_.catch_up();
  const auto caught_up = co_await std::move(catching_up);
  if (!caught_up) co_return caught_up.error();
  const auto of_owner = std::ranges::count_if(
      shares_, [&owner](const auto& entry) { return entry.second.owner == owner; });
  if (of_job(job, owner, now).size() >= most_of_job ||
      static_cast<std::size_t>(of_owner) >= most_of_owner) {
    co_return Error{errc::too_many_shares, "There are too many links already.",
                    "End some of them first."};
  }
  std::string token = random_id() + random_id();
  const Share share{.id = random_id(),
                    .token = hash_of_key(token),
                    .job = std::move(job),
                    .owner = std::move(owner),
                    .created = now,
                    .ends = now + ends_in_s};
  // One that is being written counts already.
  shares_.emplace(share.token, share);
  auto adding = calls_.run(share.owner, [share](SessionStore& store) { return store.add(share); });
  const auto added = co_await std::move(adding);
  if (!added) {
    shares_.erase(share.token);
    co_return added.error();
  }
  shares_.emplace(share.token, share);  // a look from before may have taken it away
  tell_stored();
  co_return NewShare{share, std::move(token)};
}

asio::awaitable<void> Shares::learn(std::string token) {
  if (!calls_.is_shared() || shares_.contains(hash_of_key(token))) co_return;
  auto catching_up = calls_.catch_up();
  co_await std::move(catching_up);
}

Result<Share> Shares::find(std::string_view token, double now) const {
  const auto found = shares_.find(hash_of_key(token));
  const bool is_known = found != shares_.end();
  if (auto doubt = calls_.doubt(is_known)) return *std::move(doubt);
  if (!is_known || now >= found->second.ends) return share_not_found();
  return found->second;
}

std::vector<Share> Shares::of_job(std::string_view job, std::string_view owner, double now) const {
  std::vector<Share> found;
  for (const auto& [token, share] : shares_) {
    if (share.job == job && share.owner == owner && now < share.ends) found.push_back(share);
  }
  std::ranges::sort(found, {}, &Share::created);
  return found;
}

std::vector<std::string> Shares::jobs_of(std::string_view owner, double now) const {
  std::set<std::string> jobs;
  for (const auto& [token, share] : shares_) {
    if (share.owner == owner && now < share.ends) jobs.insert(share.job);
  }
  return {jobs.begin(), jobs.end()};
}

asio::awaitable<Result<void>> Shares::remove(std::string id, std::string job, std::string owner) {
  auto catching_up = calls_.catch_up();
  const auto caught_up = co_await std::move(catching_up);
  if (!caught_up) co_return caught_up.error();
  const bool is_there = std::ranges::any_of(shares_, [&](const auto& entry) {
    const Share& share = entry.second;
    return share.id == id && share.job == job && share.owner == owner;
  });
  if (!is_there) co_return share_not_found();
  auto forgetting = forget(std::move(owner), {std::move(id)});
  co_return co_await std::move(forgetting);
}

asio::awaitable<Result<void>> Shares::remove_of_job(std::string job) {
  std::vector<std::string> ids;
  std::string owner;
  for (const auto& [token, share] : shares_) {
    if (share.job != job) continue;
    ids.push_back(share.id);
    owner = share.owner;
  }
  return forget(std::move(owner), std::move(ids));
}

asio::awaitable<Result<void>> Shares::remove_ended(double now) {
  std::vector<std::string> ids;
  for (const auto& [token, share] : shares_) {
    if (now >= share.ends) ids.push_back(share.id);
  }
  return forget("", std::move(ids));
}

void Shares::erase(const std::vector<std::string>& ids) {
  if (ids.empty()) return;
  const std::unordered_set<std::string_view> gone(ids.begin(), ids.end());
  std::erase_if(shares_, [&gone](const auto& entry) { return gone.contains(entry.second.id); });
  tell_stored();
}

// Links end here first, so that nobody reads by them while the disk is slow. A look at a shared
// store from before their end may have brought them back meanwhile.
asio::awaitable<Result<void>> Shares::forget(std::string owner, std::vector<std::string> ids) {
  erase(ids);
  if (ids.empty()) co_return Result<void>();
  Result<void> removed;
  for (std::size_t from = 0; removed && from < ids.size(); from += most_in_a_call) {
    const auto count = std::min(most_in_a_call, ids.size() - from);
    const auto first = ids.begin() + static_cast<std::ptrdiff_t>(from);
    std::vector<std::string> some(first, first + static_cast<std::ptrdiff_t>(count));
    auto removing = calls_.run(
        owner, [some = std::move(some)](SessionStore& store) { return store.remove_shares(some); });
    removed = co_await std::move(removing);
  }
  erase(ids);
  co_return removed;
}

}  // namespace server
