#include "server/api/listen_answers.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>

#include "protocol/deepgram/listen_settings.h"
#include "server/http/error_response.h"

namespace server {
namespace {

// Deepgram's SDKs read the message of a client error only if the status is 400. The listed statuses
// have a meaning of their own, such as a retry.
bool becomes_bad_request(http::status status) {
  const int number = static_cast<int>(status);
  constexpr std::array kept{401, 403, 408, 413, 429, 499};
  return number >= 400 && number < 500 && std::ranges::find(kept, number) == kept.end();
}

}  // namespace

Response listen_error(const Exchange& exchange, const Error& error) {
  Response response = error_response(error);
  const bool is_parameter = error.code == protocol::deepgram::bad_parameter;
  if (is_parameter || becomes_bad_request(response.status))
    response.status = http::status::bad_request;
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
