// This program does nothing; tests read the search path in its header.
int main() {}
