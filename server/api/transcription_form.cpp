#include "server/api/transcription_form.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

#include "protocol/option_table.h"
#include "server/options/set_option.h"
#include "server/options/text_limits.h"
#include "server/transcription/model_pool.h"

namespace server {
namespace {

// The state of a form while it is being read.
struct Reading {
  TranscriptionForm form{};
  FormKind kind = FormKind::transcription;
  std::vector<std::string> keywords{};
  std::vector<std::string> languages{};
  std::vector<std::string> granularities{};
};

FormProblem read_model(Reading& reading, const std::string& value) {
  return read_text("model", value, reading.form.model, max_name_bytes);
}

FormProblem read_language(Reading& reading, const std::string& value) {
  const auto set = set_option(*protocol::find_option("language"), "parameter language", value,
                              reading.form.options);
  return set ? FormProblem() : FormError{set.error(), "language"};
}

FormProblem read_languages(Reading& reading, const std::string& value) {
  std::ranges::move(items_of(value), std::back_inserter(reading.languages));
  return {};
}

FormProblem read_multilingual(Reading& reading, const std::string& value) {
  return read_flag("multilingual", value, reading.form.options.multilingual);
}

FormProblem read_keywords(Reading& reading, const std::string& value) {
  std::ranges::move(items_of(value), std::back_inserter(reading.keywords));
  return {};
}

FormProblem read_response_format(Reading& reading, const std::string& value) {
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

FormProblem read_temperature(Reading& reading, const std::string& value) {
  const auto temperature = number_of(value);
  if (!temperature || !(*temperature >= 0 && *temperature <= 1)) {
    return invalid("temperature", "The temperature must be a number from 0 to 1.");
  }
  // 0 means the ladder of temperatures, which is the default.
  if (*temperature > 0) reading.form.options.temperatures = {*temperature};
  return {};
}

FormProblem read_granularities(Reading& reading, const std::string& value) {
  std::ranges::move(items_of(value), std::back_inserter(reading.granularities));
  return {};
}

FormProblem read_stream(Reading& reading, const std::string& value) {
  if (value != "true" && value != "false" && value != "null" && !value.empty()) {
    return invalid("stream", "The parameter stream must be true or false.");
  }
  reading.form.stream = value == "true";
  return {};
}

FormProblem read_chunking(Reading& reading, const std::string& value) {
  if (value.empty() || value == "null") return {};
  if (value == "auto") {
    reading.form.options.long_form = protocol::LongForm::parallel;
    return {};
  }
  return unsupported("chunking_strategy", "How sound is cut at silences cannot be chosen.",
                     "Use auto, or leave chunking_strategy out.");
}

FormProblem read_channels(Reading& reading, const std::string& value) {
  if (value != "mix" && value != "split") {
    return invalid("channels", fmt::format("There is no way {} to take channels.", value),
                   "Use mix, or split: the first two channels each by itself.");
  }
  reading.form.split_channels = value == "split";
  return {};
}

FormProblem read_channel_labels(Reading& reading, const std::string& value) {
  std::ranges::move(items_of(value), std::back_inserter(reading.form.channel_labels));
  return {};
}

FormProblem refuse_include(Reading&, const std::string&) {
  return unsupported("include", "Log probabilities of tokens are not given yet.",
                     "Leave include out; verbose_json has avg_logprob of each segment.");
}

FormProblem refuse_speakers(Reading&, const std::string&) {
  return unsupported("known_speaker_names", "Speakers cannot be told apart yet.",
                     "Leave known_speaker_names and known_speaker_references out.");
}

FormProblem read_keep_alive(Reading& reading, const std::string& value) {
  const auto time = parse_keep_alive(value);
  if (!time) return FormError{time.error(), "keep_alive"};
  reading.form.keep_alive_s = static_cast<double>(time->count()) / 1000;
  return {};
}

FormProblem read_upload(Reading& reading, const std::string& value) {
  return read_text("upload", value, reading.form.upload, max_name_bytes);
}

FormProblem read_webhook(Reading& reading, const std::string& value) {
  return read_text("webhook_url", value, reading.form.webhook, max_address_bytes);
}

struct Parameter {
  std::string_view name;
  bool in_translations;
  FormProblem (*read)(Reading& reading, const std::string& value);
};

constexpr std::array parameters{
    Parameter{"model", true, read_model},
    Parameter{"response_format", true, read_response_format},
    Parameter{"temperature", true, read_temperature},
    Parameter{"language", false, read_language},
    Parameter{"languages", false, read_languages},
    Parameter{"multilingual", false, read_multilingual},
    Parameter{"keywords", false, read_keywords},
    Parameter{"timestamp_granularities", false, read_granularities},
    Parameter{"stream", false, read_stream},
    Parameter{"chunking_strategy", false, read_chunking},
    Parameter{"include", false, refuse_include},
    Parameter{"known_speaker_names", false, refuse_speakers},
    Parameter{"known_speaker_references", false, refuse_speakers},
    Parameter{"keep_alive", true, read_keep_alive},
    Parameter{"channels", true, read_channels},
    Parameter{"channel_labels", true, read_channel_labels},
    Parameter{"upload", true, read_upload},
    Parameter{"webhook_url", false, read_webhook},
};

// "keywords[]" and "chunking_strategy[type]" are fields of the name before the bracket.
std::string_view base_name(std::string_view name) {
  return name.substr(0, name.find('['));
}

// Finds the decoding option that forms have under its own name or OpenAI's; nullptr: there is none.
const protocol::Option* find_option(std::string_view name) {
  const auto table = protocol::option_table();
  const auto found = std::ranges::find_if(table, [name](const protocol::Option& option) {
    return option.offered.in_forms && (option.name == name || option.alias == name);
  });
  return found == table.end() ? nullptr : &*found;
}

FormProblem read_option(Reading& reading, const protocol::Option& option, const FormField& field) {
  const auto set = set_option(option, "parameter " + field.name, field.value, reading.form.options);
  return set ? FormProblem() : FormError{set.error(), field.name};
}

FormProblem read_field(Reading& reading, const FormField& field) {
  if (const auto* option = find_option(field.name)) return read_option(reading, *option, field);
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

FormProblem check_channels(const Reading& reading) {
  const auto fine = check_labels("parameter channel_labels", reading.form.channel_labels,
                                 reading.form.split_channels);
  return fine ? FormProblem() : FormError{fine.error(), "channel_labels"};
}

FormProblem check_keywords(Reading& reading) {
  if (reading.keywords.empty()) return {};
  const std::string hotwords = fmt::format("{}", fmt::join(reading.keywords, ", "));
  return read_text("keywords", hotwords, reading.form.options.hotwords, max_text_bytes);
}

FormProblem check_languages(Reading& reading) {
  if (reading.languages.empty()) return {};
  const auto set = set_option_json(*protocol::find_option("languages"), "parameter languages",
                                   reading.languages, reading.form.options);
  return set ? FormProblem() : FormError{set.error(), "languages"};
}

FormProblem check_granularities(Reading& reading) {
  if (reading.granularities.empty()) return {};
  protocol::openai::VerboseParts parts{.segments = false, .words = false};
  for (const auto& one : reading.granularities) {
    if (one != "word" && one != "segment") {
      return invalid("timestamp_granularities", fmt::format("There is no granularity {}.", one),
                     "Use word, segment or both.");
    }
    (one == "word" ? parts.words : parts.segments) = true;
  }
  // A job's transcript is read in any format, later.
  if (reading.form.response_format != "verbose_json" && reading.kind != FormKind::job) {
    return invalid("timestamp_granularities",
                   "Granularities of timestamps need response_format=verbose_json.");
  }
  reading.form.parts = parts;
  reading.form.options.word_timestamps |= parts.words;
  return {};
}

FormProblem check_stream(const Reading& reading) {
  const std::string& format = reading.form.response_format;
  if (!reading.form.stream || format == "json" || format == "text") return {};
  return unsupported("stream", "A stream is of text, without times.",
                     "Use response_format=json or text with stream, or leave stream out.");
}

}  // namespace

boost::system::result<TranscriptionForm, FormError> read_form(
    const std::vector<FormField>& fields, FormKind kind,
    const protocol::TranscribeOptions& defaults) {
  Reading reading{.form = {.options = defaults}, .kind = kind};
  for (const auto& field : fields) {
    if (auto problem = read_field(reading, field)) return *std::move(problem);
  }
  if (auto problem = check_keywords(reading)) return *std::move(problem);
  if (auto problem = check_languages(reading)) return *std::move(problem);
  if (auto problem = check_granularities(reading)) return *std::move(problem);
  if (auto problem = check_stream(reading)) return *std::move(problem);
  if (auto problem = check_channels(reading)) return *std::move(problem);
  if (reading.form.model.empty() && kind != FormKind::job) {
    return invalid("model", "The parameter model is missing.", "Name a model, for instance base.");
  }
  // The rule compares the times of words.
  auto& options = reading.form.options;
  options.word_timestamps |= options.hallucination_silence_threshold.has_value();
  if (kind == FormKind::translation) reading.form.options.task = protocol::Task::translate;
  return std::move(reading.form);
}

}  // namespace server
