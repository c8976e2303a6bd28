#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <variant>
#include <vector>

// Converts structs to and from JSON objects by one list of their fields, so that reading and
// writing cannot drift apart. A struct takes part by specialising `fields`:
//   template <> inline constexpr auto fields<Word> = std::tuple{Field{"word", &Word::word}, …};
namespace protocol::json {

template <class Struct, class Member>
struct Field {
  const char* name;
  Member Struct::*member;
};
template <class Struct, class Member>
Field(const char*, Member Struct::*) -> Field<Struct, Member>;

template <class Struct>
inline constexpr auto fields = std::tuple<>();

// The value of "type" that tells this struct from the others of a variant.
template <class Struct>
inline constexpr const char* type_name = nullptr;

// The names of an enumeration's values, in their order. An enumeration takes part by specialising
// `names`:
//   template <> inline constexpr std::array names<Task> = {"transcribe", "translate"};
template <class Enum>
inline constexpr std::array<const char*, 0> names{};

template <class T>
concept Named = std::is_enum_v<T> &&(names<T>.size() > 0);

template <Named T>
constexpr const char* name_of(T value) {
  return names<T>[static_cast<std::size_t>(value)];
}

// Returns "one of best, openai".
template <Named T>
std::string one_of_names() {
  std::string list = "one of ";
  for (const char* name : names<T>) list += (name == names<T>[0] ? "" : ", ") + std::string(name);
  return list;
}

// A struct whose fields are in a table of its own has, instead of `fields`, the functions
// fields_of(value) and read_fields(reader, json, path, value) beside it.
template <class T>
concept Tabled = requires(const T& value) {
  fields_of(value);
};

template <class T>
concept Object = std::tuple_size_v<std::remove_cvref_t<decltype(fields<T>)>> >
0;

// Objects keep the order of their list; an unset optional and a number that is not finite are null.
template <class T>
nlohmann::ordered_json write(const T& value) {
  return value;
}

template <Named T>
nlohmann::ordered_json write(const T& value) {
  return name_of(value);
}

template <Tabled T>
nlohmann::ordered_json write(const T& value) {
  return fields_of(value);
}

template <std::floating_point T>
nlohmann::ordered_json write(const T& value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json();
}

template <Object T>
nlohmann::ordered_json write(const T& value);

// A struct without fields is no Object, but still one of several.
template <class... Ts>
nlohmann::ordered_json write(const std::variant<Ts...>& value) {
  return std::visit(
      []<class T>(const T& one) {
        nlohmann::ordered_json object{{"type", type_name<T>}};
        if constexpr (Object<T>) object.update(write(one));
        return object;
      },
      value);
}

template <class T>
nlohmann::ordered_json write(const std::optional<T>& value) {
  return value ? write(*value) : nlohmann::ordered_json();
}

template <class T>
nlohmann::ordered_json write(const std::vector<T>& values) {
  auto array = nlohmann::ordered_json::array();
  for (const auto& value : values) array.push_back(write(value));
  return array;
}

template <class T>
nlohmann::ordered_json write(const std::map<std::string, T>& values) {
  auto object = nlohmann::ordered_json::object();
  for (const auto& [name, value] : values) object[name] = write(value);
  return object;
}

template <Object T>
nlohmann::ordered_json write(const T& value) {
  auto object = nlohmann::ordered_json::object();
  std::apply([&](const auto&... f) { ((object[f.name] = write(value.*f.member)), ...); },
             fields<T>);
  return object;
}

// The treatment of a listed field that the JSON does not have.
enum class Missing { is_an_error, keeps_its_default };

// Fills values from JSON and remembers the first field that did not fit, by its path
// ("segment.words[2].start"). Fields that are not listed are ignored.
class Reader {
 public:
  explicit Reader(Missing missing = Missing::is_an_error) : missing_(missing) {}

  bool failed() const { return !problem_.empty(); }
  const std::string& problem() const { return problem_; }

  template <Object T>
  void read(const nlohmann::json& json, const std::string& path, T& value) {
    if (!json.is_object()) return fail(path, "must be an object");
    std::apply([&](const auto&... f) { (read_field(json, path, f.name, value.*f.member), ...); },
               fields<T>);
  }

  template <class T>
  void read(const nlohmann::json& json, const std::string& path, std::vector<T>& values) {
    if (!json.is_array()) return fail(path, "must be an array");
    values.assign(json.size(), T());
    for (std::size_t i = 0; i < values.size() && !failed(); ++i) {
      read(json[i], path + "[" + std::to_string(i) + "]", values[i]);
    }
  }

  template <class T>
  void read(const nlohmann::json& json, const std::string& path, std::map<std::string, T>& values) {
    if (!json.is_object()) return fail(path, "must be an object");
    values.clear();
    for (const auto& [name, value] : json.items()) {
      if (!failed()) read(value, path + "." + name, values[name]);
    }
  }

  template <class T>
  void read(const nlohmann::json& json, const std::string& path, std::optional<T>& value) {
    value.reset();
    if (!json.is_null()) read(json, path, value.emplace());
  }

  // Reads a variant: "type" names the struct.
  template <class... Ts>
  void read(const nlohmann::json& json, const std::string& path, std::variant<Ts...>& value) {
    if (!json.is_object()) return fail(path, "must be an object");
    std::string type;
    read_field(json, path, "type", type);
    const bool is_known = failed() || (read_as<Ts>(json, path, type, value) || ...);
    if (!is_known) fail(path + ".type", "is unknown");
  }

  template <Tabled T>
  void read(const nlohmann::json& json, const std::string& path, T& value) {
    if (!json.is_object()) return fail(path, "must be an object");
    read_fields(*this, json, path, value);
  }

  template <Named T>
  void read(const nlohmann::json& json, const std::string& path, T& value) {
    const auto found =
        std::ranges::find_if(names<T>, [&](const char* name) { return json == name; });
    if (found == names<T>.end()) return fail(path, "must be " + one_of_names<T>());
    value = static_cast<T>(found - names<T>.begin());
  }

  template <std::integral T>
  void read(const nlohmann::json& json, const std::string& path, T& value) {
    if (!json.is_number_integer()) return fail(path, "must be a whole number");
    const bool fits = json.is_number_unsigned()
                          ? std::in_range<T>(json.template get<std::uint64_t>())
                          : std::in_range<T>(json.template get<std::int64_t>());
    if (!fits) return fail(path, "is out of range");
    value = json.template get<T>();
  }

  void read(const nlohmann::json& json, const std::string& path, bool& value);
  void read(const nlohmann::json& json, const std::string& path, double& value);
  void read(const nlohmann::json& json, const std::string& path, std::string& value);

  template <class T>
  void read_field(const nlohmann::json& object, const std::string& path, std::string_view name,
                  T& value) {
    if (failed()) return;
    const std::string inner = (path.empty() ? "" : path + ".") + std::string(name);
    const auto found = object.find(name);
    if (found != object.end()) return read(*found, inner, value);
    if (missing_ == Missing::is_an_error) fail(inner, "is missing");
  }

 private:
  template <class T, class Variant>
  bool read_as(const nlohmann::json& json, const std::string& path, std::string_view type,
               Variant& value) {
    if (type != type_name<T>) return false;
    T& one = value.template emplace<T>();
    if constexpr (Object<T>) read(json, path, one);
    return true;
  }

  void fail(const std::string& path, std::string_view what);

  Missing missing_;
  std::string problem_;
};

}  // namespace protocol::json
