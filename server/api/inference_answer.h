#pragma once

#include <string>

#include "protocol/transcript.h"
#include "protocol/writers.h"
#include "server/base/error.h"
#include "server/http/exchange.h"

// Answers in the shapes of whisper.cpp's server.
namespace server {

// `format` is json, text, srt, vtt or verbose_json. Text and json have each segment with the space
// before it and a line end behind it.
Result<Response> inference_answer(const protocol::Transcript& transcript, const std::string& format,
                                  const protocol::WriterOptions& options = {});

// Writes {"error": "a sentence"}, with the status from the table of codes.
Response inference_error(const Error& error);

}  // namespace server
