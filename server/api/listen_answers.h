#pragma once

#include <string>

#include "server/base/error.h"
#include "server/http/exchange.h"

// What the answers of Deepgram's /v1/listen have in common, beside protocol/deepgram.
namespace server {

// Returns an error as Deepgram's clients read it. Client errors have the status 400, as Deepgram's;
// others have the status of the table of codes.
Response listen_error(const Exchange& exchange, const Error& error);

// Returns the time in UTC as "2026-11-22T16:00:00.000Z".
std::string listen_time();

}  // namespace server
