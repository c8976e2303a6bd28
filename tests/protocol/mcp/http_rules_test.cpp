#include "protocol/mcp/http_rules.h"

#include <gtest/gtest.h>

#include <map>

#include "protocol/mcp/http_mirrors.h"
#include "tests/protocol/mcp/client.h"

namespace protocol::mcp {
namespace {

using Headers = std::map<std::string, std::string>;

HeaderLookup lookup(Headers headers) {
  return [headers = std::move(headers)](std::string_view name) -> std::optional<std::string> {
    std::string lower(name);
    for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    const auto it = headers.find(lower);
    if (it == headers.end()) return std::nullopt;
    return it->second;
  };
}

Json modern_request(const std::string& method, Json params = Json::object()) {
  if (!params.contains("_meta")) params["_meta"] = modern_meta();
  return jsonrpc::request_message(7, method, std::move(params));
}

Headers modern_headers(const std::string& method) {
  return {{"mcp-protocol-version", "2026-07-28"}, {"mcp-method", method}};
}

std::variant<Posted, Refusal> check(const Headers& headers, const std::string& body) {
  return check_post(some_features(), lookup(headers), body);
}

// Returns the error's code, or 0 if the POST is accepted.
int code_of(const Headers& headers, const Json& body, int status = 400) {
  const auto checked = check(headers, body.dump());
  const auto* refused = std::get_if<Refusal>(&checked);
  if (!refused) return 0;
  EXPECT_EQ(refused->status, status);
  return refused->message["error"]["code"];
}

TEST(HttpRules, TheBodyDecidesTheEra) {
  struct Case {
    Json body;
    Headers headers;
    Era era;
    std::string revision;
  };
  const Json ping = jsonrpc::request_message(1, "ping", Json::object());
  for (const auto& c :
       {Case{modern_request("tools/list"), modern_headers("tools/list"), Era::modern, "2026-07-28"},
        Case{ping, {}, Era::legacy, "2025-03-26"},
        Case{ping, {{"mcp-protocol-version", "2025-11-25"}}, Era::legacy, "2025-11-25"},
        Case{jsonrpc::request_message(1, "initialize", Json::object()),
             {},
             Era::legacy,
             "2025-11-25"},
        Case{jsonrpc::notification_message("notifications/cancelled", Json::object()),
             {{"mcp-protocol-version", "2026-07-28"}},
             Era::modern,
             "2026-07-28"}}) {
    const auto checked = check(c.headers, c.body.dump());
    ASSERT_TRUE(std::holds_alternative<Posted>(checked)) << c.body;
    EXPECT_EQ(std::get<Posted>(checked).era, c.era) << c.body;
    EXPECT_EQ(std::get<Posted>(checked).revision, c.revision) << c.body;
  }
}

TEST(HttpRules, FailuresAreFoundInTheOrderThatTellsServersApart) {
  const Headers headers = modern_headers("tools/list");
  Headers other_version = headers, no_version = headers, unknown = headers;
  other_version["mcp-protocol-version"] = "2025-11-25";
  no_version.erase("mcp-protocol-version");
  unknown["mcp-protocol-version"] = "2099-01-01";
  Json no_capabilities = modern_meta(), future = modern_meta();
  no_capabilities.erase("io.modelcontextprotocol/clientCapabilities");
  future["io.modelcontextprotocol/protocolVersion"] = "2099-01-01";
  const Json bare = jsonrpc::request_message(7, "tools/list", Json::object());
  const Json good = modern_request("tools/list");

  EXPECT_EQ(code_of(headers, Json("text")), jsonrpc::invalid_request);
  EXPECT_EQ(code_of(headers, bare), jsonrpc::invalid_params);
  EXPECT_EQ(code_of(unknown, bare), jsonrpc::invalid_params);
  EXPECT_EQ(code_of(other_version, good), -32020);
  EXPECT_EQ(code_of(no_version, good), -32020);
  EXPECT_EQ(code_of(headers, modern_request("tools/list", {{"_meta", future}})), -32020);
  EXPECT_EQ(code_of(headers, modern_request("tools/list", {{"_meta", no_capabilities}})),
            jsonrpc::invalid_params);
  EXPECT_EQ(code_of(unknown, modern_request("tools/list", {{"_meta", future}})), -32022);
  EXPECT_EQ(code_of({{"mcp-protocol-version", "2020-01-01"}}, bare), -32022);
  EXPECT_EQ(code_of(headers, good), 0);
}

TEST(HttpRules, TextThatIsNoMessageIsRefusedWithTheIdThatCanBeRead) {
  const auto broken = check({}, "{");
  EXPECT_EQ(std::get<Refusal>(broken).message["error"]["code"], jsonrpc::parse_error);
  const auto odd = check({}, R"({"jsonrpc":"2.0","id":5,"method":7})");
  EXPECT_EQ(std::get<Refusal>(odd).message["id"], 5);
}

TEST(HttpRules, HeadersMustRepeatMethodAndName) {
  struct Case {
    const char* method;
    Json params;
    const char* said_method;
    const char* said_name;  // nullptr: no header
    int code;
  };
  const Json greet{{"name", "greet"}}, thing{{"uri", "t://\xc3\xa4"}}, task{{"taskId", "1"}};
  for (const auto& c : {Case{"tools/call", greet, "tools/call", "greet", 0},
                        {"tools/call", greet, "tools/call", "=?base64?Z3JlZXQ=?=", 0},
                        {"tools/call", greet, "tools/call", "=?base64?Z3JlZXQ?=", -32020},
                        {"tools/call", greet, "tools/call", "=?base64?Z3J!ZXQ=?=", -32020},
                        {"tools/call", greet, "tools/call", "Greet", -32020},
                        {"tools/call", greet, "tools/call", nullptr, -32020},
                        {"tools/call", greet, "TOOLS/CALL", "greet", -32020},
                        {"resources/read", thing, "resources/read", "=?base64?dDovL8Ok?=", 0},
                        {"resources/read", thing, "resources/read", "t://a", -32020},
                        {"tasks/get", task, "tasks/get", "1", 0},
                        {"tasks/get", task, "tasks/get", "2", -32020},
                        {"tools/list", Json::object(), "tools/list", nullptr, 0}}) {
    Headers headers = modern_headers(c.said_method);
    if (c.said_name) headers["mcp-name"] = c.said_name;
    EXPECT_EQ(code_of(headers, modern_request(c.method, c.params)), c.code)
        << c.method << " " << c.said_method << " " << (c.said_name ? c.said_name : "none");
  }
}

TEST(HttpRules, AToolMayAskForItsArgumentsInHeaders) {
  Features features = some_features();
  features.tools[0].input_schema = {
      {"type", "object"},
      {"properties",
       {{"region", {{"type", "string"}, {"x-mcp-header", "Region"}}},
        {"count", {{"type", "integer"}, {"x-mcp-header", "Count"}}}}}};
  struct Case {
    Json arguments;
    Headers more;
    bool accepted;
  };
  for (const auto& c :
       {Case{{{"region", "eu"}}, {{"mcp-param-region", "eu"}}, true},
        Case{{{"region", "eu"}}, {{"mcp-param-region", "us"}}, false},
        Case{{{"region", "eu"}}, {}, false},
        Case{Json::object(), {{"mcp-param-region", "eu"}}, false},
        Case{{{"count", 3}}, {{"mcp-param-count", "3"}}, true},
        Case{{{"region", "=?base64?eA=="}}, {{"mcp-param-region", "=?base64?eA=="}}, true},
        Case{Json::object(), {}, true}}) {
    Headers headers = modern_headers("tools/call");
    headers["mcp-name"] = "greet";
    headers.insert(c.more.begin(), c.more.end());
    const Json body = modern_request("tools/call", {{"name", "greet"}, {"arguments", c.arguments}});
    const auto checked = check_post(features, lookup(headers), body.dump());
    EXPECT_EQ(std::holds_alternative<Posted>(checked), c.accepted) << c.arguments;
  }
}

TEST(HttpRules, MirrorsOfARequestAreAccepted) {
  for (const char* name : {"greet", "st\xc3\xa4tus\n", " blank", "=?base64?eA==?=", ""}) {
    const Json request = modern_request("prompts/get", {{"name", name}});
    Headers headers{{"mcp-protocol-version", "2026-07-28"}};
    for (const auto& [key, value] : mirrors_of(request)) {
      headers[key == "Mcp-Name" ? "mcp-name" : "mcp-method"] = value;
      // A header's value must not end the header.
      EXPECT_EQ(value.find('\n'), std::string::npos);
    }
    EXPECT_EQ(code_of(headers, request), 0) << name;
    headers["mcp-name"] = "another";
    EXPECT_EQ(code_of(headers, request), -32020) << name;
  }
  EXPECT_EQ(mirrors_of(modern_request("tools/list")).size(), 1U);
}

TEST(HttpRules, BatchesBelongToOneRevision) {
  const Json ping = jsonrpc::request_message(1, "ping", Json::object());
  const Headers of_march{{"mcp-protocol-version", "2025-03-26"}};
  EXPECT_EQ(code_of(of_march, Json::array({ping, ping})), 0);
  EXPECT_EQ(code_of({}, Json::array({ping})), 0);
  EXPECT_EQ(code_of(of_march, Json::array()), jsonrpc::invalid_request);
  EXPECT_EQ(code_of(of_march, Json::array({ping, 1})), jsonrpc::invalid_request);
  EXPECT_EQ(code_of(of_march, Json::array({modern_request("ping")})), jsonrpc::invalid_request);
  EXPECT_EQ(code_of({{"mcp-protocol-version", "2025-06-18"}}, Json::array({ping})),
            jsonrpc::invalid_request);
}

TEST(HttpRules, MediaTypes) {
  struct Case {
    Headers headers;
    int refused;
    bool stream;
  };
  const std::string json = "application/json", both = "application/json, text/event-stream";
  for (const auto& c :
       {Case{{{"content-type", json}, {"accept", both}}, 0, true},
        Case{{{"content-type", "Application/JSON; charset=utf-8"}}, 0, false},
        Case{{{"content-type", json}, {"accept", "*/*"}}, 0, true},
        Case{{{"content-type", json}, {"accept", json}}, 0, false},
        Case{{{"content-type", json}, {"accept", "text/html"}}, 406, false},
        Case{{{"content-type", "text/plain"}}, 415, false}, Case{Headers{}, 415, false}}) {
    EXPECT_EQ(check_media_types(lookup(c.headers)), c.refused);
    EXPECT_EQ(accepts_event_stream(lookup(c.headers)), c.stream);
  }
}

TEST(HttpRules, StatusesOfAnswers) {
  const auto error = [](int code) { return jsonrpc::error_message(1, {code, "x", {}}); };
  EXPECT_EQ(http_status(Era::modern, jsonrpc::result_message(1, Json::object())), 200);
  EXPECT_EQ(http_status(Era::modern, error(jsonrpc::method_not_found)), 404);
  EXPECT_EQ(http_status(Era::modern, error(-32021)), 400);
  EXPECT_EQ(http_status(Era::modern, error(jsonrpc::invalid_params)), 200);
  EXPECT_EQ(http_status(Era::modern, error(jsonrpc::internal_error)), 200);
  EXPECT_EQ(http_status(Era::legacy, error(jsonrpc::method_not_found)), 200);
}

}  // namespace
}  // namespace protocol::mcp
