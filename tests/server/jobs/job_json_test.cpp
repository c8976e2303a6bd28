#include "server/jobs/job_json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

namespace server {
namespace {

using Json = nlohmann::json;

JobRequest request() {
  JobRequest request{.model = "base", .input = "/a.wav", .title = "a.wav", .owner = "ada"};
  request.options.language = "de";
  request.options.hotwords = "scribed";
  request.decoder.track = "2";
  request.webhook = "https://example.org/told";
  return request;
}

Json stored() {
  return Json::parse(encode(request()));
}

TEST(JobJson, ARequestIsReadAsItWasStored) {
  const auto read = decode_request(stored().dump());
  ASSERT_TRUE(read);
  EXPECT_EQ(read->options.language, "de");
  EXPECT_EQ(encode(*read), encode(request()));
}

TEST(JobJson, AFieldThatWasNotThereYetHasItsDefault) {
  Json old = stored();
  old.erase("webhook");
  old["options"].erase("hotwords");
  old["decoder"].erase("max_seconds");
  const auto read = decode_request(old.dump());
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->webhook, "");
  EXPECT_EQ(read->options.hotwords, "");
  EXPECT_EQ(read->decoder.max_seconds, DecoderOptions{}.max_seconds);
  EXPECT_EQ(read->model, "base");
  EXPECT_EQ(read->options.language, "de");
  EXPECT_EQ(read->decoder.track, "2");
}

TEST(JobJson, AFieldOfALaterVersionIsIgnored) {
  Json later = stored();
  later["priority"] = 7;
  later["options"]["diarise"] = {{"speakers", 2}};
  const auto read = decode_request(later.dump());
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(encode(*read), encode(request()));
}

TEST(JobJson, AFieldThatIsNotWhatItShouldBeIsAnError) {
  Json broken = stored();
  broken["options"]["beam_size"] = "five";
  const auto read = decode_request(broken.dump());
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().message, "field 'options.beam_size' must be a whole number");
}

}  // namespace
}  // namespace server
