int lowest(int x) { return x & -x; }
int lower(int x) { return x & 1; }
