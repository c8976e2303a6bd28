#include "server/jobs_postgres/schema.h"

#include <fmt/format.h>

#include <array>

#include "server/jobs_postgres/text_index.h"

namespace server::postgres {
namespace {

// Times are seconds since 1970, by the clock of the database alone; tests put another function in
// this one's place. It is STABLE for the planner: a statement needs one time.
//
// `home` is the name of the node whose client waits for the job, and empty where nobody waits.
// `place` is where it may be begun: empty for a job that nobody waits for and that anybody may
// begin, '+' for such a one of bulk, '*' for one with a client that anybody may begin, else the
// name of a node. `node` is who has claimed the job while it runs. A `turn` is the job's place
// among those of its `place`, and `cost` what it adds to its owner's next one (turns.h). `found_by`
// has title, file and names of speakers in folded letters, for searches, as `folded` has the texts
// of segments.
//
// A row of `segments` has all that one write brought: `count` segments from number `first` on, as a
// JSON array. It is json, and not jsonb, which refuses texts with a NUL in them.
//
// `sound_bytes` is how much sound of the job all daemons can read, once it is whole. Where such a
// job is removed, on whatever way, `sounds_left` has it until some daemon has removed the sound,
// too.
//
// `uploads` has those that are whole and those that are coming, and `upload_parts` which bytes of
// the latter lie where all daemons read them (server/uploads_postgres).
//
// Who has signed in on the page, and links to jobs, are in `page_sessions` and `page_shares`
// (server/sessions_postgres), tokens and keys as their SHA-256 in hexadecimal digits. `change`
// counts, in `page_state`, what was added or has ended; a row that has ended stays for a while. So
// it does in `client_secrets`, whose `until` is no longer used.
//
// The rows of `jobs` are written several times in their life: room on their pages keeps the new
// ones near, and dead ones are cleared away by their number, whatever the table's size.
constexpr char version_1[] = R"(
CREATE TABLE meta (version int NOT NULL, min_reader int NOT NULL);
CREATE FUNCTION scribed_now() RETURNS float8 LANGUAGE sql STABLE
  AS 'SELECT extract(epoch FROM clock_timestamp())::float8';
CREATE TABLE nodes (
  node int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text COLLATE "C" NOT NULL,
  started float8 NOT NULL,
  lease_until float8 NOT NULL
) WITH (fillfactor = 50);
CREATE TABLE lines (
  place text COLLATE "C" PRIMARY KEY,
  reached float8 NOT NULL DEFAULT 0
) WITH (fillfactor = 50);
INSERT INTO lines (place) VALUES (''), ('+'), ('*');
CREATE TABLE owners (
  place text COLLATE "C" NOT NULL,
  owner text COLLATE "C" NOT NULL,
  finish float8 NOT NULL,
  PRIMARY KEY (place, owner)
) WITH (fillfactor = 70);
CREATE TABLE jobs (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE,
  owner text COLLATE "C" NOT NULL,
  key text COLLATE "C",
  state smallint NOT NULL,
  home text COLLATE "C" NOT NULL,
  place text COLLATE "C" NOT NULL,
  node int,
  epoch bigint NOT NULL DEFAULT 0,
  turn float8 NOT NULL DEFAULT 0,
  cost float8 NOT NULL DEFAULT 1,
  not_before float8 NOT NULL DEFAULT 0,
  request text NOT NULL,
  options text,
  model text COLLATE "C" NOT NULL,
  live boolean NOT NULL,
  webhook boolean NOT NULL,
  attempts int NOT NULL DEFAULT 0,
  attempts_without_progress int NOT NULL DEFAULT 0,
  created float8 NOT NULL,
  started float8 NOT NULL DEFAULT 0,
  finished float8 NOT NULL DEFAULT 0,
  expires float8 NOT NULL DEFAULT 0,
  position float8 NOT NULL DEFAULT 0,
  duration float8 NOT NULL DEFAULT 0,
  language text NOT NULL DEFAULT '',
  segments int NOT NULL DEFAULT 0,
  error text,
  summary text,
  delivered boolean NOT NULL DEFAULT false,
  ended_by int,
  keep_s float8 NOT NULL DEFAULT 0,
  speaker_names text NOT NULL DEFAULT '{}',
  title text NOT NULL DEFAULT '',
  pinned boolean NOT NULL DEFAULT false,
  version int NOT NULL DEFAULT 0,
  found_by text NOT NULL DEFAULT '',
  sound_bytes bigint NOT NULL DEFAULT 0,
  CHECK ((state = 1) = (node IS NOT NULL)),
  CHECK ((state >= 2) = (finished > 0))
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000,
        autovacuum_vacuum_cost_delay = 0);
CREATE UNIQUE INDEX jobs_by_key ON jobs (owner, key) WHERE key IS NOT NULL;
CREATE INDEX jobs_by_owner ON jobs (owner, number);
CREATE INDEX jobs_waiting ON jobs (place, turn, number) WHERE state = 0;
CREATE INDEX jobs_waiting_of_owner ON jobs (place, owner, turn, number) WHERE state = 0;
CREATE INDEX jobs_waiting_for_model ON jobs (place, model, turn, number) WHERE state = 0;
CREATE INDEX jobs_open ON jobs (owner, state) WHERE state <= 1;
CREATE INDEX jobs_running ON jobs (node) WHERE state = 1;
CREATE INDEX jobs_at_home ON jobs (home) WHERE state <= 1 AND home <> '';
CREATE INDEX jobs_expiring ON jobs (expires) WHERE expires > 0;
CREATE INDEX jobs_kept_otherwise ON jobs ((expires - keep_s)) WHERE expires > 0 AND keep_s > 0;
CREATE INDEX jobs_to_deliver ON jobs (owner, number)
  WHERE webhook AND NOT delivered AND finished > 0;
CREATE TABLE segments (
  job bigint NOT NULL REFERENCES jobs ON DELETE CASCADE,
  first int NOT NULL,
  count int NOT NULL,
  body json NOT NULL,
  folded text NOT NULL,
  PRIMARY KEY (job, first)
);
CREATE TABLE versions (
  job bigint NOT NULL REFERENCES jobs ON DELETE CASCADE,
  version int NOT NULL,
  created float8 NOT NULL,
  origin text NOT NULL,
  PRIMARY KEY (job, version)
);
CREATE TABLE revisions (
  job bigint NOT NULL REFERENCES jobs ON DELETE CASCADE,
  segment bigint NOT NULL,
  version int NOT NULL,
  place float8 NOT NULL,
  content text,
  folded text NOT NULL,
  PRIMARY KEY (job, segment, version)
);
CREATE INDEX revisions_by_place ON revisions (job, place);
CREATE TABLE sound (
  owner text COLLATE "C" NOT NULL,
  day int NOT NULL,
  seconds float8 NOT NULL,
  PRIMARY KEY (owner, day)
);
CREATE TABLE sounds_left (job text COLLATE "C" PRIMARY KEY);
CREATE FUNCTION leave_sound() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS '
  BEGIN
    INSERT INTO sounds_left VALUES (OLD.id) ON CONFLICT DO NOTHING;
    RETURN NULL;
  END';
CREATE TRIGGER jobs_leave_sound AFTER DELETE ON jobs
  FOR EACH ROW WHEN (OLD.sound_bytes > 0) EXECUTE FUNCTION leave_sound();
CREATE TABLE uploads (
  id text COLLATE "C" PRIMARY KEY,
  owner text COLLATE "C" NOT NULL,
  name text NOT NULL,
  bytes bigint NOT NULL,
  received bigint NOT NULL,
  expires float8 NOT NULL,
  CHECK (received BETWEEN 0 AND bytes)
);
CREATE INDEX uploads_by_owner ON uploads (owner, expires);
CREATE INDEX uploads_expiring ON uploads (expires);
CREATE TABLE upload_parts (
  id text COLLATE "C" PRIMARY KEY,
  upload text COLLATE "C" NOT NULL REFERENCES uploads,
  first bigint NOT NULL,
  bytes bigint NOT NULL,
  UNIQUE (upload, first)
);
CREATE TABLE page_state (last bigint NOT NULL, forgotten bigint NOT NULL);
INSERT INTO page_state VALUES (1, 0);
CREATE TABLE page_sessions (
  token text COLLATE "C" PRIMARY KEY,
  key text COLLATE "C" NOT NULL,
  name text NOT NULL,
  ends float8 NOT NULL,
  ended float8 NOT NULL,
  change bigint NOT NULL
);
CREATE INDEX page_sessions_by_change ON page_sessions (change);
CREATE INDEX page_sessions_ended ON page_sessions (ended) WHERE ended > 0;
CREATE TABLE page_shares (
  id text COLLATE "C" PRIMARY KEY,
  token text COLLATE "C" NOT NULL UNIQUE,
  job text COLLATE "C" NOT NULL,
  owner text COLLATE "C" NOT NULL,
  created float8 NOT NULL,
  ends float8 NOT NULL,
  ended float8 NOT NULL,
  change bigint NOT NULL
);
CREATE INDEX page_shares_by_change ON page_shares (change);
CREATE INDEX page_shares_ended ON page_shares (ended) WHERE ended > 0;
CREATE TABLE client_secrets (
  value text COLLATE "C" PRIMARY KEY,
  maker text COLLATE "C" NOT NULL,
  until float8 NOT NULL,
  ends float8 NOT NULL,
  session text NOT NULL,
  change bigint NOT NULL
);
CREATE INDEX client_secrets_by_change ON client_secrets (change);
CREATE INDEX client_secrets_ending ON client_secrets (ends);
)";

// What is stored of a job counts for its owner. `text_bytes` has the bytes of its segments,
// versions and revisions, and is below 0 for a job of an earlier version that is not counted yet.
// `stored` has what each owner has got or lost, and the sum of it is what there is: rows are only
// added, so that no two transactions wait for each other, and are put together from time to time.
constexpr char version_2[] = R"(
ALTER TABLE jobs ADD COLUMN text_bytes bigint NOT NULL DEFAULT -1;
ALTER TABLE jobs ALTER COLUMN text_bytes SET DEFAULT 0;
CREATE INDEX jobs_to_count ON jobs (number) WHERE text_bytes < 0;
CREATE TABLE stored (owner text COLLATE "C" NOT NULL, bytes bigint NOT NULL);
CREATE INDEX stored_by_owner ON stored (owner);
CREATE FUNCTION stored_of(job jobs) RETURNS bigint LANGUAGE sql IMMUTABLE AS '
  SELECT CASE WHEN job.text_bytes < 0 THEN 0 ELSE job.text_bytes + octet_length(job.request) +
    coalesce(octet_length(job.options), 0) + octet_length(job.title) +
    octet_length(job.speaker_names) + coalesce(octet_length(job.summary), 0) +
    coalesce(octet_length(job.error), 0) END';
CREATE FUNCTION count_stored() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS '
  DECLARE
    more bigint := 0;
  BEGIN
    IF TG_OP <> ''DELETE'' THEN more := more + stored_of(NEW); END IF;
    IF TG_OP <> ''INSERT'' THEN more := more - stored_of(OLD); END IF;
    IF more <> 0 THEN INSERT INTO stored VALUES (coalesce(NEW.owner, OLD.owner), more); END IF;
    RETURN NULL;
  END';
CREATE TRIGGER jobs_count AFTER INSERT OR DELETE OR
  UPDATE OF request, options, title, speaker_names, summary, error, text_bytes ON jobs
  FOR EACH ROW EXECUTE FUNCTION count_stored();
)";

// A text is read from one segment to the next, whatever number of revisions each has.
constexpr char version_3[] = R"(
DROP INDEX revisions_by_place;
CREATE INDEX revisions_by_place ON revisions (job, place, segment);
)";

// A client secret ends with its key, whose SHA-256 is here, and empty where none was needed.
constexpr char version_4[] = R"(
ALTER TABLE client_secrets ADD COLUMN key text COLLATE "C" NOT NULL DEFAULT '';
)";

// An owner's pinned jobs are counted without a look at all of the owner's jobs.
constexpr char version_5[] = R"(
CREATE INDEX jobs_pinned ON jobs (owner) WHERE pinned;
)";

// An upload keeps the metadata that its client gave, in the form of tus.
constexpr char version_6[] = R"(
ALTER TABLE uploads ADD COLUMN metadata text NOT NULL DEFAULT '';
)";

// `kept`: somebody has edited, named or shared the job, which does not expire then. Before, only a
// pinned one did not.
constexpr char version_7[] = R"(
ALTER TABLE jobs ADD COLUMN kept boolean NOT NULL DEFAULT false;
UPDATE jobs SET kept = true WHERE version > 0 OR title <> '';
UPDATE jobs SET expires = 0 WHERE expires > 0 AND (keep_s = 0 OR kept);
CREATE INDEX jobs_without_expiry ON jobs (number)
  WHERE expires = 0 AND finished > 0 AND NOT pinned AND NOT kept AND keep_s = 0;
)";

constexpr std::array migrations{version_1, version_2, version_3, version_4,
                                version_5, version_6, version_7};
static_assert(migrations.size() == schema_version);

Result<void> check_encoding(Step& step) {
  const auto encoding =
      step.query("SELECT current_setting('server_encoding') AS name")[0].text("name");
  if (encoding == "UTF8") return {};
  return Error{errc::bad_config,
               fmt::format("the database has the encoding {}, which lacks letters", encoding),
               "Make another one: CREATE DATABASE scribed ENCODING 'UTF8' TEMPLATE template0"};
}

// Whoever migrates waits for those who do at the same moment.
void lock_schema(Step& step) {
  step.query("SELECT pg_advisory_xact_lock(hashtextextended('scribed schema', 0))");
}

void migrate(Step& step, const std::string& schema, int version) {
  if (version == 0) {
    // Whoever may not make one may have been given it.
    const auto there =
        step.query("SELECT count(*) > 0 AS there FROM pg_namespace WHERE nspname = $1", schema);
    if (!there[0].flag("there")) step.query("CREATE SCHEMA " + quoted_name(schema));
  }
  for (int next = version; next < schema_version; ++next) {
    step.execute(migrations[static_cast<std::size_t>(next)]);
  }
  step.query("DELETE FROM meta");
  step.query("INSERT INTO meta VALUES ($1, $2)", schema_version, schema_min_reader);
}

}  // namespace

SchemaState read_schema_state(Step& step) {
  const auto there = step.query("SELECT to_regclass('meta') IS NOT NULL AS there");
  if (!there[0].flag("there")) return {};
  const auto rows = step.query("SELECT version, min_reader FROM meta");
  if (rows.empty()) return {};
  return {static_cast<int>(rows[0].integer("version")),
          static_cast<int>(rows[0].integer("min_reader"))};
}

Result<void> check_schema(const SchemaState& state) {
  if (state.version > schema_version && state.min_reader > schema_version) {
    return Error{"newer_store",
                 fmt::format("the database has tables of version {}, which need a scribed that "
                             "knows version {}; this one knows {}",
                             state.version, state.min_reader, schema_version),
                 "Use a later version of scribed, or another database."};
  }
  if (state.version >= schema_version) return {};
  return Error{"outdated_store",
               state.version == 0
                   ? std::string("the database has no tables of scribed")
                   : fmt::format("the database has tables of version {}, and this scribed needs {}",
                                 state.version, schema_version),
               "Run: scribed database migrate"};
}

Result<SchemaState> prepare_schema(Session& session, Migration migration) {
  return session.transact([&](Step& step) -> Result<SchemaState> {
    if (const auto checked = check_encoding(step); !checked) return checked.error();
    lock_schema(step);
    const auto state = read_schema_state(step);
    const bool may_make = state.version == 0 || migration == Migration::wanted;
    if (may_make && state.version < schema_version) {
      migrate(step, session.settings().schema, state.version);
    }
    if (may_make) make_text_index(step);
    const auto now = read_schema_state(step);
    if (const auto usable = check_schema(now); !usable) return usable.error();
    return now;
  });
}

}  // namespace server::postgres
