#include "protocol/turn_writers.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

#include "protocol/json_numbers.h"
#include "protocol/json_text.h"
#include "protocol/text_rules.h"
#include "protocol/transcript_json.h"

namespace protocol {
namespace {

constexpr std::array<std::string_view, 3> names_of_formats{"txt", "json", "rttm"};

std::string three_digits(double seconds) {
  char text[48];
  std::snprintf(text, sizeof text, "%.3f", seconds);
  return text;
}

// RTTM separates fields by white space, so that there is none in a name. Some readers take
// Unicode's spaces for such, too.
std::string one_field(std::string_view text) {
  std::string field = replace_space(text, "_");
  std::ranges::replace_if(
      field, [](char c) { return static_cast<unsigned char>(c) <= ' '; }, '_');
  return field.empty() ? "recording" : field;
}

std::string lines_of(const Transcript& transcript, std::string_view) {
  std::string text;
  for (const SpeakerTurn& turn : transcript.turns) {
    char line[96];
    std::snprintf(line, sizeof line, "%9.3f %9.3f  ", turn.start, turn.end);
    text += line + turn.speaker + '\n';
  }
  return text;
}

std::string json_of(const Transcript& transcript, std::string_view) {
  const nlohmann::ordered_json object{{"duration", json::seconds(transcript.duration)},
                                      {"speakers", speakers_json(transcript.turns)},
                                      {"turns", turns_json(transcript.turns)}};
  return json::dump(object, 2) + '\n';
}

std::string rttm_of(const Transcript& transcript, std::string_view recording) {
  return write_rttm(transcript.turns, recording);
}

// Turns are known when the whole recording has been heard, so everything is written at the end.
class TurnWriter : public Writer {
 public:
  using Write = std::string (*)(const Transcript&, std::string_view recording);

  TurnWriter(Write write, std::string recording)
      : write_(write), recording_(std::move(recording)) {}

  std::string begin(const WriterMeta&) override { return {}; }
  std::string segment(const Segment&) override { return {}; }
  std::string finish(const Transcript& transcript) override {
    return write_(transcript, recording_);
  }

 private:
  Write write_;
  std::string recording_;
};

}  // namespace

std::span<const std::string_view> turn_formats() {
  return names_of_formats;
}

Result<std::unique_ptr<Writer>> make_turn_writer(std::string_view format, std::string recording) {
  const auto made = [&](TurnWriter::Write write) -> std::unique_ptr<Writer> {
    return std::make_unique<TurnWriter>(write, std::move(recording));
  };
  if (format == "txt") return made(lines_of);
  if (format == "json") return made(json_of);
  if (format == "rttm") return made(rttm_of);
  return Error{unknown_format, "unknown format of turns '" + std::string(format) + "'",
               "use txt, json or rttm"};
}

std::string write_rttm(std::span<const SpeakerTurn> turns, std::string_view recording) {
  std::string text;
  for (const SpeakerTurn& turn : turns) {
    text += "SPEAKER " + one_field(recording) + ' ' + std::to_string(turn.channel.value_or(0) + 1) +
            ' ' + three_digits(turn.start) + ' ' + three_digits(turn.end - turn.start) +
            " <NA> <NA> " + one_field(turn.speaker) + " <NA> <NA>\n";
  }
  return text;
}

}  // namespace protocol
