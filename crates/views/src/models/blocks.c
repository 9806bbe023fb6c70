// The blocks of C++. Its operators do the work: a program may have its own, and what it does when there is no memory is up to them.
// Modelled: summary

#include "model.h"

// How much memory to ask for where a block of a size is wanted.
extern size_t __provoke_x_provoke_room(size_t size);
// A block came that is of this size, or none.
extern void __provoke_x_provoke_allocated(void *block, size_t size);
// A block is about to go; 0 if its size is not said.
extern void __provoke_x_provoke_released(void *block, size_t size);

// Who gives blocks and takes them has nothing to do with what depends on the input: that has been said.
static void *known(void *block) { return (void *)__provoke_x_provoke_concrete((size_t)block); }

#define NEW(name, parameters, arguments)                                                                            \
  extern void *real##name parameters REAL(name);                                                                    \
  void *MODEL(name) parameters {                                                                                    \
    size_t wanted = size;                                                                                           \
    size = __provoke_x_provoke_room(size);                                                                          \
    void *block = real##name arguments;                                                                             \
    __provoke_x_provoke_allocated(block, wanted);                                                                   \
    return block;                                                                                                   \
  }

// Aligned at a number, and with a value that says that nothing is to be thrown.
NEW(_Znwm, (size_t size), (size))
NEW(_Znam, (size_t size), (size))
NEW(_ZnwmRKSt9nothrow_t, (size_t size, const void *nothrow), (size, nothrow))
NEW(_ZnamRKSt9nothrow_t, (size_t size, const void *nothrow), (size, nothrow))
NEW(_ZnwmSt11align_val_t, (size_t size, size_t alignment), (size, alignment))
NEW(_ZnamSt11align_val_t, (size_t size, size_t alignment), (size, alignment))
NEW(_ZnwmSt11align_val_tRKSt9nothrow_t, (size_t size, size_t alignment, const void *nothrow), (size, alignment, nothrow))
NEW(_ZnamSt11align_val_tRKSt9nothrow_t, (size_t size, size_t alignment, const void *nothrow), (size, alignment, nothrow))

#define DELETE(name, parameters, size, arguments)                                                                   \
  extern void real##name parameters REAL(name);                                                                     \
  void MODEL(name) parameters {                                                                                     \
    __provoke_x_provoke_released(block, size);                                                                      \
    block = known(block);                                                                                           \
    real##name arguments;                                                                                           \
  }

DELETE(_ZdlPv, (void *block), 0, (block))
DELETE(_ZdaPv, (void *block), 0, (block))
DELETE(_ZdlPvm, (void *block, size_t size), size, (block, size))
DELETE(_ZdaPvm, (void *block, size_t size), size, (block, size))
DELETE(_ZdlPvRKSt9nothrow_t, (void *block, const void *nothrow), 0, (block, nothrow))
DELETE(_ZdaPvRKSt9nothrow_t, (void *block, const void *nothrow), 0, (block, nothrow))
DELETE(_ZdlPvSt11align_val_t, (void *block, size_t alignment), 0, (block, alignment))
DELETE(_ZdaPvSt11align_val_t, (void *block, size_t alignment), 0, (block, alignment))
DELETE(_ZdlPvmSt11align_val_t, (void *block, size_t size, size_t alignment), size, (block, size, alignment))
DELETE(_ZdaPvmSt11align_val_t, (void *block, size_t size, size_t alignment), size, (block, size, alignment))
DELETE(_ZdlPvSt11align_val_tRKSt9nothrow_t, (void *block, size_t alignment, const void *nothrow), 0,
       (block, alignment, nothrow))
DELETE(_ZdaPvSt11align_val_tRKSt9nothrow_t, (void *block, size_t alignment, const void *nothrow), 0,
       (block, alignment, nothrow))
