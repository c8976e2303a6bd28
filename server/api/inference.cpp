#include <string>
#include <string_view>
#include <utility>

#include "protocol/subtitles/layout.h"
#include "server/api/api.h"
#include "server/api/early_head.h"
#include "server/api/handlers.h"
#include "server/api/inference_answer.h"
#include "server/api/inference_form.h"
#include "server/api/long_answer.h"
#include "server/api/received_form.h"
#include "server/api/waited_job.h"
#include "server/submission/model_name.h"
#include "server/transcription/model_pool.h"

// These are the endpoints of whisper.cpp's server. Its GET /health is scribed's own.
namespace server::api {
namespace {

constexpr std::uint64_t max_load_bytes = 16 * 1024;

asio::awaitable<void> send_inference_error(Exchange& exchange, const Error& error) {
  if (error.code == errc::client_gone) co_return;
  Response response = inference_error(error);
  co_await send_late(exchange, std::move(response));
}

// That server's clients send the path of a file there; here a model has a name.
Result<std::string> named_model(const Api& api, const std::string& wanted) {
  auto model = model_for(api.services, wanted);
  if (!model)
    return Error{errc::usage, "model not found!", "Name one that `scribed models list` has."};
  return model;
}

SubmissionRequest inference_request(const ApiCall& call, InferenceForm& form,
                                    ReceivedForm& received) {
  return {.source = ReceivedSource{*std::move(received.file), std::move(received.file_name)},
          .owner = call.principal.name,
          .may_manage = call.principal.may(Right::manage),
          .model = form.model,
          .options = std::move(form.options),
          .trace = call.exchange.trace()};
}

// Returns the value of a field; empty: there is none.
std::string field_of(const ReceivedForm& form, std::string_view name) {
  for (const auto& field : form.fields) {
    if (field.name == name) return field.value;
  }
  return {};
}

}  // namespace

asio::awaitable<void> inference(Api& api, ApiCall& call) {
  const SoundPart part{.max_bytes = api.settings.max_body_bytes};
  auto received = co_await receive_sound(api, call, part);
  if (!received) co_return co_await send_inference_error(call.exchange, received.error());
  if (!received->file) {
    const Error missing{errc::missing_parameter, "no 'file' field in the request",
                        "Send the recording as the part file of a multipart form."};
    co_return co_await send_inference_error(call.exchange, missing);
  }
  auto form = read_inference_form(received->fields, api.services.options);
  if (!form) co_return co_await send_inference_error(call.exchange, form.error());
  const auto model = named_model(api, form->model);
  if (!model) co_return co_await send_inference_error(call.exchange, model.error());
  tell_of_ignored(api, call.exchange, form->ignored);
  tell_of_unusable(api, call.exchange, form->unusable);
  const auto writer = protocol::with_style(form->lines, form->options.subtitle_style);
  SubmissionRequest request = inference_request(call, *form, *received);
  auto submitting = submit_waited(api, call.exchange, std::move(request));
  const auto job = co_await std::move(submitting);
  if (!job) co_return co_await send_inference_error(call.exchange, job.error());
  const bool is_json = form->response_format.ends_with("json");
  auto waiting = waited_transcript(call.exchange, *job, is_json ? early_head(api) : EarlyHead{});
  auto read = co_await std::move(waiting);
  if (!read) co_return co_await send_inference_error(call.exchange, read.error());
  WriteText write = [format = form->response_format, writer](const auto& text) {
    return inference_answer(text, format, writer);
  };
  auto writing = written_answer(api, call, *std::move(read), std::move(write));
  auto answer = co_await std::move(writing);
  if (!answer) co_return co_await send_inference_error(call.exchange, answer.error());
  co_await send_late(call.exchange, *std::move(answer));
}

// Loads a model now, so that the next recording need not wait for it. The default model stays the
// default.
asio::awaitable<void> load_for_inference(Api& api, ApiCall& call) {
  CreateFile refuse = [](std::uint64_t) {
    return Result<SpoolFile>(Error{errc::usage, "No file belongs here.", "Send the field model."});
  };
  auto receiving = receive_form(call.exchange, std::move(refuse), max_load_bytes);
  const auto received = co_await std::move(receiving);
  if (!received) co_return co_await send_inference_error(call.exchange, received.error());
  const std::string wanted = field_of(*received, "model");
  const auto model = wanted.empty() ? Error{errc::usage, "no 'model' field in the request",
                                            "Send the name of a model as the field model."}
                                    : named_model(api, wanted);
  if (!model) co_return co_await send_inference_error(call.exchange, model.error());
  const auto loaded = co_await api.services.models.load(*model);
  if (!loaded) co_return co_await send_inference_error(call.exchange, loaded.error());
  Response response{.body = "Load was successful!", .content_type = "text/plain; charset=utf-8"};
  co_await call.exchange.send(std::move(response));
}

}  // namespace server::api
