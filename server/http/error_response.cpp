#include "server/http/error_response.h"

#include <ctime>

#include "protocol/error_text.h"
#include "protocol/json_text.h"
#include "protocol/openai/bodies.h"

namespace server {
namespace {

const char* type_of(int status) {
  if (status == 401) return "authentication_error";
  if (status == 429) return "rate_limit_error";
  return status < 500 ? "invalid_request_error" : "server_error";
}

// Returns OpenAI's code where its API has one for the same; its clients look for these.
std::string_view public_code(std::string_view code, std::string_view parameter) {
  if (code == "unknown_model" || code == "not_installed") return "model_not_found";
  if (code == "not_found") return errc::helper_missing;  // the worker's name for it
  const bool is_about_a_value = code == errc::usage || code == errc::bad_request;
  return is_about_a_value && !parameter.empty() ? "invalid_value" : code;
}

// There is no better guess than that somebody else's job ends soon.
constexpr std::chrono::seconds usual_wait{5};

// Days of UTC begin when the seconds since 1970 can be divided by those of a day.
std::chrono::seconds until_midnight() {
  constexpr std::time_t day_s = 86'400;
  return std::chrono::seconds(day_s - std::time(nullptr) % day_s);
}

}  // namespace

Response error_response(const Error& error, std::string_view parameter,
                        std::optional<std::chrono::seconds> retry_after) {
  const int status = http_status(error.code);
  const std::string message = protocol::error_text(error);
  const auto code = public_code(error.code, parameter);
  const auto body = protocol::openai::error_body(message, type_of(status), parameter, code);
  Response response{.status = static_cast<http::status>(status), .error = std::string(code)};
  // A message may quote what a client sent, and that need not be UTF-8.
  response.body = protocol::json::dump(body);
  if (status == 429 || status == 503) {
    const auto wait = error.code == errc::too_much_sound ? until_midnight() : usual_wait;
    response.headers.emplace_back("retry-after",
                                  std::to_string(retry_after.value_or(wait).count()));
  }
  return response;
}

}  // namespace server
