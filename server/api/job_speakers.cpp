#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "protocol/json_parse.h"
#include "protocol/json_text.h"
#include "protocol/speaker_names.h"
#include "server/api/api.h"
#include "server/api/handlers.h"
#include "server/api/job_json.h"
#include "server/jobs/job_queue.h"

namespace server::api {
namespace {

using NamesRead = boost::system::result<protocol::SpeakerNames, FormError>;

constexpr char names_parameter[] = "speaker_names";
constexpr char names_example[] = R"(As in {"speaker_names": {"A": "Anna", "B": null}}.)";
constexpr std::size_t max_names_bytes = 64 << 10;

// Reads the names by their letters; null gives a letter back, as an empty name does.
NamesRead names_in(const std::string& body) {
  const auto json = protocol::json::parse_object(body);
  if (!json) return invalid("", "The body must be a JSON object.", names_example);
  for (const auto& [key, value] : json->items()) {
    if (key == names_parameter) continue;
    return FormError{{errc::unknown_parameter, "There is no parameter " + key + " here.",
                      "What a job can have changed is its speaker_names."},
                     key};
  }
  const auto given = json->find(names_parameter);
  if (given == json->end()) {
    return FormError{
        {errc::missing_parameter, "The parameter speaker_names is missing.", names_example},
        names_parameter};
  }
  const NamesRead wrong = invalid(
      names_parameter, "The parameter speaker_names must be an object of texts.", names_example);
  if (!given->is_object()) return wrong;
  protocol::SpeakerNames names;
  for (const auto& [label, name] : given->items()) {
    if (!name.is_string() && !name.is_null()) return wrong;
    names[label] = name.is_null() ? "" : name.get<std::string>();
  }
  return names;
}

}  // namespace

// Names of speakers stay between the owner of a job and scribed, as its text does.
asio::awaitable<void> rename_speakers(Api& api, ApiCall& call) {
  const auto body = co_await call.exchange.read_body(max_names_bytes);
  if (!body) co_return co_await send_error(call.exchange, body.error());
  auto names = names_in(*body);
  if (!names) co_return co_await send_form_error(call.exchange, names.error());
  auto renaming =
      api.services.jobs.rename_speakers(call.id, call.principal.name, *std::move(names));
  const auto job = co_await std::move(renaming);
  if (!job) {
    const std::string& code = job.error().code;
    const bool is_of_names = code == errc::usage || code == protocol::bad_speaker_name;
    co_return co_await send_error(call.exchange, job.error(), is_of_names ? names_parameter : "");
  }
  std::string text = protocol::json::dump(job_body(*job));
  co_await send_json(call.exchange, std::move(text));
}

}  // namespace server::api
