% if not use_double:
typedef float real_t;
% elif use_double and 1:
typedef double real_t;
% endif
__attribute__((reqd_work_group_size(${sizes[0]}, 1, 1)))
__kernel void lines(__global real_t *l) {
% for i in range(3):
  l[get_global_id(0)] = ${i};
% endfor
}
