#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "protocol/transcript.h"

namespace server {

// A segment of a transcript in which words occur that are searched for.
struct Passage {
  int offset = 0;  // the segment's number, as get_job takes it
  double start = 0;
  std::string speaker{};  // empty: unknown
  std::string text{};     // one line, cut where it is long
};

// Looks for all words of a query, each anywhere in a transcript, its title or its speakers' names,
// and in any letter case. A word may also be a part of one, because some scripts have no spaces.
class TranscriptSearch {
 public:
  explicit TranscriptSearch(std::string_view query);

  // Whether the query has no word.
  bool is_empty() const { return words_.empty(); }

  struct Found {
    bool all = false;  // all words occur
    std::vector<Passage> passages{};
  };
  // Returns the segments that have most of the words, in the order of the recording, `most` of them
  // at most. There are none if words are in the title alone.
  Found look(std::string_view title, const std::vector<protocol::Segment>& segments,
             std::size_t most) const;

 private:
  std::vector<std::u16string> words_{};  // folded, each once
};

}  // namespace server
