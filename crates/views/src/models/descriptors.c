// What descriptors are told to do.
// Modelled: summary

#include "model.h"
#include <fcntl.h>

extern int real_fcntl(int, int, ...) REAL(fcntl);

// A descriptor is another file now.
extern void __provoke_x_provoke_redirected(int descriptor);

static int control(int descriptor, int command, va_list *arguments) {
  switch (command) {
  case F_DUPFD:
  case F_DUPFD_CLOEXEC: {
    int copy = real_fcntl(descriptor, command, va_arg(*arguments, int));
    __provoke_x_provoke_redirected(copy);
    return copy;
  }
  case F_GETFD:
  case F_GETFL:
  case F_GETOWN:
    return real_fcntl(descriptor, command);
  case F_SETFD:
  case F_SETFL:
  case F_SETOWN:
    return real_fcntl(descriptor, command, va_arg(*arguments, int));
  default:
    return real_fcntl(descriptor, command, va_arg(*arguments, void *));
  }
}

#define CONTROL(name)                                                                                               \
  int MODEL(name)(int descriptor, int command, ...) {                                                               \
    va_list arguments;                                                                                              \
    va_start(arguments, command);                                                                                   \
    int result = control(descriptor, command, &arguments);                                                          \
    va_end(arguments);                                                                                              \
    return result;                                                                                                  \
  }

CONTROL(fcntl)
CONTROL(fcntl64)
