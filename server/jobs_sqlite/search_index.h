#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "server/jobs/job.h"
#include "server/jobs/text_rows.h"

// The table `search` has the texts of jobs on the disk, in folded letters, for SQLite's FTS5, which
// finds parts of words by their trigrams. Each segment has a row, the title and the file's name
// have one, and the names of speakers have one. Jobs are indexed from their begin; those of a
// database of an earlier version, and those of which much has changed, wait for index_next(). These
// functions throw SQLite::Exception, and are called in the transaction of the change.
namespace server {

// Rows of a job, behind its number: those of segments come first.
inline constexpr int row_bits = 20;
inline constexpr std::int64_t names_row = (1 << row_bits) - 2;
inline constexpr std::int64_t title_row = (1 << row_bits) - 1;

std::int64_t search_row(std::int64_t job, std::int64_t row);
// Returns the job that a row of the table belongs to.
std::int64_t job_of_row(std::int64_t row);

// The following change nothing of a job that is not indexed: index_job() will read it.
void index_title(SQLite::Database& db, const Job& job);
void index_speakers(SQLite::Database& db, const Job& job);
// Puts the text into the place of the one that this segment had; empty: it is removed.
void index_segment(SQLite::Database& db, std::int64_t job, std::int64_t segment,
                   const std::string& text);

// Returns how long the text is that the index has of a segment.
std::size_t indexed_bytes(SQLite::Database& db, std::int64_t job, std::int64_t segment);

// Indexes a job anew in its newest version: a short one at once, a longer one by index_next().
void index_job(SQLite::Database& db, const Job& job);
// Has a job indexed anew by index_next(). Searches read it until then.
void index_later(SQLite::Database& db, std::int64_t job);

// How far a job is that is being indexed in slices, and what it was like at the first of them: of a
// job that has changed since all is done again.
struct Indexing {
  std::int64_t job = 0;
  int version = 0;
  int segments = 0;
  std::string title{};
  protocol::SpeakerNames names{};
  bool is_cleared = false;           // the rows that the index had of it are gone
  double place = before_all_places;  // up to which its segments are indexed

  friend bool operator==(const Indexing&, const Indexing&) = default;
};

// Whose jobs are indexed next: owners take turns, and so do the jobs of one owner, newest first. A
// job that changes while it is being indexed waits for its next turn, so nobody keeps others from
// theirs by editing.
struct IndexTurns {
  Indexing reached{};
  std::string owner{};                         // whose job that is
  std::map<std::string, std::int64_t> last{};  // the last job of each owner who has waiting ones
};

// Indexes a slice of a job that is not indexed. Returns false if there is none.
bool index_next(SQLite::Database& db, IndexTurns& turns);

bool is_indexed(SQLite::Database& db, std::int64_t job);

// Returns what stands in the row of names: searched_names().
std::vector<std::string> names_in(SQLite::Database& db, const char* database, const Job& job);

}  // namespace server
