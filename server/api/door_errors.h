#pragma once

#include "server/http/error_response.h"
#include "server/http/exchange.h"

namespace server {

// Returns an error in the shape that clients of the request's path read: that of Deepgram,
// whisper-asr-webservice or whisper.cpp's server at their paths, and OpenAI's elsewhere.
Response door_error(const Exchange& exchange, const Error& error);

// Gives a refusal the body of door_error(); its status and fields stay.
Response at_door(const Exchange& exchange, const Error& error, Response refusal);

}  // namespace server
