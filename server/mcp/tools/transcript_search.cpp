#include "server/mcp/tools/transcript_search.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "server/jobs/folded_text.h"
#include "server/mcp/tools/result_page.h"
#include "server/mcp/tools/shown.h"

namespace server {
namespace {

constexpr std::size_t passage_bytes = 300;

using FoldedWords = std::vector<std::u16string>;

// Marks the words that occur in the text, and returns how many they are.
int mark_words(const FoldedWords& words, std::string_view text, std::vector<bool>& marked) {
  const std::u16string where = folded(text);
  int count = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (where.find(words[i]) == where.npos) continue;
    marked[i] = true;
    ++count;
  }
  return count;
}

}  // namespace

TranscriptSearch::TranscriptSearch(std::string_view query) : words_(folded_words(query)) {}

TranscriptSearch::Found TranscriptSearch::look(std::string_view title,
                                               const std::vector<protocol::Segment>& segments,
                                               std::size_t most) const {
  struct Hit {
    int words = 0;
    int offset = 0;
  };
  std::vector<bool> marked(words_.size());
  mark_words(words_, title, marked);
  std::vector<Hit> hits;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const auto& segment = segments[i];
    const int words = mark_words(words_, segment.speaker + " " + segment.text, marked);
    if (words > 0) hits.push_back({words, static_cast<int>(i)});
  }
  Found found{.all = std::ranges::find(marked, false) == marked.end()};
  if (!found.all) return found;
  std::ranges::stable_sort(hits, std::greater(), &Hit::words);
  if (hits.size() > most) hits.resize(most);
  std::ranges::sort(hits, std::less(), &Hit::offset);
  for (const Hit& hit : hits) {
    const auto& segment = segments[static_cast<std::size_t>(hit.offset)];
    found.passages.push_back({hit.offset, segment.start, segment.speaker,
                              cut_text(shown_line(trimmed(segment.text)), passage_bytes)});
  }
  return found;
}

}  // namespace server
