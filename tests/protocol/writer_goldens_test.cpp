#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "protocol/transcript_json.h"
#include "protocol/writers.h"

// The expected files come from openai/whisper's writers, by make_writer_goldens.py.
namespace protocol {
namespace {

std::string read_data(const std::string& name) {
  std::ifstream file(std::string(SCRIBED_SOURCE_DIR) + "/tests/protocol/data/" + name,
                     std::ios::binary);
  EXPECT_TRUE(file.is_open()) << name;
  return {std::istreambuf_iterator<char>(file), {}};
}

WriterOptions read_options(const nlohmann::json& json) {
  const auto number = [&](const char* name) {
    return json.contains(name) ? std::optional<int>(json[name].get<int>()) : std::nullopt;
  };
  return {.max_line_width = number("max_line_width"),
          .max_line_count = number("max_line_count"),
          .max_words_per_line = number("max_words_per_line"),
          .highlight_words = json.value("highlight_words", false)};
}

TEST(WriterGoldens, EveryFileIsThatOfOpenaiWhisper) {
  const auto cases = nlohmann::json::parse(read_data("cases.json"));
  ASSERT_GT(cases.size(), 40u);
  for (const auto& golden : cases) {
    const std::string format = golden["format"];
    const auto transcript = parse_transcript(read_data(golden["input"])).value();
    const auto written =
        write_transcript(format, transcript, read_options(golden["options"])).value();
    auto expected = read_data(golden["expected"]);
    if (format == "json") {
      // scribed's file has further keys where openai/whisper's closes.
      ASSERT_EQ(expected.back(), '}');
      expected.back() = ',';
      EXPECT_EQ(written.substr(0, expected.size()), expected) << golden["expected"];
      EXPECT_EQ(parse_transcript(written).value(), transcript) << golden["expected"];
    } else {
      EXPECT_EQ(written, expected) << golden["expected"];
    }
  }
}

}  // namespace
}  // namespace protocol
