#include "server/options/beam_limit.h"

#include <gtest/gtest.h>

#include <string>

namespace server {
namespace {

using protocol::TranscribeOptions;

std::string option_of(const TranscribeOptions& options, int most = 10,
                      const TranscribeOptions& defaults = {}) {
  const auto problem = beam_problem(options, most, defaults);
  return problem ? std::string(problem->option) : "";
}

TEST(BeamLimit, HoldsForBeamsForSamplesAndForTheBeamsThatPatienceWaitsFor) {
  EXPECT_EQ(option_of({}), "");
  EXPECT_EQ(option_of({.beam_size = 10, .best_of = 10}), "");
  EXPECT_EQ(option_of({.beam_size = 11}), "beam_size");
  EXPECT_EQ(option_of({.best_of = 11}), "best_of");
  EXPECT_EQ(option_of({.beam_size = 5, .patience = 2}), "");
  EXPECT_EQ(option_of({.beam_size = 5, .patience = 2.2}), "patience");
  EXPECT_EQ(option_of({.beam_size = 10, .patience = 0.1}), "");
  EXPECT_EQ(option_of({.beam_size = 1, .patience = 100}), "") << "nothing is searched";
}

TEST(BeamLimit, NamesTheValueTheLimitAndTheSetting) {
  const auto error = beam_problem({.beam_size = 100}, 10, {})->error;
  EXPECT_EQ(error.code, errc::usage);
  EXPECT_EQ(error.message, "beam_size is 100, and clients of this server may have 10 at most.");
  EXPECT_NE(error.fix.find("limits.max_beams"), std::string::npos);
  EXPECT_EQ(beam_problem({.beam_size = 8, .patience = 5}, 10, {})->error.message,
            "beam_size × patience is 40, and clients of this server may have 10 at most.");
}

// Otherwise every request that names no beams would be refused.
TEST(BeamLimit, AllowsTheServersOwnDefaults) {
  const TranscribeOptions defaults{.beam_size = 20, .best_of = 12, .patience = 2};
  EXPECT_EQ(option_of(defaults, 1, defaults), "");
  EXPECT_EQ(option_of({.beam_size = 20}, 1, defaults), "");
  EXPECT_EQ(option_of({.beam_size = 21}, 1, defaults), "beam_size");
  EXPECT_EQ(option_of({.best_of = 13}, 1, defaults), "best_of");
}

}  // namespace
}  // namespace server
