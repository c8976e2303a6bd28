#pragma once

#include <string>

#include "tests/server/api/fake_exchange.h"

// These functions make multipart forms as clients send them.
namespace server::test {

inline std::string form_part(const std::string& disposition, const std::string& value) {
  return "--b\r\nContent-Disposition: form-data; " + disposition + "\r\n\r\n" + value + "\r\n";
}

inline std::string form_field(const std::string& name, const std::string& value) {
  return form_part("name=\"" + name + "\"", value);
}

inline std::string form_file(const std::string& bytes, const std::string& name = "talk.mp3") {
  return form_part("name=\"file\"; filename=\"" + name + "\"", bytes);
}

inline FakeExchange form_request(const std::string& path, const std::string& parts) {
  FakeExchange exchange(http::verb::post, path);
  exchange.fields.set(http::field::content_type, "multipart/form-data; boundary=b");
  exchange.body = parts + "--b--\r\n";
  return exchange;
}

}  // namespace server::test
