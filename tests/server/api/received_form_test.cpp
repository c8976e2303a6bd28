#include "server/api/received_form.h"

#include <memory>

#include "protocol/base64.h"
#include "protocol/known_speaker.h"
#include "tests/server/api/api_fixture.h"
#include "tests/server/api/form_request.h"

namespace server {
namespace {

using test::FakeExchange;
using test::form_field;
using test::form_file;

class ReceivedForms : public test::ApiFixture {
 protected:
  using Shared = std::shared_ptr<ReceivedForm>;

  Result<Shared> receive(FakeExchange& exchange, std::uint64_t max_bytes = 1 << 20) {
    return test::run(io, receive_shared(exchange, max_bytes));
  }
  Result<Shared> receive(const std::string& parts) {
    FakeExchange exchange = test::form_request("/", parts);
    return receive(exchange);
  }
  std::string code_of(const std::string& parts) {
    const auto form = receive(parts);
    return form ? "" : form.error().code;
  }
  std::string fingerprint_of(const std::string& parts) {
    return receive(parts).value()->fingerprint;
  }
  std::string spooled() { return test::read_text(spool.folder() / spool.names().at(0)); }

 private:
  // The form is shared, because run() needs a type that can be assigned.
  asio::awaitable<Result<Shared>> receive_shared(FakeExchange& exchange, std::uint64_t max_bytes) {
    CreateFile create = [this](std::uint64_t expected) { return spool.create("ada", expected); };
    auto receiving = receive_form(exchange, std::move(create), max_bytes);
    auto form = co_await std::move(receiving);
    if (!form) co_return form.error();
    co_return std::make_shared<ReceivedForm>(*std::move(form));
  }
};

TEST_F(ReceivedForms, AreReadAlikeInPiecesOfAnySize) {
  for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, std::size_t{5000}}) {
    FakeExchange exchange = test::form_request(
        "/", form_field("model", "base") + form_file("a\r\n--sound") + form_field("language", ""));
    exchange.piece_bytes = piece;
    const auto form = receive(exchange).value();
    ASSERT_EQ(form->fields.size(), 2U);
    EXPECT_EQ(form->fields[0].name, "model");
    EXPECT_EQ(form->fields[0].value, "base");
    EXPECT_EQ(form->fields[1].name, "language");
    EXPECT_EQ(form->fields[1].value, "");
    EXPECT_EQ(form->file_name, "talk.mp3");
    EXPECT_EQ(spooled(), "a\r\n--sound");
  }
  EXPECT_TRUE(spool.names().empty()) << "a file goes with the form that has it";
}

TEST_F(ReceivedForms, SayUnderWhichNameAFileBelongs) {
  const std::string head =
      "--limit\r\nContent-Disposition: form-data; name=\"audio\"; filename=\"a.wav\"\r\n\r\n";
  FakeExchange exchange(http::verb::post, "/");
  exchange.fields.set(http::field::content_type, "multipart/form-data; boundary=limit");
  exchange.body = head + std::string(100'000, 'a') + "\r\n--limit--\r\n";
  const auto form = receive(exchange);
  ASSERT_FALSE(form);
  EXPECT_EQ(form.error().code, errc::usage);
  EXPECT_EQ(form.error().message, "The form has a file in the part audio.");
  EXPECT_EQ(form.error().fix, "Send it as the part file.");
}

TEST_F(ReceivedForms, DropAChunkingStrategyWhoseModelCannotBeHad) {
  FakeExchange exchange(http::verb::post, "/v1/audio/transcriptions");
  const auto fitted = [&] {
    TranscriptionForm form;
    form.options.long_form = protocol::LongForm::parallel;
    form.options.vad_filter = form.needs_vad_for_chunks = true;
    const auto fit = [&]() -> asio::awaitable<int> {
      co_await fit_chunking(api, exchange, form);
      co_return 0;
    };
    test::run(io, fit());
    return form;
  };
  EXPECT_TRUE(fitted().options.vad_filter) << "the model can be had";
  EXPECT_TRUE(exchange.added.empty());
  services.fetch_helper = {};
  const auto without = fitted();
  EXPECT_FALSE(without.options.vad_filter);
  EXPECT_EQ(without.options.long_form, protocol::LongForm::automatic);
  EXPECT_EQ(exchange.header("warning"),
            "299 scribed \"Ignored, since the model silero-vad is not installed: "
            "chunking_strategy\"");
}

TEST_F(ReceivedForms, OfEqualPartsHaveTheSameFingerprintAndOthersDoNot) {
  const std::string one = fingerprint_of(form_field("a", "bc") + form_file("x"));
  EXPECT_EQ(one.size(), 64U);
  FakeExchange other_boundary(http::verb::post, "/");
  other_boundary.fields.set(http::field::content_type, "multipart/form-data; boundary=other");
  other_boundary.body =
      "--other\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nbc\r\n"
      "--other\r\nContent-Disposition: form-data; name=\"file\"; filename=\"y\"\r\n\r\nx\r\n"
      "--other--\r\n";
  EXPECT_EQ(receive(other_boundary).value()->fingerprint, one);
  for (const auto& parts :
       {form_field("ab", "c") + form_file("x"), form_field("a", "b") + form_file("x"),
        form_field("a", "bc"), form_field("a", "bc") + form_file("y"),
        form_field("a", "b") + form_field("c", "") + form_file("x"),
        form_file("x") + form_field("a", "bc")}) {
    EXPECT_NE(fingerprint_of(parts), one) << parts;
  }
}

TEST_F(ReceivedForms, OfWhatIsTooMuchOrBrokenSayWhatIsWrong) {
  EXPECT_EQ(code_of(form_file("x") + form_file("y")), errc::usage);
  const std::string longest(64 * 1024, 'a');
  EXPECT_EQ(code_of(form_field("prompt", longest)), "");
  const auto too_long = receive(form_field("prompt", longest + "a"));
  EXPECT_EQ(too_long.error().code, errc::too_large);
  EXPECT_NE(too_long.error().message.find("prompt"), std::string::npos);
  FakeExchange cut_off = test::form_request("/", form_file("sound"));
  cut_off.body.resize(cut_off.body.size() - 6);
  EXPECT_EQ(receive(cut_off).error().code, errc::bad_request);
  FakeExchange no_form = test::form_request("/", form_file("sound"));
  no_form.fields.set(http::field::content_type, "audio/mpeg");
  EXPECT_EQ(receive(no_form).error().code, errc::unsupported_media_type);
  FakeExchange large = test::form_request("/", form_file(std::string(2000, 'x')));
  EXPECT_EQ(receive(large, 1000).error().code, errc::too_large);
  EXPECT_TRUE(spool.names().empty());
}

std::string clip_url(const std::string& bytes) {
  return "data:audio/wav;base64," + protocol::encode_base64(bytes);
}

TEST_F(ReceivedForms, WriteClipsIntoFilesAsTheyCome) {
  const std::string sound(3 << 20, 's');
  for (const std::size_t piece : {std::size_t{1000}, std::size_t{70'000}}) {
    FakeExchange exchange = test::form_request(
        "/", form_field("known_speaker_references[]", clip_url(sound)) +
                 form_field("known_speaker_references[]", clip_url("")) +
                 form_field("known_speaker_references[]", "https://example.org/a.wav") +
                 form_field("known_speaker_references", clip_url(sound + "x")));
    exchange.piece_bytes = piece;
    const auto form = receive(exchange, 20 << 20).value();
    EXPECT_EQ(exchange.most_held, 0U);
    ASSERT_EQ(form->clips.size(), 4U);
    EXPECT_EQ(form->clips[0]->size(), sound.size());
    EXPECT_EQ(form->clips[1]->size(), 0U);
    EXPECT_FALSE(form->clips[2]) << "it is no data: URL";
    EXPECT_EQ(form->clips[3]->size(), sound.size() + 1);
    ASSERT_EQ(form->fields.size(), 4U);
    EXPECT_EQ(form->fields[0].value, "");
    EXPECT_EQ(spool.names().size(), 3U);
  }
  EXPECT_TRUE(spool.names().empty()) << "files go with the form that has them";
}

TEST_F(ReceivedForms, TakeAListOfClipsInOneField) {
  const std::string list =
      R"([")" + clip_url("a/b?") + R"(", "data:;base64,Y\u003d", "data:;base64,Yg=\u003d"])";
  const auto form = receive(form_field("known_speaker_references", list)).value();
  ASSERT_EQ(form->clips.size(), 3U);
  EXPECT_EQ(form->clips[0]->size(), 4U);
  EXPECT_FALSE(form->clips[1]);
  EXPECT_EQ(form->clips[2]->size(), 1U);
}

// A list of 99,000 clips had made as many files on the thread that serves everybody.
TEST_F(ReceivedForms, RefuseMoreClipsThanARequestMayHaveBeforeTheirFilesAreMade) {
  std::string list = "[";
  for (std::size_t i = 0; i <= protocol::most_known_speakers; ++i) {
    list += (i == 0 ? "\"" : ",\"") + clip_url("x") + "\"";
  }
  FakeExchange exchange =
      test::form_request("/", form_field("known_speaker_references", list + "]"));
  const auto refused = receive(exchange);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, protocol::bad_speaker_name);
  std::string parts;
  for (std::size_t i = 0; i <= protocol::most_known_speakers; ++i) {
    parts += form_field("known_speaker_references[]", "data:;base64,");
  }
  FakeExchange one_by_one = test::form_request("/", parts);
  EXPECT_FALSE(receive(one_by_one));
  EXPECT_TRUE(spool.names().empty());
}

TEST_F(ReceivedForms, HoldTheirFieldsInMemoryAndNothingElse) {
  const std::string field = form_field("metadata[a]", std::string(60'000, 'm'));
  FakeExchange exchange =
      test::form_request("/", field + form_file(std::string(900'000, 'x')) + field);
  exchange.piece_bytes = 1000;
  ASSERT_TRUE(receive(exchange));
  EXPECT_EQ(exchange.most_held, 120'000U);
  FakeExchange refused = test::form_request("/", field + field);
  refused.piece_bytes = 1000;
  refused.room = 100'000;
  EXPECT_EQ(receive(refused).error().code, errc::overloaded);
}

TEST_F(ReceivedForms, KeepSoMuchOfAFilesNameAsANameMayHave) {
  const auto form = receive(form_file("x", std::string(1000, 'n'))).value();
  EXPECT_EQ(form->file_name.size(), 255U);
}

TEST_F(ReceivedForms, SayHowLongTheyAre) {
  FakeExchange exchange(http::verb::post, "/");
  EXPECT_EQ(announced_bytes(exchange), 0U);
  exchange.fields.set(http::field::content_length, "12345678901");
  EXPECT_EQ(announced_bytes(exchange), 12345678901U);
}

class FormSubmissions : public test::ApiFixture {
 protected:
  FakeExchange submit(const std::string& parts) {
    FakeExchange exchange = test::form_request("/v1/jobs", parts);
    ask(exchange);
    return exchange;
  }
};

TEST_F(FormSubmissions, HaveExactlyOneSound) {
  auto sent = uploads.create("local", 5).value();
  ASSERT_TRUE(sent.write(std::string_view("sound")));
  const std::string upload = uploads.add(std::move(sent), "local", "talk.wav").value().id;
  EXPECT_EQ(status_of(submit(form_field("upload", upload))), 202U);
  EXPECT_EQ(error_of(submit("")), errc::missing_parameter);
  EXPECT_EQ(error_of(submit(form_file("x") + form_field("upload", upload))), "invalid_value");
  EXPECT_EQ(error_of(submit(form_field("upload", "none"))), errc::upload_not_found);
  EXPECT_EQ(jobs.waiting(), 1);
}

TEST_F(FormSubmissions, AreRefusedBeforeTheirSoundIsReadWhereTheyHaveNoPlace) {
  FakeExchange long_key = test::form_request("/v1/jobs", form_file("sound"));
  long_key.fields.set("idempotency-key", std::string(256, 'k'));
  EXPECT_EQ(error_of(ask(long_key)), errc::usage);
  EXPECT_FALSE(long_key.was_read());
  jobs.drain();
  for (const char* path : {"/v1/jobs", "/v1/audio/transcriptions"}) {
    FakeExchange late = test::form_request(path, form_file("sound"));
    EXPECT_EQ(error_of(ask(late)), errc::draining) << path;
    EXPECT_FALSE(late.was_read()) << path;
  }
}

TEST_F(FormSubmissions, BeginWithTheOptionsOfTheServer) {
  services.options.beam_size = 2;
  const std::string id = json_of(submit(form_file("x") + form_field("language", "de")))["id"];
  const auto job = test::run(io, jobs.claim(false)).value();
  EXPECT_EQ(job.id, id);
  EXPECT_EQ(job.request.options.beam_size, 2);
  EXPECT_EQ(job.request.options.language, "de");
}

}  // namespace
}  // namespace server
