#include "server/mcp/tools/tool.h"

#include "server/store/data_folder.h"
#include "server/store/model_store.h"

namespace server {

mcp::Outcome refusal(const Error& error) {
  return mcp::tool_error(error.fix.empty() ? error.message : error.message + "\n" + error.fix);
}

Result<std::string> model_named(const Services& services, const std::string& wanted) {
  if (wanted.empty() || wanted == services.default_model) return services.default_model;
  const auto installed = ModelStore(models_folder()).find(wanted);
  if (installed) return installed->manifest.name;
  const auto& error = installed.error();
  return Error{name(error.code), error.message, "Call list_models to see which are installed."};
}

}  // namespace server
