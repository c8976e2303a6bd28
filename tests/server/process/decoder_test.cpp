#include "server/process/decoder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "tests/server/run_coroutine.h"
#include "tests/server/temporary_folder.h"

namespace server {
namespace {

namespace wire = protocol::decoder;

TEST(DecoderOptions, TellTheExtensionOfANameThatFormatsMayHave) {
  EXPECT_EQ(extension_of("call.G722"), "g722");
  EXPECT_EQ(extension_of("/a.b/talk.tar.gz"), "gz");
  for (const char* name :
       {"", "call", "call.", "talk.a b", "talk.\xc3\xa4", "a.b/talk", "talk.andalongone", "-"}) {
    EXPECT_EQ(extension_of(name), "") << name;
  }
  const auto arguments = [](const DecoderOptions& options) {
    return fmt::format("{}", fmt::join(decoder_arguments(options), " "));
  };
  EXPECT_EQ(arguments({.extension = "g722"}), "--report-fd 3 --extension g722");
  EXPECT_EQ(arguments({.input_format = "s16le", .extension = "g722"}),
            "--report-fd 3 --format s16le");
}

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

// Returns the error of a decoder whose program is this script.
Error error_of(const std::string& script) {
  const test::TemporaryFolder folder;
  const auto program = folder / "decoder";
  std::ofstream(program) << "#!/bin/sh\n" << script;
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  boost::asio::io_context io;
  auto decoder = Decoder::spawn(io.get_executor(), program, nullptr, {},
                                platform::UniqueFd(::open("/dev/null", O_RDONLY | O_CLOEXEC)));
  EXPECT_TRUE(decoder);
  test::run(io, (*decoder)->ended());
  return (*decoder)->error().value_or(Error{});
}

TEST(Decoder, WritesNothingToOurStderr) {
  testing::internal::CaptureStderr();
  const auto error = error_of("printf 'one\\nlevel=error \\033[31mforged\\n' >&2; exit 1");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(error.message, "scribed-decode ended with exit code 1: level=error \\u001b[31mforged");
}

TEST(Decoder, IsNotHeldUpByWordsThatNobodyReads) {
  const auto error = error_of("head -c 10000000 /dev/zero | tr '\\0' x >&2; exit 1");
  EXPECT_EQ(error.code, errc::decoder_died);
  EXPECT_LT(error.message.size(), 400u);
}

TEST(Decoder, HasNextToNothingOfOurEnvironment) {
  ::setenv("SCRIBED_API_KEY", "hidden", 1);
  const auto error = error_of("env | grep -c -e hidden -e ^HOME= -e ^PATH= >&2; exit 1");
  EXPECT_EQ(error.message.substr(error.message.rfind(' ') + 1), "0");
  ::unsetenv("SCRIBED_API_KEY");
}

TEST(DecoderReport, FailsOnALineThatIsNoMessage) {
  DecoderReport report;
  add_report_line(report, "{]");
  EXPECT_EQ(decoder_error(report)->code, protocol::bad_message);
}

}  // namespace
}  // namespace server
