// ${not} a place
#define TEXT "@N@"
void f(${TYPE} x) {
  return y;
}
