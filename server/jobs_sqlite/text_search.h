#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "server/jobs/job.h"
#include "server/jobs/text_edit.h"

namespace server {

// Looks for texts in jobs: in what was said, in titles and in names of speakers, in any letter
// case. Texts of three letters and more are found by the index; shorter ones, and all in jobs that
// are not indexed (in memory, or not yet), by reading. Members throw SQLite::Exception.
class TextSearch {
 public:
  TextSearch(SQLite::Database& db, std::span<const std::string> texts);

  // Returns the number of the newest job below `number` that may have all texts; 0 stands for the
  // end of all. Jobs of others may be among those.
  std::optional<std::int64_t> next(const std::optional<std::string>& owner, std::int64_t number);
  // Returns whether rows of the job have to be read, since the index does not find all texts in it.
  bool has_to_read(const Job& job);
  // Returns whether each text stands somewhere in the job; nothing: its text has to be read, and is
  // long or has a long history (text_scan.h).
  std::optional<bool> passes(const Job& job);
  // Returns the first segments in which the first text stands, at most so many; nothing: as of
  // passes().
  std::optional<std::vector<TextMatch>> matches(const Job& job, int most);

 private:
  struct Wanted {
    std::string text{};    // folded
    std::string phrase{};  // for the index; empty: it is too short
  };

  bool is_in_index(const Job& job, const Wanted& wanted);
  std::optional<std::vector<std::int64_t>> segments_with(const Job& job, const Wanted& wanted,
                                                         int most);

  SQLite::Database& db_;
  std::vector<Wanted> wanted_{};
  std::string first_text_{};
};

// See JobStore::matches().
std::optional<std::vector<TextMatch>> matches_in(SQLite::Database& db, const std::string& id,
                                                 const std::string& text, int most);

}  // namespace server
