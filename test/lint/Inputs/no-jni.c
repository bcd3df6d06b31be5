#include <jni.h>
#include <CL/cl.h>
static cl_command_queue queue;
static cl_kernel kernel;
JNIEXPORT jint JNICALL Java_Filter_run(JNIEnv *env, jobject self, jbyteArray pixels, jint count) {
  jbyte *from = (*env)->GetByteArrayElements(env, pixels, NULL);
  size_t n = (*env)->GetArrayLength(env, pixels);
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &n, NULL, 0, NULL, NULL);
  (*env)->ReleaseByteArrayElements(env, pixels, from, JNI_ABORT);
  return JNI_OK;
}
