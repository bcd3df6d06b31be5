#define NAMED(name, type) name##type
