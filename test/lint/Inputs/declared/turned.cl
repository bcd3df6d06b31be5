float turned(__global int *by) { return missing_here[by[0]]; }
