#include "server/commands/transcribe_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "protocol/docx/transcript_files.h"
#include "protocol/option_table.h"
#include "protocol/subtitles/layout.h"
#include "protocol/subtitles/rules.h"
#include "protocol/turn_writers.h"
#include "protocol/writers.h"
#include "server/commands/device_options.h"
#include "server/commands/form_fields.h"
#include "server/commands/input_options.h"
#include "server/commands/output_plan.h"
#include "server/commands/parsed_option.h"
#include "server/commands/speaker_options.h"
#include "server/models/helper_models.h"
#include "server/options/option_schema.h"
#include "server/options/option_values.h"
#include "server/options/set_option.h"

namespace server {
namespace {

std::set<std::string> format_names(const TranscribeArguments& arguments) {
  if (arguments.only_speakers) {
    const auto turns = protocol::turn_formats();
    return {turns.begin(), turns.end()};
  }
  const auto names = protocol::live_formats();
  std::set<std::string> all(names.begin(), names.end());
  all.emplace(protocol::docx_format);
  return all;
}

// Those of openai/whisper's --output_format all.
constexpr std::array whispers_formats{"txt", "vtt", "srt", "tsv", "json"};
constexpr char all_formats[] = "all";

std::set<std::string> format_choices(const TranscribeArguments& arguments) {
  auto names = format_names(arguments);
  if (!arguments.only_speakers) names.emplace(all_formats);
  return names;
}

void add_output(CLI::App& command, TranscribeArguments& a) {
  command
      .add_option("-o,--output", a.output,
                  "A file, a folder (gets one file per input), or - for stdout")
      ->type_name("FILE|DIR|-")
      ->capture_default_str();
  command.add_flag("--skip-existing", a.skip_existing, "Skip inputs whose output file exists");
  command.add_flag("--keep-partial", a.keep_partial,
                   "If a transcription is interrupted, keep its text as NAME.partial");
  command.add_option("--threads", a.threads, "CPU threads; 0 is one per physical core")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  command.add_flag("-q,--quiet", a.quiet, "Print only errors to stderr, and why a GPU is not used");
}

// Several formats are one argument, so that the next word is a file.
void add_format(CLI::App& command, TranscribeArguments& a, const std::string& help) {
  command.add_option("-f,--format", a.formats, help)
      ->check(CLI::IsMember(format_choices(a)))
      ->delimiter(',')
      ->allow_extra_args(false)
      ->default_str("txt");
}

void add_general(CLI::App& command, TranscribeArguments& a) {
  command.add_option("FILE", a.inputs, "Audio or video files; - is stdin")->required();
  command.add_option("--model", a.model, "Name of an installed model, or the path of a model")
      ->type_name("MODEL")
      ->capture_default_str();
  add_format(
      command, a,
      "Output format; several as srt,json, or all; default: from the name of --output, else txt");
  add_output(command, a);
  command
      .add_option("--server", a.connection.server,
                  "Transcribe on this server, as http://HOST:PORT or unix:/PATH")
      ->type_name("URL");
  command
      .add_option("--api-key-file", a.connection.key_file,
                  "File with the API key for that server; also $SCRIBED_API_KEY")
      ->type_name("FILE");
}

// Returns what the shell's completion and --help show of an option's values.
std::string type_name(const protocol::Option& option) {
  if (option.name == "language") return "LANGUAGE";
  const auto schema = option_schema(option);
  const auto& value = schema.contains("anyOf") ? schema["anyOf"][0] : schema;
  const std::string type = value["type"];
  if (value.contains("enum")) {
    return fmt::format("TEXT:{{{}}}",
                       fmt::join(value["enum"].get<std::vector<std::string>>(), ","));
  }
  std::string name = type == "boolean"   ? "BOOL"
                     : type == "integer" ? "INT"
                     : type == "number"  ? "FLOAT"
                                         : "TEXT";
  if (value.contains("minimum") && value.contains("maximum")) {
    name += fmt::format(" in [{} - {}]", value["minimum"].dump(), value["maximum"].dump());
  }
  return name;
}

std::string default_text(const protocol::Option& option) {
  const auto value = protocol::option_value(option, {});
  if (value.is_null()) return "none";
  return value.is_string() ? value.get<std::string>() : value.is_array() ? "" : value.dump();
}

void add_option(CLI::App& command, const protocol::Option& option,
                protocol::TranscribeOptions& options) {
  std::string flag = "--" + std::string(option.name);
  std::ranges::replace(flag, '_', '-');
  const auto set = [flag, &option, &options](const std::string& text) {
    const auto done = set_option(option, "option " + flag, text, options);
    if (done) return;
    const Error& error = done.error();
    throw CLI::ValidationError(error.fix.empty() ? error.message
                                                 : error.message + "\n" + error.fix);
  };
  command.add_option_function<std::string>(flag, set, std::string(option.help))
      ->type_name(type_name(option))
      ->default_str(default_text(option))
      ->group(std::string(option.group));
}

void add_temperatures(CLI::App& command, TranscribeArguments& a) {
  const char* group = "Search";
  add_parsed(command, "--temperature", a.temperature, parse_numbers,
             "Sampling temperature, or a list of temperatures to try in order (default 0)")
      ->group(group);
  add_parsed(command, "--temperature-increment-on-fallback", a.temperature_increment,
             parse_optional_number,
             "Step to the next temperature if a window fails (default 0.2; none: no retry)")
      ->group(group);
}

void add_decoding(CLI::App& command, TranscribeArguments& a,
                  bool (*is_wanted)(const protocol::Option&)) {
  for (const protocol::Option& option : protocol::option_table()) {
    if (option.offered.on_command_line && is_wanted(option)) add_option(command, option, a.options);
  }
}

void add_subtitles(CLI::App& command, protocol::WriterOptions& writer) {
  const char* group = "Timestamps and subtitles";
  add_parsed(command, "--highlight-words", writer.highlight_words, parse_boolean,
             "srt and vtt: underline each word as it is spoken; ass: karaoke (default false)")
      ->type_name("BOOL")
      ->group(group);
  const auto limit = CLI::Range(1, 10000);
  command
      .add_option("--max-line-width", writer.max_line_width,
                  "srt, vtt and ass: maximum characters per line")
      ->check(limit)
      ->group(group);
  command
      .add_option("--max-line-count", writer.max_line_count,
                  "srt, vtt and ass: maximum lines per cue, with --max-line-width")
      ->check(limit)
      ->group(group);
  command
      .add_option("--max-words-per-line", writer.max_words_per_line,
                  "srt, vtt and ass: maximum words per cue, without --max-line-width")
      ->check(limit)
      ->group(group);
}

// Returns the first given option that has no meaning without the times of words; null: none.
const char* needs_words(const protocol::WriterOptions& writer) {
  if (writer.highlight_words) return "--highlight-words";
  if (writer.max_line_width) return "--max-line-width";
  if (writer.max_line_count) return "--max-line-count";
  if (writer.max_words_per_line) return "--max-words-per-line";
  return nullptr;
}

bool has_format(const TranscribeArguments& arguments,
                std::initializer_list<std::string_view> wanted) {
  return std::ranges::any_of(arguments.formats, [&](const std::string& format) {
    return std::ranges::find(wanted, format) != wanted.end();
  });
}

}  // namespace

void add_transcribe_options(CLI::App& command, TranscribeArguments& arguments) {
  add_general(command, arguments);
  add_device_options(command, arguments.device);
  add_decoding(command, arguments, [](const protocol::Option&) { return true; });
  add_temperatures(command, arguments);
  add_subtitles(command, arguments.writer);
  add_speaker_option(command, arguments.speakers);
  add_input_options(command, arguments);
}

void add_diarize_options(CLI::App& command, TranscribeArguments& a) {
  a.only_speakers = true;
  a.model = speakers_model_name;
  command.add_option("FILE", a.inputs, "Audio or video files; - is stdin")->required();
  add_format(command, a, "txt: start, end and speaker of each turn; json; rttm");
  add_output(command, a);
  // Errors were measured in float32, and who waits for turns alone has time for it.
  a.device.request.compute_type = "float32";
  add_device_options(command, a.device);
  add_decoding(command, a,
               [](const protocol::Option& option) { return option.name.ends_with("_speakers"); });
  add_speaker_option(command, a.speakers);
  add_decoder_options(command, a.decoder);
}

void add_form_options(CLI::App& command, TranscribeArguments& arguments) {
  add_decoding(command, arguments, is_in_forms);
  add_speaker_option(command, arguments.speakers);
  add_channel_options(command, arguments);
}

Result<void> finish_formats(TranscribeArguments& arguments) {
  if (std::ranges::find(arguments.formats, all_formats) != arguments.formats.end()) {
    arguments.formats.assign(whispers_formats.begin(), whispers_formats.end());
  }
  auto formats = output_formats(arguments.formats, arguments.output, format_names(arguments),
                                arguments.inputs.size());
  if (!formats) return formats.error();
  arguments.formats = *std::move(formats);
  const bool is_stdout = arguments.output == "-";
  if (is_stdout && (arguments.skip_existing || arguments.keep_partial)) {
    return Error{errc::usage,
                 fmt::format("--{} needs an output file, and the output is stdout",
                             arguments.skip_existing ? "skip-existing" : "keep-partial"),
                 "Name a file or a folder with --output."};
  }
  return {};
}

Result<void> check_no_addresses(const std::vector<std::string>& inputs) {
  for (const auto& input : inputs) {
    if (!input.starts_with("http://") && !input.starts_with("https://")) continue;
    return Error{errc::usage, "transcribe does not download URLs: " + input,
                 fmt::format("Pipe it: curl -L '{}' | scribed transcribe -", input)};
  }
  return {};
}

Result<void> finish_options(TranscribeArguments& arguments) {
  if (auto ok = check_no_addresses(arguments.inputs); !ok) return ok;
  if (auto ok = finish_formats(arguments); !ok) return ok;
  if (auto ok = finish_input_options(arguments); !ok) return ok;
  auto temperatures = fallback_temperatures(arguments.temperature, arguments.temperature_increment);
  if (!temperatures) return temperatures.error();
  arguments.options.temperatures = *std::move(temperatures);
  // Cues of live sound are written as they come, unless a style was asked for.
  const auto style = arguments.options.subtitle_style;
  if (!arguments.live || protocol::subtitles::is_of_broadcaster(style)) {
    arguments.writer = protocol::with_style(std::move(arguments.writer), style);
    for (const auto& format : arguments.formats) {
      arguments.options.word_timestamps |=
          protocol::subtitles::needs_word_times(arguments.options, format);
    }
  }
  if (has_format(arguments, {"rttm"}) && !arguments.options.diarize) {
    return Error{errc::usage, "the format rttm needs speaker labels",
                 "Add --diarize true, or use scribed diarize."};
  }
  const char* option = needs_words(arguments.writer);
  if (option != nullptr && !arguments.options.word_timestamps) {
    return Error{errc::usage, std::string(option) + " needs word timestamps",
                 "Add --word-timestamps true."};
  }
  return {};
}

std::vector<std::string> useless_options(const TranscribeArguments& arguments) {
  const auto& options = arguments.options;
  const auto& writer = arguments.writer;
  std::vector<std::string> warnings;
  const bool has_broadcasters = protocol::subtitles::is_of_broadcaster(options.subtitle_style);
  if (writer.max_line_count && !writer.max_line_width && !has_broadcasters) {
    warnings.emplace_back("--max-line-count has no effect without --max-line-width");
  }
  if (writer.max_words_per_line && writer.max_line_width && !has_broadcasters) {
    warnings.emplace_back("--max-words-per-line has no effect with --max-line-width");
  }
  if (has_broadcasters) {
    const char* unused = needs_words(writer);
    if (unused != nullptr) {
      warnings.push_back(std::string(unused) + " has no effect with --subtitle-style");
    }
    if (!has_format(arguments, {"srt", "vtt", "ass"})) {
      warnings.emplace_back("--subtitle-style has no effect without --format srt, vtt or ass");
    }
  }
  if (options.hallucination_silence_threshold && !options.word_timestamps) {
    warnings.emplace_back(
        "--hallucination-silence-threshold has no effect without --word-timestamps true");
  }
  if (!options.language.empty() && !options.languages.empty() && !options.multilingual) {
    warnings.emplace_back("--languages has no effect with --language");
  }
  if (options.word_timestamps && options.task == protocol::Task::translate) {
    warnings.emplace_back("word timestamps of a translation may be wrong");
  }
  return warnings;
}

}  // namespace server
