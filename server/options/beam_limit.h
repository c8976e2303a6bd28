#pragma once

#include <optional>
#include <string_view>

#include "protocol/transcribe_options.h"
#include "server/base/error.h"

namespace server {

// An option that asks for more sequences side by side than a client may have.
struct BeamProblem {
  std::string_view option{};  // its name: "beam_size"
  Error error{};
};

// Checks beam_size, best_of, and the beams that a search with patience waits for. Every sequence
// takes memory and time of the model, which all clients share.
//   most      limits.max_beams; the server's own defaults are allowed beyond it
//   defaults  the options of a request that names none
std::optional<BeamProblem> beam_problem(const protocol::TranscribeOptions& options, int most,
                                        const protocol::TranscribeOptions& defaults);

}  // namespace server
