#include "protocol/wyoming/info.h"

namespace protocol::wyoming {
namespace {

using Json = nlohmann::json;

Json model_entry(const InfoModel& model) {
  return {{"name", model.name},
          {"description", "Whisper " + model.name},
          {"attribution", {{"name", "OpenAI"}, {"url", "https://github.com/openai/whisper"}}},
          {"installed", true},
          {"version", nullptr},
          {"languages", model.languages}};
}

}  // namespace

Message info_message(const Info& info) {
  Json models = Json::array();
  for (const auto& model : info.models) models.push_back(model_entry(model));
  // The reference wants an address of everybody who is named; a program that serves itself has
  // none.
  const Json program{{"name", "scribed"},
                     {"description", "Speech to text with Whisper"},
                     {"attribution", {{"name", "scribed"}, {"url", ""}}},
                     {"installed", true},
                     {"version", info.version},
                     {"supports_transcript_streaming", true},
                     {"requires_external_vad", info.requires_external_vad},
                     {"models", std::move(models)}};
  return {.type = "info", .data = {{"asr", Json::array({program})}}};
}

}  // namespace protocol::wyoming
