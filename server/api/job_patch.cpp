#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "protocol/json_parse.h"
#include "protocol/json_text.h"
#include "protocol/speaker_names.h"
#include "protocol/text_rules.h"
#include "server/api/api.h"
#include "server/api/handlers.h"
#include "server/api/job_json.h"
#include "server/base/plain_name.h"
#include "server/jobs/job_queue.h"
#include "server/options/text_limits.h"

namespace server::api {
namespace {

using ChangeRead = boost::system::result<JobChange, FormError>;

constexpr char names_parameter[] = "speaker_names";
constexpr char change_example[] =
    R"(As in {"title": "Minutes", "pinned": true, "speaker_names": {"A": "Anna", "B": null}}.)";
constexpr std::size_t max_change_bytes = 64 << 10;

// null gives the name of the file back, as an empty title does. White space is that of one line.
FormProblem read_title(const nlohmann::json& given, std::optional<std::string>& title) {
  if (given.is_null()) {
    title = "";
    return {};
  }
  if (!given.is_string()) return invalid("title", "The parameter title must be a text or null.");
  title = protocol::strip(protocol::replace_space(given.get<std::string>(), " "));
  const auto fits = check_bytes("parameter title", title->size(), max_name_bytes);
  if (!fits) return FormError{fits.error(), "title"};
  if (plain_name(*title) != *title)
    return invalid("title", "The title has a control character.", "Leave it out.");
  return {};
}

// Reads the names by their letters; null gives a letter back, as an empty name does.
FormProblem read_names(const nlohmann::json& given, std::optional<protocol::SpeakerNames>& names) {
  const FormProblem wrong = invalid(
      names_parameter, "The parameter speaker_names must be an object of texts.", change_example);
  if (!given.is_object()) return wrong;
  names.emplace();
  for (const auto& [label, name] : given.items()) {
    if (!name.is_string() && !name.is_null()) return wrong;
    (*names)[label] = name.is_null() ? "" : name.get<std::string>();
  }
  return {};
}

FormProblem read_pinned(const nlohmann::json& given, std::optional<bool>& pinned) {
  if (!given.is_boolean()) return invalid("pinned", "The parameter pinned must be true or false.");
  pinned = given.get<bool>();
  return {};
}

FormProblem read_parameter(const std::string& name, const nlohmann::json& given,
                           JobChange& change) {
  if (name == "title") return read_title(given, change.title);
  if (name == "pinned") return read_pinned(given, change.pinned);
  if (name == names_parameter) return read_names(given, change.speaker_names);
  return FormError{{errc::unknown_parameter, "There is no parameter " + name + " here.",
                    "What a job can have changed is its title, pinned and speaker_names."},
                   name};
}

ChangeRead change_in(const std::string& body) {
  const auto json = protocol::json::parse_object(body);
  if (!json) return invalid("", "The body must be a JSON object.", change_example);
  JobChange change;
  for (const auto& [name, given] : json->items()) {
    if (const auto problem = read_parameter(name, given, change)) return *problem;
  }
  if (!json->empty()) return change;
  return FormError{{errc::missing_parameter, "There is nothing to change.", change_example},
                   "title"};
}

}  // namespace

// Titles and names stay between the owner of a job and scribed, as its text does.
asio::awaitable<void> change_job(Api& api, ApiCall& call) {
  const auto body = co_await call.exchange.read_body(max_change_bytes);
  if (!body) co_return co_await send_error(call.exchange, body.error());
  auto change = change_in(*body);
  if (!change) co_return co_await send_form_error(call.exchange, change.error());
  auto changing = api.services.jobs.change(call.id, call.principal.name, *std::move(change));
  const auto job = co_await std::move(changing);
  if (!job) {
    const std::string& code = job.error().code;
    const bool is_of_names = code == errc::usage || code == protocol::bad_speaker_name;
    co_return co_await send_error(call.exchange, job.error(), is_of_names ? names_parameter : "");
  }
  std::string text = protocol::json::dump(job_body(*job));
  co_await send_json(call.exchange, std::move(text));
}

}  // namespace server::api
