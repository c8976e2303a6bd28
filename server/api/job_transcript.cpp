#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include "protocol/docx/transcript_files.h"
#include "server/api/api.h"
#include "server/api/handlers.h"
#include "server/api/list_query.h"
#include "server/api/long_answer.h"
#include "server/api/text_json.h"
#include "server/api/text_looks.h"
#include "server/api/transcript_answer.h"
#include "server/options/option_values.h"
#include "server/submission/submission.h"

// The text of a job, in a format of choice.
namespace server::api {
namespace {

// The last three are OpenAI's, see transcript_answer.h.
struct TextFormat {
  std::string_view name;
  const char* content_type;
};
constexpr std::array text_formats{TextFormat{"txt", "text/plain; charset=utf-8"},
                                  TextFormat{"srt", "text/plain; charset=utf-8"},
                                  TextFormat{"vtt", "text/vtt; charset=utf-8"},
                                  TextFormat{"ass", "text/x-ssa; charset=utf-8"},
                                  TextFormat{"tsv", "text/tab-separated-values; charset=utf-8"},
                                  TextFormat{"lrc", "text/plain; charset=utf-8"},
                                  TextFormat{"json", "application/json"},
                                  TextFormat{"rttm", "text/plain; charset=utf-8"},
                                  TextFormat{"docx", protocol::docx_type},
                                  TextFormat{"text", ""},
                                  TextFormat{"verbose_json", ""},
                                  TextFormat{"diarized_json", ""}};

// OpenAI's formats are written as its endpoints write them.
std::optional<AnswerFormat> openai_format(const std::string& wanted, const Job& job,
                                          const protocol::Transcript& transcript) {
  if (wanted != "text" && wanted != "verbose_json" && wanted != "diarized_json") return {};
  const bool has_words =
      std::ranges::any_of(transcript.segments, [](const auto& s) { return !s.words.empty(); });
  const bool has_logprobs = std::ranges::any_of(
      transcript.segments, [](const auto& s) { return !s.token_logprobs.empty(); });
  return AnswerFormat{.name = wanted,
                      .parts = {.segments = true, .words = has_words, .logprobs = has_logprobs},
                      .diarized = check_has_speakers(job).has_value(),
                      .split_channels = job.request.split_channels,
                      .channel_labels = job.request.channel_labels};
}

// Formats of turns need speakers. This is asked before a text is read, which may be long.
Result<void> check_format(const Job& job, const TextFormat& format) {
  const bool has_turns = format.name == "rttm" || format.name == "diarized_json";
  return has_turns ? check_has_speakers(job) : Result<void>();
}

Result<Response> written_transcript(const Job& job, const protocol::Transcript& transcript,
                                    const TextFormat& format, const TextLooks& looks) {
  const std::string name(format.name);
  if (const auto answer = openai_format(name, job, transcript)) {
    return transcript_answer(transcript, *answer);
  }
  auto text = written_text(name, transcript, writer_options(job), looks);
  if (!text) return text.error();
  return Response{.body = *std::move(text), .content_type = format.content_type};
}

}  // namespace

asio::awaitable<void> job_transcript(Api& api, ApiCall& call) {
  const auto job = co_await api.submission.find(call.id, call.principal.name);
  if (!job) co_return co_await send_error(call.exchange, job.error());
  const std::string wanted = lower_case(call.exchange.query("format").value_or("txt"));
  const auto format = std::ranges::find(text_formats, wanted, &TextFormat::name);
  if (format == text_formats.end()) {
    const Error unknown{errc::usage, "There is no format " + wanted + ".",
                        "Use txt, srt, vtt, ass, tsv, lrc, json, rttm, docx, text, "
                        "verbose_json or diarized_json."};
    co_return co_await send_error(call.exchange, unknown, "format");
  }
  const auto version = text_version(call.exchange);
  if (!version) co_return co_await send_form_error(call.exchange, version.error());
  const auto looks = text_looks(call.exchange);
  if (!looks) co_return co_await send_form_error(call.exchange, looks.error());
  const auto fine = check_format(*job, *format);
  if (!fine) co_return co_await send_error(call.exchange, fine.error(), "format");
  auto reading = unless_client_leaves(
      call.exchange, api.services.jobs.transcript(*job, *version, reader_of(call)));
  auto transcript = co_await std::move(reading);
  if (!transcript) co_return co_await send_error(call.exchange, client_has_left());
  if (!*transcript) {
    const auto& error = transcript->error();
    const bool is_of_version = error.code == errc::version_not_found;
    co_return co_await send_error(call.exchange, error, is_of_version ? "version" : "");
  }
  WriteText write = [job = *job, format = *format, looks = *looks](const auto& text) {
    return written_transcript(job, text, format, looks);
  };
  auto writing = written_answer(api, call, **std::move(transcript), std::move(write));
  auto response = co_await std::move(writing);
  if (!response) co_return co_await send_error(call.exchange, response.error(), "format");
  // The header keeps a reader from taking a part for the whole.
  response->headers.emplace_back("x-job-status", name(job->state));
  response->headers.emplace_back("etag", text_tag(version->value_or(job->version)));
  co_await call.exchange.send(*std::move(response));
}

}  // namespace server::api
