#include "server/mcp/tools/job_answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <stop_token>
#include <utility>

#include "protocol/docx/transcript_files.h"
#include "server/base/fair_calls.h"
#include "server/jobs/job_queue.h"
#include "server/mcp/tools/file_page.h"
#include "server/mcp/tools/job_words.h"
#include "server/mcp/tools/output_file.h"
#include "server/mcp/tools/result.h"
#include "server/mcp/tools/result_page.h"
#include "server/mcp/tools/schema.h"
#include "server/mcp/tools/shown.h"
#include "server/transcription/progress_json.h"

namespace server {
namespace {

constexpr std::size_t preview_bytes = 600;
constexpr int most_read = 5000;  // segments at once, more than a page holds
// For what is known only when the page is full, the next step above all, and for what the protocol
// adds to a result.
constexpr std::size_t spare_bytes = 1200;

Json job_so_far(const Job& job) {
  Json json{{"job", job.id}, {"state", name(job.state)}, {"title", shown_name(shown_title(job))}};
  if (!job.language.empty()) json["language"] = job.language;
  json.update(Json(known_progress_json(job.progress)));
  if (job.state != JobState::done) return json;
  json["model"] = job.summary.model;
  json["device"] = job.summary.device;
  json["device_reason"] = job.summary.device_reason;
  return json;
}

std::string words_about(const Job& job, const ResultPage& page, const Delivery& delivery) {
  if (!page.text.empty()) {
    return fmt::format("The last block is what is said in the recording ({}).",
                       about_recording(job));
  }
  if (!has_ended(job.state)) return "Nothing of the recording is transcribed yet.";
  return delivery.offset > 0 ? "There is nothing behind this offset."
                             : "No speech was found in the recording.";
}

// As many of the segments, which begin at delivery.offset, as fit into one result; and how to go
// on.
mcp::Outcome page_answer(const Job& job, const std::vector<protocol::Segment>& segments,
                         const Delivery& delivery, const ToolSettings& settings) {
  ToolResult result{.data = {quoted_name(shown_title(job))}, .structured = job_so_far(job)};
  result.structured["total_segments"] = job.segments;
  // Whoever reads on knows them already.
  if (job.state == JobState::done && delivery.offset == 0) result.notes = notes_of(job.summary);
  const std::size_t used = result_size(json_of(result)) + spare_bytes;
  const std::size_t room = settings.result_bytes > used ? settings.result_bytes - used : 0;
  ResultPage page = fill_page(segments, delivery, job.request.channel_labels, room);
  result.words = words_about(job, page, delivery);
  result.next_step = next_page(job, page.next, settings);
  const bool is_all = page.next >= job.segments && has_ended(job.state);
  if (!is_all) result.structured["next_offset"] = page.next;
  if (delivery.with_segments) result.structured["segments"] = std::move(page.segments);
  result.structured["text"] = page.text;
  result.data.push_back(std::move(page.text));
  return json_of(std::move(result));
}

// How to get the file of a job that has not ended.
mcp::Outcome file_later_answer(const Job& job, const Delivery& delivery,
                               const ToolSettings& settings) {
  return json_of(
      ToolResult{.words = fmt::format("The recording is not transcribed yet, so there is no {}.",
                                      delivery.output_file.empty() ? delivery.format : "file"),
                 .next_step = next_look(job, delivery, settings),
                 .data = {quoted_name(shown_title(job))},
                 .structured = job_so_far(job)});
}

std::string words_about_file(const Job& job, const FilePage& page, const Delivery& delivery) {
  if (page.text.empty()) {
    return delivery.offset > 0 ? "There is nothing behind this offset."
                               : "No speech was found in the recording.";
  }
  const bool is_whole = delivery.offset == 0 && page.is_last;
  return fmt::format("The last block is {} {} file of what is said in the recording ({}).",
                     is_whole ? "the" : "a part of the", delivery.format, about_recording(job));
}

// A file of the transcript, srt and the like, as the answer itself: all of it, or as many of its
// entries as fit.
Json file_answer(const Job& job, const protocol::Transcript& transcript, const Delivery& delivery,
                 const std::string& file, const ToolSettings& settings) {
  ToolResult result{.data = {quoted_name(shown_title(job))}, .structured = job_so_far(job)};
  if (delivery.offset == 0) result.notes = notes_of_file(transcript, delivery);
  FilePage page{.text = file};
  if (has_entries(delivery.format)) {
    const std::size_t used = result_size(json_of(result)) + spare_bytes;
    const std::size_t room = settings.result_bytes > used ? settings.result_bytes - used : 0;
    page = fill_file_page(file, delivery, room);
  }
  result.words = words_about_file(job, page, delivery);
  result.next_step = page.is_last ? next_page(job, job.segments, settings)
                                  : next_file_page(job, delivery, page.next);
  if (!page.is_last) result.structured["next_offset"] = page.next;
  result.structured["text"] = page.text;
  result.data.push_back(std::move(page.text));
  return json_of(std::move(result));
}

mcp::Outcome too_long(const Job& job, const Delivery& delivery, const ToolSettings& settings) {
  const std::string uri = transcript_uri(job.id, delivery.format);
  const std::string file = settings.may_write ? "Name an output_file, read" : "Read";
  return refusal(
      {errc::too_large, "The transcript is too long for one answer in this format.",
       fmt::format("{} the resource {}, or take the text in pages with format text.", file, uri)});
}

mcp::Outcome written_answer(const Job& job, const protocol::Transcript& transcript,
                            const Delivery& delivery, std::size_t bytes,
                            const ToolSettings& settings) {
  std::string preview = cut_text(trimmed(transcript.text), preview_bytes);
  const std::string about = preview.empty()
                                ? "No speech was found in the recording."
                                : fmt::format(
                                      "The last block is the beginning of what is said in the "
                                      "recording ({}).",
                                      about_recording(job));
  ToolResult result{.words = fmt::format("Written to output_file ({} bytes). {}", bytes, about),
                    .notes = notes_of_file(transcript, delivery),
                    .next_step = next_page(job, job.segments, settings),
                    .data = {quoted_name(shown_title(job)), preview},
                    .structured = job_so_far(job)};
  result.structured["text"] = std::move(preview);
  result.structured["output_file"] = delivery.output_file;
  return json_of(std::move(result));
}

mcp::Outcome failed_answer(const Job& job) {
  const Error cancelled{errc::cancelled, "The job " + job.id + " was cancelled.", ""};
  return failure_of(job.error.value_or(cancelled), shown_title(job));
}

std::string writer_of(const std::string& format) {
  return format == "text" ? "txt" : format;
}

// The transcript is not lost with the file.
mcp::Outcome not_written(const Job& job, Error error) {
  error.fix += fmt::format("{}The transcript is kept: call get_job with job=\"{}\".",
                           error.fix.empty() ? "" : " ", job.id);
  return refusal(error);
}

Error no_text_of_docx(const Job& job) {
  return {errc::usage, "A docx is a file, and no text to be read here.",
          fmt::format("Give an output_file where there is that parameter, or read the resource "
                      "transcript://{}.docx.",
                      job.id)};
}

ToolAnswer write_file(ToolCall call, Job job, Delivery delivery, protocol::Transcript transcript,
                      std::string text) {
  auto output = open_output(call.services.paths, delivery.output_file);
  if (!output) co_return not_written(job, output.error());
  const std::size_t bytes = text.size();
  std::function<Result<void>(std::stop_token)> work =
      [to = std::make_shared<OutputFile>(*std::move(output)),
       text = std::move(text)](std::stop_token) { return write_output(*to, text); };
  auto writing = call.services.disk.run(call.context.principal(), std::move(work));
  const auto written = co_await std::move(writing);
  if (!written) co_return not_written(job, written.error());
  co_return written_answer(job, transcript, delivery, bytes, call.settings);
}

ToolAnswer deliver_file(ToolCall call, Job job, Delivery delivery) {
  const auto has_turns = check_has_speakers(job);
  if (delivery.format == "rttm" && !has_turns) co_return refusal(has_turns.error());
  if (delivery.format == protocol::docx_format && delivery.output_file.empty()) {
    co_return refusal(no_text_of_docx(job));
  }
  auto reading = call.services.jobs.transcript(job);
  auto read = co_await std::move(reading);
  if (!read) co_return refusal(read.error());
  const auto& transcript = read->transcript;
  // The file has all of the text, so it is not written only to be refused.
  const bool is_paged = has_entries(delivery.format) || !delivery.output_file.empty();
  const std::size_t most = call.settings.result_bytes;
  if (!is_paged && transcript.text.size() > most) co_return too_long(job, delivery, call.settings);
  // A long text takes long to be written, too.
  std::function<Result<std::string>(std::stop_token)> work =
      [format = writer_of(delivery.format), text = transcript,
       options = with_looks(writer_options(job), delivery.subtitles)](std::stop_token) {
        return protocol::write_transcript_file(format, text, options);
      };
  auto writing =
      call.services.texts.run<std::string>(call.context.principal(), std::move(work), read->memory);
  auto file = co_await std::move(writing);
  if (!file) co_return refusal(file.error());
  if (!delivery.output_file.empty()) {
    auto writing =
        write_file(call, std::move(job), std::move(delivery), read->transcript, *std::move(file));
    auto written = co_await std::move(writing);
    co_return written;
  }
  if (!is_paged && file->size() > most) co_return too_long(job, delivery, call.settings);
  Json answer = file_answer(job, transcript, delivery, *file, call.settings);
  const bool fits = has_entries(delivery.format) ||
                    result_size(answer) + spare_bytes <= call.settings.result_bytes;
  if (!fits) co_return too_long(job, delivery, call.settings);
  co_return mcp::Outcome(std::move(answer));
}

ToolAnswer deliver_page(ToolCall call, Job job, Delivery delivery) {
  const int most = delivery.limit > 0 ? std::min(delivery.limit, most_read) : most_read;
  // The job may have ended meanwhile, and its speakers have cut its segments anew.
  auto finding = call.services.jobs.find_text(
      job.id, job.request.owner, [first = delivery.offset](const Job&) { return first; }, most);
  const auto found = co_await std::move(finding);
  if (!found) co_return refusal(found.error());
  if (!*found) co_return refusal(job_not_found(job.id));
  co_return page_answer((*found)->job, (*found)->segments, delivery, call.settings);
}

}  // namespace

std::string transcript_uri(const std::string& job, const std::string& format) {
  return "transcript://" + job + (format == "txt" ? "" : "." + format);
}

nlohmann::json job_schema() {
  const Json string{{"type", "string"}}, integer{{"type", "integer"}};
  Json properties{{"job", string},          {"state", string},
                  {"title", string},        {"text", string},
                  {"language", string},     {"model", string},
                  {"device", string},       {"device_reason", string},
                  {"output_file", string},  {"total_segments", integer},
                  {"next_offset", integer}, {"segments", schema::list(segment_schema())}};
  properties.update(result_properties());
  properties.update(Json(progress_properties()));
  return {
      {"type", "object"}, {"properties", std::move(properties)}, {"required", {"job", "state"}}};
}

ToolAnswer deliver(ToolCall call, Job job, Delivery delivery) {
  const bool has_failed = job.state == JobState::failed || job.state == JobState::cancelled;
  if (has_failed) co_return failed_answer(job);
  if (delivery.is_file() && job.state != JobState::done) {
    co_return file_later_answer(job, delivery, call.settings);
  }
  auto* how = delivery.is_file() ? deliver_file : deliver_page;
  auto delivering = how(call, std::move(job), std::move(delivery));
  auto answer = co_await std::move(delivering);
  co_return answer;
}

}  // namespace server
