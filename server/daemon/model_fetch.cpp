#include "server/daemon/model_fetch.h"

#include <algorithm>
#include <chrono>
#include <string_view>
#include <utility>

#include "server/base/race.h"
#include "server/models/helper_models.h"
#include "server/models/registry.h"
#include "server/submission/helpers.h"

namespace server {
namespace {

constexpr std::chrono::seconds pause_after_failure{60};
constexpr std::chrono::seconds moment{3};

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

asio::awaitable<Result<void>> ModelFetch::fetch_helper(std::string model) {
  auto pulling = pulls_.pull(std::move(model));
  const auto pulled = co_await within(moment, std::move(pulling));
  co_return pulled.value_or(Result<void>());
}

bool ModelFetch::is_fetching(const JobRequest& request) const {
  const auto is_pulling = [this](std::string_view model) { return pulls_.is_pulling(model); };
  return is_pulling(request.model) ||
         std::ranges::any_of(needed_helpers(request.options), is_pulling);
}

Result<void> ModelFetch::check_fetched(const JobRequest& request) const {
  return check_fetched_helpers(store_, request.options);
}

}  // namespace server
