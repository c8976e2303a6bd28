#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "protocol/json_text.h"
#include "server/api/api.h"
#include "server/api/handlers.h"
#include "server/base/fair_calls.h"
#include "server/models/model_store.h"
#include "server/models/registry.h"
#include "server/pulls/model_pulls.h"
#include "server/submission/model_name.h"
#include "server/transcription/model_pool.h"

// Models are fetched, and removed, while the daemon works.
namespace server::api {
namespace {

using Json = nlohmann::ordered_json;
using protocol::json::dump;

// Returns the name in the store of the model that a path names.
std::string stored_name(const Api& api, const std::string& wanted) {
  const std::string meant = meant_model(api.services, wanted);
  const auto* registered = find_registered(meant);
  return registered != nullptr ? registered->name : meant;
}

// Returns why a model has to stay; nothing: it may be removed.
std::optional<Error> use_of_model(const Api& api, const std::string& name) {
  if (api.pulls.is_pulling(name)) {
    return Error{errc::model_in_use, fmt::format("The model {} is being downloaded.", name),
                 "Stop that first."};
  }
  const auto loaded = api.services.models.loaded();
  const auto found = std::ranges::find(loaded, name, &LoadedModel::name);
  if (found == loaded.end() || (found->jobs == 0 && !found->is_loading)) return std::nullopt;
  return Error{errc::model_in_use,
               fmt::format("The model {} is in use by running or queued jobs.", name),
               "Try again when they are finished, or cancel them."};
}

// A folder of several GB is not removed at once.
asio::awaitable<Result<bool>> remove_files(Api& api, std::string owner, std::string name) {
  std::function<Result<bool>(std::stop_token)> work =
      [&store = api.services.store, name = std::move(name)](std::stop_token) -> Result<bool> {
    const auto removed = store.remove(name);
    if (!removed) return to_error(removed.error());
    return true;
  };
  auto removing = api.services.disk.run(std::move(owner), std::move(work));
  co_return co_await std::move(removing);
}

}  // namespace

asio::awaitable<void> pull_model(Api& api, ApiCall& call) {
  const auto started = api.pulls.start(stored_name(api, call.id));
  if (!started) co_return co_await send_error(call.exchange, started.error(), "model");
  const auto total = started->total_bytes;
  const Json body{{"model", started->model}, {"total_bytes", total ? Json(*total) : Json()}};
  std::string text = dump(body);
  co_await send_json(call.exchange, std::move(text), http::status::accepted);
}

asio::awaitable<void> stop_pull(Api& api, ApiCall& call) {
  const std::string name = stored_name(api, call.id);
  auto stopping = api.pulls.stop(name);
  const auto stopped = co_await std::move(stopping);
  if (!stopped) co_return co_await send_error(call.exchange, stopped.error(), "model");
  std::string text = dump(Json{{"model", name}, {"stopped", true}});
  co_await send_json(call.exchange, std::move(text));
}

asio::awaitable<void> remove_model(Api& api, ApiCall& call) {
  const std::string name = stored_name(api, call.id);
  if (const auto use = use_of_model(api, name)) {
    co_return co_await send_error(call.exchange, *use, "model");
  }
  api.services.models.unload(name);
  auto removing = remove_files(api, call.principal.name, name);
  const auto removed = co_await std::move(removing);
  if (!removed) co_return co_await send_error(call.exchange, removed.error(), "model");
  api.events.model_removed(name);
  std::string text = dump(Json{{"id", name}, {"object", "model"}, {"deleted", true}});
  co_await send_json(call.exchange, std::move(text));
}

}  // namespace server::api
