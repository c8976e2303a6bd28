#include "server/log/log_line.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "server/log/escaped_text.h"

namespace server {
namespace {

std::string utf8(unsigned code) {
  std::string out;
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += {static_cast<char>(0xC0 | code >> 6), static_cast<char>(0x80 | (code & 0x3F))};
  } else {
    out += {static_cast<char>(0xE0 | code >> 12), static_cast<char>(0x80 | (code >> 6 & 0x3F)),
            static_cast<char>(0x80 | (code & 0x3F))};
  }
  return out;
}

std::string line(LogForm form, const std::string& value) {
  return log_line(form, "", LogLevel::info, "m", {{"key", value}}, false);
}

TEST(LogLine, Logfmt) {
  EXPECT_EQ(log_line(LogForm::logfmt, "2026-01-02T03:04:05.678Z", LogLevel::warning, "job ended",
                     {{"job", "01h"},
                      {"seconds", 1.5},
                      {"segments", 12},
                      {"bytes", std::uint64_t{18446744073709551615U}},
                      {"whole", true},
                      {"title", "my talk.mp3"},
                      {"empty", ""}},
                     false),
            R"(time=2026-01-02T03:04:05.678Z level=warning msg="job ended" job=01h seconds=1.5 )"
            R"(segments=12 bytes=18446744073709551615 whole=true title="my talk.mp3" empty="")");
}

TEST(LogLine, Json) {
  const auto text =
      log_line(LogForm::json, "2026-01-02T03:04:05.678Z", LogLevel::error, "it \"failed\"",
               {{"job", "01h"}, {"seconds", 1.5}, {"n", -3}, {"whole", false}}, false);
  EXPECT_EQ(text, R"({"time":"2026-01-02T03:04:05.678Z","level":"error",)"
                  R"("message":"it \"failed\"","job":"01h","seconds":1.5,"n":-3,"whole":false})");
  EXPECT_TRUE(nlohmann::json::accept(text));
}

TEST(LogLine, WhatWasSaidIsLeftOutUnlessItIsAllowed) {
  for (const char* key : {"text", "prompt", "segment", "transcript", "words"}) {
    const LogFields fields{{key, "a secret"}, {"job", "1"}};
    const auto closed = log_line(LogForm::json, "", LogLevel::info, "m", fields, false);
    EXPECT_EQ(closed, R"({"level":"info","message":"m","job":"1"})") << key;
    const auto open = log_line(LogForm::json, "", LogLevel::info, "m", fields, true);
    EXPECT_NE(open.find("a secret"), std::string::npos) << key;
  }
}

TEST(LogLine, NumbersThatAreNoneAreTexts) {
  for (const double number : {std::nan(""), std::numeric_limits<double>::infinity(),
                              -std::numeric_limits<double>::infinity(), 1e308, 1e-308}) {
    const auto text = log_line(LogForm::json, "", LogLevel::info, "m", {{"n", number}}, false);
    EXPECT_TRUE(nlohmann::json::accept(text)) << text;
  }
}

// Expects no byte that a terminal or a reader of lines would act on.
void expect_harmless(const std::string& text, const std::string& what) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    EXPECT_TRUE(byte >= 0x20 && byte != 0x7F) << what;
    const bool is_c1 = byte == 0xC2 && static_cast<unsigned char>(text[i + 1]) < 0xA0;
    EXPECT_FALSE(is_c1) << what;
  }
}

TEST(LogLine, EachByteAloneAndBetweenOthersIsHarmless) {
  for (const auto form : {LogForm::logfmt, LogForm::json}) {
    for (int byte = 0; byte < 256; ++byte) {
      for (const std::string& value : {std::string(1, static_cast<char>(byte)),
                                       "a" + std::string(1, static_cast<char>(byte)) + "b",
                                       "\xE2" + std::string(1, static_cast<char>(byte)),
                                       "\xC3" + std::string(1, static_cast<char>(byte)) + "\xA9"}) {
        const auto text = line(form, value);
        expect_harmless(text, text);
        if (form == LogForm::json) {
          EXPECT_TRUE(nlohmann::json::accept(text)) << "byte " << byte << ": " << text;
        }
      }
    }
  }
}

TEST(LogLine, WhatCannotBeSeenIsWrittenOut) {
  for (const unsigned code :
       {0x80U,   0x85U,   0x9BU,   0x9FU,   0xADU,   0x61CU,  0x180EU, 0x200BU, 0x200CU,
        0x200DU, 0x200EU, 0x200FU, 0x2028U, 0x2029U, 0x202AU, 0x202BU, 0x202CU, 0x202DU,
        0x202EU, 0x2060U, 0x2066U, 0x2067U, 0x2068U, 0x2069U, 0x206FU, 0xFEFFU, 0xFFF9U}) {
    for (const auto form : {LogForm::logfmt, LogForm::json}) {
      const auto text = line(form, "a" + utf8(code) + "b");
      EXPECT_EQ(text.find(utf8(code)), std::string::npos) << std::hex << code;
      EXPECT_NE(text.find("a\\u"), std::string::npos) << std::hex << code;
    }
  }
  EXPECT_EQ(escaped_text("\x1B[31m\n\t\"\\", 100), R"(\u001b[31m\n\t\"\\)");
}

TEST(LogLine, OtherLettersStayAsTheyAre) {
  for (const char* text :
       {"Größe", "日本語", "\xF0\x9F\x8E\xB5", "שלום", "e\xCC\x81", "\xEF\xBF\xBD"}) {
    EXPECT_EQ(escaped_text(text, 100), text);
    EXPECT_EQ(nlohmann::json::parse(line(LogForm::json, text)).at("key"), text);
  }
}

TEST(LogLine, BrokenUtf8IsReplacedByteByByte) {
  const std::pair<const char*, const char*> table[] = {
      {"\xC3", "\\ufffd"},
      {"a\xC3(", "a\\ufffd("},
      {"\xC0\xAF", "\\ufffd\\ufffd"},
      {"\xE0\x80\xAF", "\\ufffd\\ufffd\\ufffd"},
      {"\xED\xA0\x80", "\\ufffd\\ufffd\\ufffd"},
      {"\xF4\x90\x80\x80", "\\ufffd\\ufffd\\ufffd\\ufffd"},
      {"\xF0\x9F\x8E", "\\ufffd\\ufffd\\ufffd"},
      {"\xFF\xFE", "\\ufffd\\ufffd"}};
  for (const auto& [text, expected] : table) EXPECT_EQ(escaped_text(text, 100), expected);
}

TEST(VisibleText, IsWhatItWasButForWhatNobodySees) {
  const std::string lost = "\xEF\xBF\xBD";
  const std::vector<std::pair<std::string, std::string>> table{
      {"Gespräch \"eins\".wav", "Gespräch \"eins\".wav"},
      {"a\nb\x1B[31m\x7F", "a" + lost + "b" + lost + "[31m" + lost},
      {"a\xE2\x80\xAE"
       "b",
       "a" + lost + "b"},  // right to left
      {"a\xF3\xA0\x81\x81"
       "b",
       "a" + lost + "b"},  // a tag character
      {"a\xFF\xC3", "a" + lost + lost},
      {"abcdef", "abcde\xE2\x80\xA6"},
      {"äöüß€", "äöüß€"},
  };
  for (const auto& [text, expected] : table) {
    EXPECT_EQ(visible_text(text, expected.size() > 8 && text != "äöüß€" ? 100 : 5), expected);
  }
  EXPECT_EQ(escaped_text("\xF3\xA0\x81\x81", 100), R"(\udb40\udc41)");
}

TEST(LogLine, LongValuesAreCut) {
  const auto text = line(LogForm::logfmt, std::string(1'000'000, 'x'));
  EXPECT_LT(text.size(), 3000U);
  EXPECT_TRUE(text.ends_with("\xE2\x80\xA6\""));
}

TEST(LogLine, TimeIsOfUtcWithMilliseconds) {
  EXPECT_EQ(utc_time(0), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(utc_time(1790000000.25), "2026-09-21T14:13:20.250Z");
  EXPECT_EQ(utc_time(951782399.9996), "2000-02-28T23:59:59.999Z");
}

}  // namespace
}  // namespace server
