#pragma once

#include <optional>
#include <string>
#include <vector>

#include "protocol/transcript.h"
#include "server/jobs/claim.h"

namespace server {

// How far the run of a job is. Position and duration, in seconds, only grow.
struct RunProgress {
  double position = 0;
  double duration = 0;
  std::string language{};
};

// A RunWrite has what the run of a job has decided since its last write: segments in their order,
// and how far it is, if that is to be written.
struct RunWrite {
  Claim claim{};
  std::vector<protocol::Segment> segments{};
  std::optional<RunProgress> progress{};
};

}  // namespace server
