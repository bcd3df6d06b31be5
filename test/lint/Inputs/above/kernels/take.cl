static float take(__global const matrix_t *m, int i) { return m->scale * i; }
