#include "server/daemon/model_fetch.h"

#include <chrono>
#include <utility>

#include "server/base/race.h"
#include "server/models/registry.h"

namespace server {
namespace {

constexpr std::chrono::seconds pause_after_failure{60};

}  // namespace

asio::awaitable<void> ModelFetch::run(std::string model) {
  if (store_.resolve(model)) co_return;
  if (find_registered(model) == nullptr) {
    log_.error("model not fetched", {{"model", model}, {"error", "it is not known by that name"}});
    co_return;
  }
  model_ = std::move(model);
  log_.info("fetching a model", {{"model", model_}});
  while (true) {
    const auto fetched = co_await pulls_.pull(model_);
    if (fetched || fetched.error().code == errc::cancelled) break;
    log_.info("the model is tried again",
              {{"model", model_}, {"again_in_s", pause_after_failure.count()}});
    co_await sleep_for(pause_after_failure);
  }
  model_.clear();
}

}  // namespace server
