#pragma once

#include <map>
#include <string>

#include "server/jobs_postgres/session.h"

namespace server::postgres {

// See JobStore::sound_to_do(). It reads every job that waits or runs. Throws Failure.
std::map<std::string, double> read_sound_to_do(Step& step);

}  // namespace server::postgres
