#include "server/daemon/model_fetch.h"

#include <chrono>
#include <functional>
#include <utility>

#include "server/base/race.h"
#include "server/models/helper_models.h"
#include "server/models/pull.h"

namespace server {
namespace {

constexpr std::chrono::seconds pause_after_failure{60};

Result<bool> pull_model(const ModelStore& store, const std::string& name, const HubAccess& hub,
                        const std::stop_token& stop) {
  const auto pulled = pull(store, *find_registered(name), {.hub = hub}, {.stop = stop});
  if (!pulled) return to_error(pulled.error());
  return true;
}

}  // namespace

asio::awaitable<Result<void>> ModelFetch::fetch_once(std::string name) {
  std::function<Result<bool>(std::stop_token)> work = [&store = store_, name = std::move(name),
                                                       hub = hub_](const std::stop_token& stop) {
    return pull_model(store, name, hub, stop);
  };
  const auto fetched = co_await threads_.run<bool>(std::move(work));
  if (!fetched) co_return fetched.error();
  co_return Result<void>();
}

asio::awaitable<void> ModelFetch::run(std::string model) {
  if (store_.resolve(model)) co_return;
  if (find_registered(model) == nullptr) {
    log_.error("model not fetched", {{"model", model}, {"error", "it is not known by that name"}});
    co_return;
  }
  model_ = std::move(model);
  log_.info("fetching a model", {{"model", model_}});
  while (true) {
    std::string name = model_;
    is_trying_ = true;
    const auto fetched = co_await fetch_once(std::move(name));
    is_trying_ = false;
    if (fetched) break;
    log_.error("model not fetched", {{"model", model_},
                                     {"error", fetched.error().message},
                                     {"fix", fetched.error().fix},
                                     {"again_in_s", pause_after_failure.count()}});
    co_await sleep_for(pause_after_failure);
  }
  log_.info("model installed", {{"model", model_}});
  model_.clear();
  // Transcribing works without the VAD model, so its failure is ignored.
  std::string vad(vad_model_name);
  co_await fetch_once(std::move(vad));
}

}  // namespace server
