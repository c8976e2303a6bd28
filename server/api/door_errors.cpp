#include "server/api/door_errors.h"

#include <utility>

#include "server/api/asr_query.h"
#include "server/api/inference_answer.h"
#include "server/api/listen_answers.h"

namespace server {

Response door_error(const Exchange& exchange, const Error& error) {
  const std::string_view path = exchange.path();
  if (path == "/v1/listen") return listen_error(exchange, error);
  if (path == "/inference") return inference_error(error);
  if (path == "/asr" || path == "/detect-language") {
    return asr_error(error, exchange.query("output").value_or(""));
  }
  return error_response(error);
}

Response at_door(const Exchange& exchange, const Error& error, Response refusal) {
  Response as_read = door_error(exchange, error);
  refusal.body = std::move(as_read.body);
  refusal.content_type = std::move(as_read.content_type);
  return refusal;
}

}  // namespace server
