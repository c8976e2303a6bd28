#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <utility>

#include "protocol/live/adapter.h"
#include "server/live/kept_session.h"
#include "server/live/live_places.h"
#include "server/live/live_services.h"
#include "server/live/live_session.h"
#include "server/live/pcm_format.h"
#include "server/live/shifted_event.h"
#include "server/live/sound_clock.h"
#include "server/live/stream_decoder.h"

// What AdapterDriver keeps of its sessions.
namespace server {

// One LiveSession: a session's first, or one that takes the place of another that has failed.
struct DrivenRun {
  DrivenRun(asio::any_io_executor executor, ModelPool& pool, LiveRequest request,
            std::unique_ptr<LivePlace> place, SessionShift shift)
      : record{.id = request.id,
               .principal = place->principal(),
               .request_id = request.request_id,
               .model = request.model},
        sound(std::move(executor), pool, std::move(request)),
        place(std::move(place)),
        shift(shift) {}

  LiveRecord record;
  LiveSession sound;
  std::unique_ptr<LivePlace> place;
  const SessionShift shift;
  std::shared_ptr<KeptSession> kept{};  // that of its session, which outlives the connection
  SoundClock clock{};
  bool is_in_turn = false;
  asio::cancellation_signal cancel{};
};

// A session as its adapter sees it.
struct DrivenSession {
  protocol::live::Open open{};          // with the latest settings
  std::shared_ptr<DrivenRun> run{};     // nullptr: it has failed, or ended
  std::shared_ptr<KeptSession> kept{};  // nullptr: it is not kept
  std::optional<PcmConverter> converter{};
  std::shared_ptr<StreamDecoder> stream{};  // nullptr: the client sends samples
  bool is_settling = false;                 // a commit waits for the bytes before it
  protocol::live::SoundFormat format{};     // that of the converter
  int channel = -1;                         // likewise
  double given_s = 0;                       // sound, in all runs
  int turns = 0;                            // told of, in all runs
  int failures = 0;                         // since the last event
  std::chrono::steady_clock::time_point failed_at{};
  bool is_finished = false;  // its sound has ended
};

}  // namespace server
