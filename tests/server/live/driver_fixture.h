#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "server/live/adapter_driver.h"
#include "tests/server/live/live_fixture.h"
#include "tests/server/live/scripted_adapter.h"

namespace server::test {

// Connections without a socket, of a ScriptedAdapter each.
class DriverFixture : public LiveFixture {
 protected:
  std::shared_ptr<AdapterDriver> connect(
      std::optional<protocol::live::SoundFormat> format = protocol::live::SoundFormat()) {
    return std::make_shared<AdapterDriver>(live, std::make_unique<ScriptedAdapter>(format),
                                           AdapterDriver::Client{.principal = "ada"});
  }

  // Takes frames until one begins so, or the connection is to be closed.
  std::string wait_for(AdapterDriver& driver, const std::string& begin) {
    while (true) {
      Started<std::optional<Outbox::Frame>> next(io, driver.outbox().next());
      run_until(io, [&] { return next.ended(); });
      if (!next.ended() || !next.value()) return "";
      frames.push_back(next.value()->bytes);
      if (frames.back().starts_with(begin)) return frames.back();
    }
  }

  void let_all_end() {
    run_until(io, [&] { return live.places().taken() == 0; });
  }

  std::vector<std::string> frames;
};

}  // namespace server::test
