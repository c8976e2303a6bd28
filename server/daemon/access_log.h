#pragma once

#include "server/http/access_record.h"
#include "server/log/log.h"

namespace server {

// Writes the line of one request: at level error where scribed failed, and at debug for the probes
// of supervisors, which come every few seconds.
void log_request(Log& log, const AccessRecord& record);

}  // namespace server
