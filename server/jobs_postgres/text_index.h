#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "server/jobs_postgres/session.h"

// The index of letters by which searches find jobs: groups of three, of PostgreSQL's extension
// pg_trgm. These functions throw Failure.
namespace server::postgres {

// Makes the index, once, where the server has the extension and this user may use it. Without it
// searches read the texts.
void make_text_index(Step& step);

// Returns the jobs of an owner (none: of all) in which these folded texts may stand. Nothing: there
// is no index, the texts are too short for it, or they stand in so many jobs that whoever looks
// through the newest will find them soon.
std::optional<std::vector<std::int64_t>> jobs_with_texts(Step& step,
                                                         const std::optional<std::string>& owner,
                                                         const std::vector<std::string>& texts);

}  // namespace server::postgres
