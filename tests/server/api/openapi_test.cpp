#include "server/api/openapi.h"

#include <gtest/gtest.h>

#include <set>

#include "server/api/job_json.h"
#include "server/api/transcription_form.h"
#include "server/models/model_report.h"

namespace server {
namespace {

using Json = nlohmann::ordered_json;

Json operation_at(const char* path, const char* method) {
  return openapi_document(routes())["paths"][path][method];
}

Json form_properties(const char* path) {
  const Json body = operation_at(path, "post")["requestBody"];
  return body["content"]["multipart/form-data"]["schema"]["properties"];
}

TEST(OpenApi, DescribesEveryRouteOnce) {
  const auto document = openapi_document(routes());
  std::size_t described = 0;
  for (const auto& [path, methods] : document["paths"].items()) described += methods.size();
  EXPECT_EQ(described, routes().size());
  for (const auto& route : routes()) {
    std::string method(http::to_string(route.method));
    for (char& c : method) c |= 0x20;
    const auto& operation = document["paths"][std::string(route.path)][method];
    EXPECT_EQ(operation["summary"], route.summary) << route.path;
    EXPECT_EQ(operation["security"].empty(), route.access == Access::open) << route.path;
  }
}

TEST(OpenApi, NamesWhatStandsForThePlaceholderOfAPath) {
  for (const auto& route : routes()) {
    std::string method(http::to_string(route.method));
    for (char& c : method) c |= 0x20;
    std::set<std::string> in_path;
    const Json operation = operation_at(std::string(route.path).c_str(), method.c_str());
    for (const auto& parameter : operation.value("parameters", Json::array())) {
      if (parameter["in"] == "path") in_path.insert(parameter["name"].get<std::string>());
    }
    const auto names = placeholders_of(route.path);
    EXPECT_EQ(in_path, std::set<std::string>(names.begin(), names.end())) << route.path;
  }
}

// A form with a field that is described but not read would be refused.
TEST(OpenApi, DescribesNoFieldOfAFormThatWouldNotBeRead) {
  struct Case {
    const char* path;
    FormKind kind;
  };
  for (const auto& c :
       {Case{"/v1/audio/transcriptions", FormKind::transcription},
        Case{"/v1/audio/translations", FormKind::translation}, Case{"/v1/jobs", FormKind::job}}) {
    const Json properties = form_properties(c.path);
    EXPECT_GT(properties.size(), 10U);
    for (const auto& [name, schema] : properties.items()) {
      if (name == "file") continue;
      const auto form = read_form({{name, "x"}}, c.kind);
      const std::string message = form ? "" : form.error().error.message;
      EXPECT_EQ(message.find("There is no parameter"), message.npos) << c.path << ": " << message;
    }
  }
}

TEST(OpenApi, DescribesThoseFieldsThatEachKindOfFormHas) {
  const Json transcription = form_properties("/v1/audio/transcriptions");
  const Json translation = form_properties("/v1/audio/translations");
  const Json job = form_properties("/v1/jobs");
  EXPECT_TRUE(transcription.contains("stream"));
  EXPECT_FALSE(translation.contains("stream"));
  EXPECT_FALSE(job.contains("stream"));
  EXPECT_TRUE(translation.contains("language")) << "the one that is spoken";
  EXPECT_FALSE(transcription.contains("webhook_url"));
  EXPECT_TRUE(job.contains("webhook_url"));
  EXPECT_FALSE(job.contains("response_format"));
}

TEST(OpenApi, TheSchemaOfAJobHasTheFieldsOfAJob) {
  const Json properties = openapi_document(routes())["components"]["schemas"]["Job"]["properties"];
  const Json job = api::job_body({});
  std::set<std::string> described, given{"matches"};  // which jobs in the answer of a search have
  for (const auto& [name, schema] : properties.items()) described.insert(name);
  for (const auto& [name, value] : job.items()) given.insert(name);
  EXPECT_EQ(described, given);
}

std::set<std::string> keys_of(const Json& object) {
  std::set<std::string> keys;
  for (const auto& [name, value] : object.items()) keys.insert(name);
  return keys;
}

TEST(OpenApi, TheSchemasOfAModelsReportHaveItsFields) {
  const Json schemas = openapi_document(routes())["components"]["schemas"];
  const auto described = [&](const char* schema) { return keys_of(schemas[schema]["properties"]); };
  ModelReport report{.left_out = {{"a", "b"}}, .memory = {{"cpu", "int8", 1}}};
  report.plan.model.emplace();
  report.plan.adapter.emplace();
  report.plan.refusal.emplace();
  report.plan.files = {"a"};
  const Json given = report_json(report);
  auto fields = keys_of(given);
  fields.insert("id");
  EXPECT_EQ(described("ModelReport"), fields);
  EXPECT_EQ(described("ModelFacts"), keys_of(given["model"]));
  EXPECT_EQ(described("AlignmentHeads"), keys_of(given["model"]["alignment_heads"]));
  EXPECT_EQ(described("AdapterFacts"), keys_of(given["adapter"]));
  EXPECT_EQ(described("Refusal"), keys_of(given["refusal"]));
  EXPECT_EQ(described("ModelFile"), keys_of(given["files"][0]));
  EXPECT_EQ(described("LeftOutFile"), keys_of(given["left_out"][0]));
  EXPECT_EQ(described("MemoryOfType"), keys_of(given["memory"][0]));
}

TEST(OpenApi, EveryOperationHasAnIdOfItsOwnAndAnswers) {
  std::set<std::string_view> ids;
  for (const auto& route : routes()) {
    EXPECT_TRUE(ids.insert(route.operation).second) << route.operation;
    std::string method(http::to_string(route.method));
    for (char& c : method) c |= 0x20;
    const Json operation = operation_at(std::string(route.path).c_str(), method.c_str());
    EXPECT_EQ(operation["operationId"], route.operation);
    const bool is_offered = route.summary != "Not offered: 405";
    EXPECT_EQ(operation["responses"].size() > 1, is_offered) << route.operation;
  }
}

void check_references(const Json& part, const Json& schemas) {
  if (part.is_object() && part.contains("$ref")) {
    const std::string path = part["$ref"];
    EXPECT_TRUE(schemas.contains(path.substr(path.rfind('/') + 1))) << path;
  }
  if (!part.is_structured()) return;
  for (const auto& inner : part) check_references(inner, schemas);
}

TEST(OpenApi, ReferencesLeadToSchemas) {
  const Json document = openapi_document(routes());
  check_references(document, document["components"]["schemas"]);
}

TEST(OpenApi, SchemasRequireOnlyWhatTheyHave) {
  const Json document = openapi_document(routes());
  for (const auto& [name, schema] : document["components"]["schemas"].items()) {
    for (const auto& required : schema.value("required", Json::array())) {
      EXPECT_TRUE(schema["properties"].contains(required.get<std::string>())) << name << required;
    }
  }
  const Json& job = document["components"]["schemas"]["Job"];
  EXPECT_EQ(job["required"].size() + 1, job["properties"].size()) << "all but matches";
}

TEST(OpenApi, TellsWhichRightARouteNeeds) {
  EXPECT_EQ(operation_at("/v1/jobs", "get")["x-right"], "transcribe");
  EXPECT_EQ(operation_at("/v1/status", "get")["x-right"], "read_status");
  EXPECT_EQ(operation_at("/v1/models/{model}/load", "post")["x-right"], "manage");
  EXPECT_FALSE(operation_at("/livez", "get").contains("x-right"));
}

}  // namespace
}  // namespace server
