// What the daemons of a database tell each other of the sound of jobs.

#include <string>
#include <vector>

#include "tests/server/jobs_postgres/two_daemons.h"

namespace server {
namespace {

class SharedSoundOfJobs : public test::TwoDaemons {};

TEST_F(SharedSoundOfJobs, WhatOneHasHeardIsToldByAll) {
  const std::string id = add("ada").id;
  EXPECT_FALSE(there().find(id, "ada").value()->sound);
  EXPECT_TRUE(here().set_sound(id, 32'000).value());
  const auto found = there().find(id, "ada").value();
  ASSERT_TRUE(found->sound);
  EXPECT_EQ(*found->sound, (KeptSound{.bytes = 32'000, .is_whole = true}));
}

TEST_F(SharedSoundOfJobs, SoundOfARemovedJobIsLeftToOneDaemon) {
  const std::string heard = add("ada").id, silent = add("ada").id;
  ASSERT_TRUE(here().set_sound(heard, 32'000).value());
  EXPECT_TRUE(there().sounds_left(10).value().empty());
  ASSERT_TRUE(here().remove(heard));
  ASSERT_TRUE(here().remove(silent));
  EXPECT_EQ(there().sounds_left(10).value(), std::vector{heard});
  EXPECT_TRUE(here().sounds_left(10).value().empty());
}

TEST_F(SharedSoundOfJobs, SoundThatComesAfterItsJobHasGoneIsToldSo) {
  const std::string id = add("ada").id;
  ASSERT_TRUE(there().remove(id));
  EXPECT_FALSE(here().set_sound(id, 32'000).value());
}

}  // namespace
}  // namespace server
