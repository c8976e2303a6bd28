#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "server/jobs/job.h"
#include "server/jobs/store_calls.h"
#include "server/jobs/text_edit.h"
#include "server/jobs/text_rows.h"

// What every store does with the versions of a text, over its own rows.
namespace server {

// Versions that one text may have. It bounds the disk space that a program can fill by mistake, as
// the number of changed segments does.
inline constexpr int max_versions = 100'000;
inline constexpr int max_revisions = 1'000'000;

// Returns why the text of this job cannot be edited: it has not ended, or has another version.
std::optional<EditRefusal> check_editable(const Job& job, const TextTarget& target);
// Returns an error if the text has had so many versions or changed segments that it gets no more.
std::optional<EditRefusal> check_room(const Job& job, int revisions);
// Returns the names of speakers with what a draft changes of them. `now` is its job as it is: its
// names may have changed since the draft was begun, which makes no version of the text.
protocol::SpeakerNames names_after(const TextDraft& draft, const Job& now);
// Returns how many bytes a draft takes where it is stored.
std::int64_t stored_bytes_of(const TextDraft& draft);
// Returns an error if the next version takes more bytes than the text may grow by.
std::optional<EditRefusal> check_growth(const Job& job, const TextTarget& target,
                                        std::int64_t bytes);

// These two make the next version of a text: the text is read, edited in memory and written in
// calls of the store that are short, on a thread that is not the store's. See JobQueue::edit() and
// restore(); other errors are edit_too_large, and client_gone where a stop was requested: then
// nothing has changed.
EditResult edit_text(const OnStore& on_store, const TextTarget& target,
                     std::span<const TextEdit> edits, TextBounds bounds = {});
EditResult restore_text(const OnStore& on_store, const TextTarget& target, int version,
                        TextBounds bounds = {});

// Returns the version with what its row says of how it was made.
TextVersion text_version(int version, double created, const std::string& origin);

}  // namespace server
