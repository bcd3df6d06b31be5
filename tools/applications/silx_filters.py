"""Median filter, convolution, histogram and back projection of silx on a picture of fixed values."""
import numpy as np
from silx.opencl.backprojection import Backprojection
from silx.opencl.convolution import Convolution
from silx.opencl.medfilt import MedianFilter2D

picture = (np.arange(320 * 240) * 7919 % 1009).astype(np.float32).reshape(240, 320)
median = MedianFilter2D(picture.shape, kernel_size=(3, 3))
print("median", float(median.medfilt2d(picture).astype(np.float64).sum()))
for kernel in (np.ones(5, np.float32), np.outer(np.arange(1, 4), np.arange(1, 4)).astype(np.float32)):
    convolution = Convolution(picture.shape, kernel)
    print("convolution", kernel.shape, "%.6e" % float(convolution(picture).astype(np.float64).sum()))
sinogram = picture[:90, :128].copy()
print("projection", "%.5e" % float(Backprojection(sinogram.shape).filtered_backprojection(sinogram).astype(np.float64).sum()))
