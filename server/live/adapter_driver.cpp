#include "server/live/adapter_driver.h"

#include <algorithm>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <exception>
#include <iterator>
#include <utility>
#include <variant>
#include <vector>

#include "server/base/random_id.h"
#include "server/live/live_services.h"
#include "server/live/shifted_event.h"
#include "server/metrics/metrics.h"

namespace server {
namespace {

namespace live = protocol::live;
using std::chrono::steady_clock;

// A worker that was loaded may still fail at the first sound.
bool is_about_sound(const protocol::TranscriptEvent& event) {
  return turn_of(event) > 0 || std::holds_alternative<protocol::LiveText>(event);
}

}  // namespace

AdapterDriver::AdapterDriver(LiveServices& services, std::unique_ptr<live::Adapter> adapter,
                             Client client, std::unique_ptr<LivePlace> place)
    : live_(services),
      adapter_(std::move(adapter)),
      client_(std::move(client)),
      place_(std::move(place)),
      outbox_(services.executor()) {
  live_.join(*this);
}

AdapterDriver::~AdapterDriver() {
  live_.leave(*this);
  for (auto& [number, session] : sessions_) leave(session);
}

void AdapterDriver::begin() {
  carry_out(adapter_->begin());
}

void AdapterDriver::receive_text(std::string_view text) {
  receive(adapter_->receive_text(text));
}

void AdapterDriver::receive_bytes(std::string_view bytes) {
  receive(adapter_->receive_bytes(bytes));
}

void AdapterDriver::tick(double silent_s) {
  carry_out(adapter_->tick(silent_s));
}

void AdapterDriver::carry_out(live::Actions actions) {
  std::ranges::move(actions, std::back_inserter(actions_));
  if (std::exchange(is_carrying_out_, true)) return;
  while (!actions_.empty()) {
    live::Action next = std::move(actions_.front());
    actions_.pop_front();
    std::visit([this](auto& action) { carry_out_one(action); }, next);
  }
  is_carrying_out_ = false;
  close_if_finished();
}

DrivenSession* AdapterDriver::session(int number) {
  const auto found = sessions_.find(number);
  return found == sessions_.end() ? nullptr : &found->second;
}

// An Open where the number has a session already begins anew.
void AdapterDriver::carry_out_one(live::Open& open) {
  const int number = open.session;
  if (finish_) return;
  if (const DrivenSession* old = session(number); old && old->run) {
    note_end(*old->run);
    old->run->cancel.emit(asio::cancellation_type::terminal);
  } else if (!old && sessions_.size() >= most_sessions) {
    return outbox_.close({1008, "too many sessions in one connection"});
  }
  DrivenSession& fresh = sessions_[number];
  fresh = DrivenSession{.open = std::move(open), .kept = std::move(fresh.kept)};
  start(number, fresh);
}

void AdapterDriver::start(int number, DrivenSession& session) {
  if (!place_) {
    auto taken = live_.take_place(client_.principal);
    if (!taken) return failed(number, taken.error());
    place_ = *std::move(taken);
  }
  auto model = live_.find_model(session.open.model);
  if (!model) return failed(number, model.error());
  LiveRequest request{.id = random_id(),
                      .request_id = client_.trace.request_id,
                      .owner = client_.principal,
                      .model = *std::move(model),
                      .options = session.open.options,
                      .settings = session.open.settings};
  request.settings.live.second_look |= live_.settings().second_look;
  auto fetching = live_.fetch_helpers(request);
  const SessionShift shift{session.given_s, session.turns};
  session.run = std::make_shared<DrivenRun>(live_.executor(), live_.models(), std::move(request),
                                            std::move(place_), shift);
  session.run->kept = session.kept;
  const auto running = session.run;
  asio::co_spawn(
      live_.executor(), run(weak_from_this(), live_.quota(), std::move(fetching), running, number),
      asio::bind_cancellation_slot(running->cancel.slot(), [weak = weak_from_this(), running,
                                                            number](std::exception_ptr thrown) {
        const auto driver = weak.lock();
        // A run that another one replaced was cancelled.
        if (!thrown || !driver || !driver->is_running(number, *running)) return;
        driver->outbox_.close({1011, "the server has failed"});
      }));
}

asio::awaitable<void> AdapterDriver::run(std::weak_ptr<AdapterDriver> weak,
                                         std::shared_ptr<SoundQuota> quota,
                                         asio::awaitable<Result<void>> fetching,
                                         std::shared_ptr<DrivenRun> run, int number) {
  // Whoever waits for the session's room goes on, also where it never runs.
  struct Ending {
    DrivenRun& run;
    ~Ending() { run.sound.give_up(); }
  };
  const Ending ending{*run};
  const auto executor = co_await asio::this_coro::executor;
  co_await asio::post(executor, asio::use_awaitable);  // leaves the caller's stack first
  protocol::TranscriptSink sink = [weak, run = run.get(),
                                   number](const protocol::TranscriptEvent& event) {
    if (run->kept) run->kept->take(shifted(event, run->shift));
    if (const auto driver = weak.lock()) driver->tell(number, *run, event);
  };
  auto checking = quota->check(run->place->principal());
  auto result = co_await std::move(checking);
  if (result) result = co_await std::move(fetching);
  // What may be heard of its sound was taken as it came.
  if (result || result.error().code == errc::too_much_sound) {
    auto running = run->sound.run(std::move(sink));
    result = co_await std::move(running);
  }
  if (const auto driver = weak.lock()) {
    driver->ended(number, run, result);
  } else if (run->kept) {
    run->kept->finish();
  }
}

bool AdapterDriver::is_running(int number, const DrivenRun& run) const {
  const auto found = sessions_.find(number);
  return found != sessions_.end() && found->second.run.get() == &run;
}

void AdapterDriver::tell(int number, DrivenRun& run, const protocol::TranscriptEvent& event) {
  if (!is_running(number, run)) return;
  measure(run, event);
  const auto as_told = shifted(event, run.shift);
  DrivenSession& session = sessions_.at(number);
  if (is_about_sound(event)) session.failures = 0;
  session.turns = std::max(session.turns, turn_of(as_told));
  carry_out(adapter_->tell(number, as_told));
}

void AdapterDriver::measure(DrivenRun& run, const protocol::TranscriptEvent& event) {
  const auto now = steady_clock::now();
  if (std::holds_alternative<protocol::SpeechStarted>(event)) {
    run.is_in_turn = true;
  } else if (const auto* words = std::get_if<protocol::LiveWords>(&event)) {
    for (const auto& word : words->words) {
      if (const auto age = run.clock.age_s(word.end, now)) live_.metrics().on_live_word(*age);
    }
  } else if (const auto* turn = std::get_if<protocol::TurnEnded>(&event)) {
    run.is_in_turn = false;
    ++run.record.turns;
    if (const auto age = run.clock.age_s(turn->end_s, now)) live_.metrics().on_live_final(*age);
  } else if (const auto* look = std::get_if<protocol::LiveText>(&event); look && run.is_in_turn) {
    // In silence nothing is looked at, so that would be no lag.
    run.place->note_look(std::max(0.0, run.clock.due_s(now) - look->heard_s), now);
  }
}

void AdapterDriver::ended(int number, const std::shared_ptr<DrivenRun>& run,
                          const Result<void>& result) {
  if (!is_running(number, *run)) return;
  if (!result) run->record.error = result.error();
  note_end(*run);
  run->place.reset();
  DrivenSession& session = sessions_.at(number);
  session.run.reset();
  if (!result) {
    if (session.kept) session.kept->break_turn();
    return failed(number, result.error());
  }
  session.is_finished = true;
  if (session.kept) session.kept->finish();
  carry_out(adapter_->tell_end(number));
}

void AdapterDriver::note_end(DrivenRun& run) {
  run.record.sound_s = run.sound.pushed_s();
  live_.quota()->settle(run.record.principal);
  live_.settings().on_end(run.record);
}

void AdapterDriver::failed(int number, const Error& error) {
  DrivenSession& session = sessions_.at(number);
  session.failed_at = steady_clock::now();
  auto actions = adapter_->tell_failure(number, error);
  // One speaker for whom there is no place must not end the conference of the others.
  const bool is_alone = std::ranges::none_of(sessions_, [number](const auto& one) {
    return one.first != number && one.second.run != nullptr;
  });
  if (++session.failures >= most_failures && is_alone) {
    actions.push_back(live::Close{1011, "the session fails again and again"});
  }
  carry_out(std::move(actions));
}

bool AdapterDriver::may_wish() {
  if (++wishes_ <= most_wishes) return true;
  outbox_.close({1008, "too many requests without audio"});
  return false;
}

// A session that has failed has nothing to commit, but its client waits for an answer.
void AdapterDriver::carry_out_one(live::Commit& commit) {
  DrivenSession* of = session(commit.session);
  if (!of || of->is_finished || !may_wish()) return;
  if (of->stream) return commit_stream(commit.session, *of);
  if (of->run) return of->run->sound.commit();
  const protocol::TurnEnded empty{.turn = ++of->turns,
                                  .start_s = of->given_s,
                                  .end_s = of->given_s,
                                  .cause = protocol::TurnCause::client};
  carry_out(adapter_->tell(commit.session, empty));
}

void AdapterDriver::carry_out_one(live::Clear& clear) {
  const DrivenSession* of = session(clear.session);
  if (of && of->run && may_wish()) of->run->sound.clear();
}

void AdapterDriver::carry_out_one(live::Configure& configure) {
  DrivenSession* of = session(configure.session);
  if (!of || of->is_finished || !may_wish()) return;
  configure.settings.live.second_look |= live_.settings().second_look;
  of->open.settings = configure.settings;
  if (of->run) of->run->sound.configure(std::move(configure.settings));
}

void AdapterDriver::carry_out_one(live::Finish& finish) {
  DrivenSession* of = session(finish.session);
  if (of && !of->is_finished) end_sound(finish.session, *of);
}

void AdapterDriver::end_sound(int number, DrivenSession& session) {
  session.is_finished = true;
  // stream_ended() goes on when the stream is decoded.
  if (session.stream && !session.stream->has_ended()) return session.stream->finish();
  finish_session(number, session);
}

void AdapterDriver::finish_session(int number, DrivenSession& session) {
  if (!session.run) {
    if (session.kept) session.kept->finish();
    return carry_out(adapter_->tell_end(number));
  }
  if (session.converter) session.run->sound.push(session.converter->finish());
  session.converter.reset();
  session.run->sound.finish();
}

void AdapterDriver::finish(live::Close how) {
  if (finish_) return;
  std::vector<int> numbers;
  for (const auto& [number, session] : sessions_) {
    if (!session.is_finished) numbers.push_back(number);
  }
  for (const int number : numbers) end_sound(number, sessions_.at(number));
  if (is_streaming()) {
    auto dropping = drop_streams_later(weak_from_this());
    asio::co_spawn(live_.executor(), std::move(dropping), asio::detached);
  }
  finish_ = std::move(how);
  close_if_finished();
}

void AdapterDriver::shut_down() {
  carry_out(adapter_->tell_shutdown());
  finish({1001, "scribed is about to end"});
}

bool AdapterDriver::has_sessions() const {
  return std::ranges::any_of(sessions_, [](const auto& one) { return one.second.run != nullptr; });
}

void AdapterDriver::close_if_finished() {
  if (finish_ && !has_sessions() && !is_carrying_out_) outbox_.close(*finish_);
}

}  // namespace server
