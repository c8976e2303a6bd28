#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "protocol/json_numbers.h"
#include "protocol/json_text.h"
#include "protocol/languages.h"
#include "protocol/subtitles/layout.h"
#include "protocol/transcript_json.h"
#include "protocol/writers.h"
#include "server/api/api.h"
#include "server/api/asr_query.h"
#include "server/api/early_head.h"
#include "server/api/handlers.h"
#include "server/api/long_answer.h"
#include "server/api/received_form.h"
#include "server/api/text_warnings.h"
#include "server/api/waited_job.h"
#include "server/http/error_response.h"
#include "server/http/percent.h"
#include "server/options/option_values.h"

// These are the two endpoints of whisper-asr-webservice, as Bazarr and others call them.
namespace server::api {
namespace {

using AsrBody = nlohmann::ordered_json;

constexpr char sound_part[] = "audio_file";
constexpr char asr_text_type[] = "text/plain; charset=utf-8";

asio::awaitable<void> send_refused(Exchange& exchange, const Error& error,
                                   std::string_view output) {
  if (error.code == errc::client_gone) co_return;
  Response response = asr_error(error, output);
  co_await send_late(exchange, std::move(response));
}

asio::awaitable<void> send_mistake(Exchange& exchange, const FormError& mistake) {
  Response response = asr_mistake(exchange, mistake);
  const std::string output = lower_case(exchange.query("output").value_or(""));
  if (output == "srt" || output == "vtt") {
    response.body.clear();
    response.content_type = asr_text_type;
  }
  co_await exchange.send(std::move(response));
}

FormError no_sound_part() {
  return {{errc::missing_parameter, "Field required",
           "Send the recording as the part audio_file of a multipart form."},
          sound_part};
}

// The sound is s16le where the client says so, unless it has the header of a WAV after all.
std::string raw_format_of(const AsrQuery& query, const ReceivedForm& received) {
  return query.encode || received.file_begin == "RIFF" ? "" : "s16le";
}

SubmissionRequest request_for(const ApiCall& call, AsrQuery& query, ReceivedForm& received) {
  return {.source = ReceivedSource{*std::move(received.file), received.file_name},
          .input_format = raw_format_of(query, received),
          .owner = call.principal.name,
          .options = std::move(query.options),
          .trace = call.exchange.trace()};
}

// Returns the text of what was received. An empty file has none, and that is no error.
asio::awaitable<Result<ReadTranscript>> text_of(Api& api, ApiCall& call, AsrQuery& query,
                                                ReceivedForm& received, EarlyHead early = {}) {
  if (received.file->size() == 0) co_return ReadTranscript{};
  SubmissionRequest request = request_for(call, query, received);
  auto submitting = submit_waited(api, call.exchange, std::move(request));
  auto job = co_await std::move(submitting);
  if (!job) co_return job.error();
  auto waiting = waited_transcript(call.exchange, *std::move(job), std::move(early));
  auto transcript = co_await std::move(waiting);
  co_return transcript;
}

std::string asr_json(const protocol::Transcript& transcript) {
  AsrBody segments = AsrBody::array();
  for (const auto& segment : transcript.segments) segments.push_back(protocol::to_json(segment));
  return protocol::json::dump(AsrBody{{"language", transcript.language},
                                      {"segments", std::move(segments)},
                                      {"text", transcript.text}});
}

Response asr_head(const std::string& output, const std::string& file_name) {
  const std::string name = encode_percent(file_name) + "." + output;
  return {.content_type = asr_text_type,
          .headers = {{"asr-engine", "scribed"},
                      {"content-disposition", "attachment; filename=\"" + name + "\""}}};
}

Result<Response> asr_answer(const protocol::Transcript& transcript, const std::string& output,
                            const protocol::WriterOptions& options, Response head) {
  const auto text = output == "json" ? Result<std::string>(asr_json(transcript))
                                     : protocol::write_transcript(output, transcript, options);
  if (!text) return text.error();
  head.body = *text;
  return head;
}

// Returns the likeliest language; an empty object, which Bazarr takes for "unknown", where there is
// none.
AsrBody language_body(const protocol::Transcript& transcript) {
  const auto& languages = transcript.languages;
  const std::string code = languages.empty() ? transcript.language : languages.front().language;
  if (code.empty()) return AsrBody::object();
  AsrBody body{{"detected_language", protocol::language_name(code)}, {"language_code", code}};
  if (!languages.empty()) {
    body["confidence"] = protocol::json::score(languages.front().probability);
  }
  return body;
}

}  // namespace

asio::awaitable<void> asr(Api& api, ApiCall& call) {
  auto query = read_asr_query(call.exchange, api.services.options);
  if (!query) co_return co_await send_mistake(call.exchange, query.error());
  const std::string output = query->output;
  const auto writer = protocol::with_style(query->lines, query->options.subtitle_style);
  const SoundPart part{.name = sound_part, .max_bytes = api.settings.max_upload_bytes};
  auto received = co_await receive_sound(api, call, part);
  if (!received) co_return co_await send_refused(call.exchange, received.error(), output);
  if (!received->file) {
    const FormError missing = no_sound_part();
    co_return co_await send_mistake(call.exchange, missing);
  }
  const Response head = asr_head(output, received->file_name);
  EarlyHead early = output == "json" ? early_head(api, head) : EarlyHead{};
  auto reading = text_of(api, call, *query, *received, std::move(early));
  auto read = co_await std::move(reading);
  if (!read) co_return co_await send_refused(call.exchange, read.error(), output);
  WriteText write = [output, writer, head](const auto& text) {
    return asr_answer(text, output, writer, head);
  };
  auto writing = written_answer(api, call, *std::move(read), std::move(write));
  auto answer = co_await std::move(writing);
  if (!answer) co_return co_await send_refused(call.exchange, answer.error(), output);
  co_await send_late(call.exchange, *std::move(answer));
}

asio::awaitable<void> detect_language(Api& api, ApiCall& call) {
  auto query = read_asr_query(call.exchange, api.services.options);
  if (!query) co_return co_await send_mistake(call.exchange, query.error());
  query->options.language.clear();
  query->options.language_only = true;
  const SoundPart part{.name = sound_part, .max_bytes = api.settings.max_upload_bytes};
  auto received = co_await receive_sound(api, call, part);
  if (!received) co_return co_await send_refused(call.exchange, received.error(), "json");
  if (!received->file) {
    const FormError missing = no_sound_part();
    co_return co_await send_mistake(call.exchange, missing);
  }
  auto reading = text_of(api, call, *query, *received);
  const auto read = co_await std::move(reading);
  if (!read) {
    if (read.error().code == errc::client_gone) co_return;
    Response unknown = error_response(read.error());
    unknown.body = "{}";
    co_return co_await call.exchange.send(std::move(unknown));
  }
  tell_of_warnings(api, call.exchange, read->transcript.warnings);
  std::string body = protocol::json::dump(language_body(read->transcript));
  co_await send_json(call.exchange, std::move(body));
}

}  // namespace server::api
