#include "protocol/error_text.h"

#include <gtest/gtest.h>

namespace protocol {
namespace {

TEST(ErrorText, JoinsWhatHappenedAndWhatToDoByAFullStop) {
  EXPECT_EQ(error_text({"a", "it is not here", "Install it."}), "It is not here. Install it.");
  EXPECT_EQ(error_text({"a", "It is not here.", "Install it."}), "It is not here. Install it.");
  EXPECT_EQ(error_text({"a", "model not found!", "Name one."}), "Model not found! Name one.");
  EXPECT_EQ(error_text({"a", "There are these:", "one, two."}), "There are these: one, two.");
}

TEST(ErrorText, OfOneHalfIsThatHalf) {
  EXPECT_EQ(error_text({"a", "it is not here", ""}), "It is not here.");
  EXPECT_EQ(error_text({"a", "", "install it"}), "Install it.");
}

TEST(ErrorText, OfScribedItselfSaysWhatToDo) {
  EXPECT_EQ(error_text({"internal", "a pipe broke"}),
            "A pipe broke. Read the log of scribed, and try again.");
  EXPECT_EQ(error_text({"internal", "a pipe broke", "Restart it."}), "A pipe broke. Restart it.");
}

TEST(ErrorText, NamesStayAsTheyAreAtTheBeginningOfASentence) {
  for (const char* text :
       {"scribed is about to end", "'xx' is no language", "params.uri is missing",
        "audio_file is missing", "`models` is empty", "2 names came"}) {
    EXPECT_EQ(whole_sentence(text), text + std::string("."));
  }
  EXPECT_EQ(whole_sentence("no, it is not"), "No, it is not.");
  EXPECT_EQ(whole_sentence("Run `scribed models list`"), "Run `scribed models list`.");
  EXPECT_EQ(whole_sentence("as data:audio/wav;base64,UklGR…"), "As data:audio/wav;base64,UklGR…");
  EXPECT_EQ(whole_sentence(""), "");
}

}  // namespace
}  // namespace protocol
