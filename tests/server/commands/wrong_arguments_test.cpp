#include "server/commands/wrong_arguments.h"

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <algorithm>

namespace server {
namespace {

// Returns what `words` are told where they are refused: message; fix.
std::string refusal(std::vector<std::string> words) {
  CLI::App app("Speech to text", "scribed");
  app.require_subcommand(1);
  auto* transcribe = app.add_subcommand("transcribe", "Print what is said");
  std::vector<std::string> files;
  std::string text;
  transcribe->add_option("FILE", files, "Recordings")->required();
  transcribe->add_option("--format", text, "Form")->check(CLI::IsMember({"txt", "srt"}));
  transcribe->add_option("--secret", text, "For tests")->group("");
  transcribe->add_option_function<std::string>("--language", [](const std::string&) {
    throw CLI::ValidationError("that is no language\nGive a code.");
  });
  app.add_subcommand("models", "Models")->require_subcommand(1)->add_subcommand("list", "All");
  std::ranges::reverse(words);  // CLI11 takes the last one first
  try {
    app.parse(words);
  } catch (const CLI::ParseError& refused) {
    const Error error = wrong_arguments(app, refused);
    return error.message + "; " + error.fix;
  }
  return "";
}

TEST(WrongArguments, AnUnknownOptionIsNamedWithTheNearest) {
  EXPECT_EQ(refusal({"transcribe", "a.wav", "--fromat", "srt"}),
            "there is no option --fromat of scribed transcribe; Did you mean --format?");
  EXPECT_EQ(refusal({"transcribe", "--form=srt", "a.wav"}),
            "there is no option --form of scribed transcribe; Did you mean --format?");
}

TEST(WrongArguments, AnUnknownOptionIsNamedAloneWhereNoneIsNear) {
  EXPECT_EQ(refusal({"transcribe", "a.wav", "--xyzzy"}),
            "there is no option --xyzzy of scribed transcribe; See: scribed transcribe --help");
  EXPECT_EQ(refusal({"transcribe", "a.wav", "-x"}),
            "there is no option -x of scribed transcribe; See: scribed transcribe --help");
  EXPECT_EQ(refusal({"models", "list", "--secre"}),
            "there is no option --secre of scribed models list; See: scribed models list --help");
}

TEST(WrongArguments, AnOptionThatIsNotForPeopleIsNotProposed) {
  EXPECT_EQ(refusal({"transcribe", "a.wav", "--secre"}),
            "there is no option --secre of scribed transcribe; See: scribed transcribe --help");
}

TEST(WrongArguments, WordsOfOtherProgramsLeadToTheRightOption) {
  EXPECT_EQ(refusal({"transcribe", "a.wav", "-l", "de"}),
            "there is no option -l of scribed transcribe; Use --language LANGUAGE.");
  EXPECT_EQ(refusal({"transcribe", "a.wav", "--fp16", "False"}),
            "there is no option --fp16 of scribed transcribe; "
            "Use --compute-type float16, or float32.");
}

TEST(WrongArguments, AnOptionBeforeItsCommandIsToldWhereItBelongs) {
  EXPECT_EQ(refusal({"--format", "transcribe", "a.wav"}),
            "the option --format stands before the command it belongs to; "
            "Write it behind: scribed transcribe --format");
}

TEST(WrongArguments, OtherwiseTheParserIsHeardAndItsSecondLineIsTheFix) {
  EXPECT_EQ(refusal({"transcribe"}), "FILE is required; See: scribed transcribe --help");
  EXPECT_EQ(refusal({"models"}), "A subcommand is required; See: scribed models --help");
  EXPECT_EQ(refusal({"transcribe", "--language", "xx", "a.wav"}),
            "that is no language; Give a code.");
}

}  // namespace
}  // namespace server
