#include "server/api/listen_answers.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>

#include "protocol/deepgram/listen_settings.h"
#include "server/http/error_response.h"

namespace server {

Response listen_error(const Exchange& exchange, const Error& error) {
  Response response = error_response(error);
  if (error.code == protocol::deepgram::bad_parameter) {
    response.status = http::status::bad_request;
  }
  response.body = protocol::deepgram::error_answer(error, exchange.trace().request_id);
  response.error = error.code;
  return response;
}

std::string listen_time() {
  using std::chrono::milliseconds;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto count = std::chrono::duration_cast<milliseconds>(now).count();
  const std::tm parts = fmt::gmtime(static_cast<std::time_t>(count / 1000));
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z", parts, count % 1000);
}

}  // namespace server
