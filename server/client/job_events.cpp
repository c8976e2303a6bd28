#include "server/client/job_events.h"

#include <algorithm>
#include <optional>

#include "protocol/json_parse.h"
#include "server/client/sse_reader.h"

namespace server {
namespace {

using nlohmann::json;

class Following {
 public:
  explicit Following(const JobFollower& listener) : listener_(listener) {}

  Result<void> take(std::string_view bytes) {
    for (const auto& data : reader_.take(bytes)) {
      const auto event = protocol::json::parse_object(data);
      if (!event) continue;
      if (const auto taken = take_event(*event); !taken) return taken;
    }
    if (!reader_.is_too_long()) return {};
    return Error{errc::too_large, "an event of the job is too long", ""};
  }

  const std::optional<json>& end() const { return end_; }

 private:
  Result<void> take_event(const json& event) {
    const auto segment = event.find("segment");
    if (segment != event.end() && segment->is_object()) return listener_.on_segment(*segment);
    const auto job = event.find("job");
    if (job == event.end() || !job->is_object()) return {};
    if (listener_.on_job) listener_.on_job(*job);
    if (event.contains("type") && event["type"] == "job.ended") end_ = *job;
    return {};
  }

  const JobFollower& listener_;
  SseReader reader_{};
  std::optional<json> end_{};
};

}  // namespace

Result<std::string> path_of_job(const std::string& id) {
  const bool can_be_one = !id.empty() && id.size() <= 64 && std::ranges::all_of(id, [](char byte) {
    return (byte >= 'a' && byte <= 'z') || (byte >= '0' && byte <= '9');
  });
  if (can_be_one) return "/v1/jobs/" + id;
  return Error{errc::usage, "\"" + id + "\" is no id of a job", "See: scribed jobs"};
}

Result<nlohmann::json> follow_job(const ApiClient& client, const std::string& id,
                                  const JobFollower& listener) {
  const auto path = path_of_job(id);
  if (!path) return path.error();
  Following following(listener);
  const auto answer = client.call(
      {.path = *path + "/events",
       .on_bytes = [&](const ApiAnswer&, std::string_view bytes) { return following.take(bytes); },
       .is_stopped = listener.is_stopped});
  if (following.end()) return *following.end();
  if (!answer) return answer.error();
  return Error{no_server, "the server closed the stream before the job was finished",
               "Ask again: scribed jobs follow " + id};
}

}  // namespace server
