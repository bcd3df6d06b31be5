#include <no/such/jni.h>
static cl_command_queue queue;
static cl_kernel kernel;
extern "C" JNIEXPORT void JNICALL
Java_org_example_Filter_run(
    JNIEnv *env,
    jobject self,
    jint count) {
  size_t n = count;
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &n, NULL, 0, NULL, NULL);
}
