#include "server/submission/submission.h"

#include <fmt/format.h>

#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/system/system_error.hpp>
#include <filesystem>
#include <memory>
#include <utility>

#include "server/base/call_places.h"
#include "server/base/plain_name.h"
#include "server/base/race.h"
#include "server/inputs/allowed_paths.h"
#include "server/inputs/input.h"
#include "server/inputs/sound_store.h"
#include "server/inputs/unclaimed_file.h"
#include "server/inputs/uploads.h"
#include "server/inputs/url_fetcher.h"
#include "server/submission/helpers.h"
#include "server/submission/job_input.h"
#include "server/submission/kept_source.h"
#include "server/submission/model_name.h"
#include "server/submission/sent_source.h"

namespace server {
namespace {

namespace fs = std::filesystem;

// Clips are decoded before their job has a place in the queue, so they have places of their own:
// the requests of one owner take turns at one decoder, and leave another one to the others.
constexpr int clips_at_once = 2;
constexpr int most_clips_of_one = 1;

asio::awaitable<Result<JobInput>> take(const Services& services, PathSource source, SourceTerms) {
  // The job opens the file again when it begins; it is opened here to report errors at once.
  const auto input = services.paths.open(source.path);
  if (!input) co_return input.error();
  co_return JobInput{.named = services.paths.absolute(source.path),
                     .title = fs::path(source.path).filename()};
}

asio::awaitable<Result<JobInput>> take(const Services& services, UrlSource source,
                                       SourceTerms terms) {
  if (!services.urls) {
    co_return Error{errc::url_refused, "This server does not download URLs.",
                    "Send the recording itself, or name an upload."};
  }
  auto fetching = services.urls->fetch(source.url, terms.owner);
  auto fetched = co_await within(terms.fetch_limit, std::move(fetching));
  if (!fetched) {
    co_return Error{
        errc::timed_out,
        fmt::format("The address did not send its file within {} s.", terms.fetch_limit.count()),
        "Fetch the file yourself, and send it."};
  }
  if (!*fetched) co_return fetched->error();
  co_return JobInput{.spooled = {services.spool, (*fetched)->file}, .title = (*fetched)->name};
}

// Decodes a clip in its owner's turn. `waits` is true until that comes.
asio::awaitable<Result<protocol::KnownSpeaker>> decode_clip(const Services& services,
                                                            std::shared_ptr<CallPlaces> places,
                                                            std::string owner, std::string name,
                                                            platform::UniqueFd file, bool& waits) {
  const auto executor = co_await asio::this_coro::executor;
  CallPlaces::Place place(std::move(places), std::move(owner), executor);
  waits = true;
  co_await place.turn();
  waits = false;
  auto reading = services.read_known_speaker(std::move(name), std::move(file));
  auto known = co_await std::move(reading);
  co_return known;
}

// Errors are about the clip: those of its source say whose it is.
asio::awaitable<Result<protocol::KnownSpeaker>> read_speaker(const Services& services,
                                                             std::shared_ptr<CallPlaces> places,
                                                             NamedClip speaker, SourceTerms terms,
                                                             bool& waits) {
  const std::string owner = terms.owner;
  const auto* sent = std::get_if<BytesSource>(&speaker.clip);
  if (sent && sent->bytes.size() > std::size_t{protocol::most_clip_bytes}) {
    co_return Error{protocol::unusable_clip,
                    fmt::format("The clip of {} has more than {} bytes.", speaker.name,
                                protocol::most_clip_bytes),
                    "Use two to ten seconds of only this speaker."};
  }
  auto taking =
      std::visit([&](auto& source) { return take(services, std::move(source), std::move(terms)); },
                 speaker.clip);
  const auto file = co_await std::move(taking);
  if (!file) {
    co_return Error{file.error().code,
                    fmt::format("The clip of {}: {}", speaker.name, file.error().message),
                    file.error().fix};
  }
  auto opened =
      file->named.empty() ? open_input(file->spooled.path()) : services.paths.open(file->named);
  if (!opened) co_return opened.error();
  auto decoding = decode_clip(services, std::move(places), owner, std::move(speaker.name),
                              std::move(opened->fd), waits);
  auto known = co_await std::move(decoding);
  co_return known;
}

// Puts what the job will read where every daemon finds it. A job that ends with its client is done
// here, and reads the spool, unless others do all work.
asio::awaitable<Result<void>> share(const Services& services, JobInput& input, bool is_durable) {
  const bool stays = !is_durable && !services.works_elsewhere;
  if (!services.share_recording || stays || !input.named.empty()) co_return Result<void>();
  auto sharing = services.share_recording(input.spooled.path());
  auto shared = co_await std::move(sharing);
  if (!shared) co_return shared.error();
  input.shared = *std::move(shared);
  co_return Result<void>();
}

// Returns what the job names, and leaves it to the job.
std::string name_input(JobInput& input) {
  if (!input.named.empty()) return std::move(input.named);
  return input.shared.empty() ? input.spooled.claim().string() : std::move(input.shared);
}

// Returns whether scribed has to copy or fetch the sound, which costs time and room.
bool needs_transfer(const SoundSource& source) {
  return !std::holds_alternative<PathSource>(source) &&
         !std::holds_alternative<ReceivedSource>(source);
}

// Ends a call whose client has left. From here to the queue nothing waits, so that a file is either
// the caller's, and removed, or the queue's.
asio::awaitable<void> end_if_cancelled() {
  const auto state = co_await asio::this_coro::cancellation_state;
  if (state.cancelled() != asio::cancellation_type::none) {
    throw boost::system::system_error(asio::error::operation_aborted);
  }
}

// Whoever names known speakers has speakers told apart.
protocol::TranscribeOptions needs_of(const SubmissionRequest& request) {
  protocol::TranscribeOptions options = request.options;
  options.diarize |= !request.known_speakers.empty();
  return options;
}

// Returns the whole job without its input.
JobRequest job_request(SubmissionRequest& request, std::string model, double max_audio_seconds) {
  JobRequest job{.model = std::move(model),
                 .owner = request.owner,
                 .idempotency_key = std::move(request.idempotency_key),
                 .fingerprint = std::move(request.fingerprint),
                 .options = std::move(request.options),
                 .split_channels = request.split_channels,
                 .channel_labels = std::move(request.channel_labels),
                 .webhook = std::move(request.webhook),
                 .keep_results_s = request.keep_results_s,
                 .metadata = std::move(request.metadata),
                 .bulk = request.bulk,
                 .trace = std::move(request.trace),
                 .detached = request.follow == Follow::nobody};
  // A model's time in memory concerns everybody: for callers without that right the server's
  // setting holds.
  if (request.may_manage) job.keep_alive_s = request.keep_alive_s;
  job.decoder.input_format = std::move(request.input_format);
  job.decoder.max_seconds = max_audio_seconds;
  job.decoder.track = std::move(request.audio_track);
  job.decoder.timeline = std::move(request.timeline);
  return job;
}

}  // namespace

Submission::Submission(const Services& services, Settings settings)
    : services_(services),
      settings_(std::move(settings)),
      clip_places_(std::make_shared<CallPlaces>(clips_at_once, most_clips_of_one)) {}

asio::awaitable<Result<void>> Submission::read_speakers(SubmissionRequest& request) const {
  if (request.known_speakers.empty()) co_return Result<void>();
  auto& options = request.options;
  options.diarize = true;
  std::vector<std::string> names;
  for (const auto& speaker : request.known_speakers) names.push_back(speaker.name);
  const auto fine = protocol::check_known_names(names, options.num_speakers);
  if (!fine) co_return fine.error();
  if (clip_places_->calls_of(request.owner) >= settings_.max_clip_requests_of_one) {
    co_return Error{errc::too_many_requests,
                    "Too many of your requests with known speakers are queued.",
                    "Try again later."};
  }
  bool waits = false;
  auto reading = read_clips(request, waits);
  auto read = co_await within(settings_.clips_limit, std::move(reading));
  if (read) co_return *std::move(read);
  if (waits) {
    co_return Error{errc::queue_full, "Too many voice samples are queued for decoding.",
                    "Try again later."};
  }
  co_return Error{protocol::unusable_clip,
                  "It takes too long to read the clips of the known speakers.",
                  "Give two to ten seconds of each, in a usual format."};
}

asio::awaitable<Result<void>> Submission::read_clips(SubmissionRequest& request,
                                                     bool& waits) const {
  for (auto& speaker : request.known_speakers) {
    SourceTerms terms{.owner = request.owner,
                      .fetch_limit = request.fetch_limit.value_or(settings_.fetch_limit)};
    auto reading =
        read_speaker(services_, clip_places_, std::move(speaker), std::move(terms), waits);
    auto known = co_await std::move(reading);
    if (!known) co_return known.error();
    request.options.known_speakers.push_back(*std::move(known));
  }
  co_return Result<void>();
}

Result<void> Submission::check_webhook(const std::string& url) const {
  return url.empty() ? Result<void>() : settings_.check_webhook(url);
}

std::optional<BeamProblem> Submission::beam_problem(const SubmissionRequest& request) const {
  if (request.may_manage) return std::nullopt;
  return server::beam_problem(request.options, settings_.max_beams, services_.options);
}

asio::awaitable<Result<void>> Submission::admit(std::string owner, std::string idempotency_key,
                                                std::uint64_t bytes) {
  const auto place = co_await services_.jobs.check(owner, std::move(idempotency_key));
  if (!place) co_return place.error();
  co_return services_.spool.room().check(owner, bytes);
}

asio::awaitable<Result<FollowedJob>> Submission::submit(SubmissionRequest request) {
  auto model = model_for(services_, request.model);
  if (!model) co_return model.error();
  if (const auto problem = beam_problem(request)) co_return problem->error;
  const auto webhook = check_webhook(request.webhook);
  if (!webhook) co_return webhook.error();
  if (needs_transfer(request.source) || !request.known_speakers.empty()) {
    const auto place = co_await services_.jobs.check(request.owner, request.idempotency_key);
    if (!place) co_return place.error();
  }
  auto requiring = require_helpers(services_, needs_of(request));
  const auto has_helpers = co_await std::move(requiring);
  if (!has_helpers) co_return has_helpers.error();
  const auto speakers_read = co_await read_speakers(request);
  if (!speakers_read) co_return speakers_read.error();
  JobRequest new_job = job_request(request, *std::move(model), settings_.max_audio_seconds);
  SourceTerms terms{.owner = request.owner,
                    .is_durable = request.follow != Follow::to_the_end,
                    .fetch_limit = request.fetch_limit.value_or(settings_.fetch_limit)};
  const bool is_durable = terms.is_durable;
  auto taking =
      std::visit([&](auto& source) { return take(services_, std::move(source), std::move(terms)); },
                 request.source);
  auto input = co_await std::move(taking);
  if (!input) co_return input.error();
  const auto shared = co_await share(services_, *input, is_durable);
  if (!shared) co_return shared.error();
  co_await end_if_cancelled();
  new_job.input_is_ours = input->named.empty();
  new_job.input = name_input(*input);
  new_job.title = plain_name(input->title);
  auto submitting = services_.jobs.submit(std::move(new_job));
  auto job = co_await std::move(submitting);
  if (!job) co_return job.error();
  co_return FollowedJob(services_.jobs, *std::move(job), request.follow,
                        std::move(request.is_let_go));
}

FollowedJob Submission::follow(std::string id, std::string owner) const {
  return FollowedJob(services_.jobs, std::move(id), std::move(owner));
}

asio::awaitable<Result<Job>> Submission::find(std::string id,
                                              std::optional<std::string> owner) const {
  auto job = co_await services_.jobs.find(id, std::move(owner));
  if (!job) co_return job.error();
  if (!*job) co_return job_not_found(id);
  co_return **std::move(job);
}

asio::awaitable<Result<bool>> Submission::cancel(std::string id,
                                                 std::optional<std::string> owner) const {
  const auto job = co_await find(id, owner);
  if (!job) co_return job.error();
  auto cancelled = co_await services_.jobs.cancel(std::move(id), std::move(owner));
  co_return cancelled;
}

asio::awaitable<Result<void>> Submission::remove(std::string id,
                                                 std::optional<std::string> owner) const {
  const auto job = co_await find(id, std::move(owner));
  if (!job) co_return job.error();
  auto entering = services_.jobs.turn_to_change(job->request.owner);
  const auto turn = co_await std::move(entering);
  auto removed = co_await services_.jobs.remove(std::move(id));
  co_return removed;
}

}  // namespace server
