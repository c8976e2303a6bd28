#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "protocol/writers.h"

namespace protocol {
namespace {

std::unique_ptr<Writer> writer(const char* format) {
  auto made = make_live_writer(format).value();
  EXPECT_EQ(made->begin({}), "");
  return made;
}

TEST(LiveTxt, WritesEachSureWordOnce) {
  const auto txt = writer("txt");
  EXPECT_EQ(txt->partial({1, "", " So"}), "");
  EXPECT_EQ(txt->partial({2, " So it", " is"}), "So it");
  EXPECT_EQ(txt->partial({3, " So it", " was"}), "");
  EXPECT_EQ(txt->partial({4, " So it was", ""}), " was");
  EXPECT_EQ(txt->segment({.text = " So it was there."}), " there.\n");
  EXPECT_EQ(txt->partial({5, " And", ""}), "And");
  EXPECT_EQ(txt->segment({.text = " And"}), "\n");
  EXPECT_EQ(txt->segment({.text = " More."}), "More.\n");
  EXPECT_EQ(txt->finish({}), "");
}

TEST(LiveJsonl, IsAnObjectALine) {
  const auto jsonl = writer("jsonl");
  EXPECT_EQ(jsonl->partial({1.5000625, " So", " it\n"}),
            R"({"type":"partial","heard_s":1.5,"text":" So","tail":" it\n"})"
            "\n");
  const auto segment = nlohmann::json::parse(jsonl->segment({.id = 3, .text = " So it is."}));
  EXPECT_EQ(segment.at("type"), "segment");
  EXPECT_EQ(segment.at("id"), 3);
  EXPECT_EQ(segment.at("text"), " So it is.");
  Transcript whole{.text = " So it is.", .language = "en", .duration = 2};
  whole.segments.emplace_back();
  const auto done = nlohmann::json::parse(jsonl->finish(whole));
  EXPECT_EQ(done.at("type"), "done");
  EXPECT_EQ(done.at("language"), "en");
  EXPECT_FALSE(done.contains("segments"));
}

TEST(LiveFormats, AreThoseOfRecordingsAndJsonl) {
  for (const auto format : writer_formats()) {
    EXPECT_TRUE(make_live_writer(format)) << format;
    EXPECT_EQ(make_live_writer(format).value()->partial({1, " a", " b"}),
              format == "txt" ? "a" : "");
  }
  EXPECT_EQ(live_formats().size(), writer_formats().size() + 1);
  EXPECT_EQ(live_formats().back(), "jsonl");
  EXPECT_FALSE(make_writer("jsonl"));
  EXPECT_FALSE(make_live_writer("doc"));
}

}  // namespace
}  // namespace protocol
