// A program of which only the search path in its header matters.
int main() {}
