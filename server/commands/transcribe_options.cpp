#include "server/commands/transcribe_options.h"

#include <CLI/CLI.hpp>
#include <functional>
#include <set>
#include <utility>

#include "protocol/writers.h"
#include "server/commands/device_options.h"
#include "server/commands/input_options.h"
#include "server/commands/option_values.h"
#include "server/commands/parsed_option.h"
#include "server/transcription/text_limits.h"

namespace server {
namespace {

std::set<std::string> format_names() {
  const auto names = protocol::live_formats();
  return {names.begin(), names.end()};
}

void add_general(CLI::App& command, TranscribeArguments& a) {
  command.add_option("FILE", a.inputs, "Audio or video files; - is stdin")->required();
  command.add_option("--model", a.model, "Name of an installed model, or the path of one")
      ->type_name("MODEL")
      ->capture_default_str();
  command.add_option("--format", a.format, "Form of the transcript")
      ->check(CLI::IsMember(format_names()))
      ->capture_default_str();
  command
      .add_option("-o,--output", a.output,
                  "A file, a folder (gets one file per input), or - for stdout")
      ->type_name("FILE|DIR|-")
      ->capture_default_str();
  command.add_option("--threads", a.threads, "CPU threads; 0 is one per physical core")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  command.add_flag("-q,--quiet", a.quiet, "On stderr only errors, and a GPU that is not used");
}

void add_content(CLI::App& command, protocol::TranscribeOptions& o) {
  const char* group = "Content";
  add_parsed(command, "--language", o.language, parse_language,
             "Code or name of the spoken language; auto (default) detects it")
      ->type_name("LANGUAGE")
      ->group(group);
  add_parsed(command, "--languages", o.languages, parse_languages,
             "Languages that detection chooses among: en,de,fr (default: all)")
      ->group(group);
  command
      .add_option("--language-detection-segments", o.language_detection_segments,
                  "Windows of 30 s that detection hears, until one is sure")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str()
      ->group(group);
  command
      .add_option("--language-detection-threshold", o.language_detection_threshold,
                  "Probability above which a window is sure of its language")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str()
      ->group(group);
  command
      .add_option("--language-detection-candidates", o.language_detection_candidates,
                  "Where detection is unsure of a recording of 30 s at most, decode it in so many "
                  "languages and let the text decide, too; 1 is openai/whisper's detection")
      ->check(CLI::Range(1, 5))
      ->capture_default_str()
      ->group(group);
  add_parsed(command, "--multilingual", o.multilingual, parse_boolean,
             "Detect the language of each window anew (default false)")
      ->type_name("BOOL")
      ->group(group);
  command.add_option("--task", o.task, "Keep the language, or translate to English")
      ->check(CLI::IsMember({"transcribe", "translate"}))
      ->capture_default_str()
      ->group(group);
  command.add_option("--initial-prompt", o.initial_prompt, "Text that the first window continues")
      ->group(group);
  add_parsed(command, "--carry-initial-prompt", o.carry_initial_prompt, parse_boolean,
             "Give the prompt to every window (default false)")
      ->type_name("BOOL")
      ->group(group);
  command.add_option("--hotwords", o.hotwords, "Words to expect, such as names")->group(group);
  command
      .add_option("--prefix", o.prefix,
                  "Text that every window is taken to begin with; it is not written")
      ->group(group);
  add_parsed(command, "--clip-timestamps", o.clip_timestamps, parse_clip_timestamps,
             "Parts to transcribe, in seconds: start,end,start,end,… (default 0, everything)")
      ->group(group);
  add_parsed(command, "--condition-on-previous-text", o.condition_on_previous_text, parse_boolean,
             "Each window continues the text before it (default true)")
      ->type_name("BOOL")
      ->group(group);
  command
      .add_option("--long-form", o.long_form,
                  "Windows one after the other, or cut in silences and several at once")
      ->check(CLI::IsMember({"auto", "sequential", "parallel"}))
      ->capture_default_str()
      ->group(group);
  add_parsed(command, "--vad-filter", o.vad_filter, parse_boolean,
             "No text where Silero VAD finds no speech (default false)")
      ->type_name("BOOL")
      ->group(group);
}

void add_search(CLI::App& command, TranscribeArguments& a) {
  const char* group = "Search";
  auto& o = a.options;
  command.add_option("--beam-size", o.beam_size, "Beams at temperature 0; 1 is greedy")
      ->check(CLI::Range(1, 100))
      ->capture_default_str()
      ->group(group);
  command.add_option("--best-of", o.best_of, "Samples at other temperatures")
      ->check(CLI::Range(1, 100))
      ->capture_default_str()
      ->group(group);
  command.add_option("--patience", o.patience, "Beam search goes on for beam size × this many")
      ->check(CLI::PositiveNumber)
      ->capture_default_str()
      ->group(group);
  add_parsed(command, "--length-penalty", o.length_penalty, parse_optional_number,
             "Exponent of the length penalty, 0 to 1 (default none: plain length)")
      ->group(group);
  command
      .add_option("--suppress-tokens", o.suppress_tokens,
                  "Token ids never to say; -1 stands for non-speech symbols")
      ->capture_default_str()
      ->group(group);
  command
      .add_option("--repetition-penalty", o.repetition_penalty,
                  "Above 1, tokens that a window already has are less likely")
      ->check(CLI::Range(0.01, 100.0))
      ->capture_default_str()
      ->group(group);
  command
      .add_option("--no-repeat-ngram-size", o.no_repeat_ngram_size,
                  "So many tokens in a row occur only once in a window; 0 is no rule")
      ->check(CLI::Range(0, 448))
      ->capture_default_str()
      ->group(group);
  add_parsed(command, "--temperature", a.temperature, parse_numbers,
             "First temperature, or a list of those to try (default 0)")
      ->group(group);
  add_parsed(command, "--temperature-increment-on-fallback", a.temperature_increment,
             parse_optional_number,
             "Step to the next one when a window fails (default 0.2; none: no other)")
      ->group(group);
  command.add_option("--seed", o.seed, "Of the sampling at temperatures above 0")
      ->capture_default_str()
      ->group(group);
}

void add_thresholds(CLI::App& command, protocol::TranscribeOptions& o) {
  const char* group = "A window fails, or is silence";
  add_parsed(command, "--compression-ratio-threshold", o.compression_ratio_threshold,
             parse_optional_number, "Above it the text repeats itself (default 2.4)")
      ->group(group);
  add_parsed(command, "--logprob-threshold", o.logprob_threshold, parse_optional_number,
             "Below this average log probability the text is unsure (default -1)")
      ->group(group);
  add_parsed(command, "--no-speech-threshold", o.no_speech_threshold, parse_optional_number,
             "Above it an unsure window counts as silence (default 0.6)")
      ->group(group);
  add_parsed(command, "--loop-detection", o.loop_detection, parse_boolean,
             "A window fails whose text ends in a loop (default true)")
      ->type_name("BOOL")
      ->group(group);
  command
      .add_option("--fallback", o.fallback,
                  "Which text counts where a window fails at every temperature: the best, or the "
                  "last, as in openai/whisper")
      ->check(CLI::IsMember({"best", "openai"}))
      ->capture_default_str()
      ->group(group);
}

void add_words(CLI::App& command, TranscribeArguments& a) {
  const char* group = "Times of words";
  auto& o = a.options;
  add_parsed(command, "--word-timestamps", o.word_timestamps, parse_boolean,
             "Find when each word is said (default false)")
      ->type_name("BOOL")
      ->group(group);
  command
      .add_option("--prepend-punctuations", o.prepend_punctuations,
                  "Signs that go to the word after them")
      ->capture_default_str()
      ->group(group);
  command
      .add_option("--append-punctuations", o.append_punctuations,
                  "Signs that go to the word before them")
      ->capture_default_str()
      ->group(group);
  add_parsed(command, "--hallucination-silence-threshold", o.hallucination_silence_threshold,
             parse_optional_number,
             "Drop words that seem made up next to silences longer than this, in seconds "
             "(default none)")
      ->group(group);
  add_parsed(command, "--highlight-words", a.writer.highlight_words, parse_boolean,
             "srt and vtt: underline each word as it is said (default false)")
      ->type_name("BOOL")
      ->group(group);
  const auto limit = CLI::Range(1, 10000);
  command.add_option("--max-line-width", a.writer.max_line_width, "srt and vtt: characters a line")
      ->check(limit)
      ->group(group);
  command
      .add_option("--max-line-count", a.writer.max_line_count,
                  "srt and vtt: lines a subtitle, with --max-line-width")
      ->check(limit)
      ->group(group);
  command
      .add_option("--max-words-per-line", a.writer.max_words_per_line,
                  "srt and vtt: words a subtitle, without --max-line-width")
      ->check(limit)
      ->group(group);
}

// The first option given that has no meaning without the times of words; null: none.
const char* needs_words(const protocol::WriterOptions& writer) {
  if (writer.highlight_words) return "--highlight-words";
  if (writer.max_line_width) return "--max-line-width";
  if (writer.max_line_count) return "--max-line-count";
  if (writer.max_words_per_line) return "--max-words-per-line";
  return nullptr;
}

Result<void> check_texts(const protocol::TranscribeOptions& options) {
  const std::pair<const char*, const std::string&> texts[] = {
      {"option --initial-prompt", options.initial_prompt},
      {"option --hotwords", options.hotwords},
      {"option --prefix", options.prefix},
      {"option --suppress-tokens", options.suppress_tokens},
      {"option --prepend-punctuations", options.prepend_punctuations},
      {"option --append-punctuations", options.append_punctuations}};
  for (const auto& [option, text] : texts) {
    if (auto fits = check_bytes(option, text.size(), max_text_bytes); !fits) return fits;
  }
  return check_count("option --languages", options.languages.size(), max_languages);
}

}  // namespace

void add_transcribe_options(CLI::App& command, TranscribeArguments& arguments) {
  add_general(command, arguments);
  add_device_options(command, arguments.device);
  add_content(command, arguments.options);
  add_search(command, arguments);
  add_thresholds(command, arguments.options);
  add_words(command, arguments);
  add_input_options(command, arguments);
}

Result<void> finish_options(TranscribeArguments& arguments) {
  if (auto ok = finish_input_options(arguments); !ok) return ok;
  if (auto ok = check_texts(arguments.options); !ok) return ok;
  auto temperatures = fallback_temperatures(arguments.temperature, arguments.temperature_increment);
  if (!temperatures) return temperatures.error();
  arguments.options.temperatures = *std::move(temperatures);
  const char* option = needs_words(arguments.writer);
  if (option != nullptr && !arguments.options.word_timestamps) {
    return Error{errc::usage, std::string(option) + " needs the times of words",
                 "Add --word-timestamps true."};
  }
  return {};
}

std::vector<std::string> useless_options(const TranscribeArguments& arguments) {
  const auto& options = arguments.options;
  const auto& writer = arguments.writer;
  std::vector<std::string> warnings;
  if (writer.max_line_count && !writer.max_line_width) {
    warnings.emplace_back("--max-line-count has no effect without --max-line-width");
  }
  if (writer.max_words_per_line && writer.max_line_width) {
    warnings.emplace_back("--max-words-per-line has no effect with --max-line-width");
  }
  if (options.hallucination_silence_threshold && !options.word_timestamps) {
    warnings.emplace_back(
        "--hallucination-silence-threshold has no effect without --word-timestamps true");
  }
  if (!options.language.empty() && !options.languages.empty() && !options.multilingual) {
    warnings.emplace_back("--languages has no effect with --language");
  }
  if (options.word_timestamps && options.task == "translate") {
    warnings.emplace_back("the times of words in a translation may be wrong");
  }
  return warnings;
}

}  // namespace server
