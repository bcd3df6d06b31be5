// RUN: %{python} %{expect} %s
#define SIZE(X, Y) __attribute__((reqd_work_group_size(X, Y, 1)))

__kernel SIZE(7, 1) void prime(__global float4 *x) { x[get_global_id(0)] *= 2.0f; } // HIT: work-groups of 7 work-items
__kernel SIZE(2, 1) void two(__global float4 *x) { x[get_global_id(0)] *= 2.0f; } // HIT: lanes are idle
__kernel SIZE(32, 32) void large(__global float4 *x) { x[get_global_id(0)] *= 2.0f; } // HIT: so the launch fails
__kernel SIZE(20, 1) void twenty(__global float4 *x) { x[get_global_id(0)] *= 2.0f; } // HIT(powervr-rogue): no multiple of 32
__kernel SIZE(8, 1) void eight(__global float4 *x) { x[get_global_id(0)] *= 2.0f; } // HIT(powervr-rogue): 32 and its multiples
__kernel SIZE(21, 24) void middle(__global float4 *x) { x[get_global_id(0)] *= 2.0f; } // HIT(mali-midgard,mali-bifrost,powervr-rogue): work-groups of 504

__kernel SIZE(64, 1) void row(__global float4 *x) { x[get_global_id(0)] *= 2.0f; } // miss: a multiple of 32
__kernel SIZE(16, 16) void square(__global float4 *x) { x[get_global_id(0)] *= 2.0f; } // miss: 256
__kernel SIZE(32, 1) void task(__global float4 *x) { x[get_global_id(0)] *= 2.0f; } // miss: one task
__kernel SIZE(4, 8) void flat(__global float4 *x) { x[get_global_id(0)] *= 2.0f; } // miss: the product counts
__kernel void none(__global float4 *x) { x[get_global_id(0)] *= 2.0f; } // miss: no attribute
__kernel __attribute__((work_group_size_hint(7, 1, 1)))
void hint(__global float4 *x) { x[get_global_id(0)] *= 2.0f; } // miss: a hint requires nothing
