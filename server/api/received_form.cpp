#include "server/api/received_form.h"

#include <fmt/format.h>

#include <charconv>
#include <utility>

#include "protocol/known_speaker.h"
#include "protocol/speaker_names.h"
#include "server/api/form_parameters.h"
#include "server/api/ignored_fields.h"
#include "server/http/multipart.h"
#include "server/models/digest.h"
#include "server/models/helper_models.h"
#include "server/options/text_limits.h"
#include "server/submission/helpers.h"

namespace server {
namespace {

constexpr std::size_t max_field_bytes = 64 * 1024;
// A part of known_speaker_references: a file of 3 MiB in Base64, behind the head of its address.
constexpr std::size_t max_clip_bytes = 4 * 1024 * 1024 + 128;
constexpr std::size_t max_fields_bytes = 24 * 1024 * 1024;  // of all fields together
constexpr std::size_t chunk_bytes = 64 * 1024;
constexpr std::string_view clips_field = "known_speaker_references";
// The time for an address to send its file: the client waits meanwhile.
constexpr std::chrono::seconds fetch_limit{600};

class FormSink final : public MultipartSink {
 public:
  FormSink(ReceivedForm& form, const CreateFile& create_file, std::uint64_t announced,
           std::string_view file_part)
      : form_(form), create_file_(create_file), announced_(announced), file_part_(file_part) {}

  Result<void> part_begins(const PartHead& head) override {
    fingerprint(head.name);
    part_bytes_ = 0;
    is_file_ = head.name == file_part_;
    if (is_file_) return begin_file(head);
    form_.fields.push_back({head.name, ""});
    has_file_name_ = head.filename.has_value();
    if (base_name(head.name) == clips_field) clip_.emplace(create_file_);
    return {};
  }

  Result<void> part_data(std::string_view bytes) override {
    hasher_.update(bytes);
    if (is_file_) {
      form_.file_begin += bytes.substr(0, 4 - form_.file_begin.size());
      return form_.file->write(bytes);
    }
    auto& [name, value] = form_.fields.back();
    part_bytes_ += bytes.size();
    fields_bytes_ += bytes.size();
    const std::size_t most = clip_ ? max_clip_bytes : max_field_bytes;
    if (part_bytes_ > most && has_file_name_ && !clip_) {
      return Error{errc::usage, fmt::format("The form has a file in the part {}.", name),
                   fmt::format("Send it as the part {}.", file_part_)};
    }
    if (part_bytes_ > most) {
      return Error{errc::too_large, fmt::format("The parameter {} is too long.", name),
                   fmt::format("It may have {} bytes.", most)};
    }
    if (fields_bytes_ > max_fields_bytes) {
      return Error{errc::too_large, "The parameters of the form are too long together.",
                   fmt::format("They may have {} bytes.", max_fields_bytes)};
    }
    if (clip_) return clip_->take(bytes);
    value += bytes;
    text_bytes_ += bytes.size();
    return {};
  }

  Result<void> part_ends() override {
    fingerprint("");
    if (!clip_) return {};
    const auto ended = clip_->finish(form_.clips);
    clip_.reset();
    return ended;
  }

  std::string finish() { return hasher_.finish(); }
  // Returns how many bytes of the fields are in memory.
  std::size_t held_bytes() const { return text_bytes_ + (clip_ ? clip_->held_bytes() : 0); }

 private:
  Result<void> begin_file(const PartHead& head) {
    if (form_.file) return Error{errc::usage, "The form has several files.", "Send one of them."};
    auto file = create_file_(announced_);
    if (!file) return file.error();
    form_.file.emplace(*std::move(file));
    form_.file_name = head.filename.value_or("").substr(0, max_name_bytes);
    return {};
  }

  // Adds a name, or the end of a part: no form of other parts has the same bytes.
  void fingerprint(std::string_view text) {
    hasher_.update(text);
    hasher_.update(std::string_view("\0", 1));
  }

  ReceivedForm& form_;
  const CreateFile& create_file_;
  const std::uint64_t announced_;  // bytes of the whole form; 0: unknown
  const std::string_view file_part_;
  Hasher hasher_{Digest::Kind::sha256, 0};
  bool is_file_ = false;
  bool has_file_name_ = false;  // of a field
  std::optional<ClipField> clip_{};
  std::size_t part_bytes_ = 0;
  std::size_t fields_bytes_ = 0;
  std::size_t text_bytes_ = 0;  // of these, what is in memory as long as the form is
};

Result<SoundSource> source_of(ReceivedForm& received, const TranscriptionForm& form) {
  const bool has_upload = !form.upload.empty(), has_url = !form.url.empty();
  if (received.file.has_value() + has_upload + has_url > 1) {
    return Error{errc::usage, "The request has several recordings.",
                 "Send one of file, upload and url."};
  }
  if (received.file) {
    return SoundSource(ReceivedSource{*std::move(received.file), std::move(received.file_name)});
  }
  if (has_upload) return SoundSource(UploadSource{form.upload});
  if (has_url) return SoundSource(UrlSource{form.url});
  return Error{errc::missing_parameter, "The request has no recording.",
               "Send it as the part `file` of a multipart form, with a file name."};
}

}  // namespace

void tell_of_ignored(const Api& api, Exchange& exchange, const std::vector<std::string>& fields) {
  if (fields.empty()) return;
  exchange.add_headers({{"warning", ignored_fields_warning(fields)}});
  api.ignored_fields(exchange, fields);
}

void tell_of_unusable(const Api& api, Exchange& exchange, const std::vector<std::string>& fields) {
  if (fields.empty()) return;
  exchange.add_headers({{"warning", unusable_values_warning(fields)}});
  api.ignored_fields(exchange, fields);
}

void tell_of_left_out(const Api& api, Exchange& exchange, const TranscriptionForm& form) {
  if (form.left_out.empty()) return;
  exchange.add_headers({{"warning", left_out_warning(form.response_format, form.left_out)}});
  api.ignored_fields(exchange, form.left_out);
}

asio::awaitable<void> fit_chunking(const Api& api, Exchange& exchange, TranscriptionForm& form) {
  if (!form.needs_vad_for_chunks) co_return;
  protocol::TranscribeOptions needs{.vad_filter = true};
  auto requiring = require_helpers(api.services, std::move(needs));
  const auto required = co_await std::move(requiring);
  if (required) co_return;
  form.options.long_form = api.services.options.long_form;
  form.options.vad_filter = false;
  const std::vector<std::string> ignored{"chunking_strategy"};
  exchange.add_headers({{"warning", without_model_warning(vad_model_name, ignored)}});
  api.ignored_fields(exchange, ignored);
}

asio::awaitable<Result<ReceivedForm>> receive_form(Exchange& exchange, CreateFile create_file,
                                                   std::uint64_t max_bytes,
                                                   std::string_view file_part) {
  const auto boundary = boundary_of(exchange.headers()[http::field::content_type]);
  if (!boundary) co_return boundary.error();
  exchange.allow_body(max_bytes);
  ReceivedForm form;
  FormSink sink(form, create_file, announced_bytes(exchange), file_part);
  MultipartParser parser(*boundary, sink);
  std::vector<char> chunk(chunk_bytes);
  while (true) {
    const auto count = co_await exchange.read_some(chunk);
    if (!count) co_return count.error();
    if (*count == 0) break;
    const auto fed = parser.feed(std::string_view(chunk.data(), *count));
    if (!fed) co_return fed.error();
    auto holding = exchange.hold(sink.held_bytes());
    const auto held = co_await std::move(holding);
    if (!held) co_return held.error();
  }
  if (const auto whole = parser.finish(); !whole) co_return whole.error();
  form.fingerprint = sink.finish();
  co_return form;
}

std::uint64_t announced_bytes(const Exchange& exchange) {
  const std::string_view text = exchange.headers()[http::field::content_length];
  std::uint64_t bytes = 0;
  std::from_chars(text.data(), text.data() + text.size(), bytes);
  return bytes;
}

asio::awaitable<Result<ReceivedForm>> receive_sound(Api& api, ApiCall& call, SoundPart part,
                                                    std::string idempotency_key) {
  const std::string owner = call.principal.name;
  const std::uint64_t bytes = announced_bytes(call.exchange);
  const auto admitted = co_await api.submission.admit(owner, idempotency_key, bytes);
  if (!admitted) co_return admitted.error();
  CreateFile create = [&api, &owner](std::uint64_t expected) {
    return api.services.spool.create(owner, expected);
  };
  auto receiving = receive_form(call.exchange, std::move(create), part.max_bytes, part.name);
  auto received = co_await std::move(receiving);
  co_return received;
}

asio::awaitable<boost::system::result<FormSubmission, FormError>> receive_submission(
    Api& api, ApiCall& call, FormKind kind) {
  const bool is_job = kind == FormKind::job;
  const std::string key =
      is_job ? std::string(call.exchange.headers()["idempotency-key"]) : std::string();
  const auto fits = check_bytes("header idempotency-key", key.size(), max_name_bytes);
  if (!fits) co_return FormError{fits.error(), {}};
  const auto most = is_job ? api.settings.max_upload_bytes : api.settings.max_body_bytes;
  auto receiving = receive_sound(api, call, {.max_bytes = most}, key);
  auto received = co_await std::move(receiving);
  if (!received) co_return FormError{received.error(), {}};
  if (!call.part.empty()) received->fields.push_back({"model", call.part});  // the address has it
  auto form = read_form(received->fields, kind, api.services.options, api.settings.forms,
                        std::move(received->clips));
  if (!form) co_return form.error();
  tell_of_ignored(api, call.exchange, form->ignored);
  tell_of_left_out(api, call.exchange, *form);
  auto fitting = fit_chunking(api, call.exchange, *form);
  co_await std::move(fitting);
  const auto webhook = api.submission.check_webhook(form->webhook);
  if (!webhook) co_return FormError{webhook.error(), "webhook_url"};
  auto source = source_of(*received, *form);
  if (!source) co_return FormError{source.error(), "file"};
  auto request = submission_request(call, *form, *std::move(source));
  request.idempotency_key = key;
  request.fingerprint = std::move(received->fingerprint);
  received->fields.clear();
  auto giving_back = call.exchange.hold(0);  // the client may wait for its text for long
  co_await std::move(giving_back);
  if (const auto problem = api.submission.beam_problem(request)) {
    co_return FormError{problem->error, std::string(problem->option)};
  }
  co_return FormSubmission{std::move(request), *std::move(form)};
}

SubmissionRequest submission_request(const ApiCall& call, TranscriptionForm& form,
                                     SoundSource source) {
  return {.source = std::move(source),
          .owner = call.principal.name,
          .may_manage = call.principal.may(Right::manage),
          .model = form.model,
          .options = form.options,
          .known_speakers = std::move(form.known_speakers),
          .split_channels = form.split_channels,
          .channel_labels = form.channel_labels,
          .audio_track = form.audio_track,
          .timeline = form.timeline,
          .keep_alive_s = form.keep_alive_s,
          .webhook = std::move(form.webhook),
          .keep_results_s = form.keep_results_s,
          .bulk = form.bulk,
          .metadata = form.metadata,
          .fetch_limit = fetch_limit,
          .trace = call.exchange.trace()};
}

std::string_view parameter_of(const Error& error) {
  if (error.code == "unknown_model" || error.code == "not_installed") return "model";
  if (error.code == errc::upload_not_found) return "upload";
  if (error.code == protocol::bad_speaker_name) return "known_speaker_names";
  if (error.code == protocol::unusable_clip) return "known_speaker_references";
  const bool is_about_url = error.code == errc::url_refused || error.code == errc::unreachable ||
                            error.code == errc::timed_out;
  return is_about_url ? "url" : "";
}

}  // namespace server
