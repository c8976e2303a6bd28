#include "server/jobs/edited_text.h"

#include <fmt/format.h>

#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>
#include <variant>

#include "protocol/json_parse.h"
#include "protocol/json_text.h"
#include "server/jobs/job_store.h"
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
                                 "The job is not finished, so its text may still change.",
                                 "Edit it when the job is finished."}};
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

protocol::SpeakerNames names_after(const TextDraft& draft, const Job& now) {
  const auto& before = draft.job.speaker_names;
  const auto& after = draft.change.speaker_names;
  protocol::SpeakerNames names = now.speaker_names;
  for (const auto& [label, name] : before) {
    if (!after.contains(label)) names.erase(label);
  }
  for (const auto& [label, name] : after) {
    const auto found = before.find(label);
    if (found == before.end() || found->second != name) names[label] = name;
  }
  return names;
}

std::int64_t stored_bytes_of(const TextDraft& draft) {
  constexpr std::int64_t row_bytes = 32;  // that a row takes besides its content
  std::int64_t bytes = row_bytes + std::ssize(draft.origin);
  for (const DraftRow& row : draft.rows) bytes += row_bytes + std::ssize(row.content);
  return bytes;
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

namespace {

using Editable = boost::system::result<Job, EditRefusal>;
using Origin = boost::system::result<std::string, EditRefusal>;

Editable begin_edit(const OnStore& on_store, const TextTarget& target) {
  while (true) {
    EditBegin begun;
    on_store([&](JobStore& store) { begun = store.begin_edit(target); });
    if (!begun) return begun.error();
    if (*begun) return **std::move(begun);
  }
}

DraftWritten write_slice(const OnStore& on_store, const TextReader& reader, TextDraft& draft) {
  try {
    reader.check_stop();
  } catch (const TextFailure& failure) {
    return EditRefusal{.error = failure.error, .version = draft.job.version};
  }
  DraftWritten written;
  on_store([&](JobStore& store) { written = store.write_draft(draft); });
  return written;
}

// What is written of a draft that is not finished is removed; a failure of that is not the edit's,
// and the next one removes it.
EditResult write_draft(const OnStore& on_store, const TextReader& reader, TextDraft draft) {
  while (true) {
    const auto written = write_slice(on_store, reader, draft);
    if (written && *written) return std::move(draft.change);
    if (written) continue;
    bool has_more = draft.written > 0;
    while (has_more) {
      on_store([&](JobStore& store) {
        const auto dropped = store.drop_draft(draft);
        has_more = dropped && *dropped;
      });
    }
    return written.error();
  }
}

// Returns the segments that these edits name.
std::vector<std::int64_t> segments_of(std::span<const TextEdit> edits) {
  std::set<std::int64_t> ids;
  for (const TextEdit& edit : edits) {
    std::visit(
        [&](const auto& one) {
          if constexpr (requires { one.segment; }) ids.insert(one.segment);
        },
        edit);
  }
  return {ids.begin(), ids.end()};
}

// An edit for which there is not enough left of what all may look at is refused as such.
Result<void> applied_by(TextEditor& editor, const TextEdit& edit) {
  try {
    return editor.apply(edit);
  } catch (const TextFailure& failure) {
    if (failure.error.code != errc::edit_too_large) throw;
    return failure.error;
  }
}

// Makes a version by `work(rows, editor, job)`, which returns an error, or what the version's row
// says of how it was made.
template <class Work>
EditResult make_version(const OnStore& on_store, const TextTarget& target, TextBounds bounds,
                        const Work& work) {
  const auto job = begin_edit(on_store, target);
  if (!job) return job.error();
  const TextReader reader(on_store, job->id, std::move(bounds));
  try {
    EditedRows rows(reader, job->version);
    TextEditor editor(rows, *job);
    Origin origin = work(rows, editor, *job);
    if (!origin) return origin.error();
    TextDraft draft = editor.draft();
    draft.origin = *std::move(origin);
    if (draft.change.version == job->version) return std::move(draft.change);
    if (auto full = check_growth(*job, target, stored_bytes_of(draft))) return *std::move(full);
    return write_draft(on_store, reader, std::move(draft));
  } catch (const TextFailure& failure) {
    return EditRefusal{.error = failure.error, .version = job->version};
  }
}

}  // namespace

EditResult edit_text(const OnStore& on_store, const TextTarget& target,
                     std::span<const TextEdit> edits, TextBounds bounds) {
  const auto work = [&](EditedRows& rows, TextEditor& editor, const Job& job) -> Origin {
    rows.expect(segments_of(edits));
    Ops ops;
    for (std::size_t i = 0; i < edits.size(); ++i) {
      const auto applied = applied_by(editor, edits[i]);
      if (!applied) return EditRefusal{applied.error(), i, job.version};
      ++ops[name_of(edits[i])];
    }
    return encode_origin(ops, {});
  };
  return make_version(on_store, target, std::move(bounds), work);
}

EditResult restore_text(const OnStore& on_store, const TextTarget& target, int version,
                        TextBounds bounds) {
  const auto work = [&](EditedRows&, TextEditor& editor, const Job& job) -> Origin {
    if (version < 0 || version > job.version) {
      return EditRefusal{no_such_version(version, job.version), {}, job.version};
    }
    editor.restore(version);
    return encode_origin({{"restore", 1}}, version);
  };
  return make_version(on_store, target, std::move(bounds), work);
}

TextVersion text_version(int version, double created, const std::string& origin) {
  TextVersion made{.version = version, .created = created};
  const auto said = protocol::json::parse_object(origin);
  if (!said) return made;
  made.ops = said->value("ops", Ops());
  if (said->contains("restored")) made.restored = said->value("restored", 0);
  return made;
}

}  // namespace server
