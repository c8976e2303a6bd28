#include "server/daemon/backup_stream.h"

#include "server/daemon/backup_reader.h"
#include "tests/server/api/api_fixture.h"
#include "tests/server/started.h"

namespace server {
namespace {

using test::FakeExchange;

class BackupStreamTest : public test::ApiFixture {
 protected:
  asio::awaitable<int> send(FakeExchange& exchange) {
    co_await backups.send(exchange);
    co_return 0;
  }
  static FakeExchange asked() { return {http::verb::get, "/v1/backup"}; }

  BackupStream backups{services, folder.path()};
};

TEST_F(BackupStreamTest, SendsOneBackupAtATime) {
  FakeExchange first = asked(), second = asked(), third = asked();
  test::Started one(io, send(first)), other(io, send(second));
  test::run_until(io, [&] { return one.ended() && other.ended(); });
  EXPECT_EQ(status_of(first), 200U);
  EXPECT_TRUE(first.answer.body.starts_with(backup_version_name));
  EXPECT_EQ(status_of(second), 409U);
  EXPECT_EQ(error_of(second), errc::backup_running);
  test::run(io, send(third));
  EXPECT_EQ(status_of(third), 200U) << "the first one has ended";
}

TEST_F(BackupStreamTest, ThatFailsLeavesThePlaceToTheNext) {
  BackupStream nowhere(services, folder / "none");
  const auto ask = [&](FakeExchange& exchange) -> asio::awaitable<int> {
    co_await nowhere.send(exchange);
    co_return 0;
  };
  for (int attempt = 0; attempt < 2; ++attempt) {
    FakeExchange exchange = asked();
    test::run(io, ask(exchange));
    EXPECT_EQ(status_of(exchange), 500U) << attempt;
  }
}

}  // namespace
}  // namespace server
