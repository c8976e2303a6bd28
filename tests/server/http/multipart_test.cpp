#include "server/http/multipart.h"

#include <gtest/gtest.h>

#include "server/http/header_params.h"

namespace server {
namespace {

// Records the parts as <name|filename|type>data</>.
class Notes : public MultipartSink {
 public:
  Result<void> part_begins(const PartHead& head) override {
    text += "<" + head.name + "|" + head.filename.value_or("-") + "|" + head.content_type + ">";
    return {};
  }
  Result<void> part_data(std::string_view bytes) override {
    EXPECT_FALSE(bytes.empty());
    ++pieces;
    text += bytes;
    return {};
  }
  Result<void> part_ends() override {
    text += "</>";
    return {};
  }

  std::string text{};
  int pieces = 0;  // pieces of data
};

// Returns what the sink received, or the error's code.
std::string parse(std::string_view form, std::size_t first, std::size_t piece = 1 << 20,
                  std::string_view boundary = "b") {
  Notes notes;
  MultipartParser parser(boundary, notes);
  while (!form.empty()) {
    const auto fed = parser.feed(form.substr(0, first));
    if (!fed) return fed.error().code;
    form.remove_prefix(std::min(first, form.size()));
    first = piece;
  }
  const auto finished = parser.finish();
  return finished ? notes.text : finished.error().code;
}

std::string parse(std::string_view form) {
  return parse(form, form.size());
}

std::string part(const std::string& head, const std::string& data) {
  return "--b\r\n" + head + "\r\n\r\n" + data + "\r\n";
}

const std::string field = "Content-Disposition: form-data; name=\"a\"";

struct Case {
  std::string form;
  std::string heard;
};

TEST(Multipart, HearsTheParts) {
  const std::string end = "--b--\r\n";
  const Case cases[] = {
      {part(field, "1") + end, "<a|-|>1</>"},
      {part(field, "1") + "--b--", "<a|-|>1</>"},
      {part(field, "") + end, "<a|-|></>"},
      {part(field, "1") + part("content-disposition:form-data;name=b", "2") + end,
       "<a|-|>1</><b|-|>2</>"},
      {end, ""},
      {"preamble\r\nof lines --b\r\n" + part(field, "1") + end, "<a|-|>1</>"},
      {"\r\n" + part(field, "1") + end, "<a|-|>1</>"},
      {part(field, "1") + end + "epilogue\r\n--b\r\n", "<a|-|>1</>"},
      {"--b \t \r\n" + field + "\r\n\r\n1\r\n" + end, "<a|-|>1</>"},
      {part(field + "; filename=\"x.wav\"\r\nContent-Type: audio/wav", "1") + end,
       "<a|x.wav|audio/wav>1</>"},
      {part("X-Other: 1\r\n" + field, "1") + end, "<a|-|>1</>"},
      {part(field + "\r\nContent-Length: 7", "1") + end, "<a|-|>1</>"},
      {part(field + "\r\nContent-Transfer-Encoding: binary", "1") + end, "<a|-|>1</>"},
      {part(field + "; filename=\"\"", "1") + end, "<a||>1</>"},
      {part(field + "; filename=\"a \\\"b\\\".wav\"", "1") + end, "<a|a \"b\".wav|>1</>"},
      {part(field + "; filename=\"C:\\music\\new.wav\"", "1") + end, "<a|C:\\music\\new.wav|>1</>"},
      {part(field + "; filename=\"back\\\\slash\"", "1") + end, "<a|back\\slash|>1</>"},
      {part(field + "; filename*=UTF-8''a%1b%0ab%c2%9b%e2%80%ae.wav", "1") + end,
       "<a|ab.wav|>1</>"},
      {part(field + "; filename=\"a;b=c.wav\"", "1") + end, "<a|a;b=c.wav|>1</>"},
      {part(field + "; filename=\"na\xc3\xafve.wav\"", "1") + end, "<a|na\xc3\xafve.wav|>1</>"},
      {part(field + "; filename*=UTF-8''na%C3%afve.wav", "1") + end, "<a|na\xc3\xafve.wav|>1</>"},
      {part(field + "; filename*=utf-8'en'a.wav; filename=\"b.wav\"", "1") + end, "<a|a.wav|>1</>"},
      {part(field + "; filename=\"b.wav\"; filename*=UTF-8''a.wav", "1") + end, "<a|a.wav|>1</>"},
      {part(field + "; filename*=UTF-8''a%0D%0A%1b.wav", "1") + end, "<a|a.wav|>1</>"},
      {part(field + "; filename=\"../../etc/passwd\"", "1") + end, "<a|../../etc/passwd|>1</>"},
      {part(field + ";", "1") + end, "<a|-|>1</>"},
      {part("Content-Disposition: Form-Data; NAME=a", "1") + end, "<a|-|>1</>"},
      {part("Content-Disposition: form-data; name=\"timestamp_granularities[]\"", "w") + end,
       "<timestamp_granularities[]|-|>w</>"},
      {part("Content-Disposition: form-data; name=\"\"", "1") + end, "<|-|>1</>"},
      {part(field, "\r\n") + end, "<a|-|>\r\n</>"},
      {part(field, "\r\n\r\n\r") + end, "<a|-|>\r\n\r\n\r</>"},
      {part(field, "\r\n-") + end, "<a|-|>\r\n-</>"},
      {part(field, "\r\n--") + end, "<a|-|>\r\n--</>"},
      {part(field, "\r\r\n--\r\n-b") + end, "<a|-|>\r\r\n--\r\n-b</>"},
      {part(field, "--b") + end, "<a|-|>--b</>"},
      {part(field, "x--b--") + end, "<a|-|>x--b--</>"},
      {part(field, "\n--b\n--b--\n") + end, "<a|-|>\n--b\n--b--\n</>"},
      {part(field, std::string("\0\xff\r", 3)) + end,
       "<a|-|>" + std::string("\0\xff\r", 3) + "</>"},
  };
  for (const auto& [form, heard] : cases) EXPECT_EQ(parse(form), heard) << form;
}

TEST(Multipart, RefusesWhatIsNoForm) {
  const std::string end = "--b--\r\n";
  const std::string forms[] = {
      "",
      "nothing",
      "--b",
      "--b\r\n",
      "--b\r\n\r\n1\r\n" + end,
      "--c\r\n" + field + "\r\n\r\n1\r\n--c--\r\n",
      part(field, "1"),
      part(field, "1") + "--b",
      part(field, "1") + "--b-",
      part(field, "1") + "--c--",
      "--b\r\n" + field,
      "--b\r\n" + field + "\r\n",
      "--b\r\n" + field + "\r\n\r\n--b--",
      "--bx\r\n" + field + "\r\n\r\n1\r\n" + end,
      "--b-x\r\n",
      "--b\n" + field + "\n\n1\n--b--\n",
      "--b" + std::string(100, ' ') + "\r\n",
      part("Content-Type: text/plain", "1") + end,
      part("Content-Disposition: attachment; name=\"a\"", "1") + end,
      part("Content-Disposition: form-data", "1") + end,
      part("Content-Disposition: form-data; filename=\"a\"", "1") + end,
      part("Content-Disposition: form-data; name=\"a", "1") + end,
      part("Content-Disposition: form-data; name", "1") + end,
      part("Content-Disposition: form-data; name=\"a\" x", "1") + end,
      part("Content-Disposition: form-data; name=\"a\"; name=\"b\"", "1") + end,
      part("Content-Disposition: form-data; =a; name=b", "1") + end,
      part("Content-Disposition:", "1") + end,
      part(field + "\r\n" + field, "1") + end,
      part(field + "\r\nnothing", "1") + end,
      part(field + "\r\n: nothing", "1") + end,
      part(field + "\r\n folded", "1") + end,
      part(field + "\r\nX : 1", "1") + end,
      part(field + "\r\nX: a\nb", "1") + end,
      part(field + "\r\nX: \x01", "1") + end,
      part(field + "\r\nContent-Transfer-Encoding: base64", "1") + end,
      part(field + "; filename*=latin1''a", "1") + end,
      part(field + "; filename*=UTF-8'a", "1") + end,
      part(field + "; filename*=UTF-8''%4", "1") + end,
      part(field + "; filename*=UTF-8''%xx", "1") + end,
      part(field + "\r\nX: " + std::string(9000, 'a'), "1") + end,
      "--b\r\n" + std::string(20'000, 'a'),
  };
  for (const auto& form : forms) EXPECT_EQ(parse(form), "bad_request") << form.substr(0, 200);
}

TEST(Multipart, HearsTheSameHoweverAFormIsCut) {
  const std::string forms[] = {
      "pre\r\n--" + std::string("b\r\n") + field +
          "; filename=\"a\\\"b\"\r\n\r\n\r\n--\r\r\n--a\r\n" +
          part("Content-Disposition: form-data; name=c", "") + "--b--\r\nend",
      part(field, "\r\n\r\n--\r\n-\r") + part(field, "--b\r") + "--b--",
  };
  for (const auto& form : forms) {
    const auto whole = parse(form);
    EXPECT_NE(whole, "bad_request");
    for (std::size_t cut = 1; cut < form.size(); ++cut) {
      EXPECT_EQ(parse(form, cut), whole) << "cut at " << cut;
      EXPECT_EQ(parse(form, cut, cut), whole) << "in pieces of " << cut;
    }
  }
}

TEST(Multipart, RefusesEveryBeginningOfAForm) {
  const std::string form = part(field, "1") + part(field + "; filename=x", "2") + "--b--";
  for (std::size_t size = 0; size < form.size(); ++size) {
    EXPECT_EQ(parse(std::string_view(form).substr(0, size)), "bad_request") << size;
  }
  EXPECT_EQ(parse(form), "<a|-|>1</><a|x|>2</>");
}

TEST(Multipart, TakesSixtyFourPartsAndNoMore) {
  std::string form;
  for (std::size_t at = 0; at < MultipartParser::max_parts; ++at) form += part(field, "");
  EXPECT_NE(parse(form + "--b--"), "bad_request");
  EXPECT_EQ(parse(form + part(field, "") + "--b--"), "bad_request");
}

TEST(Multipart, StopsWhereTheSinkFails) {
  class Full : public Notes {
    Result<void> part_data(std::string_view) override { return Error{"out_of_disk", "Full."}; }
  } full;
  MultipartParser parser("b", full);
  const auto fed = parser.feed(part(field, "1"));
  ASSERT_FALSE(fed);
  EXPECT_EQ(fed.error().code, "out_of_disk");
}

TEST(MultipartBoundary, IsReadFromTheContentType) {
  const std::string longest(70, 'x');
  const std::pair<std::string, std::string> cases[] = {
      {"multipart/form-data; boundary=abc", "abc"},
      {"Multipart/Form-Data; Boundary=ABC", "ABC"},
      {"multipart/form-data;charset=utf-8;boundary=\"a b\"", "a b"},
      {"multipart/form-data; boundary=----WebKitFormBoundary7MA4YWxkTrZu0gW",
       "----WebKitFormBoundary7MA4YWxkTrZu0gW"},
      {"multipart/form-data; boundary=a=b:c/d", "a=b:c/d"},
      {"multipart/form-data; boundary=" + longest, longest},
      {"multipart/form-data", "bad_request"},
      {"multipart/form-data; boundary=", "bad_request"},
      {"multipart/form-data; boundary=" + longest + "x", "bad_request"},
      {"multipart/form-data; boundary=\"a \"", "bad_request"},
      {"multipart/form-data; boundary=a\"b", "bad_request"},
      {"multipart/form-data; boundary=\"a\r\nb\"", "bad_request"},
      {"multipart/form-data; boundary=\xc3\xa9", "bad_request"},
      {"multipart/form-data; boundary=a; boundary=b", "unsupported_media_type"},
      {"multipart/mixed; boundary=a", "unsupported_media_type"},
      {"application/json", "unsupported_media_type"},
      {"", "unsupported_media_type"},
  };
  for (const auto& [type, expected] : cases) {
    const auto boundary = boundary_of(type);
    EXPECT_EQ(boundary ? *boundary : boundary.error().code, expected) << type;
  }
}

TEST(Multipart, HandsContentOnInOnePieceWhateverItHolds) {
  const std::string almost = "\r\n--\r\n--a\r\r\n-";
  std::string content;
  for (int at = 0; at < 4000; ++at) content += at % 2 == 0 ? "\r" : almost;
  Notes notes;
  MultipartParser parser("b", notes);
  ASSERT_TRUE(parser.feed(part(field, content) + "--b--\r\n"));
  EXPECT_TRUE(parser.finish());
  EXPECT_EQ(notes.text, "<a|-|>" + content + "</>");
  EXPECT_EQ(notes.pieces, 1) << "each may be a call of the system";
}

}  // namespace
}  // namespace server
