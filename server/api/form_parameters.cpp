#include "server/api/form_parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "protocol/data_url.h"
#include "protocol/json_parse.h"
#include "protocol/json_text.h"
#include "protocol/option_table.h"
#include "server/options/line_options.h"
#include "server/options/option_values.h"
#include "server/options/set_option.h"
#include "server/options/text_limits.h"
#include "server/transcription/model_pool.h"

namespace server {
namespace {

// OpenAI's limits of metadata.
constexpr std::size_t max_metadata_pairs = 16;
constexpr std::size_t max_metadata_key_bytes = 64;
constexpr std::size_t max_metadata_value_bytes = 512;
// All metadata of a job may have so many bytes as JSON, where a control character takes six: each
// list of jobs writes it again.
constexpr std::size_t max_metadata_bytes = 16 << 10;

FormProblem read_model(FormReading& reading, const FormField& field) {
  return read_text("model", field.value, reading.form.model, max_name_bytes);
}

FormProblem read_language(FormReading& reading, const FormField& field) {
  const auto set = set_option(*protocol::find_option("language"), "parameter language", field.value,
                              reading.form.options);
  return set ? FormProblem() : FormError{set.error(), "language"};
}

FormProblem read_languages(FormReading& reading, const FormField& field) {
  std::ranges::move(items_of(field.value), std::back_inserter(reading.languages));
  return {};
}

FormProblem read_multilingual(FormReading& reading, const FormField& field) {
  return read_flag("multilingual", field.value, reading.form.options.multilingual);
}

FormProblem read_task(FormReading& reading, const FormField& field) {
  const auto set = set_option(*protocol::find_option("task"), "parameter task", field.value,
                              reading.form.options);
  return set ? FormProblem() : FormError{set.error(), "task"};
}

FormProblem read_keywords(FormReading& reading, const FormField& field) {
  std::ranges::move(items_of(field.value), std::back_inserter(reading.keywords));
  return {};
}

FormProblem read_response_format(FormReading& reading, const FormField& field) {
  constexpr std::array known{"json", "text", "srt", "verbose_json", "vtt", "ass", "diarized_json"};
  if (std::ranges::find(known, field.value) == known.end()) {
    return invalid("response_format", fmt::format("There is no response_format {}.", field.value),
                   "Use json, text, srt, vtt, ass, verbose_json or diarized_json.");
  }
  reading.form.response_format = field.value;
  if (field.value == "diarized_json") reading.form.options.diarize = true;
  return {};
}

FormProblem read_temperature(FormReading& reading, const FormField& field) {
  const auto temperature = number_of(field.value);
  if (!temperature || !(*temperature >= 0 && *temperature <= 1)) {
    return invalid("temperature", "The temperature must be a number from 0 to 1.");
  }
  // 0 means the ladder of temperatures, which is the default.
  if (*temperature > 0) reading.form.options.temperatures = {*temperature};
  return {};
}

FormProblem read_granularities(FormReading& reading, const FormField& field) {
  std::ranges::move(items_of(field.value), std::back_inserter(reading.granularities));
  return {};
}

FormProblem read_stream(FormReading& reading, const FormField& field) {
  if (field.value == "null") return {};
  return read_flag("stream", field.value, reading.form.stream);
}

// One field of a form that is about the chunking_strategy.
struct Chunking {
  std::string type{};                   // empty: the field says nothing of it
  std::vector<std::string> settings{};  // names of other settings: thresholds are fixed here
};

// Reads "auto", {"type": "server_vad", …} as JSON, or the fields chunking_strategy[type],
// chunking_strategy[threshold] and the like.
Chunking chunking_of(const FormField& field) {
  const std::string_view name = field.name;
  if (name.find('[') != name.npos) {
    return name.ends_with("[type]") ? Chunking{field.value} : Chunking{"", {field.name}};
  }
  const auto object = protocol::json::parse_object(field.value, {.values = most_list_items});
  if (!object) return {field.value};
  Chunking chunking{field.value};
  for (const auto& [key, value] : object->items()) {
    if (key == "type" && value.is_string()) {
      chunking.type = value.get<std::string>();
    } else if (!value.is_null()) {
      chunking.settings.push_back("chunking_strategy." + key);
    }
  }
  return chunking;
}

FormProblem read_chunking(FormReading& reading, const FormField& field) {
  if (field.value == "null") return {};
  auto chunking = chunking_of(field);
  std::ranges::move(chunking.settings, std::back_inserter(reading.form.ignored));
  const std::string& strategy = chunking.type;
  if (strategy.empty()) return {};
  if (strategy == "auto" || strategy == "server_vad") {
    reading.chunking = strategy;
    return {};
  }
  return invalid("chunking_strategy", fmt::format("There is no chunking strategy {}.", strategy),
                 "Use auto or server_vad, or leave chunking_strategy out.");
}

FormProblem read_channels(FormReading& reading, const FormField& field) {
  if (field.value != "mix" && field.value != "split") {
    return invalid("channels", fmt::format("There is no channels mode {}.", field.value),
                   "Use mix, or split to transcribe the first two channels separately.");
  }
  reading.form.split_channels = field.value == "split";
  return {};
}

FormProblem read_channel_labels(FormReading& reading, const FormField& field) {
  std::ranges::move(items_of(field.value), std::back_inserter(reading.form.channel_labels));
  return {};
}

FormProblem read_audio_track(FormReading& reading, const FormField& field) {
  auto track = parse_audio_track(field.value);
  if (!track) return FormError{track.error(), "audio_track"};
  reading.form.audio_track = *std::move(track);
  return {};
}

FormProblem read_line_option(FormReading& reading, const FormField& field) {
  const auto set = set_line_option("parameter ", field.name, field.value, reading.form.lines);
  return set ? FormProblem() : FormError{set.error(), field.name};
}

FormProblem read_timeline(FormReading& reading, const FormField& field) {
  if (std::ranges::find(timelines, field.value) == timelines.end()) {
    return invalid("timeline", fmt::format("There is no timeline {}.", field.value),
                   "Use player, or packed for the decoded audio without gaps.");
  }
  reading.form.timeline = field.value;
  return {};
}

FormProblem read_include(FormReading& reading, const FormField& field) {
  for (const auto& item : items_of(field.value)) {
    if (item.empty()) continue;
    if (item != "logprobs") {
      return invalid("include", fmt::format("There is no {} to include.", item), "Use logprobs.");
    }
    reading.form.options.token_logprobs = true;
  }
  return {};
}

FormProblem read_known_names(FormReading& reading, const FormField& field) {
  std::ranges::move(items_of(field.value), std::back_inserter(reading.known_names));
  return {};
}

FormProblem read_known_references(FormReading& reading, const FormField& field) {
  // The clips of a form came before its fields are read (ClipField): such a field is empty here.
  for (const auto& item : items_of(field.value)) {
    auto bytes = protocol::bytes_of_data_url(item);
    if (!bytes) {
      reading.known_clips.emplace_back();
    } else {
      reading.known_clips.emplace_back(BytesSource{*std::move(bytes), {}});
    }
  }
  return {};
}

FormProblem read_keep_alive(FormReading& reading, const FormField& field) {
  const auto time = parse_keep_alive(field.value);
  if (!time) return FormError{time.error(), "keep_alive"};
  reading.form.keep_alive_s = static_cast<double>(time->count()) / 1000;
  return {};
}

FormProblem read_upload(FormReading& reading, const FormField& field) {
  return read_text("upload", field.value, reading.form.upload, max_name_bytes);
}

FormProblem read_webhook(FormReading& reading, const FormField& field) {
  return read_text("webhook_url", field.value, reading.form.webhook, max_address_bytes);
}

FormProblem read_url(FormReading& reading, const FormField& field) {
  return read_text("url", field.value, reading.form.url, max_address_bytes);
}

FormProblem read_keep_results(FormReading& reading, const FormField& field) {
  const auto seconds = number_of(field.value);
  const double most = reading.limits.max_keep_results_s;
  if (!seconds || !(*seconds >= 1 && *seconds <= most)) {
    return invalid("keep_results_s",
                   fmt::format("The parameter keep_results_s must be a number from 1 to {}.", most),
                   "It is the number of seconds that the finished job is kept.");
  }
  reading.form.keep_results_s = *seconds;
  return {};
}

FormProblem read_priority(FormReading& reading, const FormField& field) {
  if (field.value != "normal" && field.value != "bulk") {
    return invalid("priority", "The parameter priority must be normal or bulk.",
                   "bulk jobs start only if no normal job is queued.");
  }
  reading.form.bulk = field.value == "bulk";
  return {};
}

FormProblem add_metadata(FormReading& reading, const std::string& key, const std::string& value) {
  auto& metadata = reading.form.metadata;
  metadata[key] = value;
  const bool fits = !key.empty() && key.size() <= max_metadata_key_bytes &&
                    value.size() <= max_metadata_value_bytes &&
                    metadata.size() <= max_metadata_pairs;
  if (fits && protocol::json::dump(nlohmann::json(metadata)).size() > max_metadata_bytes) {
    return invalid("metadata", fmt::format("The parameter metadata may have {} KiB as JSON.",
                                           max_metadata_bytes >> 10));
  }
  if (fits) return {};
  return invalid("metadata",
                 fmt::format("The parameter metadata may have {} pairs, with keys of 1 to {} bytes "
                             "and values of at most {}.",
                             max_metadata_pairs, max_metadata_key_bytes, max_metadata_value_bytes));
}

// The field is one pair, metadata[key]=value, or a JSON object of all pairs.
FormProblem read_metadata(FormReading& reading, const FormField& field) {
  const std::string_view name = field.name;
  if (const auto bracket = name.find('['); bracket != name.npos && name.ends_with(']')) {
    const auto key = name.substr(bracket + 1, name.size() - bracket - 2);
    return add_metadata(reading, std::string(key), field.value);
  }
  if (field.value.empty()) return {};
  const auto pairs = protocol::json::parse_object(field.value, {.values = most_list_items});
  const auto is_text = [](const nlohmann::json& value) { return value.is_string(); };
  if (!pairs || !std::all_of(pairs->begin(), pairs->end(), is_text)) {
    return invalid("metadata", "The parameter metadata must be a JSON object of texts.",
                   R"(As in {"call": "17"}, or as the field metadata[call].)");
  }
  for (const auto& [key, value] : pairs->items()) {
    if (auto problem = add_metadata(reading, key, value.get<std::string>())) {
      return problem;
    }
  }
  return {};
}

constexpr FormKinds all_forms{.transcriptions = true, .translations = true, .jobs = true};
constexpr FormKinds openai_forms{.transcriptions = true, .translations = true};
constexpr FormKinds not_translations{.transcriptions = true, .jobs = true};
constexpr FormKinds moot_in_translations{
    .transcriptions = true, .jobs = true, .is_moot_in_translations = true};
constexpr FormKinds jobs_only{.jobs = true};

constexpr std::array form_table{
    FormParameter{"model", all_forms, read_model},
    FormParameter{"response_format", all_forms, read_response_format, false, true},
    FormParameter{"temperature", all_forms, read_temperature},
    FormParameter{"language", all_forms, read_language},
    FormParameter{"languages", moot_in_translations, read_languages},
    FormParameter{"multilingual", not_translations, read_multilingual},
    FormParameter{"task", not_translations, read_task},
    FormParameter{"keywords", moot_in_translations, read_keywords},
    FormParameter{"timestamp_granularities", moot_in_translations, read_granularities, false, true},
    FormParameter{"stream", moot_in_translations, read_stream, false, true},
    FormParameter{"chunking_strategy", moot_in_translations, read_chunking, false, true},
    FormParameter{"include", moot_in_translations, read_include, false, true},
    FormParameter{"known_speaker_names", not_translations, read_known_names},
    FormParameter{"known_speaker_references", not_translations, read_known_references},
    FormParameter{"keep_alive", all_forms, read_keep_alive},
    FormParameter{"channels", all_forms, read_channels, false, true},
    FormParameter{"channel_labels", all_forms, read_channel_labels},
    FormParameter{"audio_track", all_forms, read_audio_track},
    FormParameter{"timeline", all_forms, read_timeline, false, true},
    FormParameter{"max_line_width", openai_forms, read_line_option},
    FormParameter{"max_line_count", openai_forms, read_line_option},
    FormParameter{"max_words_per_line", openai_forms, read_line_option},
    FormParameter{"highlight_words", openai_forms, read_line_option},
    FormParameter{"upload", all_forms, read_upload},
    FormParameter{"url", all_forms, read_url},
    FormParameter{"webhook_url", jobs_only, read_webhook},
    FormParameter{"keep_results_s", jobs_only, read_keep_results},
    FormParameter{"priority", jobs_only, read_priority, false, true},
    FormParameter{"metadata", jobs_only, read_metadata, true},
};

}  // namespace

std::span<const FormParameter> form_parameters() {
  return form_table;
}

std::string_view base_name(std::string_view name) {
  return name.substr(0, name.find('['));
}

}  // namespace server
