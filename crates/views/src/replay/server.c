// The fork server: one process that is ready to run the program forks a child for every run that the engine asks for, so that
// loading, linking and setting up the sanitizer are paid for once. `crates/run/src/server.rs` is the other side.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define VARIABLE "PROVOKE_SERVER"

// Runs of one process, after which what they leave behind has become too much.
#define MOST_RUNS 1000

struct request {
  // How long the run may take.
  uint32_t milliseconds;
  // Whether the process may be one that did runs before.
  uint32_t may_be_used;
};

struct answer {
  int32_t status;
  // Whether we killed the child because it took too long.
  int32_t timed_out;
  int64_t peak_kilobytes;
};

enum hello { REFUSED, READY };

extern void __provoke_begin_run(void);
extern void __provoke_get_ready(void);

// In a child: whether it is asked for more than one run.
static int may_go_on;

// For programs that can do more than one run: stops until there is another input. Returns whether there is one.
int __provoke_again(void) {
  static int runs;
  if (!may_go_on || ++runs >= MOST_RUNS)
    return 0;
  raise(SIGSTOP);
  __provoke_begin_run();
  return 1;
}

static int waits_for_more(int status) { return WIFSTOPPED(status) && WSTOPSIG(status) == SIGSTOP; }

// A fork has one thread, so a program whose libraries have started more would miss them.
static int has_threads(void) {
  struct stat tasks;
  return stat("/proc/self/task", &tasks) != 0 || tasks.st_nlink != 3;
}

// Forks without the handlers that libraries have for it: AddressSanitizer's go through megabytes of locks, and copy them in every
// child. There is one thread here, which holds none.
__attribute__((weak)) extern pid_t _Fork(void);

static pid_t fork_child(void) { return _Fork ? _Fork() : fork(); }

// Kills every child of this process; all that the run left behind have become its children.
static void kill_children(void) {
  char buffer[4096];
  int file = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return;
  pid_t process = 0;
  for (ssize_t count; (count = read(file, buffer, sizeof buffer)) > 0;) {
    for (ssize_t i = 0; i < count; i++) {
      if (buffer[i] >= '0' && buffer[i] <= '9') {
        process = process * 10 + (buffer[i] - '0');
      } else if (process > 0) {
        kill(process, SIGKILL);
        process = 0;
      }
    }
  }
  close(file);
}

static struct timespec now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time;
}

// Waits for the child, whose end is told by a signal that is blocked. Returns whether it is known how it ended.
static int wait_for(pid_t child, const struct request *request, struct answer *answer) {
  *answer = (struct answer){0, 0, 0};
  struct rusage usage;
  struct timespec start = now();
  sigset_t ended;
  sigemptyset(&ended);
  sigaddset(&ended, SIGCHLD);
  int stops = request->may_be_used ? WUNTRACED : 0;
  for (pid_t gone; (gone = wait4(child, &answer->status, answer->timed_out ? 0 : WNOHANG | stops, &usage)) != child;) {
    if (gone < 0 && errno == ECHILD)
      return 0;
    struct timespec time = now();
    int64_t passed = (time.tv_sec - start.tv_sec) * 1000000000ll + time.tv_nsec - start.tv_nsec;
    int64_t left = request->milliseconds * 1000000ll - passed;
    if (left <= 0) {
      kill(child, SIGKILL);
      answer->timed_out = 1;
    } else {
      struct timespec rest = {left / 1000000000, left % 1000000000};
      sigtimedwait(&ended, NULL, &rest);
    }
  }
  answer->peak_kilobytes = usage.ru_maxrss;
  if (waits_for_more(answer->status))
    return 1;
  // Each round may find new ones: children of those that the last round killed.
  struct timespec pause = {0, 1000000};
  for (pid_t other; (other = waitpid(-1, NULL, WNOHANG)) >= 0;) {
    kill_children();
    if (other == 0)
      nanosleep(&pause, NULL);
  }
  return 1;
}

// Returns 1 in every child, or 0 where nobody asks for a server.
__attribute__((visibility("hidden"))) int __provoke_serve(void) {
  const char *channels = getenv(VARIABLE);
  if (!channels)
    return 0;
  char *rest;
  int requests = (int)strtol(channels, &rest, 10);
  int answers = *rest ? (int)strtol(rest + 1, NULL, 10) : -1;
  unsetenv(VARIABLE);
  uint32_t hello = has_threads() ? REFUSED : READY;
  if (hello == READY)
    __provoke_get_ready();
  if (write(answers, &hello, sizeof hello) != sizeof hello || hello == REFUSED)
    _exit(0);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  sigset_t ended, before;
  sigemptyset(&ended);
  sigaddset(&ended, SIGCHLD);
  sigprocmask(SIG_BLOCK, &ended, &before);
  // Whoever started us may have said that nobody waits for children; then nobody would be told how they end.
  struct sigaction told = {.sa_handler = SIG_DFL}, told_before;
  sigaction(SIGCHLD, &told, &told_before);
  // The child that waits for another input.
  pid_t used = 0;
  for (struct request request; read(requests, &request, sizeof request) == sizeof request;) {
    // The position in a file is shared with whoever reads from it.
    lseek(STDIN_FILENO, 0, SEEK_SET);
    if (used && !request.may_be_used) {
      kill(used, SIGKILL);
      waitpid(used, NULL, 0);
      used = 0;
    }
    pid_t child = used;
    if (child)
      kill(child, SIGCONT);
    else
      child = fork_child();
    if (child == 0) {
      may_go_on = request.may_be_used != 0;
      close(requests);
      close(answers);
      // Its own group, so that a signal to all of it does not reach us; our session, by which what it leaves behind is found
      // when nobody of us is left.
      setpgid(0, 0);
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      sigaction(SIGCHLD, &told_before, NULL);
      sigprocmask(SIG_SETMASK, &before, NULL);
      return 1;
    }
    if (child < 0)
      break;
    struct answer answer;
    if (!wait_for(child, &request, &answer))
      break;
    used = waits_for_more(answer.status) ? child : 0;
    if (used)
      answer.status = 0;
    if (write(answers, &answer, sizeof answer) != sizeof answer)
      break;
  }
  _exit(0);
}
