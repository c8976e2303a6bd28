#include "server/commands/progress_line.h"

#include <gtest/gtest.h>

#include "server/commands/columns.h"

namespace server {
namespace {

using Phase = TranscriptionPhase;

const TranscriptionProgress in_the_middle{.phase = Phase::transcribing,
                                          .listened = 2160,
                                          .position = 250,
                                          .duration = 2160,
                                          .percent = 11.5,
                                          .speed = 8.4,
                                          .left_s = 230};

TEST(ProgressLine, ShowsAsMuchAsThereIsRoomFor) {
  const struct {
    const char* subject;
    int width;
    const char* line;
  } cases[] = {
      {"", 79, "[##----------------------]  11.5% 4:10 of 36:00, 8.4x real time, 3:50 left"},
      {"talk.mp3: ", 79, "talk.mp3: [#---------]  11.5% 4:10 of 36:00, 8.4x, 3:50 left"},
      {"", 39, "[#---------]  11.5%, 8.4x, 3:50 left"},
      {"talk.mp3: ", 39, "talk.mp3:  11.5%, 8.4x, 3:50 left"},
      {"", 20, " 11.5%, 3:50 left"},
      {"2026-11-22/meeting-with-everybody.mp3: ", 39, "…-with-everybody.mp3:  11.5%, 3:50 left"},
      {"", 8, " 11.5%, "},
  };
  for (const auto& [subject, width, line] : cases) {
    const std::string text = progress_line_text(subject, in_the_middle, width);
    EXPECT_EQ(text, line) << width;
    EXPECT_LE(columns(text), width);
  }
}

TEST(ProgressLine, HasNoBarWherePartOfTheWholeIsNotKnown) {
  const struct {
    TranscriptionProgress progress;
    const char* line;
  } cases[] = {
      {{.phase = Phase::loading_model}, "talk.mp3: loading the model"},
      {{.phase = Phase::listening, .listened = 250}, "talk.mp3: listening 4:10"},
      {{.phase = Phase::listening, .listened = 250, .duration = 2160, .percent = 0},
       "talk.mp3: listening 4:10"},
      {{.phase = Phase::transcribing, .position = 250, .speed = 10},
       "talk.mp3: transcribing 4:10, 10.0x real time"},
  };
  for (const auto& one : cases) {
    EXPECT_EQ(progress_line_text("talk.mp3: ", one.progress, 79), one.line);
  }
}

TEST(ProgressLine, LeavesOutASpeedThatIsNotSteady) {
  TranscriptionProgress progress = in_the_middle;
  progress.speed.reset();
  progress.left_s.reset();
  EXPECT_EQ(progress_line_text("", progress, 79),
            "[##----------------------]  11.5% 4:10 of 36:00");
}

}  // namespace
}  // namespace server
