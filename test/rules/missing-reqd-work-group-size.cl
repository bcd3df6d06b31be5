// RUN: %{python} %{expect} %s

__kernel void plain(__global float4 *data) { // HIT(powervr-rogue): not known at compile time
  data[get_global_id(0)] *= 2.0f;
}

__kernel __attribute__((work_group_size_hint(64, 1, 1)))
void hint(__global float4 *data) { // HIT(powervr-rogue): not known at compile time
  data[get_global_id(0)] *= 2.0f;
}

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void pinned(__global float4 *data) { // miss: the attribute is there
  data[get_global_id(0)] *= 2.0f;
}

#define GROUP __attribute__((reqd_work_group_size(8, 8, 1)))
__kernel GROUP void macro(__global float4 *data) { // miss: the attribute comes from a macro
  data[get_global_id(0)] *= 2.0f;
}

float4 helper(float4 v) { return v * 2.0f; } // miss: no kernel

__kernel void waits(__global float *data, __local float *part) { // HIT: not known at compile time
  part[get_local_id(0)] = data[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  data[get_global_id(0)] = part[get_local_size(0) - 1 - get_local_id(0)];
}

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void pinned_waits(__global float *data, __local float *part) { // miss: the attribute is there
  part[get_local_id(0)] = data[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  data[get_global_id(0)] = part[get_local_size(0) - 1 - get_local_id(0)];
}

__kernel void one_each(__global float *data) { // HIT: not known at compile time
  data[get_global_id(0)] *= 2.0f;
}

__kernel void four_each(__global float *data) { // HIT(powervr-rogue): not known at compile time
  vstore4(vload4(get_global_id(0), data) * 2.0f, get_global_id(0), data);
}

__kernel void pixel_each(__read_only image2d_t in, __write_only image2d_t out) { // HIT(powervr-rogue): not known at compile time
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(out, at, read_imagef(in, at) * 2.0f);
}

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void pinned_each(__global float *data) { // miss: the attribute is there
  data[get_global_id(0)] *= 2.0f;
}

__kernel __attribute__((vec_type_hint(float), reqd_work_group_size(8, 8, 1)))
void pinned_list(__global float *data) { // miss: the attribute is there, in a list
  data[get_global_id(0)] *= 2.0f;
}

__attribute__((reqd_work_group_size(64, 1, 1))) __kernel
void pinned_before(__global float *data) { // miss: the attribute precedes the keyword kernel
  data[get_global_id(0)] *= 2.0f;
}
