#include "protocol/deepgram/listen_settings.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "protocol/error_text.h"
#include "protocol/json_text.h"
#include "protocol/languages.h"

namespace protocol::deepgram {
namespace {

// What is read so far, and what is checked when all is there.
constexpr std::string_view keyterm_separator = ", ";

struct ListenReading {
  ListenKind kind = ListenKind::socket;
  ListenSettings settings{};
  std::string encoding{};
  std::optional<int> sample_rate{};
  std::optional<int> channels{};
  std::size_t keyterm_bytes = 0;  // with what separates them
};

Error wrong(std::string_view name, const std::string& what, std::string fix = {}) {
  return {bad_parameter, "The parameter " + std::string(name) + " " + what + ".", std::move(fix)};
}

std::string in_lower_case(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

// Python's programs write True. An empty value leaves the flag as it is.
Result<void> read_flag(std::string_view name, const std::string& given, bool& flag) {
  const std::string value = in_lower_case(given);
  if (value.empty()) return {};
  const bool is_true = value == "true";
  if (!is_true && value != "false") {
    return wrong(name, "is neither true nor false", "Use true or false, or leave it out.");
  }
  flag = is_true;
  return {};
}

Result<void> read_whole(std::string_view name, const std::string& value, int least, int most,
                        std::optional<int>& number) {
  int read = 0;
  const char* end = value.data() + value.size();
  const auto [stop, error] = std::from_chars(value.data(), end, read);
  if (error != std::errc() || stop != end || read < least || read > most) {
    return wrong(name, "must be a whole number from " + std::to_string(least) + " to " +
                           std::to_string(most));
  }
  number = read;
  return {};
}

// Deepgram's names of its own models mean the best that is here. Its small ones are called as
// Whisper's are ("base"), and mean those.
bool is_their_model(std::string_view name) {
  constexpr std::array<std::string_view, 4> families = {"nova", "enhanced", "base-", "flux"};
  return name == "general" || name == "whisper" || name.starts_with("whisper-") ||
         std::ranges::any_of(families, [&](auto family) { return name.starts_with(family); });
}

Result<void> read_model(std::string_view, const std::string& value, ListenReading& reading) {
  reading.settings.model = is_their_model(in_lower_case(value)) ? "" : value;
  return {};
}

// "en-US" is English, and so is "en"; "multi" is whatever is spoken.
Result<void> read_language(std::string_view name, const std::string& value,
                           ListenReading& reading) {
  if (value.empty() || value == "multi") return {};
  const auto code = language_code(value.substr(0, value.find_first_of("-_")));
  if (!code) return wrong(name, "names a language that is not known here", "As in en or pt-BR.");
  reading.settings.language = *code;
  return {};
}

Result<void> read_detection(std::string_view name, const std::string& value,
                            ListenReading& reading) {
  bool is_wanted = false;
  const auto read = read_flag(name, value, is_wanted);
  if (read && is_wanted) reading.settings.language.clear();
  return read;
}

Result<void> add_keyterm(std::string_view name, const std::string& value, ListenReading& reading) {
  if (value.empty()) return {};
  const bool is_first = reading.settings.keyterms.empty();
  reading.settings.keyterms.push_back(value);
  reading.keyterm_bytes += value.size() + (is_first ? 0 : keyterm_separator.size());
  if (reading.keyterm_bytes <= most_keyterm_bytes) return {};
  return wrong(name, "is too long with the others of its name",
               "All have " + std::to_string(most_keyterm_bytes) + " bytes together.");
}

// "word:boost". A negative boost asks for less of a word, which Whisper cannot.
Result<void> add_keyword(std::string_view name, const std::string& value, ListenReading& reading) {
  const auto colon = value.rfind(':');
  const auto boost = colon == value.npos ? "" : value.substr(colon + 1);
  return boost.starts_with('-') ? Result<void>()
                                : add_keyterm(name, value.substr(0, colon), reading);
}

Result<void> read_endpointing(std::string_view name, const std::string& value,
                              ListenReading& reading) {
  auto& endpointing = reading.settings.endpointing_ms;
  if (value == "true") return {};
  if (value == "false") {
    endpointing.reset();
    return {};
  }
  const auto read = read_whole(name, value, 0, 10'000, endpointing);
  if (!read) return wrong(name, "must be a number of milliseconds up to 10000, or false");
  endpointing = std::max(*endpointing, least_endpointing_ms);
  return {};
}

Result<void> read_split(std::string_view name, const std::string& value, ListenReading& reading) {
  double read = 0;
  const char* end = value.data() + value.size();
  const auto [stop, error] = std::from_chars(value.data(), end, read);
  const bool is_number = error == std::errc() && stop == end && std::isfinite(read);
  if (!is_number || read < 0) return wrong(name, "must be a number of seconds");
  reading.settings.utt_split_s = read;
  return {};
}

bool asks_for_something(const std::string& value) {
  return !value.empty() && in_lower_case(value) != "false";
}

Result<void> refuse(std::string_view name, const std::string& value, ListenReading&) {
  if (!asks_for_something(value)) return {};
  return wrong(name, "is not supported here", "Leave it out.");
}

// Parameters that need no effect: Whisper punctuates and writes numerals by itself, others label or
// route a request at Deepgram.
bool is_moot(std::string_view name) {
  constexpr std::array names{"punctuate", "smart_format", "no_delay",
                             "tag",       "extra",        "version",
                             "tier",      "mip_opt_out",  "callback_method"};
  return std::ranges::find(names, name) != names.end();
}

struct ListenParameter {
  std::string_view name;
  Result<void> (*read)(std::string_view name, const std::string& value, ListenReading& reading);
};

template <auto flag>
Result<void> set_flag(std::string_view name, const std::string& value, ListenReading& reading) {
  bool is_set = false;
  const auto read = read_flag(name, value, is_set);
  if (read && !value.empty()) reading.settings.*flag = is_set;
  return read;
}

constexpr std::array listen_parameters{
    ListenParameter{"model", read_model},
    ListenParameter{"language", read_language},
    ListenParameter{"detect_language", read_detection},
    ListenParameter{"keyterm", add_keyterm},
    ListenParameter{"keywords", add_keyword},
    ListenParameter{"encoding",
                    [](std::string_view, const std::string& value, ListenReading& reading) {
                      reading.encoding = in_lower_case(value);
                      return Result<void>();
                    }},
    ListenParameter{"sample_rate",
                    [](std::string_view name, const std::string& value, ListenReading& reading) {
                      return read_whole(name, value, 4000, 192'000, reading.sample_rate);
                    }},
    ListenParameter{"channels",
                    [](std::string_view name, const std::string& value, ListenReading& reading) {
                      return read_whole(name, value, 1, most_channels, reading.channels);
                    }},
    ListenParameter{"multichannel", set_flag<&ListenSettings::multichannel>},
    ListenParameter{"interim_results", set_flag<&ListenSettings::interim_results>},
    ListenParameter{"vad_events", set_flag<&ListenSettings::vad_events>},
    ListenParameter{"endpointing", read_endpointing},
    ListenParameter{"utterance_end_ms",
                    [](std::string_view name, const std::string& value, ListenReading& reading) {
                      return read_whole(name, value, 1000, 5000, reading.settings.utterance_end_ms);
                    }},
    ListenParameter{"diarize", set_flag<&ListenSettings::diarize>},
    ListenParameter{"utterances", set_flag<&ListenSettings::utterances>},
    ListenParameter{"utt_split", read_split},
    ListenParameter{"paragraphs", set_flag<&ListenSettings::paragraphs>},
    ListenParameter{"redact", refuse},
    ListenParameter{"replace", refuse},
    ListenParameter{"callback", refuse},
};

Result<void> check_format(ListenReading& reading) {
  using live::SampleType;
  struct Encoding {
    std::string_view name;
    SampleType type;
  };
  constexpr std::array<Encoding, 3> encodings = {Encoding{"linear16", SampleType::s16le},
                                                 Encoding{"mulaw", SampleType::mulaw},
                                                 Encoding{"alaw", SampleType::alaw}};
  const auto found = std::ranges::find(encodings, reading.encoding, &Encoding::name);
  if (found != encodings.end()) {
    if (!reading.sample_rate)
      return wrong("sample_rate", "is missing",
                   "Raw audio needs it: say how many samples a second has.");
    reading.settings.raw =
        live::SoundFormat{found->type, *reading.sample_rate, reading.channels.value_or(1)};
    return {};
  }
  // A file tells its format by itself, whatever it is called here, and so does a stream of one.
  constexpr std::array<std::string_view, 4> in_files = {"", "flac", "opus", "ogg-opus"};
  const bool is_in_file = std::ranges::find(in_files, reading.encoding) != in_files.end();
  if (reading.kind == ListenKind::file) return {};
  if (!is_in_file) {
    return wrong("encoding", "names a format that is not taken here",
                 "Use linear16, mulaw or alaw with sample_rate, or leave it out for WebM, Ogg, MP3 "
                 "and other file formats.");
  }
  if (!reading.settings.multichannel) return {};
  return wrong("multichannel", "is for raw audio and files",
               "Name encoding and sample_rate, send the file by POST, or leave it out.");
}

Result<void> check_together(ListenReading& reading) {
  if (const auto format = check_format(reading); !format) return format;
  const auto& settings = reading.settings;
  if (settings.utterance_end_ms && !settings.interim_results &&
      reading.kind == ListenKind::socket) {
    return wrong("utterance_end_ms", "needs interim_results=true", "Send both, or leave it out.");
  }
  return {};
}

}  // namespace

Result<ListenSettings> read_listen_query(const Query& query, ListenKind kind) {
  ListenReading reading{.kind = kind};
  for (const auto& [name, value] : query) {
    const auto found = std::ranges::find(listen_parameters, name, &ListenParameter::name);
    if (found == listen_parameters.end()) {
      auto& ignored = reading.settings.ignored;
      const bool is_named = std::ranges::find(ignored, name) != ignored.end();
      if (asks_for_something(value) && !is_moot(name) && !is_named) ignored.push_back(name);
      continue;
    }
    if (const auto read = found->read(name, value, reading); !read) return read.error();
  }
  if (const auto fine = check_together(reading); !fine) return fine.error();
  return std::move(reading.settings);
}

std::string hotwords_of(const std::vector<std::string>& keyterms) {
  std::string text;
  for (const auto& term : keyterms) {
    if (!text.empty()) text += keyterm_separator;
    text += term;
  }
  return text;
}

std::string error_answer(const Error& error, std::string_view request_id) {
  const nlohmann::ordered_json body{
      {"err_code", error.code}, {"err_msg", error_text(error)}, {"request_id", request_id}};
  return json::dump(body);
}

}  // namespace protocol::deepgram
