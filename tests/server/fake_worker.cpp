// A scribed-worker without an engine, for tests of what stands around it. It "transcribes" every
// five seconds of sound into one segment, with the times of its two words where they are asked for.
// Two speakers take turns of five seconds, where they are to be told apart; that is told at the
// end, and known speakers are the first. SCRIBED_FAKE_WORKER names how it misbehaves; empty: not at
// all. "gpu_dies:TEXT", "gpu_refuses:TEXT", "gpu_is_wrong:TEXT", "gpu_job_dies:TEXT" and
// "gpu_job_fails:TEXT" do so on any device but the CPU, "cpu_dies:TEXT" on that and
// "cuda:1_dies:TEXT" on one card, saying TEXT as a library would. "gpu_is_lost:FILE" dies in its
// first job on a GPU, which makes FILE, and from then on at loading there. "tell_load" says what is
// to be loaded and how. "dies_while:FILE" dies at loading while FILE exists, "refuses_while:FILE"
// refuses the model, "slow_load" takes a while, "notes:TEXT" has a note for the user, and
// "no_sandbox" has no sandbox. "listens_first" takes in all of the sound before it decides
// anything, as the real one does. "tells_level" puts the level of the sound into each text, as a
// sample of 16 bits: who sends every recording at a level of its own sees which one was heard.
// Live sessions are those of fake_live.h.
//
// A job whose prompt or hotwords are "fake:NAME" misbehaves alone: "hang" neither moves on nor can
// be cancelled, "fail" fails, "lose_card" fails after a segment because its device has, and "die",
// "slow" and "die_after:N" (segments, or turns of a live session) do as they say. "quiet" is slow
// and finds nobody who speaks: its only segment, at the end, says from where on it looked.

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "platform/fd_socket.h"
#include "platform/shield.h"
#include "protocol/speakers.h"
#include "protocol/worker_contract.h"
#include "protocol/worker_messages.h"
#include "tests/server/fake_live.h"
#include "tests/server/fake_sound.h"

namespace {

namespace wire = protocol::worker;

constexpr int socket_fd = 3;
constexpr double segment_s = 5;

const std::string& behaviour() {
  static const std::string value = [] {
    const char* text = std::getenv("SCRIBED_FAKE_WORKER");
    return std::string(text != nullptr ? text : "");
  }();
  return value;
}

// Returns the text after "NAME:" if the behaviour has that name.
std::optional<std::string> said_by(const std::string& name) {
  if (!behaviour().starts_with(name + ":")) return std::nullopt;
  return behaviour().substr(name.size() + 1);
}

// Reports shields although it has none, unless it is to report them missing.
std::vector<platform::Shield> sandbox() {
  return {{"landlock", behaviour() != "no_sandbox", "of a test"}};
}

[[noreturn]] void die_saying(const std::string& text) {
  const std::string line = text + "\n";
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, line.data(), line.size());
  ::abort();
}

[[noreturn]] void hang() {
  while (true) ::pause();
}

// Makes a token of every byte.
std::vector<protocol::TokenLogprob> bytes_of(const std::string& text) {
  std::vector<protocol::TokenLogprob> tokens;
  for (const unsigned char byte : text) tokens.push_back({{byte}, -0.25});
  return tokens;
}

// The known speakers whose clips have sound are those who speak first.
std::vector<std::string> names_of_two(const protocol::TranscribeOptions& options) {
  std::vector<std::string> names;
  for (const auto& speaker : options.known_speakers) {
    const auto clip = protocol::decode_clip(speaker.clip);
    if (clip && !clip->empty()) names.push_back(speaker.name);
  }
  for (int letter = 0; names.size() < 2; ++letter) names.push_back(protocol::speaker_label(letter));
  return names;
}

std::vector<protocol::SpeakerTurn> turns_until(double seconds,
                                               const protocol::TranscribeOptions& options) {
  const auto names = names_of_two(options);
  std::vector<protocol::SpeakerTurn> turns;
  for (double start = 0; start < seconds; start += segment_s) {
    turns.push_back({start, start + segment_s, names[turns.size() % 2]});
  }
  return turns;
}

engine::live::Wish wish_of(const wire::Live& live) {
  if (live.wish == wire::Live::Wish::commit) return {live.sample, engine::live::Commit{}};
  if (live.wish == wire::Live::Wish::clear) return {live.sample, engine::live::Clear{}};
  return {live.sample, live.settings.value()};
}

class FakeWorker {
 public:
  void run() {
    if (behaviour() == "silent_start") hang();
    if (behaviour() == "garbage") return void(platform::send_frame(socket_fd, "{not json"));
    const int version = behaviour() == "wrong_version" ? 99 : wire::version;
    send(wire::Hello{.version = version, .build = "{}", .isa = "none"});
    while (auto frame = platform::receive_frame(socket_fd)) {
      handle(wire::parse(frame->payload).value(), std::move(frame->descriptors));
    }
    ::_exit(0);  // at once, as the real worker ends
  }

 private:
  void send(const wire::Message& message) {
    const std::lock_guard lock(sending_);
    if (!platform::send_frame(socket_fd, wire::encode(message))) ::_exit(0);
  }

  void tell(const std::string& job, protocol::TranscriptEvent event) {
    send(wire::Event{job, std::move(event)});
  }

  void handle(const wire::Message& message, std::vector<platform::UniqueFd> descriptors) {
    if (const auto* load = std::get_if<wire::Load>(&message)) {
      on_load(*load);
    } else if (const auto* job = std::get_if<wire::Transcribe>(&message)) {
      const auto wishes = std::make_shared<engine::LiveWishes>();
      if (job->live) wishes_[job->job] = wishes;
      std::thread(&FakeWorker::transcribe, this, *job, std::move(descriptors.at(0)), wishes)
          .detach();
    } else if (const auto* live = std::get_if<wire::Live>(&message)) {
      const auto wishes = wishes_.find(live->job);
      if (wishes != wishes_.end()) wishes->second->add(wish_of(*live));
    } else if (const auto* ping = std::get_if<wire::Ping>(&message)) {
      if (behaviour() != "hang_in_job") send(wire::Pong{ping->nonce});
    } else if (const auto* cancel = std::get_if<wire::Cancel>(&message)) {
      const std::lock_guard lock(sending_);
      cancelled_[cancel->job].request_stop();
    }
  }

  void on_load(const wire::Load& load) {
    if (behaviour() == "die_in_load") ::raise(SIGKILL);
    if (const auto mark = said_by("dies_while"); mark && std::ifstream(*mark)) ::raise(SIGKILL);
    if (const auto mark = said_by("refuses_while"); mark && std::ifstream(*mark)) {
      return send(wire::Failed{.job = {}, .error = {"damaged_model", "the model is cut off", ""}});
    }
    if (behaviour() == "slow_load") std::this_thread::sleep_for(std::chrono::seconds(1));
    if (behaviour() == "refuse_model") {
      return send(wire::Failed{.job = {}, .error = {"damaged_model", "the model is cut off", ""}});
    }
    if (load.require_sandbox && behaviour() == "no_sandbox") {
      return send(wire::Failed{.job = {}, .error = {"sandbox_missing", "no walls", ""}});
    }
    device_ = load.run_on.device == "auto" ? "cpu" : load.run_on.device;
    const bool on_gpu = device_ != "cpu";
    if (const auto text = said_by("gpu_dies"); text && on_gpu) die_saying(*text);
    if (const auto text = said_by(device_ + "_dies")) die_saying(*text);
    if (behaviour() == "tell_load") {
      std::cerr << "load with" << (load.smoke_test ? "" : "out") << " a smoke run, with"
                << (load.run_on.flash_attn ? "" : "out") << " flash_attn\n";
    }
    if (const auto mark = said_by("gpu_is_lost"); mark && on_gpu && std::ifstream(*mark)) {
      die_saying("CUDA error: GPU is lost");
    }
    if (const auto text = said_by("gpu_is_wrong"); text && on_gpu) {
      return send(wire::Failed{.job = {}, .error = {wire::smoke_run_failed, *text, ""}});
    }
    if (const auto text = said_by("gpu_refuses"); text && on_gpu) {
      return send(wire::Failed{.job = {}, .error = {"device_unavailable", *text, ""}});
    }
    std::vector<std::string> notes;
    if (const auto note = said_by("notes")) notes.push_back(*note);
    send(wire::Loaded{
        .device = device_,
        .compute_type = load.run_on.compute_type == "auto" ? "float32" : load.run_on.compute_type,
        .family = "whisper",
        .multilingual = true,
        .load_s = 0.01,
        .notes = std::move(notes),
        .shields = platform::standing(sandbox()),
        .missing_shields = platform::missing(sandbox())});
  }

  void fail_in_job(const std::string& job) {
    if (const auto text = said_by("gpu_job_dies")) die_saying(*text);
    if (const auto text = said_by("gpu_job_fails")) {
      std::cerr << "job of process " << ::getpid() << "\n";
      send(wire::Failed{.job = job, .error = {"device_unavailable", *text, ""}});
      hang();
    }
    if (const auto mark = said_by("gpu_is_lost")) {
      std::ofstream(*mark) << "lost";
      die_saying("CUDA error: GPU is lost");
    }
  }

  bool is_cancelled(const std::string& job) { return stop_of(job).stop_requested(); }

  std::stop_token stop_of(const std::string& job) {
    const std::lock_guard lock(sending_);
    return cancelled_[job].get_token();
  }

  void transcribe(const wire::Transcribe& request, platform::UniqueFd pcm,
                  const std::shared_ptr<engine::LiveWishes>& wishes) {
    const std::string& job = request.job;
    // Hotwords stay when a job is resumed; the prompt is replaced by the text that it has.
    const auto& options = request.options;
    const std::string& prompt =
        options.hotwords.empty() ? options.initial_prompt : options.hotwords;
    if (options.language_only) {
      tell(job, protocol::LikeliestLanguages{{{"en", 0.9}, {"de", 0.1}}});
    }
    tell(job, protocol::LanguageDetected{"en", 0.9});
    if (prompt == "fake:die") ::raise(SIGKILL);
    if (prompt == "fake:fail") {
      std::cerr << "scribed-worker: request " + request.request_id.value_or("of nobody") +
                       " failed: non_finite_logits\n";
      return send(wire::Failed{.job = job, .error = {"non_finite_logits", "no numbers", ""}});
    }
    // A recording with `live_chunk` alone is told in segments, as any other.
    if (request.live) return transcribe_live(request, prompt, pcm.get(), *wishes);
    if (options.language_only) return send(wire::Done{job, "en", 0, 0.1, false});
    server::test::FakeSound sound(pcm.get(), stop_of(job));
    // No segment is sent for the sound before the first clip.
    const auto& clips = request.options.clip_timestamps;
    const double first = clips.empty() ? 0 : clips.front();
    double position = 0, segment_start = first, total = 0;
    if (behaviour() == "listens_first") {
      while (const double more = sound.read_second()) {
        total += more;
        tell(job, protocol::Progress{total, 0, protocol::ProgressPhase::listening});
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
      }
      tell(job, protocol::Progress{std::min(first, total), total});
    }
    // Reads up to a second more of the sound; returns 0 at its end.
    const auto next_second = [&] {
      if (behaviour() != "listens_first") return sound.read_second();
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      return std::min(1.0, total - position);
    };
    const bool tells_level = behaviour() == "tells_level";
    const bool is_quiet = prompt == "fake:quiet";
    int id = 0;
    const auto emit = [&] {
      protocol::Segment segment;
      segment.id = id++;
      segment.start = segment_start;
      segment.end = position;
      segment.text = " Segment " + std::to_string(std::lround(segment.start / segment_s)) +
                     (tells_level ? " of " + std::to_string(sound.level()) : "") + ".";
      if (options.word_timestamps) {
        const double middle = (segment_start + position) / 2;
        const auto cut = segment.text.rfind(' ');
        segment.words = {{segment_start, middle, segment.text.substr(0, cut), 0.9},
                         {middle, position, segment.text.substr(cut), 0.8}};
      }
      if (options.token_logprobs) segment.token_logprobs = bytes_of(segment.text);
      segment_start = position;
      tell(job, segment);
      if (behaviour() == "die_in_job") ::raise(SIGKILL);
      if (prompt == "fake:die_after:" + std::to_string(id)) ::raise(SIGKILL);
      if (device_ != "cpu") fail_in_job(job);
      if (prompt == "fake:lose_card") {
        const char* words = "CUDA error: an illegal memory access was encountered";
        send(wire::Failed{.job = job, .error = {"device_unavailable", words, ""}});
        hang();
      }
      if (behaviour() == "hang_in_job" || behaviour() == "stall_in_job") hang();
      if (prompt == "fake:hang") hang();
    };
    // The first word of a segment is decided as soon as its sound begins.
    const auto live_text = [&](double heard) {
      if (heard <= segment_start) return protocol::LiveText{heard, "", ""};
      return protocol::LiveText{heard, " Segment", " perhaps"};
    };
    while (const double more = next_second()) {
      if (is_cancelled(job)) break;
      position += more;
      if (position <= first) continue;
      if (behaviour() == "slow" || prompt == "fake:slow" || is_quiet) {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
      }
      const bool is_whole = position - segment_start >= segment_s;
      if (is_whole && !is_quiet) emit();
      if (is_whole) segment_start = position;
      tell(job, protocol::Progress{segment_start, total});
      if (options.live_chunk) tell(job, live_text(position));
      if (behaviour() == "stop_reading" && id > 0) break;
    }
    if (is_quiet && !is_cancelled(job)) {
      const std::string text = " Quiet from " + std::to_string(std::lround(first)) + ".";
      tell(job, protocol::Segment{.start = first, .end = position, .text = text});
    } else if (position > segment_start && !is_cancelled(job)) {
      emit();
    }
    if (options.diarize && !is_cancelled(job)) {
      tell(job, protocol::Progress{position, position, protocol::ProgressPhase::diarizing});
      tell(job,
           protocol::SpeakersFound{turns_until(position, options), turns_until(position, options)});
    }
    send(wire::Done{job, "en", position, 0.1, is_cancelled(job)});
  }

  void transcribe_live(const wire::Transcribe& request, const std::string& prompt, int pcm,
                       engine::LiveWishes& wishes) {
    if (prompt == "fake:hang") hang();
    fake::LiveSession session(
        request, [&](const protocol::TranscriptEvent& event) { tell(request.job, event); },
        [&](int turns) {
          if (behaviour() == "die_in_job") ::raise(SIGKILL);
          if (prompt == "fake:die_after:" + std::to_string(turns)) ::raise(SIGKILL);
          if (behaviour() == "hang_in_job" || behaviour() == "stall_in_job") hang();
        });
    const auto heard_s = session.run(pcm, wishes, stop_of(request.job));
    if (heard_s) return send(wire::Done{request.job, "en", *heard_s, 0.1, false});
    const engine::Error& error = heard_s.error();
    if (error.code == engine::Errc::cancelled) {
      return send(wire::Done{request.job, "en", 0, 0.1, true});
    }
    send(wire::Failed{request.job, {name(error.code), error.message, error.fix}});
  }

  std::string device_{};  // set before the first job
  std::mutex sending_;
  std::map<std::string, std::stop_source> cancelled_;  // guarded by sending_
  // Of the live jobs, also of those that have ended; the main thread alone uses the map.
  std::map<std::string, std::shared_ptr<engine::LiveWishes>> wishes_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::string(argv[1]) == "--check-sandbox") {
    std::cout << platform::to_json(sandbox()) << '\n';
    return 0;
  }
  FakeWorker().run();
}
