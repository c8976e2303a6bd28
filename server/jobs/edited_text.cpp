#include "server/jobs/edited_text.h"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "protocol/json_parse.h"
#include "protocol/json_text.h"
#include "server/jobs/job_text.h"
#include "server/jobs/text_editor.h"

namespace server {
namespace {

using Ops = std::map<std::string, int>;

// What a version says of how it was made: {"ops": {"text": 2}}, or {"restored": 3}.
std::string encode_origin(const Ops& ops, std::optional<int> restored) {
  nlohmann::json origin{{"ops", ops}};
  if (restored) origin["restored"] = *restored;
  return protocol::json::dump(origin);
}

}  // namespace

std::optional<EditRefusal> check_editable(const Job& job, const TextTarget& target) {
  if (!has_ended(job.state)) {
    return EditRefusal{.error = {errc::job_not_ended,
                                 "The job has not ended, so its text may still change.",
                                 "Edit it when it has ended."}};
  }
  if (!target.version || *target.version == job.version) return std::nullopt;
  return EditRefusal{
      .error = {errc::version_conflict,
                fmt::format("The text has changed meanwhile: it has version {}, and not {}.",
                            job.version, *target.version),
                "Read the segments again, and edit those."},
      .version = job.version};
}

std::optional<EditRefusal> check_room(const Job& job, int revisions) {
  if (job.version < max_versions && revisions < max_revisions) return std::nullopt;
  return EditRefusal{
      .error = {"too_many_versions", "The text has too many versions to be edited any further.",
                "Download it, and edit the file."},
      .version = job.version};
}

std::optional<EditRefusal> check_growth(const Job& job, const TextTarget& target,
                                        std::int64_t bytes) {
  if (bytes <= 0 || static_cast<std::uint64_t>(bytes) <= target.most_growth) return std::nullopt;
  return EditRefusal{
      .error = {"too_many_bytes",
                fmt::format("The edits take {} bytes, and you may store {} more on this server.",
                            bytes, target.most_growth),
                "Edit less at once, or delete jobs or uploads that are not needed."},
      .version = job.version};
}

EditedTextResult apply_edits(TextRows& rows, const Job& job, std::span<const TextEdit> edits) {
  TextEditor editor(rows, job);
  Ops ops;
  for (std::size_t i = 0; i < edits.size(); ++i) {
    const auto applied = editor.apply(edits[i]);
    if (!applied) return EditRefusal{applied.error(), i, job.version};
    ++ops[name_of(edits[i])];
  }
  return EditedText{editor.change(), encode_origin(ops, {})};
}

EditedTextResult apply_restore(TextRows& rows, const Job& job, int version) {
  if (version < 0 || version > job.version) {
    return EditRefusal{no_such_version(version, job.version), {}, job.version};
  }
  TextEditor editor(rows, job);
  editor.restore(version);
  return EditedText{editor.change(), encode_origin({{"restore", 1}}, version)};
}

TextVersion text_version(int version, double created, const std::string& origin) {
  TextVersion made{.version = version, .created = created};
  const auto said = protocol::json::parse_object(origin);
  if (!said) return made;
  made.ops = said->value("ops", Ops());
  if (said->contains("restored")) made.restored = said->value("restored", 0);
  return made;
}

Result<TextPage> read_page(const TextRows& rows, int newest, std::optional<int> version,
                           std::optional<std::int64_t> behind, int limit) {
  TextPage page{.version = version.value_or(newest)};
  if (page.version < 0 || page.version > newest) return no_such_version(page.version, newest);
  double place = -1;
  if (behind) {
    const auto found = rows.place_of(*behind);
    if (!found) {
      return Error{errc::usage,
                   fmt::format("The job never had a segment {} to go on behind.", *behind),
                   "Begin with the first page again."};
    }
    place = *found;
  }
  for (auto& one : rows.read(page.version, place, limit + 1, 0)) {
    page.segments.push_back({one.id, std::move(one.segment)});
  }
  page.has_more = static_cast<int>(page.segments.size()) > limit;
  if (page.has_more) page.segments.pop_back();
  return page;
}

std::vector<protocol::Segment> read_version(const TextRows& rows, int version, int first,
                                            int limit) {
  std::vector<protocol::Segment> found;
  for (auto& [id, place, segment] : rows.read(version, -1, limit, first)) {
    segment.id = first + static_cast<int>(found.size());
    found.push_back(std::move(segment));
  }
  return found;
}

}  // namespace server
