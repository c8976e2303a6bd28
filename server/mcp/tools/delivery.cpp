#include "server/mcp/tools/delivery.h"

#include <fmt/format.h>

#include <array>
#include <functional>
#include <memory>
#include <stop_token>
#include <utility>

#include "protocol/writers.h"
#include "server/base/blocking_calls.h"
#include "server/jobs/job_queue.h"
#include "server/jobs/job_transcript.h"
#include "server/mcp/tools/job_text.h"
#include "server/mcp/tools/output_file.h"
#include "server/mcp/tools/schema.h"
#include "server/transcription/progress_json.h"

namespace server {
namespace {

constexpr std::array<std::string_view, 5> formats{"text", "srt", "vtt", "tsv", "json"};
constexpr std::array<std::string_view, 3> timestamp_kinds{"none", "segment", "word"};
constexpr int most_segments = 1'000'000;

std::string writer_of(const std::string& format) {
  return format == "text" ? "txt" : format;
}

// The transcript is not lost with the file.
mcp::Outcome not_written(const Job& job, Error error) {
  error.fix += fmt::format("{}The transcript is kept: call get_job with job=\"{}\".",
                           error.fix.empty() ? "" : " ", job.id);
  return refusal(error);
}

ToolAnswer deliver_file(ToolCall call, Job job, Delivery delivery) {
  const auto transcript = co_await read_transcript(call.services.jobs, job);
  if (!transcript) co_return refusal(transcript.error());
  const auto file = protocol::write_transcript(writer_of(delivery.format), *transcript,
                                               {.channel_labels = job.request.channel_labels});
  if (!file) co_return refusal(file.error());
  if (!delivery.output_file.empty()) {
    auto output = open_output(call.services.paths, delivery.output_file);
    if (!output) co_return not_written(job, output.error());
    std::function<Result<void>(std::stop_token)> work =
        [to = std::make_shared<OutputFile>(*std::move(output)), text = *file](std::stop_token) {
          return write_output(*to, text);
        };
    const auto written = co_await call.services.disk.run(std::move(work));
    if (!written) co_return not_written(job, written.error());
    co_return written_answer(job, *transcript, delivery.output_file, file->size());
  }
  if (file->size() > call.settings.text_bytes) {
    co_return refusal({errc::too_large, "The transcript is too long for one answer in this format.",
                       "Name an output_file, read the resource " +
                           transcript_uri(job.id, writer_of(delivery.format)) +
                           ", or take the text in pages with format text."});
  }
  co_return file_answer(job, delivery.format, *file);
}

ToolAnswer deliver_page(ToolCall call, Job job, Delivery delivery) {
  const int most = delivery.limit > 0 ? delivery.limit : most_segments;
  const auto segments = co_await call.services.jobs.segments(job.id, delivery.offset, most);
  if (!segments) co_return refusal(segments.error());
  co_return page_answer(job, *segments, delivery, call.settings);
}

}  // namespace

nlohmann::json delivery_properties() {
  return {{"format", schema::one_of("text to read; srt, vtt, tsv or json for a file. Default: text",
                                    formats)},
          {"timestamps",
           schema::one_of("segment: the text has the times of each passage; word: besides, the "
                          "segments have the times of each word, if the job was started with it; "
                          "none: no segments at all. Default: segments beside the text",
                          timestamp_kinds)},
          {"output_file", schema::text("Write the transcript to this file on the server's machine, "
                                       "and answer with its beginning only")}};
}

Delivery read_delivery(Arguments& arguments) {
  Delivery delivery{.format = arguments.choice("format", formats, "text")};
  const auto kind = arguments.choice("timestamps", timestamp_kinds, "");
  delivery.with_words = kind == "word";
  delivery.with_times = kind == "segment" || delivery.with_words;
  delivery.with_segments = kind != "none";
  delivery.output_file = arguments.text("output_file");
  return delivery;
}

Result<void> check_delivery(const ToolCall& call, const Delivery& delivery) {
  if (delivery.output_file.empty()) return {};
  if (!call.settings.may_write) {
    return Error{errc::forbidden, "This server writes no files.",
                 "Leave output_file out, and read the text in pages or as a resource."};
  }
  const auto output = open_output(call.services.paths, delivery.output_file);
  if (!output) return output.error();
  return {};
}

nlohmann::json job_schema() {
  const Json number{{"type", "number"}}, string{{"type", "string"}}, integer{{"type", "integer"}};
  Json words = schema::list(schema::object(
      {{"start", number}, {"end", number}, {"word", string}, {"probability", number}},
      {"start", "end", "word"}));
  Json segments = schema::list(schema::object({{"start", number},
                                               {"end", number},
                                               {"text", string},
                                               {"confidence", number},
                                               {"avg_logprob", number},
                                               {"no_speech_prob", number},
                                               {"compression_ratio", number},
                                               {"temperature", number},
                                               {"language", string},
                                               {"channel", integer},
                                               {"words", std::move(words)}},
                                              {"start", "end", "text"}));
  Json properties{{"job", string},
                  {"state", string},
                  {"text", string},
                  {"language", string},
                  {"model", string},
                  {"device", string},
                  {"device_reason", string},
                  {"output_file", string},
                  {"total_segments", integer},
                  {"next_offset", integer},
                  {"segments", std::move(segments)}};
  properties.update(Json(progress_properties()));
  return {
      {"type", "object"}, {"properties", std::move(properties)}, {"required", {"job", "state"}}};
}

ToolAnswer deliver(ToolCall call, Job job, Delivery delivery) {
  const bool has_failed = job.state == JobState::failed || job.state == JobState::cancelled;
  if (has_failed) return failed_answer(std::move(job));
  if (delivery.is_file()) {
    if (job.state != JobState::done) {
      return file_later_answer(std::move(job), std::move(delivery), call.settings);
    }
    return deliver_file(call, std::move(job), std::move(delivery));
  }
  return deliver_page(call, std::move(job), std::move(delivery));
}

}  // namespace server
