#include "server/base/error.h"

#include <gtest/gtest.h>

#include "engine/error.h"
#include "server/models/error.h"

namespace server {
namespace {

TEST(ExitCode, IsStableForEveryKindOfFailure) {
  EXPECT_EQ(exit_code(errc::usage), ExitCode{2});
  EXPECT_EQ(exit_code(errc::input_not_found), ExitCode{3});
  EXPECT_EQ(exit_code("no_audio_track"), ExitCode{4});
  EXPECT_EQ(exit_code("damaged_model"), ExitCode{5});
  EXPECT_EQ(exit_code(errc::worker_died), ExitCode{6});
  EXPECT_EQ(exit_code(errc::device_blocked), ExitCode{6});
  EXPECT_EQ(exit_code("out_of_memory"), ExitCode{7});
  EXPECT_EQ(exit_code(errc::output_not_writable), ExitCode{8});
}

TEST(ExitCode, TellsWhatAnotherStartMayMend) {
  EXPECT_EQ(exit_code("address_in_use"), ExitCode::try_again);
  EXPECT_EQ(exit_code("store_busy"), ExitCode::try_again);
  EXPECT_EQ(exit_code(errc::backup_running), ExitCode::try_again);
  EXPECT_EQ(static_cast<int>(ExitCode::try_again), 75);
  EXPECT_EQ(exit_code(errc::cannot_listen), ExitCode::usage);
  EXPECT_EQ(exit_code("damaged_store"), ExitCode{5});
  EXPECT_EQ(exit_code("newer_store"), ExitCode{5});
}

TEST(ExitCode, IsTheSameWhereAServerHasRefusedIt) {
  EXPECT_EQ(exit_code("invalid_value"), exit_code(errc::usage));
  EXPECT_EQ(exit_code("model_not_found"), exit_code("not_installed"));
}

TEST(ExitCode, IsInternalForAnUnknownCode) {
  EXPECT_FALSE(is_known("no such code"));
  EXPECT_EQ(exit_code("no such code"), ExitCode::internal);
}

TEST(ExitCode, IsKnownForEveryCodeOfTheEngine) {
  for (int code = 1; code <= static_cast<int>(engine::Errc::internal); ++code) {
    EXPECT_TRUE(is_known(engine::name(static_cast<engine::Errc>(code))))
        << engine::name(static_cast<engine::Errc>(code));
  }
}

TEST(ExitCode, IsKnownForEveryCodeOfTheStore) {
  for (int code = 1; code <= static_cast<int>(StoreErrc::io); ++code) {
    EXPECT_TRUE(is_known(name(static_cast<StoreErrc>(code)))) << name(static_cast<StoreErrc>(code));
  }
}

TEST(ExitCode, IsKnownForEveryCodeOfTheDecoder) {
  for (const char* code :
       {"invalid_options", "empty_input", "unsupported_format", "refers_to_other_files",
        "no_audio_track", "unsupported_codec", "nothing_decodable", "empty_audio",
        "track_not_found", "channel_not_found", "needs_seekable_input", "too_long", "too_large",
        "read_failed", "write_failed", "out_of_memory", "internal"}) {
    EXPECT_TRUE(is_known(code)) << code;
  }
}

}  // namespace
}  // namespace server
