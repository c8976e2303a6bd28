#include "server/jobs_postgres/job_rows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limits>
#include <utility>

#include "protocol/text_rules.h"
#include "protocol/word_speakers.h"
#include "server/jobs/edited_text.h"
#include "server/jobs/folded_text.h"
#include "server/jobs/job_json.h"
#include "server/jobs/searched_names.h"
#include "server/jobs_postgres/queue_order.h"
#include "server/jobs_postgres/stored_bytes.h"
#include "server/jobs_postgres/text_rows.h"

namespace server::postgres {
namespace {

int narrow(std::int64_t value) {
  return static_cast<int>(value);
}

// Stands between texts that a search must not find as one.
constexpr char text_border[] = "\x1e";

// Whoever needs one segment of a row reads all of it.
constexpr std::size_t most_in_a_row = 50;

}  // namespace

Job read_job(const Rows::Row& row) {
  Job job;
  job.id = row.text("id");
  job.number = row.integer("number");
  job.state = static_cast<JobState>(row.integer("state"));
  if (auto request = decode_request(row.text("request"))) job.request = *std::move(request);
  job.epoch = row.integer("epoch");
  job.attempts = narrow(row.integer("attempts"));
  job.attempts_without_progress = narrow(row.integer("attempts_without_progress"));
  job.created = row.real("created");
  job.started = row.real("started");
  job.finished = row.real("finished");
  job.expires = row.real("expires");
  job.position = row.real("position");
  job.duration = row.real("duration");
  job.language = row.text("language");
  job.segments = narrow(row.integer("segments"));
  job.title = row.text("title");
  job.pinned = row.flag("pinned");
  job.version = narrow(row.integer("version"));
  if (!row.is_null("error")) job.error = decode_error(row.text("error"));
  if (!row.is_null("summary")) job.summary = decode_summary(row.text("summary"));
  job.speaker_names = decode_speaker_names(row.text("speaker_names"));
  if (const auto bytes = row.integer("sound_bytes"); bytes > 0) {
    job.sound = KeptSound{.bytes = static_cast<std::uint64_t>(bytes), .is_whole = true};
  }
  job.request.detached = row.text("home").empty();
  job.client_is_elsewhere = row.text("place") == anywhere;
  if (const double keep_s = row.real("keep_s"); keep_s > 0) job.request.keep_results_s = keep_s;
  return job;
}

std::vector<Job> read_all(const Rows& rows) {
  std::vector<Job> jobs;
  for (int i = 0; i < rows.size(); ++i) jobs.push_back(read_job(rows[i]));
  return jobs;
}

std::optional<Job> read_first(const Rows& rows) {
  if (rows.empty()) return std::nullopt;
  return read_job(rows[0]);
}

std::string folded_text_of(std::string_view text) {
  return protocol::replace_all(folded_utf8(protocol::strip(text)), text_border, " ");
}

std::int64_t write_segments(Step& step, std::int64_t job, int first,
                            std::span<const protocol::Segment> segments) {
  std::int64_t bytes = 0;
  while (!segments.empty()) {
    const auto some = segments.first(std::min(segments.size(), most_in_a_row));
    std::vector<std::string> bodies, texts;
    for (const auto& segment : some) {
      bodies.push_back(encode(segment));
      texts.push_back(folded_text_of(segment.text));
    }
    const std::string body = fmt::format("[{}]", fmt::join(bodies, ","));
    step.query("INSERT INTO segments VALUES ($1, $2, $3, $4, $5)", job, first, some.size(), body,
               fmt::format("{}", fmt::join(texts, text_border)));
    bytes += std::ssize(body);
    first += narrow(std::ssize(some));
    segments = segments.subspan(some.size());
  }
  return bytes;
}

std::vector<protocol::Segment> read_segments(Step& step, const std::string& id, int first,
                                             int limit) {
  const auto job = step.query("SELECT number, speaker_names FROM jobs WHERE id = $1", id);
  if (job.empty()) return {};
  const auto names = decode_speaker_names(job[0].text("speaker_names"));
  std::vector<protocol::Segment> found;
  for (const auto& stored :
       PostgresTextRows(step, job[0].integer("number")).read_decided(first, limit)) {
    auto segment = decode_segment(stored.content);
    if (!segment) continue;
    segment->speaker = protocol::called(names, segment->speaker);
    found.push_back(*std::move(segment));
  }
  return found;
}

int name_stored_speakers(Step& step, const Job& job, std::span<const protocol::SpeakerTurn> turns) {
  constexpr int all = -1;
  const auto segments = read_segments(step, job.id, 0, all);
  // A row that cannot be read would be lost: then nobody is named.
  if (job.segments != narrow(std::ssize(segments))) return job.segments;
  const auto named = protocol::name_speakers(segments, turns);
  step.query("DELETE FROM segments WHERE job = $1", job.number);
  write_segments(step, job.number, 0, named);
  step.query("UPDATE jobs SET segments = $2 WHERE number = $1", job.number, named.size());
  count_text(step, job.number);
  return narrow(std::ssize(named));
}

std::string found_by(const Job& job, const std::vector<std::string>& speakers) {
  std::vector<std::string> texts{folded_text_of(job.title), folded_text_of(job.request.title)};
  for (const auto& name : searched_names(job, speakers)) texts.push_back(folded_text_of(name));
  return fmt::format("{}", fmt::join(texts, text_border));
}

void write_found_by(Step& step, const Job& job) {
  const PostgresTextRows rows(step, job.number);
  step.query("UPDATE jobs SET found_by = $2 WHERE number = $1", job.number,
             found_by(job, rows.speakers()));
}

}  // namespace server::postgres
