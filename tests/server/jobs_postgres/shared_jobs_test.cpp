// What two daemons do to the same jobs at once.

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "tests/server/jobs_postgres/two_daemons.h"

namespace server {
namespace {

using test::segment;

class SharedJobs : public test::TwoDaemons {
 protected:
  // Lets each of some threads work with a daemon of its own.
  void race(int threads, const std::function<void(JobStore&, int)>& work) {
    std::vector<std::unique_ptr<JobStore>> daemons;
    for (int i = 0; i < threads; ++i) daemons.push_back(open("daemon" + std::to_string(i)));
    std::vector<std::jthread> running;
    for (int i = 0; i < threads; ++i) {
      running.emplace_back([&, i] { work(*daemons[static_cast<std::size_t>(i)], i); });
    }
  }
};

TEST_F(SharedJobs, ThousandsAreBegunOnceEach) {
  constexpr int jobs = 4000, threads = 4;
  for (int i = 0; i < jobs; ++i) add("owner" + std::to_string(i % 5));
  std::vector<std::vector<std::string>> begun(threads);
  race(threads, [&](JobStore& store, int mine) {
    while (const auto job = store.claim({}).value()) {
      begun[static_cast<std::size_t>(mine)].push_back(job->id);
      EXPECT_TRUE(store.finish(claim_of(*job), {}));
    }
  });
  std::multiset<std::string> all;
  for (const auto& mine : begun) all.insert(mine.begin(), mine.end());
  EXPECT_EQ(all.size(), static_cast<std::size_t>(jobs));
  EXPECT_EQ(std::set(all.begin(), all.end()).size(), static_cast<std::size_t>(jobs));
}

// A claim that has not been committed yet makes nobody wait, and costs its owner's others nothing.
TEST_F(SharedJobs, AJobThatIsBeingBegunIsPassedOver) {
  const std::string first = add("ada").id, second = add("ada").id;
  postgres::Connection other(under_.connection);
  other.execute("BEGIN; SET search_path TO " + settings_.schema);
  other.query("SELECT 1 FROM jobs WHERE id = $1 FOR UPDATE", first);
  EXPECT_EQ(here().claim({}).value()->id, second);
  other.execute("ROLLBACK");
  EXPECT_EQ(here().claim({}).value()->id, first);
}

TEST_F(SharedJobs, AJobOfOneIsSeenAndCancelledByTheOther) {
  const std::string id = add().id;
  const Claim run = claim(there());
  ASSERT_TRUE(there().add_segments(run, std::vector{segment(0)}));
  EXPECT_EQ(find(id).state, JobState::running);
  EXPECT_EQ(here().segments(id, 0, 10).value(), std::vector{segment(0)});
  ASSERT_TRUE(here().cancel(id, "ada").value());
  EXPECT_EQ(there().add_segments(run, std::vector{segment(1)}).error().code, errc::claim_lost);
  EXPECT_EQ(there().set_progress(run, 1, 2, "de").error().code, errc::claim_lost);
  EXPECT_EQ(there().requeue(run, true).error().code, errc::claim_lost);
  EXPECT_EQ(find(id).state, JobState::cancelled);
}

TEST_F(SharedJobs, AClientsJobIsBegunWhereItWaits) {
  const std::string id = add_waited_for("ada").id;
  EXPECT_EQ(claim(there(), true), Claim());
  EXPECT_EQ(claim(there(), false), Claim());
  ASSERT_TRUE(here().detach(id));
  EXPECT_NE(claim(there(), false), Claim()) << "then it is anybody's";
}

TEST_F(SharedJobs, AClientsJobAtAGatewayIsBegunByAnyOther) {
  const auto gateway = open("gateway", true);
  const auto submitted = gateway->submit({.owner = "ada", .detached = false}, test::no_limits);
  EXPECT_EQ(claim(there(), false), Claim()) << "it is none of those that nobody waits for";
  const auto begun = there().claim({.waited_for = true}).value();
  ASSERT_TRUE(begun);
  EXPECT_EQ(begun->id, submitted->id);
  EXPECT_TRUE(begun->client_is_elsewhere);
  EXPECT_FALSE(begun->request.detached);
  ASSERT_TRUE(there().requeue(claim_of(*begun), false));
  EXPECT_NE(claim(here(), true), Claim()) << "and it may go on at another";
  ASSERT_TRUE(gateway->cancel(submitted->id, "ada").value());
  EXPECT_EQ(claim(there(), true), Claim());
}

TEST_F(SharedJobs, AJobAtAGatewayThatIsDetachedIsLikeOthers) {
  const auto gateway = open("gateway", true);
  const auto submitted = gateway->submit({.owner = "ada", .detached = false}, test::no_limits);
  ASSERT_TRUE(gateway->detach(submitted->id));
  EXPECT_EQ(claim(there(), true), Claim());
  const auto begun = there().claim({}).value();
  ASSERT_TRUE(begun);
  EXPECT_FALSE(begun->client_is_elsewhere);
}

TEST_F(SharedJobs, SoundToDoIsThatOfOpenJobsByModel) {
  EXPECT_TRUE(here().sound_to_do().value().empty());
  for (const char* model : {"base", "base", "tiny"}) {
    ASSERT_TRUE(submit({.model = model, .owner = "ada"}));
  }
  const Claim first = claim(there());
  ASSERT_TRUE(there().set_progress(first, 30, 100, "de"));
  const auto usual = here().sound_to_do().value();
  EXPECT_DOUBLE_EQ(usual.at("base"), 70 + 60) << "a minute, where nothing has ended yet";
  EXPECT_DOUBLE_EQ(usual.at("tiny"), 60);
  JobEnd end;
  end.summary.duration = 100;
  ASSERT_TRUE(there().finish(first, end));
  EXPECT_DOUBLE_EQ(here().sound_to_do().value().at("tiny"), 100) << "as long as others were";
}

TEST_F(SharedJobs, OwnersTakeTurnsOverAllDaemons) {
  for (int i = 0; i < 3; ++i) add("ada");
  add("bob");
  std::vector<std::string> owners;
  for (JobStore* store : {&here(), &there(), &here(), &there()}) {
    owners.push_back(store->claim({}).value()->request.owner);
  }
  EXPECT_EQ(owners, (std::vector<std::string>{"ada", "bob", "ada", "ada"}));
}

TEST_F(SharedJobs, AShareOfThePlacesIsOneDaemons) {
  for (int i = 0; i < 3; ++i) add("ada");
  EXPECT_TRUE(here().claim({.most_of_one = 1}).value());
  EXPECT_FALSE(here().claim({.most_of_one = 1}).value());
  EXPECT_TRUE(there().claim({.most_of_one = 1}).value());
}

TEST_F(SharedJobs, AnOwnersLimitIsExactThoughAllDaemonsAcceptAtOnce) {
  std::vector<int> accepted(8);
  race(8, [&](JobStore& store, int mine) {
    for (int i = 0; i < 10; ++i) {
      const auto job = store.submit({.owner = "ada"}, {.max_waiting_per_owner = 25});
      if (job) ++accepted[static_cast<std::size_t>(mine)];
    }
  });
  int all = 0;
  for (const int mine : accepted) all += mine;
  EXPECT_EQ(all, 25);
  EXPECT_EQ(here().count_waiting().value(), 25);
}

TEST_F(SharedJobs, AKeyIsOneJobThoughAllDaemonsAcceptAtOnce) {
  std::vector<std::string> ids(8);
  race(8, [&](JobStore& store, int mine) {
    ids[static_cast<std::size_t>(mine)] =
        store.submit({.owner = "ada", .idempotency_key = "k"}, test::no_limits).value().id;
  });
  EXPECT_EQ(std::set(ids.begin(), ids.end()).size(), 1U);
}

TEST_F(SharedJobs, OnePinsNoMoreThanOneMayThoughAllDaemonsPinAtOnce) {
  settings_.max_pinned_per_owner = 3;
  std::vector<std::string> ids;
  for (int i = 0; i < 8; ++i) ids.push_back(add().id);
  race(8, [&](JobStore& store, int mine) {
    static_cast<void>(store.change(ids[static_cast<std::size_t>(mine)], "ada", {.pinned = true}));
  });
  EXPECT_EQ(here().slice("ada", {.pinned = true}, {}, 100).value().jobs.size(), 3U);
}

TEST_F(SharedJobs, OfTwoEditsOfOneVersionOneIsMade) {
  const std::string id = add().id;
  const Claim run = claim(here());
  ASSERT_TRUE(here().add_segments(run, std::vector{segment(0)}));
  ASSERT_TRUE(here().finish(run, {}));
  std::vector<bool> made(8);
  std::mutex mutex;
  race(8, [&](JobStore& store, int mine) {
    const std::vector<TextEdit> edits{SetText{0, "text " + std::to_string(mine)}};
    const bool is_made = server::edit_text(directly(store), {id, "ada", 0}, edits).has_value();
    const std::lock_guard lock(mutex);
    made[static_cast<std::size_t>(mine)] = is_made;
  });
  EXPECT_EQ(std::ranges::count(made, true), 1);
  EXPECT_EQ(find(id).version, 1);
}

TEST_F(SharedJobs, TextsMayHaveEveryLetter) {
  const std::string odd("a\0b \x1e 'q' \\ \xF0\x9F\x98\x80", 17);
  const std::string id = submit({.title = odd, .owner = "ada", .metadata = {{"k", odd}}})->id;
  const Claim run = claim(there());
  auto said = segment(0);
  said.text = odd;
  ASSERT_TRUE(there().add_segments(run, std::vector{said}));
  ASSERT_TRUE(there().finish(run, {}));
  EXPECT_EQ(here().segments(id, 0, 1).value()[0].text, odd);
  EXPECT_EQ(find(id).request.title, odd);
  EXPECT_EQ(find(id).request.metadata.at("k"), odd);
}

// A row of several segments is taken apart by its border of texts at the first edit.
TEST_F(SharedJobs, ABorderInATextMovesNoOther) {
  const std::string id = add().id;
  const Claim run = claim(here());
  auto first = segment(0), second = segment(1);
  first.text = "one\x1e two";
  second.text = "three";
  ASSERT_TRUE(here().add_segments(run, std::vector{first, second}));
  ASSERT_TRUE(here().finish(run, {}));
  const std::vector<TextEdit> edits{SetText{0, "four"}};
  ASSERT_TRUE(server::edit_text(directly(here()), {id, "ada", 0}, edits));
  EXPECT_EQ(here().slice("ada", {.texts = {"three"}}, {}, 10).value().jobs.size(), 1U);
  EXPECT_EQ(here().segments(id, 0, 2).value()[0].text, first.text);
}

TEST_F(SharedJobs, BytesThatAreNoTextAreNoFault) {
  const auto submit_with_key = [this](const std::string& key) {
    return submit({.model = "\xff", .owner = "ada", .idempotency_key = key}).value().id;
  };
  const std::string id = submit_with_key("\xff");
  EXPECT_NE(submit_with_key("\xfe"), id);
  EXPECT_NE(submit_with_key("\xEF\xBF\xBD"), id);
  EXPECT_EQ(submit_with_key("\xff"), id);
  EXPECT_FALSE(here().find("\xff\xff", "ada").value());
  EXPECT_TRUE(here().slice("ada", {.model = "\xc3"}, {}, 10));
}

TEST_F(SharedJobs, ManyThatHaveExpiredAreRemovedLittleByLittle) {
  constexpr int jobs = 500;
  for (int i = 0; i < jobs; ++i) here().cancel(add().id, "ada").value();
  advance(settings_.keep_s);
  int removed = 0;
  while (const int some = here().remove_expired().value()) {
    EXPECT_LT(some, jobs);
    removed += some;
  }
  EXPECT_EQ(removed, jobs);
}

}  // namespace
}  // namespace server
