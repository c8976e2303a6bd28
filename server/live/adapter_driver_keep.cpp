#include <memory>
#include <utility>

#include "server/base/plain_name.h"
#include "server/live/adapter_driver.h"
#include "server/live/live_services.h"

// What a driver does for sessions that are kept as jobs.
namespace server {

namespace {

namespace live = protocol::live;

}  // namespace

// A session whose wish was refused may wish again.
void AdapterDriver::carry_out_one(live::Keep& keep) {
  if (finish_ || !may_wish()) return;
  const int number = keep.session;
  DrivenSession& session = sessions_[number];
  KeptText::Settings text{.from_s = session.given_s};
  text.waits_for_turns = keep.options.diarize || live_.settings().second_look;
  JobRequest request{.title = plain_name(keep.title),
                     .owner = client_.principal,
                     .options = std::move(keep.options),
                     .trace = client_.trace,
                     .live = true};
  request.options.word_timestamps = true;
  auto model = live_.find_model(keep.model);
  if (!model) return carry_out(adapter_->tell_kept(number, model.error()));
  request.model = *std::move(model);
  auto on_news = [weak = weak_from_this(), number](const Result<std::string>& job) {
    if (const auto driver = weak.lock()) driver->kept(number, job);
  };
  session.kept = live_.keep(std::move(request), text, std::move(on_news));
  if (session.run) session.run->kept = session.kept;
}

void AdapterDriver::kept(int number, const Result<std::string>& job) {
  if (!job) {
    DrivenSession& session = sessions_.at(number);
    session.kept.reset();
    if (session.run) session.run->kept.reset();
  }
  carry_out(adapter_->tell_kept(number, job));
}

void AdapterDriver::leave(DrivenSession& session) {
  if (session.run) {
    note_end(*session.run);
    if (!session.kept) return session.run->cancel.emit(asio::cancellation_type::terminal);
    if (session.converter) session.run->sound.push(session.converter->finish());
    session.run->sound.finish();
  } else if (session.kept) {
    session.kept->finish();
  }
}

}  // namespace server
