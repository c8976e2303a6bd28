#include <fmt/format.h>

#include <cctype>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "protocol/json_numbers.h"
#include "protocol/languages.h"
#include "server/mcp/tools/job_wait.h"
#include "server/mcp/tools/result.h"
#include "server/mcp/tools/schema.h"
#include "server/mcp/tools/sound_source.h"
#include "server/mcp/tools/tool.h"

namespace server {
namespace {

constexpr int named_languages = 5;
constexpr double sure = 0.5;          // above this probability
constexpr double worth_words = 0.01;  // in the sentence

Json detect_language_input(const ToolSettings& settings) {
  Json properties = source_properties(settings);
  properties["model"] = schema::text("An installed model, see list_models. Default: the server's");
  return schema::object(std::move(properties));
}

// "German (de) 97 %"
std::string text_of(const protocol::LanguageDetected& detected) {
  std::string name(protocol::language_name(detected.language));
  if (!name.empty()) name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
  return fmt::format("{} ({}) {:.0f} %", name, detected.language,
                     std::round(detected.probability * 100));
}

Json json_of(const protocol::LanguageDetected& detected) {
  return {{"language", detected.language},
          {"name", protocol::language_name(detected.language)},
          {"probability", protocol::json::score(detected.probability)}};
}

Json detection_result(const std::vector<protocol::LanguageDetected>& likeliest) {
  ToolResult result{.words = "Most likely spoken: ", .structured = json_of(likeliest.front())};
  Json& languages = result.structured["languages"] = Json::array();
  for (const auto& detected : likeliest) {
    const bool is_first = languages.empty();
    languages.push_back(json_of(detected));
    if (!is_first && detected.probability < worth_words) continue;
    result.words += (is_first ? "" : ", ") + text_of(detected);
  }
  result.words += ".";
  if (likeliest.front().probability < sure) {
    result.notes.emplace_back(
        "The model is not sure: there may be little speech in the first half minute, or several "
        "languages.");
  }
  return json_of(std::move(result));
}

// Nobody needs the job when the answer is there, so it is in memory alone and goes with the call.
asio::awaitable<Result<Job>> run_and_forget(ToolCall call, SubmissionRequest request) {
  request.owner = call.context.principal();
  request.follow = Follow::to_the_end;
  auto submitting = call.submission.submit(std::move(request));
  auto followed = co_await std::move(submitting);
  if (!followed) co_return followed.error();
  auto waiting = followed->ended(wait_and_tell(call.context, call.time_left()));
  auto job = co_await std::move(waiting);
  co_return job;
}

ToolAnswer detect(ToolCall call) {
  Arguments arguments(call.arguments);
  SubmissionRequest request{.source = read_source(arguments, call.settings),
                            .model = arguments.text("model")};
  if (const auto fine = arguments.check(); !fine) co_return refusal(fine.error());
  request.options.language_only = true;
  request.options.language_detection_candidates = named_languages;
  auto running = run_and_forget(call, std::move(request));
  const auto job = co_await std::move(running);
  if (!job) co_return refusal(job.error());
  if (job->error) co_return failure_of(*job->error, shown_title(*job));
  if (!has_ended(job->state)) {
    co_return refusal({errc::timed_out,
                       "The language is not known yet: other transcriptions are before it.",
                       "Call detect_language again later."});
  }
  if (job->state != JobState::done) {
    co_return refusal({errc::cancelled, "The detection was cancelled.", ""});
  }
  if (job->summary.languages.empty()) {
    co_return refusal({errc::unsupported, "This model is English-only.",
                       "Name another one as model, one without .en in its name, see list_models."});
  }
  co_return detection_result(job->summary.languages);
}

Json detect_language_output() {
  const Json string{{"type", "string"}}, number{{"type", "number"}};
  Json properties{{"language", string}, {"name", string}, {"probability", number}};
  const Json required = {"language", "name", "probability"};
  properties["languages"] = schema::list(schema::object(properties, required));
  properties.update(result_properties());
  return schema::object(std::move(properties), required);
}

}  // namespace

SpeechTool detect_language_tool(const ToolSettings& settings) {
  return {
      {.name = "detect_language",
       .title = "Detect the language",
       .description = "Tells which languages are most likely spoken in the first half minute of a "
                      "recording, with their probabilities. It transcribes nothing and leaves no "
                      "job; transcribe detects the language by itself.",
       .input_schema = detect_language_input(settings),
       .output_schema = detect_language_output(),
       .annotations = {.read_only = true, .destructive = false, .open_world = true}},
      detect};
}

}  // namespace server
