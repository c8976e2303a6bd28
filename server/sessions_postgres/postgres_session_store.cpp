#include "server/sessions_postgres/postgres_session_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "server/jobs_postgres/database_calls.h"

namespace server {
namespace {

using postgres::Rows;
using postgres::Step;

// A row that has ended stays for so long, in seconds, for daemons that look rarely.
constexpr int tombstone_s = 3600;

std::string hex_of(const KeyHash& hash) {
  std::string hex;
  for (const unsigned char byte : hash) hex += fmt::format("{:02x}", byte);
  return hex;
}

KeyHash hash_in(const std::string& hex) {
  KeyHash hash{};
  const auto count = std::min(hash.size(), hex.size() / 2);
  for (std::size_t i = 0; i < count; ++i) {
    hash[i] = static_cast<unsigned char>(std::stoul(hex.substr(i * 2, 2), nullptr, 16));
  }
  return hash;
}

// Returns the number of a change. Whoever changes something waits here for the others, so changes
// are committed in the order of their numbers, and nobody misses one.
std::int64_t next_change(Step& step) {
  return step.query("UPDATE page_state SET last = last + 1 RETURNING last")[0].integer("last");
}

// Removes what ended long ago. Who has not looked since then reads all anew.
void forget_ended(Step& step) {
  for (const char* table : {"page_sessions", "page_shares"}) {
    step.query(
        fmt::format("WITH gone AS (DELETE FROM {} WHERE ended > 0 AND ended < scribed_now() - {} "
                    "RETURNING change) "
                    "UPDATE page_state SET forgotten = greatest(forgotten, (SELECT max(change) "
                    "FROM gone)) WHERE EXISTS (SELECT 1 FROM gone)",
                    table, tombstone_s));
  }
  step.query("DELETE FROM client_secrets WHERE ends < scribed_now()");
}

void read_sessions(const Rows& rows, SessionChanges& changes) {
  for (int i = 0; i < rows.size(); ++i) {
    const KeyHash token = hash_in(rows[i].text("token"));
    if (rows[i].real("ended") > 0) {
      changes.ended_sessions.push_back(token);
    } else {
      changes.sessions.push_back({.token = token,
                                  .key = hash_in(rows[i].text("key")),
                                  .name = rows[i].text("name"),
                                  .ends = rows[i].real("ends")});
    }
  }
}

void read_shares(const Rows& rows, SessionChanges& changes) {
  for (int i = 0; i < rows.size(); ++i) {
    if (rows[i].real("ended") > 0) {
      changes.ended_shares.push_back(rows[i].text("id"));
    } else {
      changes.shares.push_back({.id = rows[i].text("id"),
                                .token = hash_in(rows[i].text("token")),
                                .job = rows[i].text("job"),
                                .owner = rows[i].text("owner"),
                                .created = rows[i].real("created"),
                                .ends = rows[i].real("ends")});
    }
  }
}

void read_secrets(const Rows& rows, SessionChanges& changes) {
  for (int i = 0; i < rows.size(); ++i) {
    ClientSecret secret{.value = hash_in(rows[i].text("value")),
                        .maker = rows[i].text("maker"),
                        .ends = rows[i].real("ends"),
                        .session = rows[i].text("session")};
    if (const auto key = rows[i].text("key"); !key.empty()) secret.key = hash_in(key);
    changes.secrets.push_back(std::move(secret));
  }
}

// Returns what came behind that change. What comes while it reads is left to the next look.
SessionChanges read_changes(Step& step, std::int64_t behind) {
  const auto state = step.query("SELECT last, forgotten FROM page_state");
  SessionChanges changes{.last = state[0].integer("last")};
  if (behind > 0 && changes.last == behind) return changes;
  // A number beyond the last is of a database that was restored since.
  changes.are_all = behind == 0 || behind < state[0].integer("forgotten") || behind > changes.last;
  const std::int64_t from = changes.are_all ? 0 : behind;
  const char* which = changes.are_all ? "ended = 0 AND change > $1 AND change <= $2"
                                      : "change > $1 AND change <= $2";
  read_sessions(step.query(fmt::format("SELECT token, key, name, ends, ended FROM page_sessions "
                                       "WHERE {} ORDER BY ends",
                                       which),
                           from, changes.last),
                changes);
  read_shares(step.query(fmt::format("SELECT id, token, job, owner, created, ends, ended "
                                     "FROM page_shares WHERE {} ORDER BY created",
                                     which),
                         from, changes.last),
              changes);
  read_secrets(step.query("SELECT value, maker, key, ends, session FROM client_secrets "
                          "WHERE ends > scribed_now() AND change > $1 AND change <= $2",
                          from, changes.last),
               changes);
  return changes;
}

class PostgresSessionStore final : public SessionStore, postgres::DatabaseCalls {
 public:
  // A request waits for these calls, so they give up sooner than those of jobs.
  explicit PostgresSessionStore(const PostgresSessionSettings& settings)
      : DatabaseCalls(postgres::ConnectionSettings{.address = settings.address,
                                                   .schema = settings.schema,
                                                   .statement_timeout = std::chrono::seconds(5),
                                                   .silence = std::chrono::seconds(10),
                                                   .answer_timeout = std::chrono::seconds(10)}) {}

  bool is_shared() const override { return true; }

  Result<SessionChanges> changes(std::int64_t behind) override {
    return attempt<SessionChanges>([&](Step& step) { return read_changes(step, behind); });
  }

  Result<void> add(const Session& session) override {
    return change([&](Step& step, std::int64_t number) {
      step.query("INSERT INTO page_sessions VALUES ($1, $2, $3, $4, 0, $5)", hex_of(session.token),
                 hex_of(session.key), session.name, session.ends, number);
    });
  }

  Result<void> add(const Share& share) override {
    return change([&](Step& step, std::int64_t number) {
      step.query("INSERT INTO page_shares VALUES ($1, $2, $3, $4, $5, $6, 0, $7)", share.id,
                 hex_of(share.token), share.job, share.owner, share.created, share.ends, number);
    });
  }

  Result<void> add(const ClientSecret& secret) override {
    return change([&](Step& step, std::int64_t number) {
      step.query(
          "INSERT INTO client_secrets (value, maker, until, ends, session, change, key) "
          "VALUES ($1, $2, 0, $3, $4, $5, $6)",
          hex_of(secret.value), secret.maker, secret.ends, secret.session, number,
          secret.key ? hex_of(*secret.key) : "");
    });
  }

  Result<void> remove_session(const KeyHash& token) override {
    return end(
        "UPDATE page_sessions SET ended = scribed_now(), change = $2 "
        "WHERE token = $1 AND ended = 0",
        std::array{hex_of(token)});
  }

  Result<void> remove_shares(std::span<const std::string> ids) override {
    return end(
        "UPDATE page_shares SET ended = scribed_now(), change = $2 "
        "WHERE id = $1 AND ended = 0",
        ids);
  }

 private:
  template <class Work>
  Result<void> change(const Work& work) {
    return attempt<void>([&](Step& step) -> Result<void> {
      const auto number = next_change(step);
      forget_ended(step);
      work(step, number);
      return {};
    });
  }

  Result<void> end(const char* sql, std::span<const std::string> what) {
    return change([&](Step& step, std::int64_t number) {
      std::int64_t ended = 0;
      for (const auto& one : what) {
        ended += static_cast<std::int64_t>(step.query(sql, one, number).affected());
      }
      // Whoever comes second has changed nothing.
      if (ended == 0) step.take_back();
    });
  }
};

}  // namespace

std::unique_ptr<SessionStore> open_postgres_session_store(const PostgresSessionSettings& settings) {
  return std::make_unique<PostgresSessionStore>(settings);
}

}  // namespace server
