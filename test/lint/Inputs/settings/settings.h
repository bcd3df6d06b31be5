// Which kernel is built, and how large it is.
#define KIND 2
#define WIDTH 8
