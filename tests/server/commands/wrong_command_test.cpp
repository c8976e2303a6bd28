#include "server/commands/wrong_command.h"

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <fstream>

#include "tests/server/temporary_folder.h"

namespace server {
namespace {

class WrongCommand : public ::testing::Test {
 protected:
  WrongCommand() {
    auto* transcribe = app_.add_subcommand("transcribe", "Print what is said");
    transcribe->add_option("FILE", files_, "Recordings");
    auto* models = app_.add_subcommand("models", "Manage models");
    models->add_subcommand("list", "All");
    models->add_subcommand("show", "One")->add_option("MODEL", files_);
    app_.add_subcommand("complete", "For scripts")->group("");
  }

  std::string told(const std::vector<std::string>& words) const {
    const auto error = wrong_command(app_, words);
    return error ? error->message + "; " + error->fix : "";
  }

  CLI::App app_{"Speech to text", "scribed"};
  std::vector<std::string> files_;
};

TEST_F(WrongCommand, IsNamedWithTheNearestRightOne) {
  EXPECT_EQ(told({"trancribe", "a.wav"}),
            "there is no command scribed trancribe; Did you mean scribed transcribe?");
  EXPECT_EQ(told({"models", "lst"}),
            "there is no command scribed models lst; Did you mean scribed models list?");
  EXPECT_EQ(told({"trans"}), "there is no command scribed trans; Did you mean scribed transcribe?");
}

TEST_F(WrongCommand, WordsOfOtherProgramsLeadToTheRightCommand) {
  EXPECT_EQ(told({"pull", "base"}),
            "there is no command scribed pull; Use scribed models pull NAME.");
  EXPECT_EQ(told({"ls"}), "there is no command scribed ls; Use scribed models list.");
}

TEST_F(WrongCommand, AFileIsTranscribed) {
  const test::TemporaryFolder folder;
  const std::string file = folder / "talk.wav";
  std::ofstream(file) << "x";
  EXPECT_EQ(told({file}), "there is no command scribed " + file +
                              "; Did you mean scribed transcribe " + file + "?");
  EXPECT_EQ(told({"models", file}),
            "there is no command scribed models " + file + "; See: scribed models --help");
}

TEST_F(WrongCommand, IsNamedAloneWhereNoneIsNear) {
  EXPECT_EQ(told({"xyzzy"}), "there is no command scribed xyzzy; See: scribed --help");
  EXPECT_EQ(told({"models", "zz"}),
            "there is no command scribed models zz; See: scribed models --help");
  EXPECT_EQ(told({std::string(100'000, 'x')}).substr(0, 20), "there is no command ");
}

TEST_F(WrongCommand, WhatIsNotForPeopleIsNotProposed) {
  EXPECT_EQ(told({"complet"}), "there is no command scribed complet; See: scribed --help");
}

TEST_F(WrongCommand, ArgumentsAreNoCommands) {
  EXPECT_EQ(told({"transcribe", "lst"}), "");
  EXPECT_EQ(told({"models", "show", "lst"}), "");
  EXPECT_EQ(told({"--what", "trancribe"}), "");
  EXPECT_EQ(told({}), "");
}

}  // namespace
}  // namespace server
