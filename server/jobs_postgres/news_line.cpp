#include "server/jobs_postgres/news_line.h"

#include <poll.h>

#include <algorithm>
#include <utility>

#include "server/base/random_id.h"
#include "server/jobs_postgres/news_text.h"

namespace server::postgres {
namespace {

constexpr std::chrono::seconds pause_after_failure{1};

// The channel of all daemons that use a schema has its name with this behind it.
constexpr char channel_suffix[] = "_news";

}  // namespace

void tell_of_work(Step& step) {
  const auto texts = encode_news({.work = true, .work_of_clients = true});
  step.query("SELECT pg_notify(current_schema() || $2::text, $1)", texts.front(), channel_suffix);
}

NewsLine::NewsLine(Settings settings, Hear hear)
    : settings_(std::move(settings)),
      channel_(settings_.connection.schema + channel_suffix),
      hear_(std::move(hear)),
      thread_([this](const std::stop_token& stop) { run(stop); }) {}

NewsLine::~NewsLine() {
  thread_.request_stop();
  wake_.wake();
  thread_.join();
}

void NewsLine::tell_work(bool waited_for) {
  outbox_.add_work(waited_for);
  wake_.wake();
}

void NewsLine::tell(const JobNotice& notice) {
  outbox_.add(notice);
  wake_.wake();
}

void NewsLine::run(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    try {
      Connection connection(settings_.connection);
      talk(connection, stop);
    } catch (const Failure&) {
      // Whoever depends on news looks as well. The calls of the store say what is wrong.
    }
    arrive_ = false;
    const auto end = Clock::now() + pause_after_failure;
    while (!stop.stop_requested() && Clock::now() < end) {
      pollfd woken{.fd = wake_.fd(), .events = POLLIN, .revents = 0};
      static_cast<void>(::poll(&woken, 1, 100));
      wake_.quiet();
      outbox_.take(Clock::now());  // nobody hears it
    }
  }
}

void NewsLine::talk(Connection& connection, const std::stop_token& stop) {
  auto next_check = Clock::now();
  while (!stop.stop_requested()) {
    if (Clock::now() >= next_check) {
      check(connection);
      next_check = Clock::now() + settings_.check_interval;
    }
    if (Clock::now() >= outbox_.due()) send(connection);
    // Some may have come with the answers to statements, and are not waited for any more.
    receive(connection);
    connection.wait_for_notification(wake_.fd(), std::min(next_check, outbox_.due()));
    wake_.quiet();
  }
}

void NewsLine::check(Connection& connection) {
  if (!call_.empty()) arrive_ = false;  // the last call was not heard
  Transaction transaction(connection, settings_.connection);
  const auto living =
      connection.query("SELECT count(*) AS count FROM nodes WHERE lease_until > scribed_now()");
  const bool may_listen =
      settings_.is_gateway || living[0].integer("count") <= settings_.most_listeners;
  // A pooler would keep the listening connection for others.
  const bool listens = may_listen && connection.is_direct();
  connection.execute((listens ? "LISTEN " : "UNLISTEN ") + quoted_name(channel_));
  transaction.commit();
  call_ = listens ? random_id() : "";
  if (!listens) {
    arrive_ = false;
    return;
  }
  Connection other(settings_.connection);
  other.query("SELECT pg_notify($1, $2)", channel_, call_);
}

// A commit that is lost loses news alone, so it waits for no disk.
void NewsLine::send(Connection& connection) {
  const HeardNews news = outbox_.take(Clock::now());
  if (news.empty()) return;
  Transaction transaction(connection, settings_.connection);
  connection.execute("SET LOCAL synchronous_commit TO off");
  for (const std::string& text : encode_news(news)) {
    connection.query("SELECT pg_notify($1, $2)", channel_, text);
  }
  transaction.commit();
}

void NewsLine::receive(Connection& connection) {
  for (const std::string& text : connection.notifications()) {
    if (!call_.empty() && text == call_) {
      call_.clear();
      arrive_ = true;
    }
    if (auto news = decode_news(text)) hear_(*std::move(news));
  }
}

}  // namespace server::postgres
