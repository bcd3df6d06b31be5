inline int part(int v, int n) { return v / n; }
