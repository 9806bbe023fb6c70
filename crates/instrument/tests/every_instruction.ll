; Every kind of instruction and intrinsic that clang 19 can emit for C and C++, and some that it can't.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%pair = type { i32, i64 }
%big = type { [40 x i8] }

@counter = global i32 0
@table = constant [4 x i32] [i32 1, i32 2, i32 3, i32 4]
@empty = global %pair zeroinitializer
@local = thread_local global i32 0
@chosen = ifunc i32 (i32), ptr @resolve
@other_name = alias i32 (i32), ptr @phis

declare i32 @unknown(i32, ...)
declare i32 @__gxx_personality_v0(...)
declare i32 @setjmp(ptr) returns_twice
declare void @llvm.va_start.p0(ptr)
declare void @llvm.va_end.p0(ptr)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare { i32, i1 } @llvm.sadd.with.overflow.i32(i32, i32)
declare { <2 x i32>, <2 x i1> } @llvm.umul.with.overflow.v2i32(<2 x i32>, <2 x i32>)
declare i8 @llvm.uadd.sat.i8(i8, i8)
declare i128 @llvm.uadd.sat.i128(i128, i128)
declare i64 @llvm.ssub.sat.i64(i64, i64)
declare i32 @llvm.fshl.i32(i32, i32, i32)
declare i64 @llvm.fshr.i64(i64, i64, i64)
declare i128 @llvm.fshl.i128(i128, i128, i128)
declare i32 @llvm.abs.i32(i32, i1)
declare i32 @llvm.smin.i32(i32, i32)
declare <4 x i32> @llvm.umax.v4i32(<4 x i32>, <4 x i32>)
declare i8 @llvm.scmp.i8.i32(i32, i32)
declare i32 @llvm.ctpop.i32(i32)
declare i64 @llvm.ctlz.i64(i64, i1)
declare i16 @llvm.cttz.i16(i16, i1)
declare i32 @llvm.bswap.i32(i32)
declare i8 @llvm.bitreverse.i8(i8)
declare i32 @llvm.vector.reduce.add.v4i32(<4 x i32>)
declare i64 @llvm.expect.i64(i64, i64)
declare double @llvm.sqrt.f64(double)
declare ptr @llvm.ptrmask.p0.i64(ptr, i64)
declare i32 @llvm.umul.fix.i32(i32, i32, i32)
declare <4 x i32> @llvm.masked.load.v4i32.p0(ptr, i32, <4 x i1>, <4 x i32>)
declare ptr @llvm.stacksave.p0()
declare void @llvm.stackrestore.p0(ptr)
declare void @llvm.trap()

define ptr @resolve() {
  ret ptr @phis
}

define i32 @phis(i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %a = phi i32 [ 1, %entry ], [ %b, %loop ]
  %b = phi i32 [ %n, %entry ], [ %a, %loop ]
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  %sum = sub i32 %a, %b
  ret i32 %sum
}

define i128 @integers(i128 %wide, i7 %odd, i1 %bit, i33 %other, ptr %p) {
  %a = add i128 %wide, 5
  %b = mul i128 %a, %wide
  %c = lshr i128 %b, 3
  %d = zext i7 %odd to i128
  %e = or i128 %c, %d
  %f = sext i1 %bit to i33
  %g = xor i33 %f, %other
  %h = zext i33 %g to i128
  %i = icmp ult i128 %e, %h
  %j = select i1 %i, i128 %e, i128 %wide
  store i128 %j, ptr %p
  store i7 %odd, ptr %p
  store i33 %g, ptr %p
  %k = load i7, ptr %p
  %l = load i33, ptr %p
  %m = trunc i33 %l to i7
  %n = urem i7 %m, %k
  %o = sext i7 %n to i128
  %q = load volatile i128, ptr %p
  %r = sdiv i128 %q, %o
  %s = ashr i128 %r, %wide
  %t = srem i128 %s, 7
  %u = udiv i128 %t, %a
  %v = shl i128 %u, 1
  %w = sub i128 %v, %wide
  %x = and i128 %w, %a
  ret i128 %x
}

define i2048 @too_wide(i2048 %x, ptr %p) {
  %a = add i2048 %x, 1
  store i2048 %a, ptr %p
  %b = load i2048, ptr %p
  ret i2048 %b
}

define i32 @intrinsics(i32 %x, i64 %y, i8 %z, i16 %s, i128 %w, <4 x i32> %v, <2 x i32> %u, ptr %p) {
  %a = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %x, i32 3)
  %a0 = extractvalue { i32, i1 } %a, 0
  %a1 = extractvalue { i32, i1 } %a, 1
  %b = call { <2 x i32>, <2 x i1> } @llvm.umul.with.overflow.v2i32(<2 x i32> %u, <2 x i32> %u)
  %b0 = extractvalue { <2 x i32>, <2 x i1> } %b, 0
  %b1 = extractelement <2 x i32> %b0, i32 1
  %c = call i8 @llvm.uadd.sat.i8(i8 %z, i8 7)
  %d = call i64 @llvm.ssub.sat.i64(i64 %y, i64 %y)
  %dd = call i128 @llvm.uadd.sat.i128(i128 %w, i128 %w)
  %e = call i32 @llvm.fshl.i32(i32 %x, i32 %x, i32 5)
  %f = call i64 @llvm.fshr.i64(i64 %y, i64 %d, i64 %y)
  %ff = call i128 @llvm.fshl.i128(i128 %w, i128 %dd, i128 3)
  %g = call i32 @llvm.abs.i32(i32 %e, i1 true)
  %h = call i32 @llvm.smin.i32(i32 %g, i32 %a0)
  %i = call <4 x i32> @llvm.umax.v4i32(<4 x i32> %v, <4 x i32> <i32 1, i32 2, i32 3, i32 4>)
  %j = call i8 @llvm.scmp.i8.i32(i32 %h, i32 %x)
  %k = call i32 @llvm.ctpop.i32(i32 %h)
  %l = call i64 @llvm.ctlz.i64(i64 %f, i1 false)
  %m = call i16 @llvm.cttz.i16(i16 %s, i1 true)
  %n = call i32 @llvm.bswap.i32(i32 %k)
  %o = call i8 @llvm.bitreverse.i8(i8 %j)
  %q = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %i)
  %r = call i64 @llvm.expect.i64(i64 %l, i64 0)
  %t = call ptr @llvm.ptrmask.p0.i64(ptr %p, i64 %r)
  %aa = call i32 @llvm.umul.fix.i32(i32 %q, i32 %n, i32 3)
  %bb = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr %t, i32 4, <4 x i1> <i1 1, i1 0, i1 1, i1 0>, <4 x i32> %i)
  %cc = extractelement <4 x i32> %bb, i32 %aa
  %stack = call ptr @llvm.stacksave.p0()
  call void @llvm.stackrestore.p0(ptr %stack)
  %w1 = trunc i128 %ff to i32
  %s1 = add i32 %cc, %w1
  ret i32 %s1
}

define <4 x i32> @vectors(<4 x i32> %a, <4 x i32> %b, i32 %i, <8 x i1> %bits, ptr %p) {
  %sum = add <4 x i32> %a, %b
  %less = icmp slt <4 x i32> %sum, %b
  %pick = select <4 x i1> %less, <4 x i32> %a, <4 x i32> %b
  %mixed = shufflevector <4 x i32> %pick, <4 x i32> %a, <4 x i32> <i32 0, i32 5, i32 poison, i32 3>
  %lane = extractelement <4 x i32> %mixed, i32 %i
  %put = insertelement <4 x i32> %mixed, i32 %lane, i32 %i
  %one = bitcast <4 x i32> %put to i128
  %bytes = bitcast i128 %one to <16 x i8>
  store <16 x i8> %bytes, ptr %p, align 1
  store <8 x i1> %bits, ptr %p
  %mask = bitcast <8 x i1> %bits to i8
  %z = zext i8 %mask to i32
  %w = insertelement <4 x i32> %put, i32 %z, i32 2
  %back = load <4 x i32>, ptr %p, align 4
  %wide = zext <4 x i32> %back to <4 x i64>
  %narrow = trunc <4 x i64> %wide to <4 x i32>
  %r = xor <4 x i32> %narrow, %w
  ret <4 x i32> %r
}

define %pair @aggregates(%pair %in, i32 %x, ptr %p, ptr byval(%big) %copy) {
  %a = insertvalue %pair %in, i32 %x, 0
  %b = load %pair, ptr %p
  %c = extractvalue %pair %b, 1
  %d = insertvalue %pair %a, i64 %c, 1
  store %pair %d, ptr %p
  %array = load [4 x i16], ptr %copy
  %e = extractvalue [4 x i16] %array, 2
  %f = sext i16 %e to i32
  %g = insertvalue %pair %d, i32 %f, 0
  %h = call %pair @aggregates(%pair %g, i32 %f, ptr %p, ptr byval(%big) %p)
  ret %pair %h
}

define i32 @memory(ptr %p, i64 %n, i8 %fill, i32 %index, i64 %far) {
  %local = alloca [16 x i32]
  %dynamic = alloca i8, i64 %n
  call void @llvm.memcpy.p0.p0.i64(ptr %local, ptr %p, i64 16, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %local, ptr %p, i64 64, i1 false)
  call void @llvm.memmove.p0.p0.i64(ptr %dynamic, ptr %p, i64 %n, i1 false)
  call void @llvm.memset.p0.i64(ptr %dynamic, i8 %fill, i64 %n, i1 false)
  call void @llvm.memset.p0.i64(ptr %local, i8 %fill, i64 8, i1 false)
  call void @llvm.memset.p0.i64(ptr %local, i8 0, i64 64, i1 false)
  %at = getelementptr inbounds [16 x i32], ptr %local, i64 0, i32 %index
  %a = load i32, ptr %at
  %field = getelementptr inbounds %pair, ptr %p, i64 %far, i32 1
  %b = load i64, ptr %field, align 1
  %fixed = getelementptr i32, ptr @table, i32 %index
  %c = load i32, ptr %fixed
  %tls = load i32, ptr @local
  store i32 %tls, ptr @counter
  %p2 = getelementptr i8, ptr %p, i128 3
  %d = load i8, ptr %p2
  %e = zext i8 %d to i32
  %f = trunc i64 %b to i32
  %g = add i32 %a, %e
  %h = add i32 %f, %c
  %i = add i32 %g, %h
  ret i32 %i
}

define i32 @atomics(ptr %p, i32 %x) {
  %a = atomicrmw add ptr %p, i32 %x seq_cst
  %b = atomicrmw xchg ptr %p, i32 %a seq_cst
  %c = atomicrmw umax ptr %p, i32 %b seq_cst
  %d = atomicrmw nand ptr %p, i32 %c seq_cst
  %e = cmpxchg ptr %p, i32 %d, i32 %x seq_cst seq_cst
  %f = extractvalue { i32, i1 } %e, 0
  fence seq_cst
  %g = load atomic i32, ptr %p seq_cst, align 4
  store atomic i32 %f, ptr %p seq_cst, align 4
  ret i32 %g
}

define double @floats(double %x, float %y, i32 %n, x86_fp80 %long, ptr %p) {
  %a = fadd double %x, 1.0
  %b = fpext float %y to double
  %c = fcmp olt double %a, %b
  %d = select i1 %c, double %a, double %b
  %e = sitofp i32 %n to double
  %f = fptoui double %d to i32
  store i32 %f, ptr %p
  %g = bitcast double %d to i64
  %h = xor i64 %g, -1
  %i = bitcast i64 %h to double
  store x86_fp80 %long, ptr %p
  %j = load x86_fp80, ptr %p
  %k = fptrunc x86_fp80 %j to double
  %l = fneg double %k
  %m = fmul double %l, %i
  %q = call double @llvm.sqrt.f64(double %m)
  %r = fsub double %q, %e
  ret double %r
}

define i32 @control(i32 %x, i64 %y, i128 %z, ptr %target) {
  switch i32 %x, label %default [ i32 1, label %one
                                  i32 2, label %one
                                  i32 -5, label %two ]
one:
  %a = phi i32 [ 3, %0 ], [ 3, %0 ]
  %pc = ptrtoint ptr blockaddress(@control, %two) to i64
  indirectbr ptr %target, [label %two, label %default]
two:
  %b = phi i32 [ %x, %0 ], [ %a, %one ]
  switch i128 %z, label %default [ i128 9, label %three ]
default:
  ret i32 0
three:
  %frozen = freeze i32 %b
  call void @llvm.trap()
  unreachable
}

define i32 @assembly(i32 %x, ptr %p) {
  %a = call i32 asm "bswap $0", "=r,0,~{dirflag},~{fpsr},~{flags}"(i32 %x)
  callbr void asm sideeffect "", "r,!i"(i32 %x) to label %on [label %off]
on:
  ret i32 %a
off:
  ret i32 %x
}

define i32 @calls(i32 %x, ptr %f, <4 x i32> %v, double %d, ptr %buffer) {
  %a = call i32 %f(i32 %x)
  %b = call i32 (i32, ...) @unknown(i32 %a, i32 %x, double %d)
  %c = call i32 (i32, ...) @variadic(i32 %b, i64 9, i32 %x, double %d, ptr byval(%big) %buffer, i8 3)
  %d1 = call i32 @phis(i32 %c)
  %e = call i32 @setjmp(ptr %buffer)
  %f1 = call i32 @chosen(i32 %e)
  %g = call i32 @other_name(i32 %f1)
  %ignored = call i32 @phis(i32 %g)
  %t = musttail call i32 @calls(i32 %g, ptr %f, <4 x i32> %v, double %d, ptr %buffer)
  ret i32 %t
}

define i32 @variadic(i32 %n, ...) {
  %list = alloca [24 x i8], align 16
  call void @llvm.va_start.p0(ptr %list)
  %save = getelementptr i8, ptr %list, i64 16
  %area = load ptr, ptr %save
  %a = load i32, ptr %area
  %b = va_arg ptr %list, i32
  call void @llvm.va_end.p0(ptr %list)
  %c = add i32 %a, %b
  ret i32 %c
}

define i32 @exceptions(i32 %x) personality ptr @__gxx_personality_v0 {
entry:
  %a = invoke i32 @phis(i32 %x) to label %shared unwind label %pad
again:
  %b = invoke i32 (i32, ...) @unknown(i32 %x) to label %shared unwind label %pad
shared:
  %c = phi i32 [ %a, %entry ], [ %b, %again ]
  %more = icmp eq i32 %c, 3
  br i1 %more, label %again, label %end
end:
  ret i32 %c
pad:
  %seen = phi i32 [ 1, %entry ], [ %x, %again ]
  %caught = landingpad { ptr, i32 } cleanup catch ptr null
  %selector = extractvalue { ptr, i32 } %caught, 1
  %odd = icmp eq i32 %selector, %seen
  br i1 %odd, label %end2, label %on
end2:
  ret i32 %seen
on:
  resume { ptr, i32 } %caught
}

define i64 @many(i64 %a, i64 %b, [70 x i32] %huge) {
  %first = extractvalue [70 x i32] %huge, 0
  %x = zext i32 %first to i64
  %y = add i64 %x, %a
  ret i64 %y
}

define void @naked_code() naked {
  call void asm sideeffect "ret", ""()
  unreachable
}
