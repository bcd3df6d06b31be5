#!/usr/bin/env python3
"""Converts pictures with OpenCV, whose kernels run on an OpenCL device: a program to record and to inject into.

    photo.py [WIDTHxHEIGHT | PICTURE]...     default: 1920x1080

A size stands for a picture of that size with random bytes. For each picture, the size and a checksum of all results are
printed: the same on the same device, however the kernels were made. It needs python3-opencv and an OpenCL device
(apt install python3-opencv pocl-opencl-icd)."""
import hashlib
import re
import sys


def picture(name):
    size = re.fullmatch(r"(\d+)x(\d+)", name)
    if size:
        width, height = map(int, size.groups())
        return np.random.RandomState(1).randint(0, 256, (height, width, 3), np.uint8)
    read = cv2.imread(name, cv2.IMREAD_COLOR)
    if read is None:
        sys.exit(f"photo.py: '{name}' is neither a size such as 640x480 nor a picture that OpenCV reads")
    return read


def converted(image):
    """Results of filters that OpenCV has OpenCL kernels for."""
    height, width = image.shape[:2]
    colour = cv2.UMat(image)
    grey = cv2.cvtColor(colour, cv2.COLOR_BGR2GRAY)
    yield grey
    yield cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR)
    yield cv2.medianBlur(grey, 3)
    yield cv2.GaussianBlur(grey, (5, 5), 1.2)
    yield cv2.threshold(grey, 127, 255, cv2.THRESH_BINARY)[1]
    yield cv2.resize(colour, (width // 2 + 1, height // 2 + 1))
    yield cv2.dilate(grey, None)
    yield cv2.warpAffine(grey, np.float32([[1, .1, 2], [-.1, 1, 3]]), (width, height))


if any(a in ("-h", "--help") for a in sys.argv[1:]):
    sys.exit(print(__doc__))
try:
    import cv2
    import numpy as np
except ImportError as missing:
    sys.exit(f"photo.py: {missing}; apt install python3-opencv")
cv2.ocl.setUseOpenCL(True)
if not cv2.ocl.useOpenCL():
    sys.exit("photo.py: OpenCV found no OpenCL device; on a processor, set OPENCV_OPENCL_DEVICE=:CPU:")
for given in sys.argv[1:] or ["1920x1080"]:
    image, total = picture(given), hashlib.sha256()
    for result in converted(image):
        total.update(result.get().tobytes())
    print(image.shape[1], image.shape[0], total.hexdigest()[:16])
