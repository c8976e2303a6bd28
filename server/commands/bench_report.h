#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "protocol/bench_messages.h"
#include "server/commands/bench_transcription.h"

namespace server {

struct BenchFigures {
  std::string model{};
  protocol::worker::BenchResult parts{};
  std::optional<BenchTranscription> transcription{};  // set where a recording was given
};

// Writes what was measured for people: the recording, tables of the parts, and the kernels that
// computed.
std::string bench_report(const BenchFigures& figures);

// Writes the same for programs, with the field names of BenchResult and BenchTranscription, or
// where a card's model was wanted with those of BenchCard as `card`.
nlohmann::ordered_json bench_json(const BenchFigures& figures);

}  // namespace server
