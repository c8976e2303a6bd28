// A library that is none of scribed's.
extern "C" int scribed_nothing() {
  return 0;
}
