#include "tests/server/api/api_fixture.h"

namespace server {
namespace {

// One room for all kinds of files, as the daemon has it.
class StorageRoute : public test::ApiFixture {
 protected:
  StorageRoute() {
    spool = Spool::open(folder / "counted", {.room = room}).value();
    sounds = SoundStore::open(folder / "counted_sounds", {.room = room}).value();
    EXPECT_TRUE(
        keys.add_lines("ada secret-key-of-ada [transcribe]\n"
                       "eve secret-key-of-eve [transcribe, read_status]\n"
                       "root secret-key-of-root [transcribe, read_status, manage]"));
  }

  nlohmann::json storage_of(const std::string& name) {
    test::FakeExchange exchange(http::verb::get, "/v1/storage");
    exchange.fields.set(http::field::authorization, "Bearer secret-key-of-" + name);
    EXPECT_EQ(status_of(ask(exchange)), 200U);
    return json_of(exchange);
  }
  void keep_audio(const std::string& job, const std::string& owner, std::size_t samples) {
    auto writer = sounds.begin(job, owner).value();
    ASSERT_TRUE(writer.write(std::vector<std::int16_t>(samples)));
    writer.finish();
  }
  void keep_upload(const std::string& owner, std::size_t bytes) {
    auto file = spool.create(owner, 0).value();
    ASSERT_TRUE(file.write(std::string(bytes, 'x')));
    file.keep();
  }

  std::shared_ptr<DiskRoom> room =
      std::make_shared<DiskRoom>(DiskRoom::Limits{.total = 5000,
                                                  .per_owner = 2000,
                                                  .of_owner = {{"ada", 1000}},
                                                  .min_free = 7,
                                                  .free_bytes = [] { return 9000ULL; }});
};

TEST_F(StorageRoute, TellsWhatOnesOwnFilesUse) {
  keep_audio("job-of-ada", "ada", 100);
  keep_upload("ada", 30);
  keep_upload("eve", 500);
  room->set_stored(DiskRoom::Kind::jobs, {{"ada", 12}, {"eve", 1}});
  const auto ada = storage_of("ada");
  EXPECT_EQ(ada["owner"], "ada");
  EXPECT_EQ(ada["audio_bytes"], 200);
  EXPECT_EQ(ada["upload_bytes"], 30);
  EXPECT_EQ(ada["transcript_bytes"], 12);
  EXPECT_EQ(ada["used_bytes"], 242);
  EXPECT_EQ(ada["limit_bytes"], 1000) << "her own limit";
  EXPECT_EQ(ada["server"], nullptr) << "an ordinary key learns nothing of others";
  EXPECT_EQ(ada["owners"], nullptr);
}

TEST_F(StorageRoute, TellsOfTheDiskAndOfOthersByRight) {
  keep_upload("ada", 30);
  keep_upload("eve", 500);
  const auto eve = storage_of("eve");
  EXPECT_EQ(eve["server"], (nlohmann::json{{"used_bytes", 530},
                                           {"limit_bytes", 5000},
                                           {"free_bytes", 9000},
                                           {"min_free_bytes", 7}}));
  EXPECT_EQ(eve["owners"], nullptr);
  const auto owners = storage_of("root")["owners"];
  ASSERT_EQ(owners.size(), 2U);
  EXPECT_EQ(owners[0]["owner"], "ada");
  EXPECT_EQ(owners[0]["used_bytes"], 30);
  EXPECT_EQ(owners[0]["limit_bytes"], 1000);
  EXPECT_EQ(owners[1]["owner"], "eve");
  EXPECT_EQ(owners[1]["upload_bytes"], 500);
}

TEST_F(StorageRoute, NamesTheJobsThatALinkOpens) {
  const auto share = [this](std::string job, std::string owner, double ends_in_s) {
    return test::run(io, shares.add(std::move(job), std::move(owner), ends_in_s,
                                    static_cast<double>(std::time(nullptr))));
  };
  ASSERT_TRUE(share("b", "ada", 60));
  ASSERT_TRUE(share("a", "ada", 60));
  ASSERT_TRUE(share("a", "ada", 60));
  ASSERT_TRUE(share("over", "ada", -60));
  ASSERT_TRUE(share("c", "eve", 60));
  EXPECT_EQ(storage_of("ada")["shared_jobs"], (nlohmann::json{"a", "b"}));
  EXPECT_EQ(storage_of("root")["shared_jobs"], nlohmann::json::array());
}

TEST_F(StorageRoute, NoLimitIsNull) {
  room->set_limits({});
  const auto answer = storage_of("root");
  EXPECT_EQ(answer["limit_bytes"], nullptr);
  EXPECT_EQ(answer["server"]["limit_bytes"], nullptr);
}

}  // namespace
}  // namespace server
