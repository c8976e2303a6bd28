#pragma once

#include <CLI/App.hpp>
#include <boost/asio/awaitable.hpp>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "protocol/known_speaker.h"
#include "server/base/error.h"
#include "server/process/decoders.h"

namespace server {

// A speaker who is known by name, and the file of a clip.
struct SpeakerFile {
  std::string name{};
  std::string file{};

  friend bool operator==(const SpeakerFile&, const SpeakerFile&) = default;
};

// Adds --speaker, which may be given several times.
void add_speaker_option(CLI::App& command, std::vector<std::string>& texts);

// Reads "NAME=FILE", of each speaker. The code of errors is usage or bad_speaker_name.
Result<std::vector<SpeakerFile>> parse_speakers(std::span<const std::string> texts,
                                                std::optional<int> num_speakers = {});

// Decodes the clips. Errors: those of open_input() and read_known_speaker().
asio::awaitable<Result<std::vector<protocol::KnownSpeaker>>> read_speakers(
    Decoders& decoders, std::vector<SpeakerFile> speakers);

// Returns the fields of a form that name the speakers to a server. Errors: those of
// parse_speakers() and open_input(); too_large.
Result<std::vector<std::pair<std::string, std::string>>> speaker_fields(
    std::span<const std::string> texts);

}  // namespace server
