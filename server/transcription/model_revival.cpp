#include "server/transcription/model_revival.h"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <utility>

namespace server {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds first_pause{1'000};
constexpr milliseconds last_pause{60'000};

}  // namespace

void ModelRevival::begin(const std::string& model, const Error& why, KeepAlive keep_alive) {
  if (keep_alive == KeepAlive{0}) return;
  if (const auto known = attempts_.find(model); known != attempts_.end()) {
    known->second->why = why;
    return;
  }
  const auto attempt = std::make_shared<Attempt>(executor_, why);
  attempts_.emplace(model, attempt);
  asio::co_spawn(executor_, run(shared_from_this(), attempt, model, keep_alive), asio::detached);
}

asio::awaitable<void> ModelRevival::run(std::shared_ptr<ModelRevival> self,
                                        std::shared_ptr<Attempt> attempt, std::string model,
                                        KeepAlive keep_alive) {
  const auto until = keep_alive < KeepAlive{0} ? steady_clock::time_point::max()
                                               : steady_clock::now() + keep_alive;
  milliseconds pause{0};
  co_await asio::post(self->executor_, asio::use_awaitable);  // leaves the caller's stack first
  while (!attempt->is_over) {
    const auto loaded = co_await self->load_(model, keep_alive);
    if (attempt->is_over) co_return;
    if (loaded || steady_clock::now() >= until) {
      self->forget(model);
      co_return;
    }
    attempt->why = loaded.error();
    pause = std::clamp(2 * pause, first_pause, last_pause);
    boost::system::error_code cancelled;
    attempt->pause.expires_after(pause);
    co_await attempt->pause.async_wait(asio::redirect_error(asio::use_awaitable, cancelled));
  }
}

void ModelRevival::forget(const std::string& model) {
  const auto found = attempts_.find(model);
  if (found == attempts_.end()) return;
  found->second->is_over = true;
  found->second->pause.cancel();
  attempts_.erase(found);
}

void ModelRevival::forget_all() {
  while (!attempts_.empty()) forget(std::string(attempts_.begin()->first));
}

std::optional<Error> ModelRevival::trouble() const {
  if (attempts_.empty()) return std::nullopt;
  return attempts_.begin()->second->why;
}

}  // namespace server
