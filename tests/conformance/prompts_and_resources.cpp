#include <utility>

#include "tests/conformance/fixture.h"

namespace conformance {
namespace {

Json user(Json content) {
  return {{"role", "user"}, {"content", std::move(content)}};
}
Json text(std::string said) {
  return {{"type", "text"}, {"text", std::move(said)}};
}
mcp::Outcome messages(Json list) {
  return mcp::Outcome(Json{{"messages", std::move(list)}});
}
mcp::Outcome contents(Json item) {
  return mcp::Outcome(Json{{"contents", Json::array({std::move(item)})}});
}

Json with_resource(const std::string& uri) {
  const Json resource{
      {"uri", uri}, {"mimeType", "text/plain"}, {"text", "Embedded resource content for testing."}};
  return Json::array({user({{"type", "resource"}, {"resource", resource}}),
                      user(text("Please process the embedded resource above."))});
}

}  // namespace

void add_prompts_and_resources(mcp::Features& features) {
  features.prompts = {
      {.name = "test_simple_prompt", .description = "One message"},
      {.name = "test_prompt_with_arguments",
       .description = "A message with arguments",
       .arguments = {{"arg1", "First test argument", true},
                     {"arg2", "Second test argument", true}}},
      {.name = "test_prompt_with_embedded_resource",
       .description = "A message with a resource",
       .arguments = {{"resourceUri", "URI of the resource to embed", true}}},
      {.name = "test_prompt_with_image", .description = "A message with an image"},
      {.name = "test_input_required_result_prompt", .description = "Asks for more input"}};
  features.resource_templates = {{.uri_template = "test://template/{id}/data",
                                  .name = "template",
                                  .description = "Data for an id",
                                  .mime_type = "application/json"}};
}

mcp::Outcome get_prompt(const mcp::GetPrompt& asked) {
  const auto argument = [&](const char* name) { return asked.arguments.value(name, ""); };
  if (asked.name == "test_simple_prompt") {
    return messages(Json::array({user(text("This is a simple prompt for testing."))}));
  }
  if (asked.name == "test_prompt_with_arguments") {
    return messages(Json::array({user(text("Prompt with arguments: arg1='" + argument("arg1") +
                                           "', arg2='" + argument("arg2") + "'"))}));
  }
  if (asked.name == "test_prompt_with_embedded_resource") {
    return messages(with_resource(argument("resourceUri")));
  }
  if (asked.name == "test_prompt_with_image") {
    return messages(
        Json::array({user({{"type", "image"}, {"data", png()}, {"mimeType", "image/png"}}),
                     user(text("Please analyze the image above."))}));
  }
  if (!has_answers(asked.input_responses, input_of_prompt())) {
    return mcp::InputRequired{input_of_prompt(), ""};
  }
  return messages(Json::array({user(text("With context: " + asked.input_responses.dump()))}));
}

mcp::Outcome list_resources() {
  const Json resources = Json::array(
      {{{"uri", "test://static-text"}, {"name", "text"}, {"mimeType", "text/plain"}},
       {{"uri", "test://static-binary"}, {"name", "binary"}, {"mimeType", "image/png"}},
       {{"uri", "test://watched-resource"}, {"name", "watched"}, {"mimeType", "text/plain"}}});
  return mcp::Outcome(Json{{"resources", resources}});
}

mcp::Outcome read_resource(const std::string& uri, mcp::Era era) {
  if (uri == "test://static-text" || uri == "test://watched-resource") {
    return contents({{"uri", uri},
                     {"mimeType", "text/plain"},
                     {"text", "This is the content of the static text resource."}});
  }
  if (uri == "test://static-binary") {
    return contents({{"uri", uri}, {"mimeType", "image/png"}, {"blob", png()}});
  }
  const std::string begin = "test://template/", end = "/data";
  if (uri.starts_with(begin) && uri.ends_with(end) && uri.size() > begin.size() + end.size()) {
    const std::string id = uri.substr(begin.size(), uri.size() - begin.size() - end.size());
    const Json data{{"id", id}, {"templateTest", true}, {"data", "Data for ID: " + id}};
    return contents({{"uri", uri}, {"mimeType", "application/json"}, {"text", data.dump()}});
  }
  return mcp::unknown_resource(uri, era);
}

}  // namespace conformance
