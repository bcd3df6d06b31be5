#pragma once
#define NAIVE 1
#define TILED (1 << 1)
#define METHOD 1
#define EDGE 3.0f
