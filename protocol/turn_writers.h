#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "protocol/writers.h"

namespace protocol {

// Returns txt, json, rttm: the forms of a recording's turns alone.
std::span<const std::string_view> turn_formats();

// Makes a writer of who speaks when, without what is said: a line "start end speaker" for each
// turn, json with turns and speakers, or NIST's RTTM, whose lines name the recording.
Result<std::unique_ptr<Writer>> make_turn_writer(std::string_view format, std::string recording);

// Returns the lines of the turns as RTTM ("SPEAKER talk 1 0.031 2.076 <NA> <NA> A <NA> <NA>").
std::string write_rttm(std::span<const SpeakerTurn> turns, std::string_view recording);

}  // namespace protocol
