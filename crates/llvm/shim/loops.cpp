// The natural loops of a function: the C interface has no analyses.

#include "llvm-c/Core.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"

using namespace llvm;

// `loops.rs` has the same.
struct ProvokeLoop {
  // Index of the loop around this one, or -1.
  int64_t parent;
  LLVMBasicBlockRef header;
  const LLVMBasicBlockRef *blocks;
  size_t count;
};

// Loops outside come before those within.
extern "C" void provoke_each_loop(LLVMValueRef function, void (*visit)(void *, const ProvokeLoop *), void *data) {
  DominatorTree dominators(*unwrap<Function>(function));
  LoopInfo info(dominators);
  DenseMap<const Loop *, int64_t> numbers;
  for (Loop *loop : info.getLoopsInPreorder()) {
    int64_t number = numbers.size();
    numbers[loop] = number;
    SmallVector<LLVMBasicBlockRef, 16> blocks;
    for (BasicBlock *block : loop->blocks())
      blocks.push_back(wrap(block));
    const Loop *outer = loop->getParentLoop();
    ProvokeLoop found = {outer ? numbers.lookup(outer) : -1, wrap(loop->getHeader()), blocks.data(), blocks.size()};
    visit(data, &found);
  }
}
