"""Azimuthal integration of pyFAI with its OpenCL methods: sparse rows, look-up table, histogram."""
import numpy as np
from pyFAI.azimuthalIntegrator import AzimuthalIntegrator
from pyFAI.detectors import Detector

shape = (512, 512)
picture = (np.arange(shape[0] * shape[1]) * 7919 % 10007).astype(np.float32).reshape(shape)
detector = Detector(pixel1=1e-4, pixel2=1e-4, max_shape=shape)
integrator = AzimuthalIntegrator(dist=0.1, poni1=0.0256, poni2=0.0256, detector=detector, wavelength=1e-10)
for algorithm in ("csr", "lut", "histogram"):
    result = integrator.integrate1d_ng(picture, 200, unit="2th_deg", method=("no", algorithm, "opencl"), polarization_factor=0.9)
    print(algorithm, "%.4e" % float(np.nansum(result.intensity.astype(np.float64))))
