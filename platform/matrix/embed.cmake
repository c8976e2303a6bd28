# INPUT becomes OUTPUT, a C++ source with the bytes of the file: a string literal of this length is
# more than some compilers take.
file(READ "${INPUT}" hex HEX)
string(REGEX REPLACE "(................................)" "\\1\n" hex "${hex}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
file(WRITE "${OUTPUT}" "#include \"platform/matrix/compat_matrix_bytes.h\"

namespace platform {
namespace {

constexpr unsigned char bytes[] = {
${bytes}};

}  // namespace

std::string_view compat_matrix_text() {
  return {reinterpret_cast<const char*>(bytes), sizeof bytes};
}

}  // namespace platform
")
