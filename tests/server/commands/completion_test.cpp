#include "server/commands/completion.h"

#include <gtest/gtest.h>

namespace server {
namespace {

using Words = std::vector<std::string>;

class CommandLine : public ::testing::Test {
 protected:
  CommandLine() {
    auto* transcribe = app_.add_subcommand("transcribe", "Print what is said");
    transcribe->add_option("FILE", files_, "Recordings");
    transcribe->add_option("--format", text_, "Form; of the transcript")
        ->check(CLI::IsMember({"srt", "txt"}));
    transcribe->add_option("-o,--output", text_, "Where to")->type_name("FILE|DIR|-");
    transcribe->add_option("--model", text_, "Which")->type_name("MODEL");
    transcribe->add_flag("-q,--quiet", quiet_, "Say less");
    auto* models = app_.add_subcommand("models", "Manage models");
    auto* show = models->add_subcommand("show", "Tell about one");
    show->add_option("MODEL", files_)->expected(1);
    app_.add_subcommand("complete", "For scripts")->group("");
  }

  Completion completion(const Words& words) const {
    return complete(app_, words, [](std::string_view kind) -> std::vector<Candidate> {
      if (kind == "MODEL") return {{"base", "CTranslate2"}, {"tiny.en"}};
      return {};
    });
  }
  Words texts(const Words& words) const {
    Words found;
    for (const auto& candidate : completion(words).candidates) found.push_back(candidate.text);
    return found;
  }

  CLI::App app_{"Speech to text", "scribed"};
  std::string text_;
  Words files_;
  bool quiet_ = false;
};

TEST_F(CommandLine, CommandsComeFirst) {
  EXPECT_EQ(texts({""}), (Words{"transcribe", "models"}));
  EXPECT_EQ(texts({"tr"}), Words{"transcribe"});
  EXPECT_EQ(texts({"models", ""}), Words{"show"});
  EXPECT_EQ(completion({"tr"}).candidates[0].description, "Print what is said");
}

TEST_F(CommandLine, OptionsAreThoseOfTheCommand) {
  EXPECT_EQ(texts({"transcribe", "--f"}), Words{"--format"});
  EXPECT_EQ(texts({"transcribe", "-q"}), Words{"-q"});
  EXPECT_EQ(texts({"models", "--f"}), Words{});
}

TEST_F(CommandLine, ADescriptionEndsBeforeItsSecondHalf) {
  EXPECT_EQ(completion({"transcribe", "--f"}).candidates[0].description, "Form");
}

TEST_F(CommandLine, ValuesOfChoicesAreListed) {
  EXPECT_EQ(texts({"transcribe", "--format", ""}), (Words{"srt", "txt"}));
  EXPECT_EQ(texts({"transcribe", "--format", "s"}), Words{"srt"});
}

TEST_F(CommandLine, AValueMayFollowAnEqualsSign) {
  EXPECT_EQ(texts({"transcribe", "--format=t"}), Words{"--format=txt"});
  EXPECT_EQ(texts({"transcribe", "--format", "=", "t"}), Words{"txt"});
  EXPECT_EQ(texts({"transcribe", "--format", "="}), (Words{"srt", "txt"}));
}

TEST_F(CommandLine, AfterAValueOrAFlagComesAnotherWord) {
  EXPECT_EQ(texts({"transcribe", "--format", "srt", "--q"}), Words{"--quiet"});
  EXPECT_EQ(texts({"transcribe", "--format", "=", "srt", "--q"}), Words{"--quiet"});
  EXPECT_EQ(texts({"transcribe", "--quiet", "--f"}), Words{"--format"});
}

TEST_F(CommandLine, OtherValuesAreAskedFor) {
  EXPECT_EQ(texts({"transcribe", "--model", ""}), (Words{"base", "tiny.en"}));
  EXPECT_EQ(texts({"models", "show", "b"}), Words{"base"});
}

TEST_F(CommandLine, APositionalThatIsThereIsNotOfferedAgain) {
  EXPECT_EQ(texts({"models", "show", "base", ""}), Words{});
}

TEST_F(CommandLine, FilesAreLeftToTheShell) {
  EXPECT_TRUE(completion({"transcribe", ""}).files);
  EXPECT_TRUE(completion({"transcribe", "a.wav", "b"}).files);
  EXPECT_TRUE(completion({"transcribe", "-o", ""}).files);
  EXPECT_FALSE(completion({"transcribe", "--format", ""}).files);
  EXPECT_FALSE(completion({"transcribe", "--"}).files);
}

TEST_F(CommandLine, AfterTwoDashesThereAreNoOptions) {
  EXPECT_EQ(texts({"transcribe", "--", "--f"}), Words{});
  EXPECT_TRUE(completion({"transcribe", "--", "--f"}).files);
}

TEST_F(CommandLine, WhatIsUnknownHasNoCandidates) {
  EXPECT_EQ(texts({"transcribe", "--nothing=x"}), Words{});
  EXPECT_EQ(texts({"fly", "--"}), Words{"--help"});
}

}  // namespace
}  // namespace server
