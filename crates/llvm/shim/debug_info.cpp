// What debug information says about variables, results and fields: the C interface reads only parts of it.

#include "llvm-c/Core.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

struct ProvokeText {
  const char *start;
  size_t length;
};

// Values of `form`; `debug_info.rs` has the same.
enum Form : uint32_t { Other = 0, Signed = 1, Unsigned = 2, Pointer = 3 };

struct ProvokeType {
  ProvokeText name;
  uint32_t form;
  uint32_t bits;
};

struct ProvokeVariable {
  LLVMValueRef address;
  ProvokeText name;
  ProvokeType type;
  LLVMMetadataRef scope;
  LLVMMetadataRef location;
  LLVMMetadataRef declared;
  uint32_t parameter;
};

// Values of `kind`; `types.rs` has the same.
enum ShapeKind : uint32_t { Nothing = 0, SignedInteger = 1, UnsignedInteger = 2, Address = 3, Structure = 4, Array = 5 };

struct ProvokeShape {
  uint32_t kind;
  // Declared by the system, so that only the system knows what it means.
  uint32_t isSystem;
  uint32_t isCharacter;
  uint64_t bytes;
  // Elements of an array.
  uint64_t count;
  // What is pointed to, or the type of the elements.
  LLVMMetadataRef inner;
};

struct ProvokeField {
  ProvokeText name;
  LLVMMetadataRef type;
  uint64_t offset;
  uint32_t isBitField;
};

struct ProvokeMember {
  LLVMMetadataRef structure;
  ProvokeText structureName;
  ProvokeText name;
  ProvokeType type;
  ProvokeText file;
  uint32_t line;
  uint32_t isBitField;
  uint64_t offset;
  ProvokeText tag;
};

struct ProvokeEnumerator {
  ProvokeText name;
  uint64_t value;
  uint32_t isSigned;
};

static ProvokeText text(StringRef string) { return {string.data(), string.size()}; }

// The type behind names and qualifiers. Damaged debug information could go round in circles.
static const DIType *plain(const DIType *type) {
  for (int steps = 0; steps < 1000; steps++) {
    auto *derived = dyn_cast_or_null<DIDerivedType>(type);
    if (!derived)
      return type;
    switch (derived->getTag()) {
    case dwarf::DW_TAG_typedef:
    case dwarf::DW_TAG_const_type:
    case dwarf::DW_TAG_volatile_type:
    case dwarf::DW_TAG_restrict_type:
    case dwarf::DW_TAG_atomic_type:
    case dwarf::DW_TAG_member:
      type = derived->getBaseType();
      break;
    default:
      return type;
    }
  }
  return nullptr;
}

static ProvokeType describe(const DIType *declared) {
  ProvokeType found = {text(declared ? declared->getName() : "void"), Other, 0};
  const DIType *type = plain(declared);
  if (!type)
    return found;
  if (found.name.length == 0)
    found.name = text(type->getName());
  found.bits = type->getSizeInBits();
  if (auto *derived = dyn_cast<DIDerivedType>(type)) {
    if (derived->getTag() == dwarf::DW_TAG_pointer_type)
      found.form = Pointer;
    return found;
  }
  if (auto *composite = dyn_cast<DICompositeType>(type)) {
    if (composite->getTag() != dwarf::DW_TAG_enumeration_type)
      return found;
    type = plain(composite->getBaseType());
  }
  if (auto *basic = dyn_cast_or_null<DIBasicType>(type))
    switch (basic->getEncoding()) {
    case dwarf::DW_ATE_signed:
    case dwarf::DW_ATE_signed_char:
      found.form = Signed;
      break;
    case dwarf::DW_ATE_boolean:
    case dwarf::DW_ATE_unsigned:
    case dwarf::DW_ATE_unsigned_char:
    case dwarf::DW_ATE_UTF:
      found.form = Unsigned;
      break;
    }
  return found;
}

// The variables of a function that live on its stack, in the order of their declarations.
extern "C" void provoke_each_local(LLVMValueRef function, void (*visit)(void *, const ProvokeVariable *), void *data) {
  auto tell = [&](Value *address, const DILocalVariable *variable, const DIExpression *way, const DILocation *location) {
    // With a way to go from the address, as for structured bindings, it is not the variable's own.
    if (!address || !variable || (way && way->getNumElements() != 0))
      return;
    ProvokeVariable found = {wrap(address),
                             text(variable->getName()),
                             describe(variable->getType()),
                             wrap(variable->getScope()),
                             wrap(location),
                             wrap(variable->getType()),
                             variable->getArg()};
    visit(data, &found);
  };
  for (Instruction &instruction : instructions(unwrap<Function>(function))) {
    for (DbgVariableRecord &record : filterDbgVars(instruction.getDbgRecordRange()))
      if (record.isDbgDeclare())
        tell(record.getAddress(), record.getVariable(), record.getExpression(), record.getDebugLoc().get());
    if (auto *declare = dyn_cast<DbgDeclareInst>(&instruction))
      tell(declare->getAddress(), declare->getVariable(), declare->getExpression(), declare->getDebugLoc().get());
  }
}

// The variables outside of functions, and the static ones of functions.
extern "C" void provoke_each_global(LLVMModuleRef module, void (*visit)(void *, const ProvokeVariable *), void *data) {
  for (GlobalVariable &global : unwrap(module)->globals()) {
    SmallVector<DIGlobalVariableExpression *, 1> all;
    global.getDebugInfo(all);
    if (all.empty() || !all.front()->getVariable())
      continue;
    const DIGlobalVariable *variable = all.front()->getVariable();
    ProvokeVariable found = {wrap(&global),
                             text(variable->getName()),
                             describe(variable->getType()),
                             wrap(variable->getScope()),
                             nullptr,
                             wrap(variable->getType()),
                             0};
    visit(data, &found);
  }
}

// What a function is called in the source and what it returns. False where that is not known.
extern "C" int provoke_result(LLVMValueRef function, ProvokeVariable *found) {
  DISubprogram *subprogram = unwrap<Function>(function)->getSubprogram();
  if (!subprogram || !subprogram->getType())
    return 0;
  DITypeRefArray types = subprogram->getType()->getTypeArray();
  const DIType *result = types.size() ? types[0] : nullptr;
  *found = {nullptr, text(subprogram->getName()), describe(result), wrap(subprogram), nullptr, wrap(result), 0};
  return 1;
}

// The scope around another one: blocks, then the function, then its compilation unit.
extern "C" LLVMMetadataRef provoke_outer_scope(LLVMMetadataRef scope) {
  Metadata *inner = unwrap(scope);
  if (auto *subprogram = dyn_cast_or_null<DISubprogram>(inner))
    return wrap(subprogram->getUnit());
  auto *block = dyn_cast_or_null<DILexicalBlockBase>(inner);
  return block ? wrap(block->getScope()) : nullptr;
}

// Whether a scope lies in a function.
extern "C" int provoke_is_local_scope(LLVMMetadataRef scope) { return isa_and_nonnull<DILocalScope>(unwrap(scope)); }

// The text of the first attribute `btf_decl_tag` of a field.
static StringRef tag(const DIDerivedType *member) {
  auto *annotations = dyn_cast_or_null<MDNode>(member->getRawAnnotations());
  if (!annotations)
    return "";
  for (const MDOperand &annotation : annotations->operands())
    if (auto *pair = dyn_cast_or_null<MDNode>(annotation.get()); pair && pair->getNumOperands() == 2)
      if (auto *kind = dyn_cast_or_null<MDString>(pair->getOperand(0)); kind && kind->getString() == "btf_decl_tag")
        if (auto *value = dyn_cast_or_null<MDString>(pair->getOperand(1)))
          return value->getString();
  return "";
}

// The fields of all structures and unions.
extern "C" void provoke_each_member(LLVMModuleRef module, void (*visit)(void *, const ProvokeMember *), void *data) {
  DebugInfoFinder finder;
  finder.processModule(*unwrap(module));
  for (DIType *type : finder.types()) {
    auto *structure = dyn_cast<DICompositeType>(type);
    if (!structure)
      continue;
    for (DINode *element : structure->getElements()) {
      auto *member = dyn_cast_or_null<DIDerivedType>(element);
      if (!member || member->getTag() != dwarf::DW_TAG_member || member->isStaticMember())
        continue;
      ProvokeMember found = {wrap(structure),
                             text(structure->getName()),
                             text(member->getName()),
                             describe(member->getBaseType()),
                             text(member->getFilename()),
                             member->getLine(),
                             member->isBitField(),
                             member->getOffsetInBits(),
                             text(tag(member))};
      visit(data, &found);
    }
  }
}

// What a type is made of.
extern "C" void provoke_type_shape(LLVMMetadataRef declared, ProvokeShape *found) {
  *found = {Nothing, 0, 0, 0, 0, nullptr};
  const DIType *type = plain(dyn_cast_or_null<DIType>(unwrap(declared)));
  if (!type)
    return;
  found->bytes = type->getSizeInBits() / 8;
  if (auto *derived = dyn_cast<DIDerivedType>(type)) {
    if (derived->getTag() == dwarf::DW_TAG_pointer_type) {
      found->kind = Address;
      found->inner = wrap(derived->getBaseType());
    }
    return;
  }
  if (auto *composite = dyn_cast<DICompositeType>(type)) {
    found->isSystem = composite->getFilename().starts_with("/usr/");
    switch (composite->getTag()) {
    case dwarf::DW_TAG_structure_type:
      if (!composite->isForwardDecl())
        found->kind = Structure;
      return;
    case dwarf::DW_TAG_array_type: {
      // Several dimensions lie one after the other.
      uint64_t count = 1;
      for (DINode *element : composite->getElements()) {
        auto *range = dyn_cast_or_null<DISubrange>(element);
        auto *number = range ? dyn_cast_if_present<ConstantInt *>(range->getCount()) : nullptr;
        count *= number && number->getSExtValue() > 0 ? number->getZExtValue() : 0;
      }
      if (composite->getElements().size() == 1 && !composite->isVector()) {
        found->kind = Array;
        found->count = count;
        found->inner = wrap(composite->getBaseType());
      }
      return;
    }
    case dwarf::DW_TAG_enumeration_type:
      break;
    default:
      return;
    }
  }
  ProvokeType number = describe(type);
  if (number.form == Signed || number.form == Unsigned)
    found->kind = number.form == Signed ? SignedInteger : UnsignedInteger;
  if (auto *basic = dyn_cast<DIBasicType>(type))
    found->isCharacter = basic->getName() == "char";
}

// The fields of a structure.
extern "C" void provoke_each_field(LLVMMetadataRef declared, void (*visit)(void *, const ProvokeField *), void *data) {
  auto *structure = dyn_cast_or_null<DICompositeType>(plain(dyn_cast_or_null<DIType>(unwrap(declared))));
  if (!structure)
    return;
  for (DINode *element : structure->getElements()) {
    auto *member = dyn_cast_or_null<DIDerivedType>(element);
    if (!member || member->getTag() != dwarf::DW_TAG_member || member->isStaticMember())
      continue;
    ProvokeField found = {text(member->getName()), wrap(member->getBaseType()), member->getOffsetInBits() / 8,
                          member->isBitField()};
    visit(data, &found);
  }
}

// The constants of all enumerations, as far as they fit into 64 bits.
extern "C" void provoke_each_enumerator(LLVMModuleRef module, void (*visit)(void *, const ProvokeEnumerator *),
                                        void *data) {
  DebugInfoFinder finder;
  finder.processModule(*unwrap(module));
  for (DIType *type : finder.types()) {
    auto *enumeration = dyn_cast<DICompositeType>(type);
    if (!enumeration || enumeration->getTag() != dwarf::DW_TAG_enumeration_type)
      continue;
    for (DINode *element : enumeration->getElements()) {
      auto *enumerator = dyn_cast_or_null<DIEnumerator>(element);
      if (!enumerator || enumerator->getValue().getBitWidth() > 64)
        continue;
      const APInt &value = enumerator->getValue();
      bool isSigned = !enumerator->isUnsigned();
      uint64_t wide = isSigned ? (uint64_t)value.getSExtValue() : value.getZExtValue();
      ProvokeEnumerator found = {text(enumerator->getName()), wide, isSigned};
      visit(data, &found);
    }
  }
}

// For the address of a field: its distance from the start of the structure, in bits, and the structure's name.
extern "C" uint64_t provoke_field_offset(LLVMModuleRef module, LLVMValueRef address, ProvokeText *structure) {
  *structure = {nullptr, 0};
  // The fields of a union have its own address.
  auto *gep = dyn_cast<GEPOperator>(unwrap(address));
  auto *type = gep ? dyn_cast<StructType>(gep->getSourceElementType()) : nullptr;
  if (!type)
    return 0;
  if (type->hasName())
    *structure = text(type->getName());
  const DataLayout &layout = unwrap(module)->getDataLayout();
  APInt offset(layout.getIndexTypeSizeInBits(gep->getType()), 0);
  return gep->accumulateConstantOffset(layout, offset) ? offset.getZExtValue() * 8 : 0;
}

// The last store that has the same place in the source as this one and is always made when this one is: an initialiser is
// complete there.
extern "C" LLVMValueRef provoke_last_beside(LLVMValueRef store) {
  auto *first = unwrap<Instruction>(store);
  Instruction *last = first;
  if (!first->getDebugLoc())
    return store;
  Function &function = *first->getFunction();
  DominatorTree before(function);
  PostDominatorTree after(function);
  for (Instruction &other : instructions(function))
    if (isa<StoreInst>(other) && other.getDebugLoc() == first->getDebugLoc() && before.dominates(last, &other) &&
        after.dominates(&other, last))
      last = &other;
  return wrap(last);
}
