#include "engine/worker/options.h"

#include <charconv>
#include <string_view>

#include "engine/text/languages.h"

namespace engine {
namespace {

Error invalid(std::string message, std::string fix) {
  return {Errc::invalid_option, std::move(message), std::move(fix)};
}

Result<std::string> parse_language(const std::string& wanted, const Tokenizer& tokenizer) {
  if (wanted.empty()) return std::string();
  const auto code = language_code(wanted);
  if (!code || (tokenizer.multilingual() && !tokenizer.language_token(*code))) {
    return invalid("the language '" + wanted + "' is not one this model knows",
                   "Use a code such as en or de, a name such as german, or leave it out to have it "
                   "detected.");
  }
  if (!tokenizer.multilingual() && *code != "en") {
    return invalid("this model knows English only, not '" + wanted + "'",
                   "Use a model without .en in its name, for instance base.");
  }
  return std::string(*code);
}

Result<std::vector<std::string>> parse_languages(const std::vector<std::string>& wanted,
                                                 const Tokenizer& tokenizer) {
  std::vector<std::string> codes;
  for (const std::string& language : wanted) {
    auto code = parse_language(language, tokenizer);
    if (!code) return code.error();
    if (code->empty()) return invalid("a language to choose from has no name", "Give a code.");
    codes.push_back(std::move(*code));
  }
  return codes;
}

Result<Task> parse_task(const std::string& wanted, const Tokenizer& tokenizer) {
  if (wanted == "transcribe") return Task::transcribe;
  if (wanted != "translate") {
    return invalid("the task '" + wanted + "' is not known", "Use transcribe or translate.");
  }
  if (!tokenizer.multilingual()) {
    return invalid("this model knows English only and cannot translate",
                   "Use a model without .en in its name, for instance base.");
  }
  return Task::translate;
}

Result<LongForm> parse_long_form(const std::string& wanted) {
  if (wanted == "auto" || wanted == "sequential") return LongForm::sequential;
  if (wanted == "parallel") return LongForm::parallel;
  return invalid("the long form '" + wanted + "' is not known",
                 "Use auto, sequential or parallel.");
}

Result<Fallback> parse_fallback(const std::string& wanted) {
  if (wanted == "best") return Fallback::best;
  if (wanted == "openai") return Fallback::openai;
  return invalid("the fallback '" + wanted + "' is not known", "Use best or openai.");
}

// "-1", "1,2,-1" or nothing.
Result<std::vector<int>> parse_token_list(std::string_view list, int n_vocab) {
  std::vector<int> ids;
  while (!list.empty()) {
    const auto comma = list.find(',');
    const std::string_view item = list.substr(0, comma);
    int id = 0;
    const auto [end, error] = std::from_chars(item.data(), item.data() + item.size(), id);
    if (error != std::errc() || end != item.data() + item.size() || id < -1 || id >= n_vocab) {
      return invalid("'" + std::string(item) + "' in the tokens to suppress is not a token",
                     "Give ids from 0 to " + std::to_string(n_vocab - 1) +
                         " separated by commas, or -1 for the non-speech symbols.");
    }
    ids.push_back(id);
    list.remove_prefix(comma == std::string_view::npos ? list.size() : comma + 1);
  }
  return ids;
}

Result<void> check_detection(const protocol::TranscribeOptions& wanted,
                             const Tokenizer& tokenizer) {
  if (wanted.multilingual && !tokenizer.multilingual()) {
    return invalid("this model knows English only, and no recording of several languages",
                   "Use a model without .en in its name, for instance base.");
  }
  if (wanted.multilingual && wanted.live_chunk) {
    return invalid("a live transcription knows one language only",
                   "Transcribe the recording when it is whole.");
  }
  if (wanted.language_detection_segments < 1) {
    return invalid("language detection needs at least 1 segment", "");
  }
  if (wanted.language_detection_candidates < 1 || wanted.language_detection_candidates > 5) {
    return invalid("language detection needs between 1 and 5 candidates", "");
  }
  if (!(wanted.language_detection_threshold >= 0 && wanted.language_detection_threshold <= 1)) {
    return invalid("the threshold of language detection must lie between 0 and 1", "");
  }
  return {};
}

Result<void> check_ranges(const protocol::TranscribeOptions& wanted) {
  if (wanted.temperatures.empty()) return invalid("no temperature was given", "Give at least one.");
  for (const double temperature : wanted.temperatures) {
    if (!(temperature >= 0 && temperature <= 2)) {
      return invalid("a temperature must lie between 0 and 2", "");
    }
  }
  if (wanted.beam_size < 0 || wanted.beam_size > 100) {
    return invalid("the beam size must lie between 0 and 100", "");
  }
  if (wanted.best_of < 1 || wanted.best_of > 100) {
    return invalid("best-of must lie between 1 and 100", "");
  }
  if (!(wanted.patience > 0)) {
    return invalid("the patience must lie above 0", "");
  }
  if (wanted.live_chunk && !(*wanted.live_chunk >= 0.2 && *wanted.live_chunk <= 10)) {
    return invalid("a live transcription takes in between 0.2 and 10 seconds at once", "");
  }
  if (wanted.live_chunk &&
      (wanted.long_form == "parallel" || wanted.vad_filter || !wanted.clip_timestamps.empty())) {
    return invalid("a live transcription knows no parallel windows, no VAD filter and no clips",
                   "Leave these options out, or transcribe the recording when it is whole.");
  }
  if (!(wanted.repetition_penalty > 0 && wanted.repetition_penalty <= 100)) {
    return invalid("the repetition penalty must lie above 0, and at 100 at most", "");
  }
  if (wanted.no_repeat_ngram_size < 0) {
    return invalid("the n-gram size that is not repeated must be at least 0", "");
  }
  if (wanted.sample_len && *wanted.sample_len < 1) {
    return invalid("the sample length must be at least 1", "");
  }
  return {};
}

}  // namespace

Result<TranscriptionOptions> transcription_options(const protocol::TranscribeOptions& wanted,
                                                   const Tokenizer& tokenizer) {
  const auto ranges = check_ranges(wanted);
  if (!ranges) return ranges.error();
  auto language = parse_language(wanted.language, tokenizer);
  if (!language) return language.error();
  auto languages = parse_languages(wanted.languages, tokenizer);
  if (!languages) return languages.error();
  const auto detection = check_detection(wanted, tokenizer);
  if (!detection) return detection.error();
  const auto task = parse_task(wanted.task, tokenizer);
  if (!task) return task.error();
  auto suppress_tokens = parse_token_list(wanted.suppress_tokens, tokenizer.n_vocab());
  if (!suppress_tokens) return suppress_tokens.error();
  const auto long_form = parse_long_form(wanted.long_form);
  if (!long_form) return long_form.error();
  const auto fallback = parse_fallback(wanted.fallback);
  if (!fallback) return fallback.error();

  TranscriptionOptions options;
  options.language = std::move(*language);
  options.languages = std::move(*languages);
  // A choice of one needs no detection.
  if (options.language.empty() && options.languages.size() == 1) {
    options.language = options.languages.front();
  }
  options.language_detection_segments = wanted.language_detection_segments;
  options.language_detection_threshold = wanted.language_detection_threshold;
  options.language_detection_candidates = wanted.language_detection_candidates;
  options.multilingual = wanted.multilingual;
  options.task = *task;
  options.temperatures = wanted.temperatures;
  options.beam_size = wanted.beam_size;
  options.best_of = wanted.best_of;
  options.patience = wanted.patience;
  options.length_penalty = wanted.length_penalty;
  options.suppress_tokens = std::move(*suppress_tokens);
  options.suppress_blank = wanted.suppress_blank;
  options.repetition_penalty = wanted.repetition_penalty;
  options.no_repeat_ngram_size = wanted.no_repeat_ngram_size;
  options.initial_prompt = wanted.initial_prompt;
  options.carry_initial_prompt = wanted.carry_initial_prompt;
  options.hotwords = wanted.hotwords;
  options.prefix = wanted.prefix;
  options.condition_on_previous_text = wanted.condition_on_previous_text;
  options.compression_ratio_threshold = wanted.compression_ratio_threshold;
  options.logprob_threshold = wanted.logprob_threshold;
  options.no_speech_threshold = wanted.no_speech_threshold;
  options.loop_detection = wanted.loop_detection;
  options.fallback = *fallback;
  options.clip_timestamps = wanted.clip_timestamps;
  options.without_timestamps = wanted.without_timestamps;
  options.max_initial_timestamp = wanted.max_initial_timestamp;
  options.sample_len = wanted.sample_len;
  options.seed = wanted.seed;
  options.word_timestamps = wanted.word_timestamps;
  options.prepend_punctuations = wanted.prepend_punctuations;
  options.append_punctuations = wanted.append_punctuations;
  options.hallucination_silence_threshold = wanted.hallucination_silence_threshold;
  options.long_form = *long_form;
  options.vad_filter = wanted.vad_filter;
  options.live_chunk = wanted.live_chunk;
  return options;
}

}  // namespace engine
