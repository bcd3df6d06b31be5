int least(int x) { return lower(x) + 1; }
