#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "server/jobs/job.h"
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
// Returns an error if the next version takes more bytes than the text may grow by.
std::optional<EditRefusal> check_growth(const Job& job, const TextTarget& target,
                                        std::int64_t bytes);

// The next version of a text, and what its row says of how it was made.
struct EditedText {
  TextChange change{};  // its version is the job's if nothing has changed
  std::string origin{};
};
using EditedTextResult = boost::system::result<EditedText, EditRefusal>;

// These two write the rows of the next version. They are called in a transaction, which is taken
// back where they refuse, and where nothing has changed.
EditedTextResult apply_edits(TextRows& rows, const Job& job, std::span<const TextEdit> edits);
EditedTextResult apply_restore(TextRows& rows, const Job& job, int version);

// Returns the version with what its row says of how it was made.
TextVersion text_version(int version, double created, const std::string& origin);

// See JobStore::text_page(); `newest` is the text's version.
Result<TextPage> read_page(const TextRows& rows, int newest, std::optional<int> version,
                           std::optional<std::int64_t> behind, int limit);

// Returns up to `limit` segments of an edited version from number `first` on, with numbers for ids.
std::vector<protocol::Segment> read_version(const TextRows& rows, int version, int first,
                                            int limit);

}  // namespace server
