#include <boost/beast/core/string.hpp>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "protocol/deepgram/answer.h"
#include "protocol/deepgram/listen_settings.h"
#include "protocol/json_parse.h"
#include "protocol/json_text.h"
#include "server/api/api.h"
#include "server/api/early_head.h"
#include "server/api/handlers.h"
#include "server/api/listen_answers.h"
#include "server/api/long_answer.h"
#include "server/api/received_form.h"
#include "server/api/waited_job.h"
#include "server/models/digest.h"

// Deepgram's /v1/listen for a whole recording: the body is its file, or JSON with its address.
namespace server::api {
namespace {

namespace deepgram = protocol::deepgram;

constexpr std::size_t most_json_bytes = 64 * 1024;
constexpr std::size_t read_at_once = 64 * 1024;
constexpr std::chrono::seconds listen_fetch_limit{600};

struct ListenedSound {
  SoundSource source{};
  std::string sha256{};  // of what was sent; empty: it has an address
};

bool is_json(const Exchange& exchange) {
  constexpr std::string_view json_type = "application/json";
  const std::string_view type = exchange.headers()[http::field::content_type];
  return boost::beast::iequals(type.substr(0, json_type.size()), json_type);
}

asio::awaitable<Result<ListenedSound>> read_address(const Api& api, Exchange& exchange) {
  const auto body = co_await exchange.read_body(most_json_bytes);
  if (!body) co_return body.error();
  const auto parsed = protocol::json::parse_object(*body, {.depth = 8, .values = 100});
  if (!parsed)
    co_return Error{errc::bad_request, "The body is no JSON object.",
                    "Send {\"url\": \"https://…\"}, or a file with its own Content-Type."};
  const auto url = parsed->find("url");
  if (url == parsed->end() || !url->is_string()) {
    co_return Error{errc::missing_parameter, "The body names no url.",
                    "Send the file itself, or {\"url\": \"https://…\"}."};
  }
  if (!api.services.urls) {
    co_return Error{errc::url_refused, "This server does not download URLs.",
                    "Send the file itself as the body."};
  }
  co_return ListenedSound{.source = UrlSource{url->get<std::string>()}};
}

// Writes the body into the spool as it comes, behind a header where it has none of its own.
asio::awaitable<Result<ListenedSound>> receive_file(Api& api, ApiCall& call, std::string header) {
  Exchange& exchange = call.exchange;
  const std::uint64_t bytes = announced_bytes(exchange);
  const auto admitted = co_await api.submission.admit(call.principal.name, "", bytes);
  if (!admitted) co_return admitted.error();
  auto file = api.services.spool.create(call.principal.name, bytes);
  if (!file) co_return file.error();
  if (const auto written = file->write(header); !written) co_return written.error();
  exchange.allow_body(api.settings.max_body_bytes);
  Hasher hasher(Digest::Kind::sha256, 0);
  std::vector<char> chunk(read_at_once);
  while (true) {
    const auto count = co_await exchange.read_some(chunk);
    if (!count) co_return count.error();
    if (*count == 0) break;
    const std::span<const char> read(chunk.data(), *count);
    hasher.update(read);
    if (const auto written = file->write(read); !written) co_return written.error();
  }
  if (file->size() == header.size()) {
    co_return Error{errc::missing_parameter, "The request has no recording.",
                    "Send the file as the body."};
  }
  co_return ListenedSound{.source = ReceivedSource{*std::move(file), ""},
                          .sha256 = hasher.finish()};
}

asio::awaitable<Result<ListenedSound>> receive_listened(Api& api, ApiCall& call,
                                                        std::string header) {
  if (is_json(call.exchange)) {
    auto address = co_await read_address(api, call.exchange);
    co_return address;
  }
  auto file = co_await receive_file(api, call, std::move(header));
  co_return file;
}

SubmissionRequest listen_request(const Api& api, const ApiCall& call,
                                 const deepgram::ListenSettings& settings, SoundSource source) {
  SubmissionRequest request{.source = std::move(source),
                            .owner = call.principal.name,
                            .model = settings.model,
                            .options = api.services.options,
                            .split_channels = settings.multichannel,
                            .fetch_limit = listen_fetch_limit,
                            .trace = call.exchange.trace()};
  auto& options = request.options;
  if (!settings.language.empty()) options.language = settings.language;
  if (!settings.keyterms.empty()) options.hotwords = deepgram::hotwords_of(settings.keyterms);
  options.diarize = settings.diarize.value_or(options.diarize);
  options.word_timestamps = true;
  return request;
}

asio::awaitable<Result<ReadTranscript>> transcribe_listened(Api& api, ApiCall& call,
                                                            SubmissionRequest request) {
  auto submitting = submit_waited(api, call.exchange, std::move(request));
  auto job = co_await std::move(submitting);
  if (!job) co_return job.error();
  auto waiting = waited_transcript(call.exchange, *std::move(job), early_head(api));
  auto transcript = co_await std::move(waiting);
  co_return transcript;
}

asio::awaitable<void> refuse_listened(Exchange& exchange, const Error& error) {
  if (error.code == errc::client_gone) co_return;
  Response refusal = listen_error(exchange, error);
  co_await send_late(exchange, std::move(refusal));
}

}  // namespace

asio::awaitable<void> listen_file(Api& api, ApiCall& call) {
  const auto settings =
      deepgram::read_listen_query(call.exchange.query_fields(), deepgram::ListenKind::file);
  if (!settings) co_return co_await refuse_listened(call.exchange, settings.error());
  tell_of_ignored(api, call.exchange, settings->ignored);
  const std::string created = listen_time();
  std::string header = settings->raw ? deepgram::wav_header(*settings->raw) : "";
  auto received = co_await receive_listened(api, call, std::move(header));
  if (!received) co_return co_await refuse_listened(call.exchange, received.error());
  SubmissionRequest request = listen_request(api, call, *settings, std::move(received->source));
  auto transcribing = transcribe_listened(api, call, std::move(request));
  auto read = co_await std::move(transcribing);
  if (!read) co_return co_await refuse_listened(call.exchange, read.error());
  const deepgram::AnswerFacts facts{call.exchange.trace().request_id, created, received->sha256};
  WriteText write = [settings = *settings, facts](const auto& text) {
    return Response{.body = protocol::json::dump(deepgram::listen_answer(text, settings, facts))};
  };
  auto writing = written_answer(api, call, *std::move(read), std::move(write));
  auto answer = co_await std::move(writing);
  if (!answer) co_return co_await refuse_listened(call.exchange, answer.error());
  co_await send_late(call.exchange, *std::move(answer));
}

}  // namespace server::api
