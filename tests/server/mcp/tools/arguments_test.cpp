#include "server/mcp/tools/arguments.h"

#include <gtest/gtest.h>

#include <array>

namespace server {
namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 2> tasks{"transcribe", "translate"};

// Returns the first problem's message; empty: there is none.
std::string problem_of(const json& given) {
  Arguments arguments(given);
  arguments.required_text("path");
  arguments.choice("task", tasks, "transcribe");
  arguments.number("wait_s", 0, 45, 0);
  arguments.integer("offset", 0, 10, 0);
  arguments.flag("overwrite");
  const auto checked = arguments.check();
  return checked ? "" : checked.error().message;
}

TEST(Arguments, EachMistakeIsNamedSoThatItCanBeCorrected) {
  struct Case {
    json given;
    const char* message;
  };
  for (const auto& c :
       {Case{{{"path", "a"}}, ""}, Case{{{"path", "a"}, {"wait_s", nullptr}}, ""},
        Case{json::object(), "The argument path is needed."},
        Case{{{"path", 7}}, "The argument path must be a string."},
        Case{{{"path", "a"}, {"task", "sing"}},
             "The argument task must be one of: transcribe, translate."},
        Case{{{"path", "a"}, {"wait_s", 46}}, "The argument wait_s must be a number from 0 to 45."},
        Case{{{"path", "a"}, {"wait_s", "9"}},
             "The argument wait_s must be a number from 0 to 45."},
        Case{{{"path", "a"}, {"offset", 1.5}}, "The argument offset must be whole."},
        Case{{{"path", "a"}, {"overwrite", "yes"}},
             "The argument overwrite must be true or false."},
        Case{{{"path", "a"}, {"file", "b"}}, "There is no argument file."}}) {
    EXPECT_EQ(problem_of(c.given), c.message) << c.given;
  }
}

TEST(Arguments, TextsHaveLimitsThatTheErrorNames) {
  const auto problem = [](const json& given, auto read) {
    Arguments arguments(given);
    read(arguments);
    const auto checked = arguments.check();
    return checked ? "" : checked.error().message;
  };
  const auto prompt = [](Arguments& a) { a.text("prompt"); };
  EXPECT_EQ(problem({{"prompt", std::string(8192, 'a')}}, prompt), "");
  EXPECT_EQ(problem({{"prompt", std::string(8193, 'a')}}, prompt),
            "The argument prompt has 8193 bytes, and may have 8192 at most.");
  EXPECT_EQ(problem({{"file_name", std::string(256, 'a')}},
                    [](Arguments& a) { a.text("file_name", 255); }),
            "The argument file_name has 256 bytes, and may have 255 at most.");
  const json three{{"languages", json::array({"de", "fr", "en"})}};
  EXPECT_EQ(problem(three, [](Arguments& a) { a.texts("languages", 3); }), "");
  const std::string list = "must be a list of at most 2 strings, each of at most 255 bytes.";
  EXPECT_EQ(problem(three, [](Arguments& a) { a.texts("languages", 2); }),
            "The argument languages " + list);
  EXPECT_EQ(problem({{"labels", json::array({std::string(256, 'a')})}},
                    [](Arguments& a) { a.texts("labels", 2); }),
            "The argument labels " + list);
}

TEST(Arguments, AnUnknownOneIsNamedBeforeWhatIsMissing) {
  const json given{{"pth", "a.mp3"}};
  Arguments arguments(given);
  arguments.required_text("path");
  EXPECT_EQ(arguments.check().error().message, "There is no argument pth.");
  EXPECT_EQ(arguments.check().error().fix, "Known are: path.");
}

TEST(Arguments, GiveWhatStandsThere) {
  const json given{{"path", "a.mp3"}, {"task", "translate"}, {"wait_s", 2.5}, {"overwrite", true}};
  Arguments arguments(given);
  EXPECT_EQ(arguments.text("path"), "a.mp3");
  EXPECT_EQ(arguments.choice("task", tasks, "transcribe"), "translate");
  EXPECT_EQ(arguments.number("wait_s", 0, 45, 0), 2.5);
  EXPECT_EQ(arguments.integer("limit", 1, 9, 5), 5);
  EXPECT_TRUE(arguments.flag("overwrite"));
  EXPECT_TRUE(arguments.check());
}

}  // namespace
}  // namespace server
