#include "server/api/sound_sum.h"

#include <functional>
#include <stop_token>
#include <utility>

#include "server/submission/services.h"

namespace server {

using std::chrono::steady_clock;

SoundSum::SoundSum(steady_clock::time_point (*now)())
    : now_(now == nullptr ? steady_clock::now : now) {}

asio::awaitable<Result<SoundUse>> SoundSum::find(FairCalls& disk, const SoundStore& sounds) {
  if (last_ && now_() - counted_ < good_for) co_return *last_;
  std::function<asio::awaitable<Result<SoundUse>>()> begin = [&] { return count(disk, sounds); };
  auto counting = calls_.run("", std::move(begin));
  co_return co_await std::move(counting);
}

asio::awaitable<Result<SoundUse>> SoundSum::count(FairCalls& disk, const SoundStore& sounds) {
  std::function<Result<SoundUse>(std::stop_token)> work =
      [&sounds](std::stop_token) -> Result<SoundUse> { return sounds.use(); };
  auto counting = disk.run(own_work, std::move(work));
  auto use = co_await std::move(counting);
  if (!use) co_return use;
  last_ = *use;
  counted_ = now_();
  co_return use;
}

}  // namespace server
