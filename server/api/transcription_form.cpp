#include "server/api/transcription_form.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <boost/throw_exception.hpp>
#include <charconv>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "engine/text/languages.h"
#include "server/transcription/model_pool.h"

namespace server {
namespace {

constexpr std::size_t max_items = 1000;  // of an array, as of keywords

FormError invalid(std::string parameter, std::string message, std::string fix = {}) {
  return {{errc::usage, std::move(message), std::move(fix)}, std::move(parameter)};
}

FormError unsupported(std::string parameter, std::string message, std::string fix) {
  return {{errc::unsupported, std::move(message), std::move(fix)}, std::move(parameter)};
}

// A parameter's error; nothing: it was read.
using Problem = std::optional<FormError>;

// The items of an array: the field is one item, or JSON text of all of them.
std::vector<std::string> items_of(const std::string& value) {
  if (!value.starts_with('[')) return {value};
  const auto json = nlohmann::json::parse(value, nullptr, false);
  if (!json.is_array() || json.size() > max_items) return {value};
  std::vector<std::string> items;
  for (const auto& item : json) {
    if (!item.is_string()) return {value};
    items.push_back(item.get<std::string>());
  }
  return items;
}

std::optional<double> number(const std::string& text) {
  double value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// The form as it is being read.
struct Reading {
  TranscriptionForm form{};
  FormKind kind = FormKind::transcription;
  std::vector<std::string> keywords{};
  std::vector<std::string> languages{};
  std::vector<std::string> granularities{};
};

Problem read_model(Reading& reading, const std::string& value) {
  reading.form.model = value;
  return {};
}

FormError unknown_language(std::string parameter, const std::string& value) {
  return invalid(std::move(parameter), fmt::format("There is no language {}.", value),
                 "Give a code of ISO 639-1, as en or de, or leave it out.");
}

Problem read_language(Reading& reading, const std::string& value) {
  if (value.empty()) return {};
  const auto code = engine::language_code(value);
  if (!code) return unknown_language("language", value);
  reading.form.options.language = *code;
  return {};
}

Problem read_languages(Reading& reading, const std::string& value) {
  std::ranges::move(items_of(value), std::back_inserter(reading.languages));
  return {};
}

Problem read_multilingual(Reading& reading, const std::string& value) {
  if (value != "true" && value != "false") {
    return invalid("multilingual", "The parameter multilingual must be true or false.");
  }
  reading.form.options.multilingual = value == "true";
  return {};
}

Problem read_keywords(Reading& reading, const std::string& value) {
  std::ranges::move(items_of(value), std::back_inserter(reading.keywords));
  return {};
}

Problem read_prompt(Reading& reading, const std::string& value) {
  reading.form.options.initial_prompt = value;
  return {};
}

Problem read_response_format(Reading& reading, const std::string& value) {
  constexpr std::array known{"json", "text", "srt", "verbose_json", "vtt"};
  if (value == "diarized_json") {
    return unsupported("response_format", "Speakers cannot be told apart yet.",
                       "Use json, text, srt, verbose_json or vtt.");
  }
  if (std::ranges::find(known, value) == known.end()) {
    return invalid("response_format", fmt::format("There is no response_format {}.", value),
                   "Use json, text, srt, verbose_json or vtt.");
  }
  reading.form.response_format = value;
  return {};
}

Problem read_temperature(Reading& reading, const std::string& value) {
  const auto temperature = number(value);
  if (!temperature || !(*temperature >= 0 && *temperature <= 1)) {
    return invalid("temperature", "The temperature must be a number from 0 to 1.");
  }
  // 0 stands for the ladder of temperatures, which is the default.
  if (*temperature > 0) reading.form.options.temperatures = {*temperature};
  return {};
}

Problem read_granularities(Reading& reading, const std::string& value) {
  std::ranges::move(items_of(value), std::back_inserter(reading.granularities));
  return {};
}

Problem read_stream(Reading& reading, const std::string& value) {
  if (value != "true" && value != "false" && value != "null" && !value.empty()) {
    return invalid("stream", "The parameter stream must be true or false.");
  }
  reading.form.stream = value == "true";
  return {};
}

Problem read_chunking(Reading& reading, const std::string& value) {
  if (value.empty() || value == "null") return {};
  if (value == "auto") {
    reading.form.options.long_form = "parallel";
    return {};
  }
  return unsupported("chunking_strategy", "How sound is cut at silences cannot be chosen.",
                     "Use auto, or leave chunking_strategy out.");
}

Problem read_vad_filter(Reading& reading, const std::string& value) {
  if (value != "true" && value != "false") {
    return invalid("vad_filter", "The parameter vad_filter must be true or false.");
  }
  reading.form.options.vad_filter = value == "true";
  return {};
}

Problem refuse_include(Reading&, const std::string&) {
  return unsupported("include", "Log probabilities of tokens are not given yet.",
                     "Leave include out; verbose_json has avg_logprob of each segment.");
}

Problem refuse_speakers(Reading&, const std::string&) {
  return unsupported("known_speaker_names", "Speakers cannot be told apart yet.",
                     "Leave known_speaker_names and known_speaker_references out.");
}

Problem read_keep_alive(Reading& reading, const std::string& value) {
  const auto time = parse_keep_alive(value);
  if (!time) return FormError{time.error(), "keep_alive"};
  reading.form.keep_alive_s = static_cast<double>(time->count()) / 1000;
  return {};
}

Problem read_upload(Reading& reading, const std::string& value) {
  reading.form.upload = value;
  return {};
}

Problem read_webhook(Reading& reading, const std::string& value) {
  reading.form.webhook = value;
  return {};
}

struct Parameter {
  std::string_view name;
  bool in_translations;
  bool is_ours;  // not OpenAI's
  Problem (*read)(Reading& reading, const std::string& value);
};

constexpr std::array parameters{
    Parameter{"model", true, false, read_model},
    Parameter{"prompt", true, false, read_prompt},
    Parameter{"response_format", true, false, read_response_format},
    Parameter{"temperature", true, false, read_temperature},
    Parameter{"language", false, false, read_language},
    Parameter{"languages", false, false, read_languages},
    Parameter{"multilingual", false, true, read_multilingual},
    Parameter{"keywords", false, false, read_keywords},
    Parameter{"timestamp_granularities", false, false, read_granularities},
    Parameter{"stream", false, false, read_stream},
    Parameter{"chunking_strategy", false, false, read_chunking},
    Parameter{"include", false, false, refuse_include},
    Parameter{"known_speaker_names", false, false, refuse_speakers},
    Parameter{"known_speaker_references", false, false, refuse_speakers},
    Parameter{"keep_alive", true, true, read_keep_alive},
    Parameter{"vad_filter", true, true, read_vad_filter},
    Parameter{"upload", true, true, read_upload},
    Parameter{"webhook_url", false, true, read_webhook},
};

// "keywords[]" and "chunking_strategy[type]" are fields of what stands before the bracket.
std::string_view base_name(std::string_view name) {
  return name.substr(0, name.find('['));
}

Problem read_field(Reading& reading, const FormField& field) {
  const auto it = std::ranges::find(parameters, base_name(field.name), &Parameter::name);
  const bool is_webhook = it != parameters.end() && it->name == "webhook_url";
  const bool is_known = it != parameters.end() &&
                        (reading.kind != FormKind::translation || it->in_translations) &&
                        (!is_webhook || reading.kind == FormKind::job);
  if (!is_known) {
    return invalid(field.name, fmt::format("There is no parameter {} here.", field.name),
                   "Leave it out.");
  }
  return it->read(reading, field.value);
}

Problem check_languages(Reading& reading) {
  for (const auto& value : reading.languages) {
    const auto code = engine::language_code(value);
    if (!code) return unknown_language("languages", value);
    reading.form.options.languages.emplace_back(*code);
  }
  return {};
}

Problem check_granularities(Reading& reading) {
  if (reading.granularities.empty()) return {};
  protocol::openai::VerboseParts parts{.segments = false, .words = false};
  for (const auto& one : reading.granularities) {
    if (one != "word" && one != "segment") {
      return invalid("timestamp_granularities", fmt::format("There is no granularity {}.", one),
                     "Use word, segment or both.");
    }
    (one == "word" ? parts.words : parts.segments) = true;
  }
  // The transcript of a job is read in any format, later.
  if (reading.form.response_format != "verbose_json" && reading.kind != FormKind::job) {
    return invalid("timestamp_granularities",
                   "Granularities of timestamps need response_format=verbose_json.");
  }
  reading.form.parts = parts;
  reading.form.options.word_timestamps = parts.words;
  return {};
}

Problem check_stream(const Reading& reading) {
  const std::string& format = reading.form.response_format;
  if (!reading.form.stream || format == "json" || format == "text") return {};
  return unsupported("stream", "A stream is of text, without times.",
                     "Use response_format=json or text with stream, or leave stream out.");
}

}  // namespace

void throw_exception_from_error(const FormError& error, const boost::source_location&) {
  throw std::runtime_error(error.error.message);
}

boost::system::result<TranscriptionForm, FormError> read_form(
    const std::vector<FormField>& fields, FormKind kind,
    const protocol::TranscribeOptions& defaults) {
  Reading reading{.form = {.options = defaults}, .kind = kind};
  for (const auto& field : fields) {
    if (auto problem = read_field(reading, field)) return *std::move(problem);
  }
  if (auto problem = check_languages(reading)) return *std::move(problem);
  if (auto problem = check_granularities(reading)) return *std::move(problem);
  if (auto problem = check_stream(reading)) return *std::move(problem);
  if (reading.form.model.empty() && kind != FormKind::job) {
    return invalid("model", "The parameter model is missing.", "Name a model, for instance base.");
  }
  reading.form.options.hotwords = fmt::format("{}", fmt::join(reading.keywords, ", "));
  if (kind == FormKind::translation) reading.form.options.task = "translate";
  return std::move(reading.form);
}

}  // namespace server
