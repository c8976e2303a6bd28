#pragma once

#include <chrono>
#include <string>

#include "server/inputs/unclaimed_file.h"

namespace server {

// The sound that a job reads: a file that its client has named, or one in the spool, which is
// removed with the job.
struct JobInput {
  std::string named{};
  UnclaimedFile spooled{};
  std::string title{};   // a name for people
  std::string shared{};  // where every daemon finds what was spooled; empty: it stays in the spool
};

struct SourceTerms {
  std::string owner{};                  // the principal that asks
  bool is_durable = false;              // a file in the spool is synced before the job is accepted
  std::chrono::seconds fetch_limit{0};  // the time that an address has to send its file
};

}  // namespace server
