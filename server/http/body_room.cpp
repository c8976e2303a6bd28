#include "server/http/body_room.h"

#include <algorithm>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <utility>

namespace server {
namespace {

Error share_is_full() {
  return {errc::too_many_requests,
          "Your requests use all the memory that the server allows one client.",
          "Send fewer large requests at once."};
}

Error room_is_full() {
  return {errc::overloaded, "The server has no memory left for request bodies.",
          "Try again later."};
}

}  // namespace

// Keeps a timer in the list for as long as this object lives.
class BodyRoom::Listed {
 public:
  Listed(std::list<asio::steady_timer*>& list, asio::steady_timer& timer)
      : list_(list), place_(list.insert(list.end(), &timer)) {}
  Listed(const Listed&) = delete;
  ~Listed() { list_.erase(place_); }

 private:
  std::list<asio::steady_timer*>& list_;
  std::list<asio::steady_timer*>::iterator place_;
};

asio::awaitable<Result<void>> BodyRoom::Share::hold(std::string owner, std::size_t bytes) {
  const std::size_t counted = bytes - std::min(bytes, free_bytes);
  if (counted <= held_) {
    room_.give_back(owner_, held_ - counted);
    held_ = counted;
    co_return Result<void>();
  }
  if (held_ == 0) owner_ = std::move(owner);
  auto taking = room_.take(owner_, counted - held_);
  const auto taken = co_await std::move(taking);
  if (taken) held_ = counted;
  co_return taken;
}

std::size_t BodyRoom::held_by(const std::string& owner) const {
  const auto found = of_owner_.find(owner);
  return found == of_owner_.end() ? 0 : found->second;
}

bool BodyRoom::has_room(const std::string& owner, std::size_t bytes) const {
  const std::size_t mine = held_by(owner);
  const std::size_t others = all_ - mine;
  return others < bytes_ && mine + bytes <= (bytes_ - others) / 2;
}

asio::awaitable<Result<void>> BodyRoom::take(std::string owner, std::size_t bytes) {
  if (!has_room(owner, bytes)) {
    auto waiting = wait_for_room(owner, bytes);
    const bool has_come = co_await std::move(waiting);
    const bool is_own_share = held_by(owner) + bytes > bytes_ / 2;
    if (!has_come) co_return is_own_share ? share_is_full() : room_is_full();
  }
  of_owner_[owner] += bytes;
  all_ += bytes;
  co_return Result<void>();
}

asio::awaitable<bool> BodyRoom::wait_for_room(std::string owner, std::size_t bytes) {
  const auto executor = co_await asio::this_coro::executor;
  asio::steady_timer patience(executor, patience_);
  const Listed listed(waiting_, patience);
  while (!has_room(owner, bytes)) {
    boost::system::error_code woken;
    auto wait = asio::redirect_error(asio::use_awaitable, woken);
    co_await patience.async_wait(std::move(wait));
    if (!woken) co_return has_room(owner, bytes);
  }
  co_return true;
}

void BodyRoom::give_back(const std::string& owner, std::size_t bytes) {
  if (bytes == 0) return;
  all_ -= bytes;
  const auto found = of_owner_.find(owner);
  found->second -= bytes;
  if (found->second == 0) of_owner_.erase(found);
  for (auto* timer : waiting_) timer->cancel();
}

}  // namespace server
