// What the instrumenter needs of LLVM and its C interface does not offer.

#include "llvm-c/Core.h"
#include "llvm-c/DebugInfo.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Instrumentation/AddressSanitizer.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

// Splits the block before `before` and makes an unlikely branch to a new block on `condition`. Returns the terminator of
// the new block, which jumps back to where the old block goes on.
extern "C" LLVMValueRef provoke_split_if_unlikely(LLVMValueRef condition, LLVMValueRef before) {
  auto *at = unwrap<Instruction>(before);
  MDNode *weights = MDBuilder(at->getContext()).createBranchWeights(1, (1u << 20) - 1);
  return wrap(SplitBlockAndInsertIfThen(unwrap(condition), at->getIterator(), /*Unreachable=*/false, weights));
}

// Lets modules be linked that were compiled with different options: where they contradict each other the first one is right. The
// linker, which does not see such flags, has linked them too.
extern "C" void provoke_relax_flags(LLVMModuleRef module) {
  NamedMDNode *flags = unwrap(module)->getModuleFlagsMetadata();
  for (unsigned i = 0; flags && i < flags->getNumOperands(); i++) {
    MDNode *flag = flags->getOperand(i);
    auto *behaviour = flag->getNumOperands() == 3 ? mdconst::dyn_extract<ConstantInt>(flag->getOperand(0)) : nullptr;
    if (!behaviour || behaviour->getZExtValue() != Module::Error)
      continue;
    auto *warning = ConstantAsMetadata::get(ConstantInt::get(behaviour->getType(), Module::Warning));
    flags->setOperand(i, MDNode::get(flag->getContext(), {warning, flag->getOperand(1), flag->getOperand(2)}));
  }
}

// Moves the body of `from` into the empty function `to`.
extern "C" void provoke_move_body(LLVMValueRef to, LLVMValueRef from) {
  auto *target = unwrap<Function>(to);
  target->splice(target->begin(), unwrap<Function>(from));
}

// Gives every invoke a normal destination of its own, so that there is a place where just its result arrives.
extern "C" void provoke_split_invoke_edges(LLVMValueRef function) {
  SmallVector<InvokeInst *, 8> invokes;
  for (BasicBlock &block : *unwrap<Function>(function))
    if (auto *invoke = dyn_cast<InvokeInst>(block.getTerminator()))
      invokes.push_back(invoke);
  for (InvokeInst *invoke : invokes)
    if (!invoke->getNormalDest()->getSinglePredecessor())
      SplitEdge(invoke->getParent(), invoke->getNormalDest());
}

// Name of the function that a debug location lies in.
extern "C" const char *provoke_location_function(LLVMMetadataRef location, size_t *length) {
  *length = 0;
  auto *place = dyn_cast_or_null<DILocation>(unwrap(location));
  DISubprogram *subprogram = place && place->getScope() ? place->getScope()->getSubprogram() : nullptr;
  if (!subprogram)
    return "";
  *length = subprogram->getName().size();
  return subprogram->getName().data();
}

// Whether the instruction is a call that may return twice (setjmp).
extern "C" int provoke_returns_twice(LLVMValueRef instruction) {
  auto *call = dyn_cast<CallBase>(unwrap(instruction));
  return call && call->hasFnAttr(Attribute::ReturnsTwice);
}

static uint64_t sizeIn(const Module &module, Type *type) {
  return type ? module.getDataLayout().getTypeAllocSize(type).getFixedValue() : 0;
}

// Size of an argument that is passed as a copy in memory, which the call itself makes; 0 for any other.
extern "C" uint64_t provoke_by_value_argument(LLVMValueRef call, unsigned argument) {
  auto *site = dyn_cast<CallBase>(unwrap(call));
  bool byValue = site && site->isByValArgument(argument);
  return byValue ? sizeIn(*site->getModule(), site->getParamByValType(argument)) : 0;
}

// The same for the parameter of a function.
extern "C" uint64_t provoke_by_value_parameter(LLVMValueRef function, unsigned argument) {
  auto *body = unwrap<Function>(function);
  return sizeIn(*body->getParent(), body->getParamByValType(argument));
}

// Gives allocas the names of their variables.
extern "C" void provoke_name_variables(LLVMModuleRef module) {
  for (Function &function : *unwrap(module))
    for (Instruction &instruction : instructions(function)) {
      auto name = [](Value *address, DILocalVariable *variable) {
        if (auto *alloca = dyn_cast_or_null<AllocaInst>(address); alloca && !alloca->hasName())
          alloca->setName(variable->getName());
      };
      if (auto *declare = dyn_cast<DbgDeclareInst>(&instruction))
        name(declare->getAddress(), declare->getVariable());
      for (DbgVariableRecord &record : filterDbgVars(instruction.getDbgRecordRange()))
        if (record.isDbgDeclare())
          name(record.getAddress(), record.getVariable());
    }
}

// Runs AddressSanitizer's pass as clang does: by its name alone it would not look at variables that are out of scope.
extern "C" void provoke_check_addresses(LLVMModuleRef module) {
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  PassBuilder builder;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  AddressSanitizerOptions options;
  options.UseAfterScope = true;
  AddressSanitizerPass(options, /*UseGlobalGC=*/true, /*UseOdrIndicator=*/true).run(*unwrap(module), modules);
}

// Keeps optimisation from assuming that it sees all uses of the values.
extern "C" void provoke_mark_used(LLVMModuleRef module, const LLVMValueRef *values, size_t count) {
  SmallVector<GlobalValue *, 16> used;
  for (size_t i = 0; i < count; i++)
    used.push_back(unwrap<GlobalValue>(values[i]));
  if (count)
    appendToCompilerUsed(*unwrap(module), used);
}

// A copy of a function under another name, which only this module knows.
extern "C" LLVMValueRef provoke_clone_function(LLVMValueRef function) {
  ValueToValueMapTy map;
  Function *copy = CloneFunction(unwrap<Function>(function), map);
  copy->setLinkage(GlobalValue::InternalLinkage);
  copy->setVisibility(GlobalValue::DefaultVisibility);
  copy->setComdat(nullptr);
  return wrap(copy);
}

// Whether a function's address goes somewhere: it is used for something else than calling it. Whoever unwinds the stack finds it
// by other ways.
static bool isAddress(const Use &use) {
  auto *call = dyn_cast<CallBase>(use.getUser());
  return !(call && call->isCallee(&use)) && !isa<Function>(use.getUser());
}

// Makes a function that only calls a function without a body, and lets all who take its address take this one's; null where its
// address is not taken, or that cannot be done.
extern "C" LLVMValueRef provoke_step_in_between(LLVMValueRef function) {
  auto *callee = unwrap<Function>(function);
  // Whether a weak function is there is told by its address.
  bool isPossible = callee->isDeclaration() && !callee->isVarArg() && !callee->hasExternalWeakLinkage() &&
                    !callee->hasFnAttribute(Attribute::ReturnsTwice);
  if (!isPossible || none_of(callee->uses(), isAddress))
    return nullptr;
  auto *step = Function::Create(callee->getFunctionType(), GlobalValue::InternalLinkage, "provoke.step." + callee->getName(),
                                callee->getParent());
  step->setAttributes(callee->getAttributes());
  step->setCallingConv(callee->getCallingConv());
  callee->replaceUsesWithIf(step, [](Use &use) { return isAddress(use); });
  IRBuilder<> builder(BasicBlock::Create(callee->getContext(), "", step));
  SmallVector<Value *, 8> arguments;
  for (Argument &argument : step->args())
    arguments.push_back(&argument);
  CallInst *call = builder.CreateCall(callee, arguments);
  call->setAttributes(callee->getAttributes());
  call->setCallingConv(callee->getCallingConv());
  if (callee->doesNotReturn())
    builder.CreateUnreachable();
  else if (callee->getReturnType()->isVoidTy())
    builder.CreateRetVoid();
  else
    builder.CreateRet(call);
  return wrap(step);
}

// Lets a function run before the program's own constructors.
extern "C" void provoke_add_constructor(LLVMModuleRef module, LLVMValueRef function) {
  appendToGlobalCtors(*unwrap(module), unwrap<Function>(function), /*Priority=*/0);
}

// Moves all functions with the attribute `mark` into a module of their own, and makes symbols that were known in one
// module only known in both.
extern "C" LLVMModuleRef provoke_split_off(LLVMModuleRef module, const char *mark) {
  Module &whole = *unwrap(module);
  unsigned unnamed = 0;
  // Assembly can name these.
  SmallVector<GlobalValue *, 8> used;
  collectUsedGlobalVariables(whole, used, /*CompilerUsed=*/false);
  collectUsedGlobalVariables(whole, used, /*CompilerUsed=*/true);
  SmallPtrSet<GlobalValue *, 8> keepsName(used.begin(), used.end());
  auto share = [&](GlobalValue &value) {
    if (!value.hasLocalLinkage())
      return;
    // Another object of the program may have a symbol of this name.
    if (!keepsName.contains(&value))
      value.setName(value.hasName() ? value.getName() + ".provoke" : "provoke.unnamed." + Twine(unnamed++));
    value.setLinkage(GlobalValue::ExternalLinkage);
    value.setVisibility(GlobalValue::HiddenVisibility);
  };
  for (Function &function : whole)
    share(function);
  for (GlobalVariable &variable : whole.globals())
    share(variable);
  for (GlobalAlias &alias : whole.aliases())
    share(alias);
  for (GlobalIFunc &ifunc : whole.ifuncs())
    share(ifunc);

  auto isMarked = [mark](const GlobalValue *value) {
    auto *function = dyn_cast<Function>(value);
    return function && function->hasFnAttribute(mark);
  };
  ValueToValueMapTy map;
  std::unique_ptr<Module> marked = CloneModule(whole, map, isMarked);
  StripDebugInfo(*marked);
  marked->setModuleInlineAsm("");
  for (GlobalVariable &variable : make_early_inc_range(marked->globals()))
    if (variable.use_empty())
      variable.eraseFromParent();
  // A function that is chosen at load time has its resolver in the other module: here it is just a function.
  for (GlobalIFunc &ifunc : make_early_inc_range(marked->ifuncs())) {
    auto *type = cast<FunctionType>(ifunc.getValueType());
    auto *declaration = Function::Create(type, GlobalValue::ExternalLinkage, "", marked.get());
    declaration->takeName(&ifunc);
    ifunc.replaceAllUsesWith(declaration);
    ifunc.eraseFromParent();
  }
  for (Function &function : whole)
    if (isMarked(&function))
      function.deleteBody();
  return wrap(marked.release());
}
