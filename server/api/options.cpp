#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "protocol/docx/transcript_files.h"
#include "protocol/json_fields.h"
#include "protocol/json_text.h"
#include "protocol/languages.h"
#include "protocol/option_table.h"
#include "server/api/api.h"
#include "server/api/handlers.h"
#include "server/base/version.h"
#include "server/inputs/url_fetcher.h"
#include "server/live/live_services.h"
#include "server/models/helper_models.h"
#include "server/models/model_languages.h"
#include "server/models/model_store.h"

// This route tells a client what it may ask for: limits, defaults, and what there is to choose
// from.
namespace server::api {
namespace {

using Json = nlohmann::ordered_json;

Json installed_models(const ModelStore& store) {
  Json models = Json::array();
  for (const auto& model : store.list().models) {
    models.push_back({{"id", model.manifest.name}, {"languages", languages_of(model.manifest)}});
  }
  return models;
}

Json all_languages() {
  Json languages = Json::array();
  for (const auto& language : protocol::languages()) {
    languages.push_back({{"code", language.code}, {"name", language.name}});
  }
  return languages;
}

Json default_options(const protocol::TranscribeOptions& options) {
  return {{"language", options.language.empty() ? Json() : Json(options.language)},
          {"task", protocol::json::name_of(options.task)},
          {"word_timestamps", options.word_timestamps},
          {"vad_filter", options.vad_filter},
          {"diarize", options.diarize}};
}

Json url_hosts(const Services& services) {
  return services.urls == nullptr ? Json::array() : Json(services.urls->hosts());
}

Json open_interfaces(const Api& api) {
  const Doors& doors = api.settings.doors;
  return {{"live", api.live.settings().enabled},
          {"realtime", doors.realtime},
          {"deepgram", doors.deepgram},
          {"jigasi", doors.jigasi},
          {"asr", doors.asr},
          {"whisper_cpp", doors.inference},
          {"mcp", true}};
}

Json options_body(const Api& api) {
  const Services& services = api.services;
  const ApiSettings& settings = api.settings;
  return {{"version", program_version()},
          {"max_upload_bytes", settings.max_upload_bytes},
          {"max_body_bytes", settings.max_body_bytes},
          {"max_audio_seconds", settings.max_audio_seconds},
          {"default_model", services.default_model},
          {"models", installed_models(services.store)},
          {"formats", protocol::file_formats()},
          {"languages", all_languages()},
          {"keeps_s", settings.keep_results_s},
          {"max_keeps_s", settings.forms.max_keep_results_s},
          {"keeps_audio", services.keeps_audio},
          {"tells_speakers", services.store.find_whole(speakers_model_name).has_value()},
          {"finds_speech", services.store.find_whole(vad_model_name).has_value()},
          {"url_hosts", url_hosts(services)},
          {"defaults", default_options(services.options)},
          {"interfaces", open_interfaces(api)}};
}

}  // namespace

asio::awaitable<void> options(Api& api, ApiCall& call) {
  return send_json(call.exchange, protocol::json::dump(options_body(api)));
}

}  // namespace server::api
