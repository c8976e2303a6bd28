#include "server/transcription/progress.h"

#include <gtest/gtest.h>

#include "server/transcription/progress_json.h"

namespace server {
namespace {

using Phase = TranscriptionPhase;

TEST(Progress, IsToldInWords) {
  const struct {
    TranscriptionProgress progress;
    const char* text;
  } cases[] = {
      {{.queue_place = 3}, "queued, position 3"},
      {{}, "waiting for other transcriptions"},
      {{.phase = Phase::fetching_model}, "waiting for the model, which is being downloaded"},
      {{.phase = Phase::loading_model}, "loading the model"},
      {{.phase = Phase::listening, .listened = 325}, "listening 5:25"},
      {{.phase = Phase::transcribing, .position = 40}, "transcribing 0:40"},
      {{.phase = Phase::transcribing, .position = 250, .duration = 2160, .percent = 11.5},
       "transcribing 4:10 of 36:00 (11.5%)"},
      {{.phase = Phase::transcribing,
        .position = 250,
        .duration = 2160,
        .percent = 11.5,
        .speed = 8.4,
        .left_s = 230},
       "transcribing 4:10 of 36:00 (11.5%), 8.4x real time, 3:50 left"},
      {{.phase = Phase::transcribing, .position = 250, .speed = 0.35},
       "transcribing 4:10, 0.35x real time"},
      {{.phase = Phase::diarizing, .duration = 2160}, "telling speakers apart"},
      {{.phase = Phase::diarizing, .diarized = 725, .duration = 2160},
       "telling speakers apart 12:05 of 36:00"},
      {{.phase = Phase::ended, .position = 3, .duration = 3, .percent = 100}, "ended"},
  };
  for (const auto& one : cases) EXPECT_EQ(progress_text(one.progress), one.text);
}

TEST(Progress, JsonHasNullForWhatIsNotKnownAndTheMcpFormLeavesItOut) {
  const TranscriptionProgress progress{.phase = Phase::listening, .listened = 30};
  EXPECT_EQ(progress_json(progress).dump(),
            R"({"phase":"listening","queue_place":null,"listened":30.0,"position":0.0,)"
            R"("diarized":null,"duration":null,"percent":null,"speed":null,"left_s":null})");
  EXPECT_EQ(known_progress_json(progress).dump(),
            R"({"phase":"listening","listened":30.0,"position":0.0})");
}

TEST(Progress, TheSchemaNamesEveryField) {
  const auto properties = progress_properties();
  const auto fields = progress_json({});
  EXPECT_EQ(properties.size(), fields.size());
  for (const auto& [field, value] : fields.items()) EXPECT_TRUE(properties.contains(field));
}

}  // namespace
}  // namespace server
