#include "server/jobs/owner_line.h"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <utility>

namespace server {

OwnerLine::Place::~Place() {
  const auto line = lines_->find(owner_);
  if (line == lines_->end()) return;
  auto& others = line->second;
  if (waiting_ != nullptr && !waiting_->is_in) {
    others.remove(waiting_);
  } else if (others.empty()) {
    lines_->erase(line);
  } else {
    others.front()->is_in = true;
    others.front()->timer->cancel();
    others.pop_front();
  }
}

asio::awaitable<std::shared_ptr<void>> OwnerLine::enter(std::string owner) {
  const auto [line, is_first] = lines_->try_emplace(owner);
  if (is_first) co_return std::make_shared<Place>(lines_, std::move(owner), nullptr);
  asio::steady_timer timer(executor_, asio::steady_timer::time_point::max());
  Waiting waiting{.timer = &timer};
  const auto place = std::make_shared<Place>(lines_, std::move(owner), &waiting);
  line->second.push_back(&waiting);
  boost::system::error_code woken;
  auto wait = asio::redirect_error(asio::use_awaitable, woken);
  co_await timer.async_wait(std::move(wait));
  if (!waiting.is_in) throw boost::system::system_error(asio::error::operation_aborted);
  place->is_let_in();
  co_return place;
}

}  // namespace server
