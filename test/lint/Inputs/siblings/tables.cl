// The string that a host prepends.
R"(
constant uint words[4] = {1u, 2u, 3u, 4u};
)"
