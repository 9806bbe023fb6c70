#define RESULT 3
    .globl assembler_part
    .type assembler_part, @function
assembler_part:
    movl $RESULT, %eax
    ret
    .size assembler_part, . - assembler_part
    .section .note.GNU-stack, "", @progbits
