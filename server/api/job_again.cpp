#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "protocol/json_parse.h"
#include "protocol/json_text.h"
#include "server/api/accepted_job.h"
#include "server/api/api.h"
#include "server/api/handlers.h"
#include "server/api/job_json.h"
#include "server/api/received_form.h"
#include "server/inputs/sound_store.h"
#include "server/models/digest.h"
#include "server/options/text_limits.h"
#include "server/submission/submission.h"

// A job on what an earlier one has heard, with other options.
namespace server::api {
namespace {

constexpr std::size_t max_options_bytes = 1 << 20;

// Returns the fields that a form with these options would have: lists and objects as JSON.
std::vector<FormField> fields_of(const nlohmann::json& options) {
  std::vector<FormField> fields;
  for (const auto& [name, value] : options.items()) {
    if (value.is_null()) continue;
    fields.push_back(
        {name, value.is_string() ? value.get<std::string>() : protocol::json::dump(value)});
  }
  return fields;
}

FormProblem problem_of_sound(const Api& api, const Job& job, const TranscriptionForm& form) {
  if (!form.upload.empty() || !form.url.empty()) {
    return invalid(form.url.empty() ? "upload" : "url", "The audio is that of the job.",
                   "Submit other audio with POST /v1/jobs.");
  }
  if (form.split_channels) {
    return invalid("channels", "What is kept of a recording is one channel.",
                   "Submit the recording again to split its channels.");
  }
  for (const auto& sound : {api.services.sounds.find(job.id), job.sound}) {
    if (sound && sound->is_whole) return {};
  }
  return FormError{{errc::no_sound, "The audio of this job is not stored, or not completely.",
                    "Submit the recording again; the setting jobs.keep_audio stores audio."},
                   ""};
}

std::string fingerprint_of(const std::string& job, const std::string& body) {
  Hasher hasher(Digest::Kind::sha256, 0);
  hasher.update(job);
  hasher.update(body);
  return hasher.finish();
}

using Again = boost::system::result<SubmissionRequest, FormError>;

asio::awaitable<Again> receive_again(Api& api, ApiCall& call, const Job& job) {
  const std::string key(call.exchange.headers()["idempotency-key"]);
  const auto fits = check_bytes("header idempotency-key", key.size(), max_name_bytes);
  if (!fits) co_return FormError{fits.error(), {}};
  const auto admitted = co_await api.submission.admit(call.principal.name, key, 0);
  if (!admitted) co_return FormError{admitted.error(), {}};
  const auto body = co_await call.exchange.read_body(max_options_bytes);
  if (!body) co_return FormError{body.error(), {}};
  const auto options =
      protocol::json::parse_object(body->empty() ? "{}" : *body, {.values = most_list_items});
  if (!options) {
    co_return invalid("", "The body must be a JSON object.", R"(As in {"model": "small"}.)");
  }
  auto form =
      read_form(fields_of(*options), FormKind::job, api.services.options, api.settings.forms);
  if (!form) co_return form.error();
  tell_of_ignored(api, call.exchange, form->ignored);
  auto fitting = fit_chunking(api, call.exchange, *form);
  co_await std::move(fitting);
  if (const auto problem = problem_of_sound(api, job, *form)) co_return *problem;
  if (form->model.empty()) form->model = job.request.model;
  HeardSource source{
      .job = job.id, .title = job.request.title, .bytes = job.sound ? job.sound->bytes : 0};
  auto request = submission_request(call, *form, SoundSource(std::move(source)));
  request.input_format = "s16le";
  request.idempotency_key = key;
  request.fingerprint = fingerprint_of(job.id, *body);
  if (const auto problem = api.submission.beam_problem(request)) {
    co_return FormError{problem->error, std::string(problem->option)};
  }
  co_return request;
}

}  // namespace

asio::awaitable<void> job_again(Api& api, ApiCall& call) {
  const auto job = co_await api.submission.find(call.id, call.principal.name);
  if (!job) co_return co_await send_error(call.exchange, job.error());
  auto request = co_await receive_again(api, call, *job);
  if (!request) co_return co_await send_form_error(call.exchange, request.error());
  co_await answer_with_job(api, call.exchange, *std::move(request));
}

}  // namespace server::api
