#include "server/web/page_files.h"

namespace server::web {

PageFiles page_files() {
  return {};
}

}  // namespace server::web
