// Nothing says what Text is; the types of the kernels are the program's.
template <typename Text> void scale(Text &source, const char *type, bool twice) {
  source.append("__kernel void scale(__global "); source.append(type); source.append(" *m) {\n");
  source.append("  m[get_global_id(0)] *= 2;\n");
  if (twice)
    source.append("  m[get_global_id(0)] += 1;\n");
  source.append("}\n");
}

template <typename T> struct Writer {
  void write(int n) {
    Stream s;
    s << "__kernel void sum(__global float *v) {" << endl;
    for (int i = 0; i < n; ++i) {
      s << "  v[get_global_id(0)] += " << i << ";" << endl;
    }
    s << "}" << endl;
    log << "the kernel (" << n << ") { is made }" << endl;
  }
};
