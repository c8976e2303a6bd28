#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "server/jobs/text_edit.h"
#include "server/jobs_postgres/session.h"
#include "server/jobs_postgres/store_error.h"

// The versions of a job's text in the database: see JobStore for these functions. They throw
// Failure.
namespace server::postgres {

EditResult edit_text(Step& step, const TextTarget& target, std::span<const TextEdit> edits);
EditResult restore_text(Step& step, const TextTarget& target, int version);
Result<TextPage> read_text_page(Step& step, const std::string& id, std::optional<int> version,
                                std::optional<std::int64_t> behind, int limit);
std::vector<TextVersion> read_versions(Step& step, const std::string& id, int from, int limit);

// Calls one of the above in a transaction. A failure becomes the error that clients may see.
template <class Work>
EditResult attempt_edit(Session& session, const Work& work) {
  try {
    return session.transact([&](Step& step) -> EditResult { return work(step); });
  } catch (const Failure& failure) {
    return EditRefusal{.error = error_of(failure)};
  }
}

}  // namespace server::postgres
