#include <fmt/format.h>

#include <chrono>
#include <functional>
#include <memory>
#include <stop_token>
#include <utility>

#include "protocol/json_numbers.h"
#include "protocol/speakers.h"
#include "server/base/call_places.h"
#include "server/base/counted.h"
#include "server/base/fair_calls.h"
#include "server/base/race.h"
#include "server/jobs/folded_text.h"
#include "server/jobs/job_search.h"
#include "server/mcp/tools/arguments.h"
#include "server/mcp/tools/job_words.h"
#include "server/mcp/tools/result.h"
#include "server/mcp/tools/schema.h"
#include "server/mcp/tools/shown.h"
#include "server/mcp/tools/tool.h"
#include "server/mcp/tools/transcript_search.h"
#include "server/transcription/clock_text.h"

namespace server {
namespace {

constexpr int most_found = 50;
constexpr std::size_t most_passages = 3;  // of one transcript
constexpr std::size_t most_query_bytes = 500;
// One call looks at this many segments at most, which is about seventy hours of speech.
constexpr int most_searched = 50'000;
constexpr std::chrono::seconds search_time{10};
constexpr int most_searches_of_one = 64;          // that are made or wait
constexpr std::size_t search_frame_bytes = 2000;  // of a result without what was found
constexpr std::size_t most_found_bytes = 5000;    // of one transcript, in both places

// What a call has found so far.
struct Findings {
  ToolResult result{.data = {""}, .structured = {{"found", Json::array()}}};
  std::size_t bytes = search_frame_bytes;
  int segments = 0;      // that were looked at
  std::string last{};    // the job that was looked at last
  bool is_over = false;  // there is no older job
};

Json json_of(const Passage& passage) {
  Json json{{"offset", passage.offset},
            {"start", protocol::json::seconds(passage.start)},
            {"text", passage.text}};
  if (!passage.speaker.empty()) json["speaker"] = passage.speaker;
  return json;
}

void add_found(const Job& job, const std::vector<Passage>& passages, Findings& findings) {
  std::string lines =
      fmt::format("{} {} ({})\n", job.id, quoted_name(shown_title(job)), about_recording(job));
  Json list = Json::array();
  for (const auto& passage : passages) {
    const std::string who = passage.speaker.empty() ? "" : passage.speaker + ": ";
    lines += fmt::format("  offset {} [{}] {}{}\n", passage.offset, clock_text(passage.start), who,
                         passage.text);
    list.push_back(json_of(passage));
  }
  Json found{{"job", job.id},
             {"title", shown_name(shown_title(job))},
             {"duration", protocol::json::seconds(job.duration)},
             {"passages", std::move(list)}};
  if (!job.language.empty()) found["language"] = job.language;
  findings.bytes += text_size(lines) + result_size(found) + 1;
  findings.result.data[0] += lines;
  findings.result.structured["found"].push_back(std::move(found));
}

// Whether one more transcript may be looked at: a call has bounds, and a further one goes on.
bool may_go_on(const ToolCall& call, const Findings& findings, int limit) {
  return std::ssize(findings.result.structured["found"]) < limit &&
         findings.segments < most_searched &&
         findings.bytes + most_found_bytes < call.settings.result_bytes &&
         std::chrono::steady_clock::now() - call.begun < search_time;
}

// Looks for passages in a text, on another thread: it may be long. One that is too large to be read
// is found without passages, since the index of texts has named it.
asio::awaitable<Result<void>> look_into(ToolCall call,
                                        std::shared_ptr<const TranscriptSearch> search, Job job,
                                        Findings& findings) {
  using Found = TranscriptSearch::Found;
  findings.segments += job.segments;
  auto reading = call.services.jobs.transcript(job);
  auto read = co_await std::move(reading);
  if (!read && read.error().code == errc::too_large) {
    add_found(job, {}, findings);
    co_return Result<void>{};
  }
  if (!read) co_return read.error();
  std::function<Result<Found>(std::stop_token)> work =
      [search, names = shown_title(job) + " " + job.request.title,
       labels = job.request.channel_labels,
       segments = std::move(read->transcript.segments)](std::stop_token) mutable -> Result<Found> {
    for (auto& segment : segments) segment.speaker = protocol::speaker_of(segment, labels);
    return search->look(names, segments, most_passages);
  };
  auto looking = call.services.texts.run<Found>(call.context.principal(), std::move(work),
                                                std::move(read->memory));
  const auto found = co_await std::move(looking);
  if (!found) co_return found.error();
  if (found->all) add_found(job, found->passages, findings);
  co_return Result<void>{};
}

// Returns the jobs that the index of texts names, the newest first.
asio::awaitable<Result<std::vector<Job>>> find_jobs(ToolCall call, std::string query, int most,
                                                    std::string before) {
  JobFilter filter{.states = {JobState::done}, .texts = words_between_spaces(query)};
  JobPlace after{.id = std::move(before)};
  auto searching = within(search_time, search_jobs(call.services.jobs, call.context.principal(),
                                                   std::move(filter), most, std::move(after)));
  auto found = co_await std::move(searching);
  if (found) co_return *std::move(found);
  co_return Error{errc::timed_out, "The search took too long.",
                  "Search for longer or rarer words."};
}

// Looks at one job after the other; what does not fit is for the next call.
asio::awaitable<Result<void>> look_at_all(ToolCall call,
                                          std::shared_ptr<const TranscriptSearch> search,
                                          std::string query, int limit, Findings& findings) {
  auto finding = find_jobs(call, std::move(query), limit + 1, findings.last);
  auto jobs = co_await std::move(finding);
  if (!jobs) co_return jobs.error();
  for (Job& job : *jobs) {
    if (!may_go_on(call, findings, limit)) co_return Result<void>{};
    findings.last = job.id;
    auto looking = look_into(call, search, std::move(job), findings);
    const auto looked = co_await std::move(looking);
    if (!looked) co_return looked.error();
  }
  findings.is_over = std::ssize(*jobs) <= limit;
  co_return Result<void>{};
}

Json search_result(Findings findings) {
  ToolResult& result = findings.result;
  const auto number = result.structured["found"].size();
  result.words = number == 0
                     ? "No transcript has all of these words."
                     : fmt::format(
                           "{} {} all of these words: each with its job and the passages that have "
                           "most of them.",
                           counted(number, "transcript"), number == 1 ? "has" : "have");
  if (number > 0) {
    result.next_step = "Read on around a passage by get_job with the job and the offset.";
  }
  if (!findings.is_over) {
    if (!result.next_step.empty()) result.next_step += " ";
    result.next_step += fmt::format(
        "There are older ones: call search_transcripts with the same query and before=\"{}\".",
        findings.last);
  }
  return json_of(std::move(result));
}

ToolAnswer search_transcripts(ToolCall call) {
  Arguments arguments(call.arguments);
  std::string query = arguments.text("query", most_query_bytes);
  const auto search = std::make_shared<const TranscriptSearch>(query);
  const int limit = arguments.integer("limit", 1, most_found, 10);
  Findings findings{.last = arguments.text("before")};
  if (search->is_empty()) arguments.fail("The argument query needs a word.");
  if (const auto fine = arguments.check(); !fine) co_return refusal(fine.error());
  auto waiting = place_for(call.services.lists, call.context.principal(), most_searches_of_one);
  const auto place = co_await std::move(waiting);
  if (!place) co_return refusal(place.error());
  call.begun = std::chrono::steady_clock::now();  // the wait does not count
  auto looking = look_at_all(call, search, std::move(query), limit, findings);
  const auto looked = co_await std::move(looking);
  if (!looked) co_return refusal(looked.error());
  co_return search_result(std::move(findings));
}

Json search_schema() {
  const Json string{{"type", "string"}}, number{{"type", "number"}}, integer{{"type", "integer"}};
  Json passage = schema::object(
      {{"offset", integer}, {"start", number}, {"text", string}, {"speaker", string}},
      {"offset", "start", "text"});
  Json found = schema::object({{"job", string},
                               {"title", string},
                               {"duration", number},
                               {"language", string},
                               {"passages", schema::list(std::move(passage))}},
                              {"job", "title", "passages"});
  Json properties{{"found", schema::list(std::move(found))}};
  properties.update(result_properties());
  return schema::object(std::move(properties), {"found"});
}

}  // namespace

SpeechTool search_transcripts_tool() {
  return {{.name = "search_transcripts",
           .title = "Search the transcripts",
           .description =
               "Finds those of your transcripts that are still kept in which all words of a query "
               "are said (or stand in the name of the file or the speaker), the newest first, with "
               "the passages that "
               "have most of them. Letter case does not matter; a word may be part of another.",
           .input_schema = schema::object(
               {{"query", schema::text("Words that were said, in the language of the recording")},
                {"limit", schema::integer("Most transcripts to find. Default: 10", 1, most_found)},
                {"before", schema::text("Id of the last job of the previous page")}},
               Json::array({"query"})),
           .output_schema = search_schema(),
           .annotations =
               {.read_only = true, .destructive = false, .idempotent = true, .open_world = false}},
          search_transcripts};
}

}  // namespace server
