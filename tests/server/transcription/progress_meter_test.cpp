#include "server/transcription/progress_meter.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace server {
namespace {

using Phase = TranscriptionPhase;
using protocol::ProgressPhase;
using std::chrono::milliseconds;

// A message of the worker at a second of the test's clock.
struct Report {
  int at_ms = 0;
  double position = 0;
  double duration = 0;
  ProgressPhase phase = ProgressPhase::transcribing;
};

Report listening(double seconds) {
  return {0, seconds, 0, ProgressPhase::listening};
}

// Returns "transcribing heard 60 at 30 of 60, 50%, 3x, 10 left".
std::string shown(const TranscriptionProgress& progress) {
  std::string text = fmt::format("{} heard {:g} at {:g}", name(progress.phase), progress.listened,
                                 progress.position);
  if (progress.duration > 0) text += fmt::format(" of {:g}", progress.duration);
  if (progress.percent) text += fmt::format(", {:g}%", *progress.percent);
  if (progress.speed) text += fmt::format(", {:g}x", *progress.speed);
  if (progress.left_s) text += fmt::format(", {:g} left", *progress.left_s);
  return text;
}

std::string after(ProgressMeter meter, const std::vector<Report>& messages) {
  for (const auto& [at_ms, position, duration, phase] : messages) {
    meter.take({position, duration, phase}, ProgressMeter::Time{} + milliseconds(at_ms));
  }
  return shown(meter.figures());
}

TEST(ProgressMeter, MakesFiguresOfWhatTheWorkerTells) {
  const double nothing = std::numeric_limits<double>::quiet_NaN();
  const struct {
    const char* what;
    ProgressMeter meter;
    std::vector<Report> messages;
    const char* figures;
  } cases[] = {
      {"nothing was told", ProgressMeter(), {}, "queued heard 0 at 0"},
      {"what is heard is not decided",
       ProgressMeter(),
       {listening(325)},
       "listening heard 325 at 0"},
      {"the end of listening tells the duration",
       ProgressMeter(),
       {listening(325), {0, 0, 325.2}},
       "transcribing heard 325.2 at 0 of 325.2, 0%"},
      {"no speed before it is steady: one window",
       ProgressMeter(),
       {{0, 0, 120}, {5'000, 30, 120}},
       "transcribing heard 120 at 30 of 120, 25%"},
      {"no speed before it is steady: time",
       ProgressMeter(),
       {{0, 0, 120}, {500, 30, 120}, {1'000, 60, 120}},
       "transcribing heard 120 at 60 of 120, 50%"},
      {"no speed before it is steady: sound",
       ProgressMeter(),
       {{0, 0, 120}, {5'000, 4, 120}, {9'000, 8, 120}},
       "transcribing heard 120 at 8 of 120, 6.6%"},
      {"speed and time left",
       ProgressMeter(),
       {{0, 0, 120}, {3'000, 30, 120}, {6'000, 60, 120}},
       "transcribing heard 120 at 60 of 120, 50%, 10x, 6 left"},
      {"slower than real time",
       ProgressMeter(),
       {{0, 0, 120}, {20'000, 5, 120}, {40'000, 14, 120}},
       "transcribing heard 120 at 14 of 120, 11.6%, 0.35x, 310 left"},
      {"a percentage is rounded down",
       ProgressMeter(),
       {{0, 0, 3000}, {10, 2999.9, 3000}},
       "transcribing heard 3000 at 2999.9 of 3000, 99.9%"},
      {"the end",
       ProgressMeter(),
       {{0, 0, 90}, {3'000, 60, 90}, {4'000, 90, 90}},
       "transcribing heard 90 at 90 of 90, 100%, 22.5x, 0 left"},
      {"a last window goes beyond the end",
       ProgressMeter(),
       {{0, 0, 28.5}, {10, 30, 28.5}},
       "transcribing heard 28.5 at 28.5 of 28.5, 100%"},
      {"a position never goes back",
       ProgressMeter(),
       {{0, 0, 90}, {10, 60, 90}, {20, 30, 90}},
       "transcribing heard 90 at 60 of 90, 66.6%"},
      {"a duration never shrinks",
       ProgressMeter(),
       {{0, 0, 90}, {10, 60, 80}, {20, 60, 0}},
       "transcribing heard 90 at 60 of 90, 66.6%"},
      {"listening goes on in one channel",
       ProgressMeter(),
       {listening(30), {10, 10, 0}, listening(60)},
       "transcribing heard 60 at 10"},
      {"without a duration there is no percentage",
       ProgressMeter(),
       {{0, 0, 0}, {3'000, 30, 0}, {6'000, 60, 0}},
       "transcribing heard 60 at 60, 10x"},
      {"numbers that are none",
       ProgressMeter(),
       {{0, 30, 60}, {0, nothing, nothing}, {0, -5, -5}},
       "transcribing heard 60 at 30 of 60, 50%"},
      {"listening again leaves the position",
       ProgressMeter({}, 60, 120),
       {listening(30)},
       "listening heard 60 at 60 of 120, 50%"},
      {"the speed of a later attempt is its own",
       ProgressMeter({}, 60, 120),
       {listening(120), {0, 60, 120}, {2'000, 70, 120}, {4'000, 80, 120}},
       "transcribing heard 120 at 80 of 120, 66.6%, 5x, 8 left"},
      {"a later attempt decides again what was silence",
       ProgressMeter({}, 60, 120),
       {{0, 20, 120}, {2'000, 30, 120}, {4'000, 40, 120}},
       "transcribing heard 120 at 60 of 120, 50%, 5x, 20 left"},
      {"a stored position that was too far",
       ProgressMeter({}, 325, 120),
       {},
       "queued heard 120 at 120 of 120, 100%"},
      {"clips count alone",
       ProgressMeter({60, 80, 200, 220}),
       {{0, 60, 300}, {2'000, 80, 300}, {4'000, 210, 300}},
       "transcribing heard 300 at 210 of 300, 75%, 7.5x, 2 left"},
      {"a clip without an end",
       ProgressMeter({100}),
       {{0, 100, 300}, {10, 200, 300}},
       "transcribing heard 300 at 200 of 300, 50%"},
      {"clips behind the end",
       ProgressMeter({400, 500}),
       {{0, 300, 300}},
       "transcribing heard 300 at 300 of 300"},
  };
  for (const auto& one : cases) {
    EXPECT_EQ(after(one.meter, one.messages), one.figures) << one.what;
  }
}

TEST(ProgressMeter, PhasesComeInTheirOrder) {
  ProgressMeter meter;
  meter.enter(Phase::loading_model);
  meter.enter(Phase::fetching_model);
  EXPECT_EQ(meter.figures().phase, Phase::loading_model);
  meter.take({30, 0, ProgressPhase::listening}, {});
  meter.enter(Phase::loading_model);
  EXPECT_EQ(meter.figures().phase, Phase::listening);
}

TEST(ProgressMeter, TimeLeftIsToldInSteps) {
  const struct {
    int busy_ms;  // for the first 60 seconds of sound
    double duration;
    double left;
  } cases[] = {{6'000, 150, 9},     {6'000, 161, 15},       {6'000, 638, 60},
               {6'000, 1'301, 130}, {6'000, 10'000, 1'020}, {6'000, 60'000, 6'000}};
  for (const auto& [busy_ms, duration, left] : cases) {
    ProgressMeter meter;
    meter.take({0, duration}, {});
    meter.take({30, duration}, ProgressMeter::Time{} + milliseconds(10));
    meter.take({60, duration}, ProgressMeter::Time{} + milliseconds(busy_ms));
    EXPECT_EQ(meter.figures().left_s, left) << duration;
  }
}

}  // namespace
}  // namespace server
