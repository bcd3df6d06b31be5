//===- Worker.cpp -----------------------------------------------------------------------------===//

#include "tools/layer/Worker.h"
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <deque>
#include <thread>
#include <unistd.h>

namespace clmali::layer {
namespace {

struct Item {
  cl_event Event;
  std::function<void(cl_int)> Work;
  cl_int Status = CL_COMPLETE;
};

class Worker {
public:
  static Worker &get() {
    static auto *W = new Worker; // never destroyed: callbacks may come at the end of the program
    return *W;
  }

  bool add(cl_event Event, std::function<void(cl_int)> Work) {
    if (getpid() != Process) { // after a fork there is no thread
      Next->clReleaseEvent(Event);
      return false;
    }
    auto *I = new Item{Event, std::move(Work)};
    ++Open;
    if (Next->clSetEventCallback(Event, CL_COMPLETE, onEvent, I) == CL_SUCCESS)
      return true;
    --Open;
    Next->clReleaseEvent(Event);
    delete I;
    return false;
  }

  bool drain(unsigned Milliseconds) {
    if (getpid() != Process)
      return true;
    std::unique_lock<std::mutex> Guard(Lock);
    return Idle.wait_for(Guard, std::chrono::milliseconds(Milliseconds), [this] { return !Open; });
  }

private:
  Worker() : Process(getpid()) {
    // Signals of the program are for its own threads.
    sigset_t All, Before;
    sigfillset(&All);
    pthread_sigmask(SIG_SETMASK, &All, &Before);
    std::thread([this] { run(); }).detach();
    pthread_sigmask(SIG_SETMASK, &Before, nullptr);
  }

  static void CL_CALLBACK onEvent(cl_event, cl_int Status, void *User) {
    auto *I = static_cast<Item *>(User);
    I->Status = Status;
    Worker &W = get();
    std::lock_guard<std::mutex> Guard(W.Lock);
    W.Ready.push_back(I);
    W.Wake.notify_one();
  }

  void run() {
    for (;;) {
      Item *I;
      {
        std::unique_lock<std::mutex> Guard(Lock);
        Wake.wait(Guard, [this] { return !Ready.empty(); });
        I = Ready.front();
        Ready.pop_front();
      }
      I->Work(I->Status);
      Next->clReleaseEvent(I->Event);
      delete I;
      std::lock_guard<std::mutex> Guard(Lock);
      if (--Open == 0)
        Idle.notify_all();
    }
  }

  const pid_t Process;
  std::mutex Lock;
  std::condition_variable Wake, Idle;
  std::deque<Item *> Ready;
  std::atomic<unsigned long> Open{0};
};

} // namespace

bool whenDone(cl_event Event, std::function<void(cl_int)> Work) {
  return Worker::get().add(Event, std::move(Work));
}

bool drain(unsigned Milliseconds) { return Worker::get().drain(Milliseconds); }

} // namespace clmali::layer
