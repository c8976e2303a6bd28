#pragma once

#include "server/http/access_record.h"
#include "server/live/live_services.h"
#include "server/log/log.h"

namespace server {

// Writes the line of one request: at level error where scribed failed, and at debug for the probes
// of supervisors, which come every few seconds.
void log_request(Log& log, const AccessRecord& record);

// Writes the line of a live session that has ended: at level warning where it failed.
void log_live_session(Log& log, const LiveRecord& session);

}  // namespace server
