#include "server/api/tus_headers.h"
#include "tests/server/api/api_fixture.h"

namespace server {
namespace {

using test::FakeExchange;

class TusRoutes : public test::ApiFixture {
 protected:
  static FakeExchange request(http::verb method, const std::string& path, Headers fields,
                              std::string body = "") {
    FakeExchange exchange(method, path);
    exchange.fields.set("tus-resumable", tus_version);
    for (const auto& [name, value] : fields) exchange.fields.set(name, value);
    exchange.body = std::move(body);
    return exchange;
  }
  std::string begun(const std::string& length) {
    auto exchange = request(http::verb::post, "/v1/uploads", {{"upload-length", length}});
    EXPECT_EQ(status_of(ask(exchange)), 201U) << exchange.answer.body;
    return exchange.header("location");
  }
  FakeExchange send(const std::string& place, const std::string& offset, std::string part) {
    auto exchange =
        request(http::verb::patch, place,
                {{"upload-offset", offset}, {"content-type", "application/offset+octet-stream"}},
                std::move(part));
    ask(exchange);
    return exchange;
  }
};

TEST_F(TusRoutes, TakeAnUploadInParts) {
  const std::string place = begun("10");
  const auto first = send(place, "0", "some ");
  EXPECT_EQ(status_of(first), 204U);
  EXPECT_EQ(first.header("upload-offset"), "5");
  EXPECT_EQ(json_of(get(place))["complete"], false);
  EXPECT_EQ(send(place, "5", "sound").header("upload-offset"), "10");
  auto head = request(http::verb::head, place, {});
  EXPECT_EQ(ask(head).header("upload-offset"), "10");
  EXPECT_EQ(head.header("upload-length"), "10");
  EXPECT_EQ(json_of(get(place))["complete"], true);
}

TEST_F(TusRoutes, TellTheNameThatAnUploadHasBegunWith) {
  auto begin = request(http::verb::post, "/v1/uploads",
                       {{"upload-length", "10"}, {"upload-metadata", "filename dGFsay5tcDM="}});
  const std::string place = ask(begin).header("location");
  auto head = request(http::verb::head, place, {});
  EXPECT_EQ(ask(head).header("upload-metadata"), "filename dGFsay5tcDM=");
  auto nameless = request(http::verb::head, begun("10"), {});
  EXPECT_EQ(ask(nameless).header("upload-metadata"), "");
}

TEST_F(TusRoutes, GiveAllMetadataBackAsItWasSent) {
  const std::string sent = "filetype YXVkaW8vbXBlZw==, filename dGFsay5tcDM=,private";
  auto begin = request(http::verb::post, "/v1/uploads",
                       {{"upload-length", "10"}, {"upload-metadata", sent}});
  const std::string place = ask(begin).header("location");
  EXPECT_EQ(json_of(begin)["filename"], "talk.mp3");
  auto head = request(http::verb::head, place, {});
  EXPECT_EQ(ask(head).header("upload-metadata"), sent);
  uploads = Uploads::open({.folder = folder / "uploads"}).value();
  auto later = request(http::verb::head, place, {});
  EXPECT_EQ(ask(later).header("upload-metadata"), sent) << "also after a restart";
  auto long_one =
      request(http::verb::post, "/v1/uploads",
              {{"upload-length", "10"}, {"upload-metadata", "a " + std::string(5000, 'A')}});
  EXPECT_EQ(json_of(ask(long_one))["error"]["param"], "upload-metadata");
}

TEST_F(TusRoutes, TellWhatThereIsOfTusAlsoOfOneUpload) {
  FakeExchange options(http::verb::options, begun("10"));
  EXPECT_EQ(status_of(ask(options)), 204U);
  EXPECT_EQ(options.header("tus-version"), tus_version);
}

TEST_F(TusRoutes, RefuseAPartAtAnotherPlace) {
  const std::string place = begun("10");
  EXPECT_EQ(error_of(send(place, "1", "x")), errc::wrong_offset);
  EXPECT_EQ(error_of(send(place, "0", "x1234567890")), errc::too_large);
  EXPECT_EQ(error_of(send("/v1/uploads/" + std::string(26, 'x'), "0", "x")),
            errc::upload_not_found);
  auto other_type = request(http::verb::patch, place, {{"upload-offset", "0"}}, "x");
  EXPECT_EQ(status_of(ask(other_type)), 415U);
}

TEST_F(TusRoutes, RefuseAnotherVersion) {
  const std::string place = begun("10");
  for (const auto& [method, path] :
       {std::pair(http::verb::post, std::string("/v1/uploads")), std::pair(http::verb::head, place),
        std::pair(http::verb::patch, place), std::pair(http::verb::delete_, place)}) {
    auto exchange = request(method, path, {{"upload-length", "1"}, {"tus-resumable", "0.2.2"}});
    EXPECT_EQ(status_of(ask(exchange)), 412U) << http::to_string(method);
    EXPECT_EQ(exchange.header("tus-version"), tus_version);
    EXPECT_EQ(exchange.header("tus-resumable"), tus_version) << "errors are answers, too";
  }
  EXPECT_EQ(status_of(get(place)), 200U) << "nothing was done";
  auto options = request(http::verb::options, "/v1/uploads", {{"tus-resumable", "0.2.2"}});
  EXPECT_EQ(status_of(ask(options)), 204U) << "it tells the versions";
}

TEST_F(TusRoutes, RefuseABeginWithoutAVersion) {
  FakeExchange exchange(http::verb::post, "/v1/uploads");
  exchange.fields.set("upload-length", "10");
  EXPECT_EQ(status_of(ask(exchange)), 412U);
  EXPECT_EQ(exchange.header("tus-version"), tus_version);
  EXPECT_EQ(json_of(exchange)["error"]["message"],
            "The field Tus-Resumable is missing. Send Tus-Resumable: 1.0.0.");
}

// For clients whose network lets no other methods through.
TEST_F(TusRoutes, HearOfTheMethodInAField) {
  const std::string place = begun("4");
  auto part = request(http::verb::post, place,
                      {{"x-http-method-override", "PATCH"},
                       {"upload-offset", "0"},
                       {"content-type", "application/offset+octet-stream"}},
                      "talk");
  EXPECT_EQ(status_of(ask(part)), 204U) << part.answer.body;
  EXPECT_EQ(part.header("upload-offset"), "4");
  auto end = request(http::verb::post, place, {{"x-http-method-override", "delete"}});
  EXPECT_EQ(status_of(ask(end)), 204U);
  EXPECT_EQ(status_of(get(place)), 404U);
  auto none = request(http::verb::post, place, {{"x-http-method-override", "BREW"}});
  EXPECT_EQ(status_of(ask(none)), 405U);
  auto elsewhere = request(http::verb::post, "/v1/jobs/x", {{"x-http-method-override", "DELETE"}});
  EXPECT_EQ(status_of(ask(elsewhere)), 405U) << "it is for uploads alone";
  auto read = request(http::verb::get, "/v1/uploads", {{"x-http-method-override", "DELETE"}});
  EXPECT_EQ(status_of(ask(read)), 200U) << "what only reads is not made to change anything";
}

TEST_F(TusRoutes, RefuseExtensionsThatAreNotOffered) {
  for (const auto& [field, value] : Headers{{"upload-concat", "partial"},
                                            {"upload-concat", "final;/v1/uploads/a"},
                                            {"upload-defer-length", "1"},
                                            {"upload-checksum", "crc32 AAAA"},
                                            {"upload-checksum", "sha1"},
                                            {"upload-checksum", "sha1 AAAA"}}) {
    auto exchange =
        request(http::verb::post, "/v1/uploads", {{"upload-length", "4"}, {field, value}});
    EXPECT_EQ(status_of(ask(exchange)), 400U) << field;
    EXPECT_EQ(json_of(exchange)["error"]["param"], field);
  }
  EXPECT_TRUE(json_of(get("/v1/uploads"))["data"].empty()) << "nothing has begun";
}

TEST_F(TusRoutes, TakeAPartThatIsWhatItsChecksumSays) {
  struct Row {
    const char* checksum;  // of "some "
    unsigned status;
  };
  for (const Row& row : {Row{"sha1 WPubG5O3Q3XDXRqq3WXXVE3B8wo=", 204},
                         Row{"sha256 7oLMMFhQIupRAt2h90fL/jRcJh3Xwuq+qKoa1DCL95A=", 204},
                         Row{"md5 eV8yArF8trw9S3cdjGyerw==", 460}}) {
    const std::string place = begun("10");
    auto part = request(http::verb::patch, place,
                        {{"upload-offset", "0"},
                         {"upload-checksum", row.checksum},
                         {"content-type", "application/offset+octet-stream"}},
                        "some ");
    EXPECT_EQ(status_of(ask(part)), row.status) << row.checksum << part.answer.body;
    EXPECT_EQ(json_of(get(place))["received_bytes"], row.status == 204 ? 5 : 0);
  }
  EXPECT_TRUE(spool.names().empty());
}

TEST_F(TusRoutes, EndAnUpload) {
  const std::string place = begun("10");
  auto exchange = request(http::verb::delete_, place, {});
  EXPECT_EQ(status_of(ask(exchange)), 204U);
  EXPECT_EQ(status_of(get(place)), 404U);
}

TEST(TusFileName, IsAmongTheMetadata) {
  EXPECT_EQ(tus_file_name("filename dGFsay5tcDM=").value(), "talk.mp3");
  EXPECT_EQ(tus_file_name("type YQ==, filename dGFsay5tcDM=,private").value(), "talk.mp3");
  EXPECT_EQ(tus_file_name("name dGFsay5tcDM=").value(), "talk.mp3");
  EXPECT_EQ(tus_file_name("filename G11hG1tiDQpjwps=").value(), "]a[bc") << "it steers no terminal";
  EXPECT_EQ(tus_file_name("filename").value(), "");
  EXPECT_EQ(tus_file_name("").value(), "");
  EXPECT_EQ(tus_file_name("other dGFsay5tcDM=").value(), "");
  EXPECT_EQ(tus_file_name("filename %%%").error().parameter, "upload-metadata");
}

TEST(TusNumber, IsOfDigitsAlone) {
  FakeExchange exchange(http::verb::post, "/v1/uploads");
  EXPECT_FALSE(tus_number(exchange, "upload-length"));
  for (const std::string wrong : {"", "-1", "1 1", "0x10", "18446744073709551616"}) {
    exchange.fields.set("upload-length", wrong);
    EXPECT_FALSE(tus_number(exchange, "upload-length")) << wrong;
  }
  exchange.fields.set("upload-length", "18446744073709551615");
  EXPECT_EQ(tus_number(exchange, "upload-length").value(), UINT64_MAX);
}

}  // namespace
}  // namespace server
