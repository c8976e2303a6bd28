#include "server/mcp/tools/listed_job.h"

#include <fmt/format.h>

#include <utility>

#include "server/mcp/tools/schema.h"
#include "server/mcp/tools/shown.h"
#include "server/transcription/progress_json.h"

namespace server {

using Json = nlohmann::json;

std::string text_of(const Job& job) {
  std::string line =
      fmt::format("{} {} {}", job.id, name(job.state), quoted_name(shown_title(job)));
  if (!has_ended(job.state)) line += " (" + progress_text(job.progress) + ")";
  if (job.error) line += ": " + shown_line(job.error->message);
  return line + "\n";
}

Json json_of(const Job& job) {
  Json listed{{"job", job.id}, {"state", name(job.state)}, {"title", shown_name(shown_title(job))}};
  listed.update(Json(known_progress_json(job.progress)));
  if (job.error) listed["error"] = shown_line(job.error->message);
  return listed;
}

Json listed_job_schema() {
  const Json string{{"type", "string"}};
  Json properties{{"job", string}, {"state", string}, {"title", string}, {"error", string}};
  properties.update(Json(progress_properties()));
  return schema::object(std::move(properties), {"job", "state", "title"});
}

}  // namespace server
