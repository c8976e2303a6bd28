#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "server/jobs/job.h"
#include "server/jobs_postgres/session.h"

// These functions read and write rows of the tables `jobs` and `segments`. They throw Failure.
namespace server::postgres {

// The columns that read_job() needs; a claim reads `options` beside them.
inline constexpr char job_columns[] =
    "jobs.number, id, owner, state, home, place, epoch, request, attempts, "
    "attempts_without_progress, created, started, finished, expires, position, duration, language, "
    "segments, error, summary, keep_s, speaker_names, title, pinned, version, sound_bytes";

Job read_job(const Rows::Row& row);
std::vector<Job> read_all(const Rows& rows);
std::optional<Job> read_first(const Rows& rows);

// Writes segments behind those that the job has; `first` is how many these are. Returns how many
// bytes they take.
std::int64_t write_segments(Step& step, std::int64_t job, int first,
                            std::span<const protocol::Segment> segments);

// Returns up to `limit` of a job's segments from number `first` on, as they were decided, with
// their speakers' names. A negative limit stands for all.
std::vector<protocol::Segment> read_segments(Step& step, const std::string& id, int first,
                                             int limit);

// Names the speakers of a job's segments, which are cut where another one speaks, and returns how
// many they are then.
int name_stored_speakers(Step& step, const Job& job, std::span<const protocol::SpeakerTurn> turns);

// Returns by what a search finds a job beside its text: title, file, names of speakers. `speakers`
// are the labels that its segments have.
std::string found_by(const Job& job, const std::vector<std::string>& speakers);
// Enters that anew.
void write_found_by(Step& step, const Job& job);

// Returns a text in the letters in which it is looked for.
std::string folded_text_of(std::string_view text);

}  // namespace server::postgres
