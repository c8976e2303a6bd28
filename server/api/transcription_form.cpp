#include "server/api/transcription_form.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "protocol/known_speaker.h"
#include "protocol/option_table.h"
#include "protocol/subtitles/rules.h"
#include "server/api/form_parameters.h"
#include "server/api/format_fit.h"
#include "server/api/one_edit.h"
#include "server/options/line_options.h"
#include "server/options/option_values.h"
#include "server/options/set_option.h"
#include "server/options/text_limits.h"
#include "server/submission/model_name.h"

namespace server {
namespace {

constexpr char known_names[] = "known_speaker_names";
constexpr char known_references[] = "known_speaker_references";

// Finds the decoding option that forms have under its own name or OpenAI's; nullptr: there is none.
const protocol::Option* find_option(std::string_view name) {
  const auto table = protocol::option_table();
  const auto found = std::ranges::find_if(table, [name](const protocol::Option& option) {
    return option.offered.in_forms && (option.name == name || option.alias == name);
  });
  return found == table.end() ? nullptr : &*found;
}

FormProblem read_option(FormReading& reading, const protocol::Option& option,
                        const FormField& field) {
  const auto set = set_option(option, "parameter " + field.name, field.value, reading.form.options);
  return set ? FormProblem() : FormError{set.error(), field.name};
}

FormError no_such_parameter(const std::string& name, std::string fix) {
  return {{errc::unknown_parameter, fmt::format("There is no parameter {} here.", name),
           std::move(fix)},
          name};
}

// Returns the name of this form that `name` is a mistyped form of; empty: there is none.
std::string_view meant_by(const FormReading& reading, std::string_view name) {
  const auto is_meant = [typed = base_name(name)](std::string_view known) {
    return is_one_edit_apart(typed, known);
  };
  if (is_meant("file")) return "file";
  for (const auto& parameter : form_parameters()) {
    if (parameter.kinds.has(reading.kind) && is_meant(parameter.name)) return parameter.name;
  }
  for (const auto& option : protocol::option_table()) {
    if (option.offered.in_forms && is_meant(option.client_name())) return option.client_name();
  }
  return {};
}

// An empty text may be a value: it takes the default prompt away.
bool holds_text(const protocol::Option& option) {
  return std::holds_alternative<protocol::OptionField<std::string>>(option.member);
}

// A field that was left empty, as forms with blank boxes send them, asks for nothing.
FormProblem read_field(FormReading& reading, const FormField& field) {
  if (const auto* option = find_option(field.name)) {
    if (field.value.empty() && !holds_text(*option)) return {};
    return read_option(reading, *option, field);
  }
  const auto table = form_parameters();
  const auto it = std::ranges::find(table, base_name(field.name), &FormParameter::name);
  if (it != table.end()) {
    const bool may_be_empty = it->takes_empty && it->kinds.has(reading.kind);
    if (field.value.empty() && !may_be_empty) return {};
    if (!it->kinds.has(reading.kind)) {
      if (reading.kind == FormKind::translation && it->kinds.is_moot_in_translations) {
        reading.form.ignored.push_back(field.name);
        return {};
      }
      const bool is_of_transcript = reading.kind == FormKind::job && is_line_option(field.name);
      return no_such_parameter(field.name,
                               is_of_transcript
                                   ? "Submit the job with word_timestamps=true, and give it to GET "
                                     "/v1/jobs/ID/transcript."
                                   : "Leave it out.");
    }
    if (!it->has_names) return it->read(reading, field);
    return it->read(reading, {field.name, lower_case(field.value)});
  }
  if (const auto meant = meant_by(reading, field.name); !meant.empty()) {
    return no_such_parameter(field.name, fmt::format("Did you mean {}?", meant));
  }
  reading.form.ignored.push_back(field.name);
  return {};
}

// OpenAI's strategies cut at silences, as parallel windows do; server_vad is the VAD filter, too.
void take_chunking(FormReading& reading) {
  if (reading.chunking.empty()) return;
  auto& options = reading.form.options;
  const bool is_parallel = options.long_form == protocol::LongForm::parallel;
  reading.form.needs_vad_for_chunks = !options.vad_filter && !is_parallel;
  options.long_form = protocol::LongForm::parallel;
  options.vad_filter |= reading.chunking == "server_vad";
}

FormProblem check_channels(const FormReading& reading) {
  const auto fine = check_labels("parameter channel_labels", reading.form.channel_labels,
                                 reading.form.split_channels);
  return fine ? FormProblem() : FormError{fine.error(), "channel_labels"};
}

FormProblem check_known_speakers(FormReading& reading) {
  const auto& names = reading.known_names;
  auto& clips = reading.known_clips;
  if (names.size() != clips.size()) {
    return invalid(
        names.size() > clips.size() ? known_references : known_names,
        fmt::format("There are {} speaker names and {} voice samples.", names.size(), clips.size()),
        "Give known_speaker_names and known_speaker_references in the same order.");
  }
  const auto fine = protocol::check_known_names(names, reading.form.options.num_speakers);
  if (!fine) return FormError{fine.error(), known_names};
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!clips[i]) {
      return invalid(known_references,
                     fmt::format("The voice sample of {} is not a data URL.", names[i]),
                     "As in data:audio/wav;base64,UklGR…, with the whole file in Base64.");
    }
    reading.form.known_speakers.push_back({names[i], *std::move(clips[i])});
  }
  reading.form.options.diarize |= !names.empty();
  return {};
}

FormProblem check_keywords(FormReading& reading) {
  if (reading.keywords.empty()) return {};
  const std::string hotwords = fmt::format("{}", fmt::join(reading.keywords, ", "));
  return read_text("keywords", hotwords, reading.form.options.hotwords, max_text_bytes);
}

FormProblem check_languages(FormReading& reading) {
  if (reading.languages.empty()) return {};
  const auto set = set_option_json(*protocol::find_option("languages"), "parameter languages",
                                   reading.languages, reading.form.options);
  return set ? FormProblem() : FormError{set.error(), "languages"};
}

}  // namespace

boost::system::result<TranscriptionForm, FormError> read_form(
    const std::vector<FormField>& fields, FormKind kind,
    const protocol::TranscribeOptions& defaults, const FormLimits& limits,
    std::vector<SentClip> clips) {
  FormReading reading{.form = {.options = defaults}, .kind = kind, .limits = limits};
  for (auto& clip : clips) {
    reading.known_clips.emplace_back();
    if (clip) reading.known_clips.back().emplace(ReceivedSource{*std::move(clip), {}});
  }
  for (const auto& field : fields) {
    if (auto problem = read_field(reading, field)) return *std::move(problem);
  }
  if (auto problem = check_keywords(reading)) return *std::move(problem);
  if (auto problem = check_languages(reading)) return *std::move(problem);
  if (auto problem = fit_granularities(reading)) return *std::move(problem);
  take_chunking(reading);
  fit_stream(reading);
  fit_include(reading);
  if (auto problem = check_channels(reading)) return *std::move(problem);
  if (auto problem = check_known_speakers(reading)) return *std::move(problem);
  // An empty model is the default one.
  const bool names_model = std::ranges::find(fields, "model", &FormField::name) != fields.end();
  if (!names_model && kind != FormKind::job) {
    return FormError{{errc::missing_parameter, "The parameter model is missing.",
                      "Name a model, for instance base."},
                     "model"};
  }
  auto& options = reading.form.options;
  options.diarize |= is_diarizing_model(reading.form.model);
  // The rule compares the times of words, and a layout follows them.
  options.word_timestamps |= options.hallucination_silence_threshold.has_value();
  options.word_timestamps |= has_line_option(reading.form.lines);
  if (kind == FormKind::translation) options.task = protocol::Task::translate;
  options.word_timestamps |=
      protocol::subtitles::needs_word_times(options, reading.form.response_format);
  return std::move(reading.form);
}

}  // namespace server
