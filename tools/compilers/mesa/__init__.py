"""Compiled figures of OpenCL kernels by Mesa's compilers. See ../README.md."""
