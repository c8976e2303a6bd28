// Compiles what all tests begin with, once.
