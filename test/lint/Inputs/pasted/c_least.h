int least_of(int x) { return least(x) * 2; }
