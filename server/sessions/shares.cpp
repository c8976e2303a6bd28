#include "server/sessions/shares.h"

#include <algorithm>
#include <utility>

#include "server/base/random_id.h"

namespace server {

Error share_not_found() {
  return {errc::share_not_found, "This link has ended, or there is no such link.",
          "Ask whoever sent it for another one."};
}

Shares::Shares(StoreCalls& calls, std::vector<Share> stored) : calls_(calls) {
  for (auto& share : stored) {
    const KeyHash token = share.token;
    shares_.emplace(token, std::move(share));
  }
}

asio::awaitable<Result<NewShare>> Shares::add(std::string job, std::string owner, double ends_in_s,
                                              double now) {
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
  auto adding = calls_.run([share](SessionStore& store) { return store.add(share); });
  const auto added = co_await std::move(adding);
  if (!added) co_return added.error();
  shares_.emplace(share.token, share);
  co_return NewShare{share, std::move(token)};
}

std::optional<Share> Shares::find(std::string_view token, double now) const {
  const auto found = shares_.find(hash_of_key(token));
  if (found == shares_.end() || now >= found->second.ends) return std::nullopt;
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

asio::awaitable<Result<void>> Shares::remove(std::string id, std::string job, std::string owner) {
  const bool is_there = std::ranges::any_of(shares_, [&](const auto& entry) {
    const Share& share = entry.second;
    return share.id == id && share.job == job && share.owner == owner;
  });
  if (!is_there) co_return share_not_found();
  auto forgetting = forget({std::move(id)});
  co_return co_await std::move(forgetting);
}

asio::awaitable<Result<void>> Shares::remove_of_job(std::string job) {
  std::vector<std::string> ids;
  for (const auto& [token, share] : shares_) {
    if (share.job == job) ids.push_back(share.id);
  }
  return forget(std::move(ids));
}

asio::awaitable<Result<void>> Shares::remove_ended(double now) {
  std::vector<std::string> ids;
  for (const auto& [token, share] : shares_) {
    if (now >= share.ends) ids.push_back(share.id);
  }
  return forget(std::move(ids));
}

// Links end here first, so that nobody reads by them while the disk is slow.
asio::awaitable<Result<void>> Shares::forget(std::vector<std::string> ids) {
  std::erase_if(shares_, [&ids](const auto& entry) {
    return std::ranges::find(ids, entry.second.id) != ids.end();
  });
  if (ids.empty()) co_return Result<void>();
  auto removing = calls_.run([ids = std::move(ids)](SessionStore& store) -> Result<void> {
    for (const auto& id : ids) {
      if (const auto removed = store.remove_share(id); !removed) return removed;
    }
    return {};
  });
  co_return co_await std::move(removing);
}

}  // namespace server
