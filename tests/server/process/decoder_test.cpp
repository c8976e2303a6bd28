#include "server/process/decoder.h"

#include <gtest/gtest.h>

#include <csignal>

namespace server {
namespace {

namespace wire = protocol::decoder;

DecoderReport report_of(const std::vector<wire::Message>& messages, ExitStatus exit) {
  DecoderReport report;
  for (const auto& message : messages) add_report_line(report, wire::encode(message));
  report.exit = exit;
  return report;
}

const ExitStatus fine{.code = 0, .signal = {}};

TEST(DecoderReport, HasNoErrorAfterAnEndWithWarnings) {
  const auto report =
      report_of({wire::Format{.container = "wav"},
                 wire::Warning{"damaged", "2 packets are damaged"}, wire::Finished{.seconds = 3}},
                fine);
  EXPECT_FALSE(decoder_error(report));
  EXPECT_EQ(report.warnings, std::vector<std::string>{"2 packets are damaged"});
  EXPECT_EQ(report.finished->seconds, 3);
}

TEST(DecoderReport, GivesTheDecodersOwnError) {
  const auto report = report_of({wire::Failed{{"no_audio_track", "there is no sound", "other"}}},
                                {.code = 6, .signal = {}});
  EXPECT_EQ(decoder_error(report), (Error{"no_audio_track", "there is no sound", "other"}));
}

TEST(DecoderReport, NamesTheSignalOfADecoderThatDied) {
  const auto error = decoder_error(report_of({wire::Format{}}, {.code = {}, .signal = SIGSEGV}));
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code, errc::decoder_died);
  EXPECT_NE(error->message.find("SIGSEGV"), std::string::npos);
  EXPECT_FALSE(error->fix.empty());
}

TEST(DecoderReport, BlamesMemoryOnlyWhereTheKernelDoes) {
  auto report = report_of({wire::Format{}}, {.code = {}, .signal = SIGKILL});
  EXPECT_EQ(decoder_error(report)->code, errc::decoder_died);
  report.out_of_memory = true;
  EXPECT_EQ(decoder_error(report)->code, errc::out_of_memory);
}

TEST(DecoderReport, DoesNotTrustAnEndWithoutAWord) {
  EXPECT_EQ(decoder_error(report_of({wire::Format{}}, fine))->code, errc::decoder_died);
}

TEST(DecoderReport, HasNoErrorWhileTheDecoderIsAtWork) {
  EXPECT_FALSE(decoder_error(DecoderReport{}));
}

TEST(DecoderReport, KeepsABoundedNumberOfDifferentWarnings) {
  DecoderReport report;
  for (int i = 0; i < 1000; ++i) {
    add_report_line(report, wire::encode(wire::Warning{"damaged", "damaged"}));
  }
  EXPECT_EQ(report.warnings.size(), 1u);
  for (int i = 0; i < 1000; ++i) {
    add_report_line(report, wire::encode(wire::Warning{"damaged", std::to_string(i)}));
  }
  EXPECT_EQ(report.warnings.size(), 100u);
}

TEST(DecoderReport, FailsOnALineThatIsNoMessage) {
  DecoderReport report;
  add_report_line(report, "{]");
  EXPECT_EQ(decoder_error(report)->code, protocol::bad_message);
}

}  // namespace
}  // namespace server
