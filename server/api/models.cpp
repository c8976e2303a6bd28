#include <chrono>
#include <ctime>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "protocol/json_parse.h"
#include "protocol/json_text.h"
#include "protocol/openai/bodies.h"
#include "server/api/api.h"
#include "server/api/handlers.h"
#include "server/api/job_json.h"
#include "server/base/version.h"
#include "server/inputs/sound_store.h"
#include "server/jobs/job_queue.h"
#include "server/live/live_services.h"
#include "server/models/model_store.h"
#include "server/submission/model_name.h"
#include "server/transcription/model_pool.h"

namespace server::api {
namespace {

using Json = nlohmann::ordered_json;
using protocol::json::dump;

long long seconds_of(const std::string& utc) {
  std::tm time{};
  std::istringstream text(utc);
  text >> std::get_time(&time, "%Y-%m-%dT%H:%M:%SZ");
  return text ? static_cast<long long>(::timegm(&time)) : 0;
}

protocol::openai::Model model_of(const InstalledModel& model) {
  return {model.manifest.name, seconds_of(model.manifest.installed)};
}

// Reads keep_alive of a body like Ollama's: {"keep_alive": "5m"}, 300, 0 or -1. Nothing: it is not
// given.
Result<std::optional<KeepAlive>> keep_alive_of(const std::string& body) {
  if (body.empty()) return std::optional<KeepAlive>();
  const auto json = protocol::json::parse_object(body);
  if (!json) {
    return Error{errc::usage, "The body must be a JSON object.", R"(As in {"keep_alive": "5m"}.)"};
  }
  for (const auto& [key, value] : json->items()) {
    if (key != "keep_alive")
      return Error{errc::usage, "There is no parameter " + key + ".",
                   "Leave it out: keep_alive is the only one."};
  }
  const auto given = json->find("keep_alive");
  if (given == json->end()) return std::optional<KeepAlive>();
  const auto time =
      parse_keep_alive(given->is_string() ? given->get<std::string>() : given->dump());
  if (!time) return time.error();
  return std::optional(*time);
}

Json live_body(const LiveServices& live) {
  const auto now = std::chrono::steady_clock::now();
  const LivePlaces& places = live.places();
  return {{"enabled", live.settings().enabled},
          {"sessions", places.taken()},
          {"max_sessions", places.limits().sessions},
          {"lag_s", places.lag_s(now)},
          {"period_s", places.period_s(now)}};
}

}  // namespace

asio::awaitable<void> list_models(Api& api, ApiCall& call) {
  std::vector<protocol::openai::Model> models;
  for (const auto& model : api.services.store.list().models) {
    models.push_back(model_of(model));
  }
  for (const auto& [alias, name] : api.services.aliases) {
    const auto model = api.services.store.find(name);
    if (!model) continue;
    models.push_back(model_of(*model));
    models.back().id = alias;
  }
  std::string text = dump(protocol::openai::model_list(models));
  co_await send_json(call.exchange, std::move(text));
}

asio::awaitable<void> get_model(Api& api, ApiCall& call) {
  const auto name = model_for(api.services, call.id);
  if (!name) co_return co_await send_error(call.exchange, name.error(), "model");
  const auto model = api.services.store.find(*name);
  if (!model) {
    const Error missing{server::name(model.error().code), model.error().message, model.error().fix};
    co_return co_await send_error(call.exchange, missing, "model");
  }
  auto described = model_of(*model);
  described.id = call.id;
  std::string text = dump(protocol::openai::model_body(described));
  co_await send_json(call.exchange, std::move(text));
}

asio::awaitable<void> load_model(Api& api, ApiCall& call) {
  const auto body = co_await call.exchange.read_body(4096);
  if (!body) co_return co_await send_error(call.exchange, body.error());
  const auto keep_alive = keep_alive_of(*body);
  if (!keep_alive) co_return co_await send_error(call.exchange, keep_alive.error(), "keep_alive");
  const auto name = model_for(api.services, call.id);
  if (!name) co_return co_await send_error(call.exchange, name.error(), "model");
  const auto loaded = co_await api.services.models.load(*name, *keep_alive);
  if (!loaded) co_return co_await send_error(call.exchange, loaded.error());
  std::string text = dump(loaded_model_body(*loaded));
  co_await send_json(call.exchange, std::move(text));
}

asio::awaitable<void> unload_model(Api& api, ApiCall& call) {
  const auto name = model_for(api.services, call.id);
  if (!name) co_return co_await send_error(call.exchange, name.error(), "model");
  const Json body{{"name", *name}, {"unloaded", api.services.models.unload(*name)}};
  std::string text = dump(body);
  co_await send_json(call.exchange, std::move(text));
}

asio::awaitable<void> list_loaded(Api& api, ApiCall& call) {
  Json models = Json::array();
  for (const auto& model : api.services.models.loaded()) models.push_back(loaded_model_body(model));
  const Json body{{"models", std::move(models)}};
  std::string text = dump(body);
  co_await send_json(call.exchange, std::move(text));
}

asio::awaitable<void> status(Api& api, ApiCall& call) {
  auto summing = api.sound_sum.find(api.services.disk, api.services.sounds);
  const auto sound = co_await std::move(summing);
  if (!sound) co_return co_await send_error(call.exchange, sound.error());
  Json models = Json::array();
  for (const auto& model : api.services.models.loaded()) models.push_back(loaded_model_body(model));
  const auto& trouble = api.services.models.trouble();
  const auto not_ready = api.not_ready();
  Json body{{"version", program_version()},
            {"ready", !not_ready},
            {"default_model", api.services.default_model},
            {"models", std::move(models)},
            {"queue",
             {{"waiting", api.services.jobs.waiting()}, {"running", api.services.jobs.running()}}},
            {"live", live_body(api.live)},
            {"sound",
             {{"keeps", api.services.keeps_audio}, {"bytes", sound->bytes}, {"jobs", sound->jobs}}},
            {"problem", not_ready ? Json(not_ready->why) : Json()},
            {"last_load_error", nullptr}};
  if (trouble) {
    body["last_load_error"] = {
        {"code", trouble->code}, {"message", trouble->message}, {"fix", trouble->fix}};
  }
  std::string text = dump(body);
  co_await send_json(call.exchange, std::move(text));
}

}  // namespace server::api
