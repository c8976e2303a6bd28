#include "server/api/inference_form.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "protocol/option_table.h"
#include "protocol/subtitles/rules.h"
#include "server/options/line_options.h"
#include "server/options/option_values.h"
#include "server/options/set_option.h"

namespace server {
namespace {

// A field of whisper.cpp's, and the decoding option that it means.
struct InferenceField {
  std::string_view name;
  std::string_view option;
};
constexpr std::array value_fields{InferenceField{"prompt", "initial_prompt"},
                                  InferenceField{"beam_size", "beam_size"},
                                  InferenceField{"best_of", "best_of"},
                                  InferenceField{"logprob_thold", "logprob_threshold"},
                                  InferenceField{"no_speech_thold", "no_speech_threshold"},
                                  InferenceField{"subtitle_style", "subtitle_style"}};
constexpr std::array flag_fields{InferenceField{"carry_initial_prompt", "carry_initial_prompt"},
                                 InferenceField{"no_timestamps", "without_timestamps"},
                                 InferenceField{"vad", "vad_filter"},
                                 InferenceField{"diarize", "diarize"}};

bool is_true(std::string_view given) {
  const std::string text = lower_case(given);
  return text == "true" || text == "1" || text == "yes" || text == "on" || text == "y";
}

class InferenceReading {
 public:
  explicit InferenceReading(const protocol::TranscribeOptions& defaults) {
    form_.options = defaults;
  }

  Result<void> take(const FormField& field) {
    if (field.value.empty()) return {};  // a box that was left empty
    if (field.name == "language") return set("language", field.value);
    const auto taken = take_value(field);
    if (taken == Taken::unusable) form_.unusable.push_back(field.name);
    if (taken == Taken::unknown && !take_flag(field)) form_.ignored.push_back(field.name);
    return {};
  }

  InferenceForm finish() {
    set_temperatures();
    set_clip();
    // The words stand in the segments of that format.
    const bool wants_words = form_.response_format == "verbose_json";
    form_.options.word_timestamps |= wants_words && !form_.options.without_timestamps;
    const bool wants_times =
        has_line_option(form_.lines) ||
        protocol::subtitles::needs_word_times(form_.options, form_.response_format);
    form_.options.word_timestamps |= wants_times && !form_.options.without_timestamps;
    return std::move(form_);
  }

 private:
  Result<void> set(std::string_view option, const std::string& value) {
    return set_option(*protocol::find_option(option), "field " + std::string(option), value,
                      form_.options);
  }

  enum class Taken { yes, unusable, unknown };

  static Taken taken_if(bool is_fine) { return is_fine ? Taken::yes : Taken::unusable; }

  Taken take_value(const FormField& field) {
    if (field.name == "model") {
      form_.model = field.value;
      return Taken::yes;
    }
    if (field.name == "response_format") return taken_if(take_format(field.value));
    if (field.name == "temperature") return taken_if(take_number(field.value, temperature_));
    if (field.name == "temperature_inc")
      return taken_if(take_number(field.value, temperature_inc_));
    if (field.name == "offset_t") return taken_if(take_number(field.value, offset_ms_));
    if (field.name == "duration") return taken_if(take_number(field.value, duration_ms_));
    if (is_line_option(field.name)) {
      return taken_if(set_line_option("field ", field.name, field.value, form_.lines).has_value());
    }
    const auto found = std::ranges::find(value_fields, field.name, &InferenceField::name);
    if (found == value_fields.end()) return Taken::unknown;
    return taken_if(set(found->option, field.value).has_value());
  }

  bool take_flag(const FormField& field) {
    const bool value = is_true(field.value);
    if (field.name == "translate") {
      form_.options.task = value ? protocol::Task::translate : protocol::Task::transcribe;
      return true;
    }
    if (field.name == "detect_language") {
      form_.options.language_only = value;
      return true;
    }
    const auto found = std::ranges::find(flag_fields, field.name, &InferenceField::name);
    if (found == flag_fields.end()) return false;
    return set(found->option, value ? "true" : "false").has_value();
  }

  bool take_format(const std::string& format) {
    constexpr std::array known{"json", "text", "srt", "vtt", "verbose_json"};
    const std::string name = lower_case(format);
    const bool is_known = std::ranges::find(known, name) != known.end();
    form_.response_format = is_known ? name : "json";
    return is_known;
  }

  static bool take_number(const std::string& text, std::optional<double>& value) {
    const auto number = number_of(text);
    const bool is_fine = number && std::isfinite(*number) && *number >= 0;
    if (is_fine) value = *number;
    return is_fine;
  }

  void set_temperatures() {
    if (!temperature_ && !temperature_inc_) return;
    constexpr double usual_step = 0.2;
    const double step = temperature_inc_.value_or(usual_step);
    const auto increment = step > 0 ? std::optional(step) : std::nullopt;
    const auto ladder = fallback_temperatures({temperature_.value_or(0)}, increment);
    if (ladder) {
      form_.options.temperatures = *ladder;
    } else {
      form_.unusable.emplace_back("temperature");
    }
  }

  void set_clip() {
    const double begin_s = offset_ms_.value_or(0) / 1000;
    const double length_s = duration_ms_.value_or(0) / 1000;
    if (begin_s <= 0 && length_s <= 0) return;
    std::vector<double> ends{begin_s};
    if (length_s > 0) ends.push_back(begin_s + length_s);
    const auto& option = *protocol::find_option("clip_timestamps");
    const auto set = set_option_json(option, "field offset_t", ends, form_.options);
    if (!set) form_.unusable.emplace_back(offset_ms_ ? "offset_t" : "duration");
  }

  InferenceForm form_{};
  std::optional<double> temperature_{};
  std::optional<double> temperature_inc_{};
  std::optional<double> offset_ms_{};
  std::optional<double> duration_ms_{};
};

}  // namespace

Result<InferenceForm> read_inference_form(const std::vector<FormField>& fields,
                                          const protocol::TranscribeOptions& defaults) {
  InferenceReading reading(defaults);
  for (const auto& field : fields) {
    if (const auto taken = reading.take(field); !taken) return taken.error();
  }
  return reading.finish();
}

}  // namespace server
