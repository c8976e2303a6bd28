#include "server/submission/submission.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <stop_token>
#include <thread>

#include "protocol/speaker_names.h"
#include "server/inputs/input.h"
#include "tests/server/submission/submission_fixture.h"

namespace server {
namespace {

using test::run;

class SubmissionTest : public test::SubmissionFixture {
 protected:
  SpoolFile received(const std::string& bytes) {
    auto file = spool.create("ada", bytes.size()).value();
    EXPECT_TRUE(file.write(bytes));
    return file;
  }
};

TEST_F(SubmissionTest, APathIsNamedForWhicheverProcessReadsIt) {
  const auto followed = submit(request(PathSource{"sounds/talk.mp3"})).value();
  const JobRequest& job = followed->job().request;
  EXPECT_EQ(job.input, (sounds / "talk.mp3").string());
  EXPECT_FALSE(job.input_is_ours);
  EXPECT_EQ(job.title, "talk.mp3");
  EXPECT_EQ(job.model, "base");
  EXPECT_EQ(job.decoder.max_seconds, 60);
  EXPECT_TRUE(job.detached);
}

TEST_F(SubmissionTest, MoreBeamsThanTheLimitAreForThoseWhoManageAlone) {
  const auto error_with = [&](protocol::TranscribeOptions options, bool may_manage = false) {
    auto wish = request(PathSource{"sounds/talk.mp3"});
    wish.options = std::move(options);
    wish.may_manage = may_manage;
    return error_of(std::move(wish));
  };
  EXPECT_EQ(error_with({.beam_size = 11}), errc::usage);
  EXPECT_EQ(error_with({.best_of = 11}), errc::usage);
  EXPECT_EQ(error_with({.beam_size = 11}, true), "");
  submission.set_limits({.max_audio_seconds = 60, .max_beams = 11});
  EXPECT_EQ(error_with({.beam_size = 11}), "");
}

TEST_F(SubmissionTest, WhatIsSentLiesInTheSpoolUnderANameOfItsOwn) {
  const auto bytes = submit(request(BytesSource{"sound", "a.wav"})).value();
  const auto file = submit(request(ReceivedSource{received("sound"), "b.wav"})).value();
  for (const auto& [followed, title] : {std::pair{bytes, "a.wav"}, std::pair{file, "b.wav"}}) {
    const JobRequest& job = followed->job().request;
    EXPECT_EQ(test::read_text(job.input), "sound");
    EXPECT_EQ(std::filesystem::path(job.input).parent_path(), spool.folder());
    EXPECT_TRUE(job.input_is_ours);
    EXPECT_EQ(job.title, title);
  }
}

TEST_F(SubmissionTest, ANameThatComesInSteersNoTerminal) {
  const std::string evil = "a\x1b[31m\xC2\x9B\xE2\x80\xAE.mp3";
  test::write_text(sounds / evil, "sound");
  const auto path = submit(request(PathSource{"sounds/" + evil})).value();
  EXPECT_EQ(path->job().request.title, "a[31m.mp3");
  const auto file = submit(request(ReceivedSource{received("sound"), evil})).value();
  EXPECT_EQ(file->job().request.title, "a[31m.mp3");
}

TEST_F(SubmissionTest, WhatOtherDaemonsMayDoIsSharedBeforeItIsAccepted) {
  std::vector<std::string> shared;
  services.share_recording =
      [&](std::filesystem::path file) -> asio::awaitable<Result<std::string>> {
    shared.push_back(test::read_text(file));
    co_return "object:" + std::to_string(shared.size());
  };
  const auto kept = submit(request(BytesSource{"sound", "a.wav"})).value();
  EXPECT_EQ(kept->job().request.input, "object:1");
  EXPECT_TRUE(kept->job().request.input_is_ours);
  EXPECT_TRUE(std::filesystem::is_empty(spool.folder()));
  auto waited_for = request(ReceivedSource{received("sound"), "b.wav"});
  waited_for.follow = Follow::to_the_end;
  EXPECT_EQ(test::read_text(submit(std::move(waited_for)).value()->job().request.input), "sound");
  EXPECT_EQ(shared, std::vector<std::string>{"sound"});
}

TEST_F(SubmissionTest, WhatCannotBeSharedIsNotAccepted) {
  services.share_recording = [](std::filesystem::path) -> asio::awaitable<Result<std::string>> {
    co_return Error{errc::inputs_unavailable, "", ""};
  };
  EXPECT_EQ(error_of(request(BytesSource{"sound", "a.wav"})), errc::inputs_unavailable);
  EXPECT_EQ(run(io, jobs.list("ada", 10, "")).value().size(), 0U);
  EXPECT_TRUE(std::filesystem::is_empty(spool.folder()));
}

TEST_F(SubmissionTest, AnUploadIsUsedByItsOwnerAlone) {
  auto sent = uploads.create("ada", 5).value();
  ASSERT_TRUE(sent.write(std::string_view("sound")));
  const Upload upload = uploads.add(std::move(sent), "ada", "talk.wav").value();
  auto of_another = request(UploadSource{upload.id});
  of_another.owner = "bob";
  EXPECT_EQ(error_of(std::move(of_another)), errc::upload_not_found);
  for (const Follow follow : {Follow::nobody, Follow::to_the_end}) {
    auto wish = request(UploadSource{"upload://" + upload.id});
    wish.follow = follow;
    const auto followed = submit(std::move(wish)).value();
    EXPECT_EQ(test::read_text(followed->job().request.input), "sound");
    EXPECT_EQ(followed->job().request.title, "talk.wav");
  }
}

TEST_F(SubmissionTest, ClipsOfKnownSpeakersAreOptionsOfTheJobAndNothingElseStaysOfThem) {
  test::write_text(sounds / "grace.wav", "of Grace");
  auto wish = path_request(Follow::nobody);
  wish.known_speakers.push_back({"Ada", BytesSource{"of Ada", ""}});
  wish.known_speakers.push_back({"Grace", PathSource{sounds / "grace.wav"}});
  const auto followed = submit(std::move(wish)).value();
  const std::vector<protocol::KnownSpeaker> known{{"Ada", "of Ada"}, {"Grace", "of Grace"}};
  EXPECT_EQ(followed->job().request.options.known_speakers, known);
  EXPECT_TRUE(followed->job().request.options.diarize);
  EXPECT_TRUE(spool.names().empty());
  // The job that a runner takes has them, and one that is shown has not.
  EXPECT_TRUE(find(followed->job().id)->request.options.known_speakers.empty());
  EXPECT_EQ(run(io, jobs.claim(false)).value().request.options.known_speakers, known);
}

TEST_F(SubmissionTest, RefusesClipsThatAreNone) {
  const auto refused = [&](std::string name, SoundSource clip,
                           std::optional<int> num_speakers = {}) {
    auto wish = path_request(Follow::nobody);
    wish.known_speakers.push_back({"Grace", BytesSource{"of Grace", ""}});
    wish.known_speakers.push_back({std::move(name), std::move(clip)});
    wish.options.num_speakers = num_speakers;
    return error_of(std::move(wish));
  };
  EXPECT_EQ(refused("Ada", BytesSource{"no sound", ""}), protocol::unusable_clip);
  EXPECT_EQ(refused("Ada", BytesSource{std::string(protocol::most_clip_bytes + 1, 'x'), ""}),
            protocol::unusable_clip);
  EXPECT_EQ(refused("Ada", PathSource{sounds / "none.wav"}), errc::input_not_found);
  EXPECT_EQ(refused("Ada", UploadSource{"none"}), errc::upload_not_found);
  EXPECT_EQ(refused("Grace", BytesSource{"of Ada", ""}), protocol::bad_speaker_name);
  EXPECT_EQ(refused("A\nda", BytesSource{"of Ada", ""}), protocol::bad_speaker_name);
  EXPECT_EQ(refused("Ada", BytesSource{"of Ada", ""}, 1), protocol::bad_speaker_name);
  EXPECT_TRUE(spool.names().empty());
  EXPECT_EQ(jobs.waiting(), 0);
}

asio::awaitable<Result<protocol::KnownSpeaker>> read_for_ever(std::string, platform::UniqueFd) {
  const auto executor = co_await asio::this_coro::executor;
  asio::steady_timer never(executor, asio::steady_timer::time_point::max());
  co_await never.async_wait(asio::use_awaitable);
  co_return protocol::KnownSpeaker{};
}

TEST_F(SubmissionTest, RefusesClipsThatAreReadForEver) {
  services.read_known_speaker = read_for_ever;
  Submission impatient(services, {.clips_limit = std::chrono::milliseconds(20)});
  const auto error = [&]() -> asio::awaitable<std::string> {
    auto wish = path_request(Follow::nobody);
    wish.known_speakers.push_back({"Ada", BytesSource{"of Ada", ""}});
    auto submitting = impatient.submit(std::move(wish));
    const auto followed = co_await std::move(submitting);
    co_return followed ? "" : followed.error().code;
  };
  EXPECT_EQ(run(io, error()), protocol::unusable_clip);
  EXPECT_EQ(jobs.waiting(), 0);
}

// Requests with clips whose decoders never end.
class EndlessClips : public SubmissionTest {
 protected:
  EndlessClips() {
    services.read_known_speaker = [this](std::string name, platform::UniqueFd file) {
      begun.push_back(name);
      return read_for_ever(std::move(name), std::move(file));
    };
  }

  SubmissionRequest of(const std::string& owner) {
    auto wish = path_request(Follow::nobody);
    wish.owner = owner;
    wish.known_speakers.push_back({owner + "'s", BytesSource{"sound", ""}});
    return wish;
  }
  // Starts a request of each owner, one after the other, and waits until their clips have a place
  // or wait for one.
  void start(const std::vector<std::string>& owners) {
    for (const auto& owner : owners) {
      calls.push_back(std::make_unique<Call>(io, submit_shared(of(owner))));
      wait_until([&] { return spool.names().size() == calls.size(); });
      for (int round = 0; round < 8; ++round) EXPECT_FALSE(find("none"));
    }
  }
  void end_all() {
    for (const auto& call : calls) call->cancel();
    wait_until(
        [&] { return std::ranges::all_of(calls, [](const auto& call) { return call->ended(); }); });
    EXPECT_TRUE(spool.names().empty());
  }

  using Call = test::Started<Result<std::shared_ptr<FollowedJob>>>;
  std::vector<std::string> begun;
  std::vector<std::unique_ptr<Call>> calls;
};

TEST_F(EndlessClips, OwnersTakeTurnsAtAFewDecoders) {
  start({"ada", "ada", "ada", "bob", "eve"});
  EXPECT_EQ(begun, (std::vector<std::string>{"ada's", "bob's"}));
  calls[0]->cancel();
  wait_until([&] { return begun.size() >= 3; });
  EXPECT_EQ(begun.back(), "eve's");
  end_all();
}

TEST_F(EndlessClips, OneOwnersRequestsThatWaitAreLimited) {
  const auto most = static_cast<std::size_t>(Submission::Settings{}.max_clip_requests_of_one);
  start(std::vector<std::string>(most, "ada"));
  EXPECT_EQ(error_of(of("ada")), errc::too_many_requests);
  start({"bob"});
  EXPECT_EQ(begun, (std::vector<std::string>{"ada's", "bob's"}));
  end_all();
}

TEST_F(SubmissionTest, RefusesWhatCannotBecomeAJob) {
  EXPECT_EQ(error_of(request(PathSource{"/etc/passwd"})), errc::input_unreadable);
  EXPECT_EQ(error_of(request(UrlSource{"https://example.org/a.mp3"})), errc::url_refused);
  auto unknown = path_request(Follow::nobody);
  unknown.model = "none";
  EXPECT_NE(error_of(std::move(unknown)), "");
  auto with_webhook = path_request(Follow::nobody);
  with_webhook.webhook = "http://169.254.1.1";
  EXPECT_EQ(error_of(std::move(with_webhook)), errc::url_refused);
  EXPECT_EQ(jobs.waiting(), 0);
}

TEST_F(SubmissionTest, NothingIsWrittenForAJobThatHasNoPlace) {
  for (int i = 0; i < 2; ++i) EXPECT_EQ(error_of(path_request(Follow::nobody)), "");
  EXPECT_EQ(run(io, submission.admit("ada", "", 0)).error().code, errc::too_many_jobs);
  EXPECT_EQ(error_of(request(BytesSource{"sound", ""})), errc::too_many_jobs);
  EXPECT_EQ(error_of(request(ReceivedSource{received("sound"), ""})), errc::too_many_jobs);
  EXPECT_TRUE(spool.names().empty());
  EXPECT_TRUE(run(io, submission.admit("bob", "", 0)));
}

using DiskWork = std::function<Result<int>(std::stop_token)>;

// The only thread for the disk does nothing until it is let on. Then it is the turn of the call
// that has waited longest, which begins when its executor runs.
class HeldDisk {
 public:
  explicit HeldDisk(FairCalls& disk) : held_(io_, disk.run("bob", wait_)) { io_.poll(); }
  void let_on() {
    gate_.set_value();
    test::run_until(io_, [this] { return held_.ended(); });
  }

 private:
  std::promise<void> gate_;
  const DiskWork wait_ = [this](std::stop_token) {
    gate_.get_future().wait();
    return Result<int>(0);
  };
  asio::io_context io_;
  test::Started<Result<int>> held_;
};

TEST_F(SubmissionTest, NothingStaysOfAClientThatLeavesBeforeThereIsAJob) {
  auto sent = uploads.create("ada", 5).value();
  ASSERT_TRUE(sent.write(std::string_view("sound")));
  const Upload upload = uploads.add(std::move(sent), "ada", "talk.wav").value();
  for (const bool is_upload : {true, false}) {
    auto source = is_upload ? SoundSource(UploadSource{upload.id})
                            : SoundSource(BytesSource{"sound", "a.wav"});
    HeldDisk held(disk);
    test::Started call(io, submit_shared(request(std::move(source))));
    // The store answers in order, so by then the call has had its answer and waits for the disk.
    for (int round = 0; round < 8; ++round) EXPECT_FALSE(find("none"));
    held.let_on();
    EXPECT_TRUE(spool.names().empty());
    io.restart();
    io.poll_one();  // the thread begins, and what it has done is told when `io` runs again
    for (int i = 0; i < 3000 && spool.names().empty(); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    ASSERT_EQ(spool.names().size(), 1U);
    call.cancel();
    wait_until([&] { return call.ended(); });
    EXPECT_TRUE(call.threw());
    // The thread may still be syncing what it has made.
    wait_until([&] { return spool.names().empty(); });
    EXPECT_TRUE(spool.names().empty()) << (is_upload ? "upload" : "bytes");
    EXPECT_EQ(jobs.waiting(), 0);
  }
}

TEST_F(SubmissionTest, OnlyWhoMayManageModelsSaysHowLongOneStays) {
  for (const bool may_manage : {true, false}) {
    auto wish = path_request(Follow::nobody);
    wish.keep_alive_s = -1;
    wish.may_manage = may_manage;
    const auto followed = submit(std::move(wish)).value();
    const auto granted = followed->job().request.keep_alive_s;
    EXPECT_EQ(granted, may_manage ? std::optional(-1.0) : std::nullopt);
  }
}

TEST_F(SubmissionTest, AJobIsItsOwnersAlone) {
  const std::string id = submit(path_request(Follow::nobody)).value()->job().id;
  EXPECT_EQ(run(io, submission.find(id, "bob")).error().code, errc::job_not_found);
  EXPECT_EQ(run(io, submission.cancel(id, "bob")).error().code, errc::job_not_found);
  EXPECT_EQ(run(io, submission.remove(id, "bob")).error().code, errc::job_not_found);
  EXPECT_EQ(run(io, submission.find(id, "ada")).value().id, id);
  EXPECT_TRUE(run(io, submission.cancel(id, "ada")).value());
  EXPECT_FALSE(run(io, submission.cancel(id, "ada")).value());
  EXPECT_TRUE(run(io, submission.remove(id, "ada")));
  EXPECT_FALSE(find(id));
}

}  // namespace
}  // namespace server
