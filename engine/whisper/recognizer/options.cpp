#include "engine/whisper/recognizer/options.h"

#include <charconv>
#include <string_view>

#include "protocol/languages.h"
#include "protocol/option_table.h"

namespace engine {
namespace {

Error invalid(std::string message, std::string fix) {
  return {Errc::invalid_option, std::move(message), std::move(fix)};
}

Result<std::string> parse_language(const std::string& wanted, const Tokenizer& tokenizer) {
  if (wanted.empty()) return std::string();
  // A model may have languages that are not Whisper's.
  if (tokenizer.multilingual() && tokenizer.language_token(wanted)) return wanted;
  const auto code = protocol::language_code(wanted);
  if (!code || (tokenizer.multilingual() && !tokenizer.language_token(*code))) {
    return invalid("the language '" + wanted + "' is not one this model knows",
                   "Use a code such as en or de, a name such as german, or leave it out to have it "
                   "detected.");
  }
  if (!tokenizer.multilingual() && *code != "en") {
    return invalid("this model is English-only, not '" + wanted + "'",
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

// The text is "-1", "1,2,-1" or nothing.
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

Result<void> check_model(const protocol::TranscribeOptions& wanted, const Tokenizer& tokenizer) {
  if (tokenizer.multilingual()) return {};
  const char* fix = "Use a model without .en in its name, for instance base.";
  if (wanted.multilingual) {
    return invalid("this model is English-only, and cannot transcribe several languages", fix);
  }
  if (wanted.task == Task::translate) {
    return invalid("this model is English-only and cannot translate", fix);
  }
  return {};
}

Result<void> check_values(const protocol::TranscribeOptions& wanted) {
  if (auto problem = protocol::option_problem(wanted); !problem.empty()) {
    return invalid(std::move(problem), "");
  }
  if (wanted.temperatures.empty()) return invalid("no temperature was given", "Give at least one.");
  if (wanted.live_chunk && (wanted.long_form == LongForm::parallel || wanted.vad_filter ||
                            wanted.multilingual || !wanted.clip_timestamps.empty())) {
    return invalid(
        "a live transcription knows no parallel windows, no VAD filter, no clips and one "
        "language only",
        "Leave these options out, or transcribe the recording when it is whole.");
  }
  return {};
}

}  // namespace

Result<TranscriptionOptions> transcription_options(const protocol::TranscribeOptions& wanted,
                                                   const Tokenizer& tokenizer) {
  if (const auto fine = check_values(wanted); !fine) return fine.error();
  if (const auto fine = check_model(wanted, tokenizer); !fine) return fine.error();
  auto language = parse_language(wanted.language, tokenizer);
  if (!language) return language.error();
  auto languages = parse_languages(wanted.languages, tokenizer);
  if (!languages) return languages.error();
  auto suppress_ids = parse_token_list(wanted.suppress_tokens, tokenizer.n_vocab());
  if (!suppress_ids) return suppress_ids.error();

  TranscriptionOptions options{wanted, *std::move(suppress_ids)};
  options.language = *std::move(language);
  options.languages = *std::move(languages);
  // A choice of one needs no detection.
  if (options.language.empty() && options.languages.size() == 1) {
    options.language = options.languages.front();
  }
  return options;
}

}  // namespace engine
