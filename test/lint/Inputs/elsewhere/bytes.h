uchar half_of(uchar v) { return (v * v + 3 * v) >> 1; }
