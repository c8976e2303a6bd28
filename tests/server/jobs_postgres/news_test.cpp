// What daemons tell each other of their jobs: as text, in its outbox, and by a database.

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "server/jobs_postgres/news_line.h"
#include "server/jobs_postgres/news_outbox.h"
#include "server/jobs_postgres/news_text.h"
#include "tests/server/jobs_postgres/two_daemons.h"

namespace server::postgres {
namespace {

using Kind = JobNotice::Kind;
using std::chrono::milliseconds;

TEST(NewsText, IsReadAsItWasWritten) {
  const HeardNews news{.work_of_clients = true,
                       .jobs = {{"a", "ada \"x\"\n", Kind::ended}, {"b", "", Kind::changed}}};
  const auto texts = encode_news(news);
  ASSERT_EQ(texts.size(), 1U);
  const auto heard = decode_news(texts[0]).value();
  EXPECT_FALSE(heard.work);
  EXPECT_TRUE(heard.work_of_clients);
  ASSERT_EQ(heard.jobs.size(), 2U);
  EXPECT_EQ(heard.jobs[0].owner, "ada \"x\"\n");
  EXPECT_EQ(heard.jobs[0].kind, Kind::ended);
  EXPECT_EQ(heard.jobs[1].id, "b");
}

TEST(NewsText, IsCutWhereANotificationIsFull) {
  HeardNews news;
  for (int i = 0; i < 1000; ++i) news.jobs.push_back({std::string(26, 'x'), "somebody", {}});
  news.jobs.push_back({"long", std::string(9000, 'x'), {}});
  std::size_t jobs = 0;
  for (const auto& text : encode_news(news)) {
    EXPECT_LE(text.size(), most_notification_bytes);
    jobs += decode_news(text).value().jobs.size();
  }
  EXPECT_EQ(jobs, 1000U) << "and what never fits is left out";
}

TEST(NewsText, IsNothingElse) {
  for (const char* text : {"", "abc", "[]", "{}", R"({"jobs": 1})"}) {
    EXPECT_FALSE(decode_news(text)) << text;
  }
  const auto odd = decode_news(R"({"work": 1, "jobs": [1, [], ["new", "a", "b"], [1, 2, 3]]})");
  ASSERT_TRUE(odd);
  EXPECT_FALSE(odd->work);
  ASSERT_EQ(odd->jobs.size(), 1U);
  EXPECT_EQ(odd->jobs[0].kind, Kind::changed);
}

TEST(NewsOutbox, KeepsOfEachJobWhatWeighsMost) {
  NewsOutbox outbox;
  for (const Kind kind : {Kind::created, Kind::ended, Kind::changed}) {
    outbox.add({"a", "ada", kind});
  }
  const auto news = outbox.take({});
  ASSERT_EQ(news.jobs.size(), 1U);
  EXPECT_EQ(news.jobs[0].kind, Kind::ended);
  EXPECT_TRUE(outbox.take({}).empty());
}

TEST(NewsOutbox, IsDueSoonForWhatSomebodyMayWaitFor) {
  NewsOutbox outbox;
  const auto now = NewsOutbox::Clock::now();
  EXPECT_EQ(outbox.due(), NewsOutbox::Clock::time_point::max());
  outbox.take(now);
  outbox.add({"a", "ada", Kind::changed});
  EXPECT_EQ(outbox.due(), now + NewsOutbox::pause_of_progress);
  outbox.add_work(false);
  EXPECT_EQ(outbox.due(), now + NewsOutbox::pause);
}

TEST(NewsOutbox, IsBounded) {
  NewsOutbox outbox;
  for (std::size_t i = 0; i <= NewsOutbox::most_jobs; ++i) outbox.add({std::to_string(i), "", {}});
  EXPECT_EQ(outbox.take({}).jobs.size(), NewsOutbox::most_jobs);
}

// Keeps what a line has heard.
class Ear {
 public:
  JobNews::Hear hear() {
    return [this](HeardNews news) {
      const std::lock_guard lock(mutex_);
      heard_.push_back(std::move(news));
      came_.notify_all();
    };
  }
  // Returns whether something has been heard that passes, within so long.
  template <class Passes>
  bool heard(Passes passes, milliseconds within = std::chrono::seconds(20)) {
    std::unique_lock lock(mutex_);
    return came_.wait_for(lock, within, [&] { return std::ranges::any_of(heard_, passes); });
  }

 private:
  std::mutex mutex_{};
  std::condition_variable came_{};
  std::vector<HeardNews> heard_{};
};

bool is_work(const HeardNews& news) {
  return news.work;
}

bool is_of_jobs(const HeardNews& news) {
  return !news.jobs.empty();
}

bool soon(const std::function<bool()>& condition) {
  for (int i = 0; i < 1000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(milliseconds(20));
  }
  return false;
}

class NewsLineTest : public test::TwoDaemons {
 protected:
  NewsLine::Settings line(bool is_gateway = false) const {
    return {.connection = {.address = settings_.address, .schema = settings_.schema},
            .is_gateway = is_gateway};
  }
  static bool arrives(const NewsLine& line) {
    return soon([&] { return line.arrive(); });
  }
};

TEST_F(NewsLineTest, IsHeardByOthersAlone) {
  Ear mine, yours;
  NewsLine here(line(), mine.hear()), there(line(), yours.hear());
  ASSERT_TRUE(arrives(here) && arrives(there));
  here.tell({"a", "ada", Kind::ended});
  EXPECT_TRUE(yours.heard([](const HeardNews& news) {
    return is_of_jobs(news) && news.jobs[0].id == "a" && news.jobs[0].kind == Kind::ended;
  }));
  there.tell_work(false);
  EXPECT_TRUE(mine.heard(is_work));
  EXPECT_FALSE(mine.heard(is_of_jobs, milliseconds(0)));
}

TEST_F(NewsLineTest, WhereManyDaemonsLiveOnlyGatewaysListen) {
  Ear ear, yours;
  auto worker_settings = line(), gateway_settings = line(true);
  worker_settings.most_listeners = gateway_settings.most_listeners = 1;
  NewsLine worker(worker_settings, ear.hear()), gateway(gateway_settings, yours.hear());
  ASSERT_TRUE(arrives(gateway));
  gateway.tell_work(false);
  worker.tell_work(false);
  EXPECT_TRUE(yours.heard(is_work)) << "a worker speaks all the same";
  EXPECT_FALSE(worker.arrive());
  EXPECT_FALSE(ear.heard(is_work, milliseconds(0)));
}

TEST_F(NewsLineTest, IsThereAgainAfterItsConnectionWasLost) {
  Ear ear, none;
  auto lost = line();
  lost.connection.address += " application_name=lost";
  NewsLine here(lost, ear.hear()), there(line(), none.hear());
  ASSERT_TRUE(arrives(here) && arrives(there));
  under_.execute(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
      "WHERE application_name = 'lost'");
  EXPECT_TRUE(soon([&] {
    there.tell_work(false);
    return ear.heard(is_work, milliseconds(100));
  }));
  EXPECT_TRUE(arrives(here));
}

TEST_F(NewsLineTest, HearsWhatComesWhileItSpeaks) {
  constexpr int times = 20;
  for (int i = 0; i < times; ++i) {
    Ear mine, yours;
    NewsLine here(line(), mine.hear()), there(line(), yours.hear());
    ASSERT_TRUE(arrives(here) && arrives(there));
    here.tell_work(false);
    there.tell_work(false);
    ASSERT_TRUE(mine.heard(is_work) && yours.heard(is_work)) << i;
  }
}

TEST_F(NewsLineTest, ASweepTellsOfTheJobsThatItPutsBack) {
  Ear ear;
  NewsLine line_here(line(), ear.hear());
  ASSERT_TRUE(arrives(line_here));
  add();
  claim(there());
  there_ = open("there");  // as after a crash
  ASSERT_EQ(there().recover().value(), 1);
  EXPECT_TRUE(ear.heard(is_work));
}

}  // namespace
}  // namespace server::postgres
