#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "server/jobs/job_text.h"
#include "tests/server/jobs/job_store_fixture.h"

namespace server::test {

using Edits = std::vector<TextEdit>;
using Texts = std::vector<std::string>;

// Returns a segment of five seconds with a word in each.
inline protocol::Segment spoken(int number, const Texts& words) {
  protocol::Segment segment{
      .id = number, .start = number * 5.0, .end = number * 5.0 + 5, .tokens = {1, 2}};
  double at = segment.start;
  for (const auto& word : words) {
    segment.words.push_back({at, at + 1, word, 0.9, 1});
    segment.text += word;
    at += 1;
  }
  return segment;
}

// Jobs whose texts are edited, where the store is used.
template <class UnderTest>
class EditedTexts : public StoreCases<UnderTest> {
 protected:
  // Adds a job that has ended with these segments.
  std::string add_text(const std::vector<protocol::Segment>& segments, bool ends = true,
                       std::vector<protocol::SpeakerTurn> turns = {}) {
    const std::string id = this->add().id;
    this->take();
    EXPECT_TRUE(this->store_->add_segments(this->held(id), segments));
    JobEnd end;
    end.summary.duration = 100;
    end.summary.turns = std::move(turns);
    if (!ends) return id;
    EXPECT_TRUE(this->store_->finish(this->held(id), end));
    return id;
  }
  std::string add_talk() {
    return add_text({spoken(0, {" The", " first", " one."}), spoken(1, {" A", " second", " one."}),
                     spoken(2, {" Last", " words."})});
  }
  EditResult edit(const std::string& id, const Edits& edits, std::optional<int> version = {}) {
    return this->edit_text({id, "ada", version}, edits);
  }
  std::vector<TextSegment> read(const std::string& id, std::optional<int> version = {}) {
    return this->text_page(id, version, {}, 1000).value().segments;
  }
  Texts texts(const std::string& id, std::optional<int> version = {}) {
    Texts found;
    for (const auto& one : read(id, version)) found.push_back(one.segment.text);
    return found;
  }
  // Returns what a transcript has of the newest version.
  std::vector<protocol::Segment> transcribed(const std::string& id) {
    return find_transcript(directly(*this->store_), id, {}).value().value().segments;
  }
  Texts stored(const std::string& id) {
    Texts found;
    for (const auto& one : transcribed(id)) found.push_back(one.text);
    return found;
  }
  std::string refusal(const std::string& id, const TextEdit& wrong) {
    const auto result = edit(id, {wrong});
    if (result) return "";
    EXPECT_EQ(result.error().error.code, "bad_edit");
    EXPECT_EQ(result.error().edit, 0U);
    return result.error().error.message;
  }
};

}  // namespace server::test
