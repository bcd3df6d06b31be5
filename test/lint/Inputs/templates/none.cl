void f(int x) {
  int y[2][2] = {{x}, {x}};
  return z % x + $;
}
