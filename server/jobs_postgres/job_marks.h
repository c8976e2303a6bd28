#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "server/jobs/claim.h"
#include "server/jobs_postgres/session.h"

// By these functions a daemon sees what others did to its jobs. They throw Failure.
namespace server::postgres {

// See JobStore::marks(): the transaction that wrote a row last.
std::map<std::string, std::string> marks_of(Step& step, std::span<const std::string> ids);
// See JobStore::lost_claims().
std::vector<Claim> lost_of(Step& step, std::span<const Claim> claims);

}  // namespace server::postgres
