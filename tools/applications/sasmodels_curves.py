"""Scattering curves of sasmodels with its OpenCL kernels."""
import numpy as np
from sasmodels.core import load_model
from sasmodels.direct_model import call_kernel

q = np.logspace(-3, -1, 256)
for name, values in (("sphere", {"radius": 60, "radius_pd": 0.1, "radius_pd_n": 35}), ("cylinder", {"radius": 20, "length": 300}),
                     ("lamellar", {"thickness": 40})):
    kernel = load_model(name, dtype="single", platform="ocl").make_kernel([q])
    print(name, "%.4e" % float(np.sum(call_kernel(kernel, {"scale": 1, "background": 0.001, **values}))))
