#pragma once

#include <string>
#include <vector>

#include "server/config/config.h"
#include "server/http/access_record.h"
#include "server/http/exchange.h"
#include "server/http/listen_address.h"
#include "server/live/live_services.h"
#include "server/log/log.h"

namespace server {

// Writes the line of one request: at level error where scribed failed, and at debug for the probes
// of supervisors, which come every few seconds. The token of a link to a job is left out of its
// path, since whoever reads it may read the job.
void log_request(Log& log, const AccessRecord& record);

// Writes where the daemon listens.
void log_listening(Log& log, const ListenAddress& address);

// Logs a warning for each setting that allows more clients than it seems to.
void log_openness(Log& log, const Config& config, bool has_keys);

// Writes which fields of a form were ignored.
void log_ignored_fields(Log& log, const Exchange& exchange, const std::vector<std::string>& fields);
// Logs the warnings of a transcript that a client was sent.
void log_text_warnings(Log& log, const Exchange& exchange,
                       const std::vector<std::string>& warnings);

// Writes the line of a live session that has ended: at level warning where it failed.
void log_live_session(Log& log, const LiveRecord& session);

}  // namespace server
