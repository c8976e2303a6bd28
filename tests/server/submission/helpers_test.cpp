#include "server/submission/helpers.h"

#include <string>
#include <vector>

#include "tests/server/submission/submission_fixture.h"

namespace server {
namespace {

using protocol::TranscribeOptions;

class HelpersTest : public test::SubmissionFixture {
 protected:
  Result<void> require(const TranscribeOptions& options) {
    return test::run(io, require_helpers(services, options));
  }
};

TEST_F(HelpersTest, AMissingHelperIsToldBeforeTheJobIsTaken) {
  services.fetch_helper = nullptr;
  const auto error = require({.diarize = true}).error();
  EXPECT_EQ(error.code, "model_not_installed");
  EXPECT_EQ(http_status(error.code), 409);
  EXPECT_EQ(error.message, "Speaker labels need the model 'speakers', which is not installed.");
  EXPECT_EQ(error.fix, "Run `scribed models pull speakers`.");
  EXPECT_EQ(jobs.waiting(), 0);
}

TEST_F(HelpersTest, OptionsNeedTheHelpersThatTheyUse) {
  std::vector<std::string> fetched;
  services.fetch_helper = [&](std::string model) -> asio::awaitable<Result<void>> {
    fetched.push_back(std::move(model));
    co_return Result<void>();
  };
  const auto needed = [&](const TranscribeOptions& options) {
    fetched.clear();
    EXPECT_TRUE(require(options));
    return fetched;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(needed({}), Names{});
  EXPECT_EQ(needed({.diarize = true}), Names{"speakers"});
  EXPECT_EQ(needed({.vad_filter = true}), Names{"silero-vad"});
  EXPECT_EQ(needed({.long_form = protocol::LongForm::parallel, .diarize = true}),
            (Names{"silero-vad", "speakers"}));
  EXPECT_EQ(needed({.language_only = true, .diarize = true}), Names{});
}

TEST_F(HelpersTest, AJobIsTakenWhileItsHelperIsDownloaded) {
  services.fetch_helper = nullptr;
  services.is_fetching = [](const std::string& model) { return model == "speakers"; };
  EXPECT_TRUE(require({.diarize = true}));
  EXPECT_FALSE(require({.vad_filter = true}));
}

TEST_F(HelpersTest, ADownloadThatCannotBeginIsToldWithItsReason) {
  services.fetch_helper = [](std::string) -> asio::awaitable<Result<void>> {
    co_return Error{errc::unreachable, "There is no network.", ""};
  };
  const auto error = require({.diarize = true}).error();
  EXPECT_EQ(error.code, "model_not_installed");
  EXPECT_TRUE(error.message.ends_with("It could not be downloaded: There is no network."));
}

TEST_F(HelpersTest, WorkersHaveTheirOwn) {
  services.fetch_helper = nullptr;
  services.works_elsewhere = true;
  EXPECT_TRUE(require({.diarize = true}));
}

TEST_F(HelpersTest, KnownSpeakersNeedSpeakerLabels) {
  services.fetch_helper = nullptr;
  auto wish = request(PathSource{"sounds/talk.mp3"});
  wish.known_speakers.push_back({"Ada", BytesSource{"clip", ""}});
  EXPECT_EQ(error_of(std::move(wish)), "model_not_installed");
}

}  // namespace
}  // namespace server
