#include "server/commands/speaker_options.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cerrno>
#include <cstring>

#include "protocol/data_url.h"
#include "server/inputs/input.h"
#include "server/transcription/known_speakers.h"

namespace server {
namespace {

constexpr std::size_t most_file_bytes = 3 * 1024 * 1024;  // a server takes no more

Error of_speaker(const SpeakerFile& speaker, const Error& error) {
  return {error.code, fmt::format("--speaker {}={}: {}", speaker.name, speaker.file, error.message),
          error.fix};
}

Result<Input> open_clip(const SpeakerFile& speaker) {
  auto input = open_input(speaker.file);
  if (!input) return of_speaker(speaker, input.error());
  return input;
}

Result<std::string> read_file(const SpeakerFile& speaker) {
  const auto input = open_clip(speaker);
  if (!input) return input.error();
  std::string bytes;
  std::array<char, 65536> chunk{};
  while (bytes.size() <= most_file_bytes) {
    const auto got = ::read(input->fd.get(), chunk.data(), chunk.size());
    if (got == 0) return bytes;
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      return of_speaker(speaker, {errc::input_unreadable, std::strerror(errno), ""});
    }
    bytes.append(chunk.data(), static_cast<std::size_t>(got));
  }
  return of_speaker(speaker, {errc::too_large, "a server takes clips of 3 MB at most",
                              "Give two to ten seconds, or convert it to Opus or FLAC."});
}

}  // namespace

void add_speaker_option(CLI::App& command, std::vector<std::string>& texts) {
  command
      .add_option("--speaker", texts,
                  "Name of a speaker and a voice sample of 2 to 10 s; can be repeated")
      ->type_name("NAME=FILE")
      ->allow_extra_args(false)  // the next word is FILE
      ->group("Speakers");
}

Result<std::vector<SpeakerFile>> parse_speakers(std::span<const std::string> texts,
                                                std::optional<int> num_speakers) {
  std::vector<SpeakerFile> speakers;
  std::vector<std::string> names;
  for (const std::string& text : texts) {
    const auto sign = text.find('=');
    if (sign == text.npos || sign + 1 == text.size()) {
      return Error{errc::usage, fmt::format("--speaker {}: this is not NAME=FILE", text),
                   "For instance --speaker Ada=ada.wav."};
    }
    speakers.push_back({text.substr(0, sign), text.substr(sign + 1)});
    names.push_back(speakers.back().name);
  }
  const auto fine = protocol::check_known_names(names, num_speakers);
  if (!fine) return fine.error();
  return speakers;
}

asio::awaitable<Result<std::vector<protocol::KnownSpeaker>>> read_speakers(
    Decoders& decoders, std::vector<SpeakerFile> speakers) {
  std::vector<protocol::KnownSpeaker> known;
  for (const SpeakerFile& speaker : speakers) {
    auto input = open_clip(speaker);
    if (!input) co_return input.error();
    auto reading = read_known_speaker(decoders, speaker.name, std::move(input->fd));
    auto read = co_await std::move(reading);
    if (!read) co_return read.error();
    known.push_back(*std::move(read));
  }
  co_return known;
}

Result<std::vector<std::pair<std::string, std::string>>> speaker_fields(
    std::span<const std::string> texts) {
  const auto speakers = parse_speakers(texts);
  if (!speakers) return speakers.error();
  std::vector<std::pair<std::string, std::string>> fields;
  for (const SpeakerFile& speaker : *speakers) {
    const auto bytes = read_file(speaker);
    if (!bytes) return bytes.error();
    fields.emplace_back("known_speaker_names[]", speaker.name);
    fields.emplace_back("known_speaker_references[]", protocol::data_url(*bytes));
  }
  return fields;
}

}  // namespace server
