#include <no/such/jni.h>
#include <CL/opencl.hpp>
static cl::CommandQueue queue;
static cl::Kernel kernel;
JNIEXPORT jboolean JNICALL Java_Scale_start(JNIEnv *env, jclass, jstring source) {
  kernel = cl::Kernel(cl::Program(), "scale");
  return true;
}
JNIEXPORT void JNICALL Java_Scale_run(JNIEnv *env, jobject self, jint n) {
  queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(n));
}
LIBRARY_API int scale(int n) { return queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(n)); }
