#include "server/commands/help_form.h"

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <memory>

namespace server {
namespace {

// Returns the help of an app with one option and one command, in `width` columns.
std::string help_in(std::size_t width) {
  CLI::App app("Speech to text", "scribed");
  app.formatter(std::make_shared<HelpForm>(width));
  bool loud = false;
  app.add_flag("--loud", loud, "Says everything that there is to say, and then says it again");
  app.add_subcommand("speak", "Turns each of the texts that are named into sound, one by one");
  return app.help();
}

TEST(HelpForm, WhatDoesNotFitGoesOnBelowItsBeginning) {
  const std::string help = help_in(60);
  EXPECT_NE(help.find("  --loud                      Says everything that there is\n"
                      "                              to say, and then says it again\n"),
            std::string::npos)
      << help;
  EXPECT_NE(help.find("  speak                       Turns each of the texts that\n"
                      "                              are named into sound, one by\n"
                      "                              one\n"),
            std::string::npos)
      << help;
}

TEST(HelpForm, LinesStayWholeForProgramsAndOnVeryNarrowTerminals) {
  for (const std::size_t width : {0, 40}) {
    EXPECT_NE(help_in(width).find("Says everything that there is to say, and then says it again\n"),
              std::string::npos);
    EXPECT_NE(
        help_in(width).find("Turns each of the texts that are named into sound, one by one\n"),
        std::string::npos);
  }
}

TEST(HelpForm, ALimitedNumberNamesItsTypeOnce) {
  CLI::App app("Speech to text", "scribed");
  app.formatter(std::make_shared<HelpForm>(0));
  int threads = 0;
  double seconds = 0;
  app.add_option("--threads", threads, "How many")->check(CLI::Range(0, 8));
  app.add_option("--seconds", seconds, "How long")->check(CLI::Range(0.5, 8.0));
  const std::string help = app.help();
  EXPECT_NE(help.find("--threads INT in [0 - 8]"), std::string::npos) << help;
  EXPECT_NE(help.find("--seconds FLOAT in [0.5 - 8]"), std::string::npos) << help;
}

}  // namespace
}  // namespace server
