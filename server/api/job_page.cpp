#include "server/api/job_page.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "server/api/job_json.h"
#include "server/api/text_json.h"

namespace server::api {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_short_bytes = 16 << 10;

// Returns the bytes of a job's texts, which have no bound that is as small as that of the rest.
std::size_t text_bytes(const ListedJob& listed) {
  const Job& job = listed.job;
  std::size_t bytes = job.title.size() + job.request.title.size();
  for (const auto& [key, value] : job.request.metadata) bytes += key.size() + value.size();
  for (const auto& [label, name] : job.speaker_names) bytes += label.size() + name.size();
  bytes += job.summary.turns.size() * sizeof(protocol::SpeakerTurn);
  for (const auto& warning : job.summary.warnings) bytes += warning.size();
  for (const auto& match : listed.matches) {
    bytes += match.text.size() + match.spans.size() * sizeof(TextSpan);
  }
  return bytes;
}

}  // namespace

JobPage::JobPage(std::string reader, std::size_t most_jobs, bool with_matches)
    : reader_(std::move(reader)), most_jobs_(most_jobs), with_matches_(with_matches) {
  text_.add("object", "list");
  text_.begin_list("data");
}

std::size_t JobPage::add(const std::vector<ListedJob>& jobs) {
  std::size_t added = 0;
  while (added < jobs.size() && !is_full()) {
    const ListedJob& listed = jobs[added];
    Json body = job_body_for(reader_, listed.job);
    if (with_matches_) {
      Json matches = Json::array();
      for (const auto& match : listed.matches) matches.push_back(text_match_body(match));
      body["matches"] = std::move(matches);
    }
    text_.add_item(body);
    ++jobs_;
    ++added;
  }
  return added;
}

std::string JobPage::take(bool has_more) {
  text_.end_list();
  text_.add("has_more", has_more);
  return text_.take();
}

bool is_long(const std::vector<ListedJob>& jobs) {
  std::size_t bytes = 0;
  for (const auto& listed : jobs) bytes += text_bytes(listed);
  return bytes > most_short_bytes;
}

}  // namespace server::api
