//go:build amd64 && !purego

#include "textflag.h"

// func dot16(a, b *int16, n int) int32
// PMADDWD multiplies eight pairs and adds neighbours, exactly; two sums of four lanes.
TEXT ·dot16(SB), NOSPLIT, $0-28
	MOVQ a+0(FP), SI
	MOVQ b+8(FP), DI
	MOVQ n+16(FP), CX
	PXOR X0, X0
	PXOR X1, X1

by16:
	CMPQ    CX, $16
	JLT     sum
	MOVOU   (SI), X2
	MOVOU   (DI), X3
	MOVOU   16(SI), X4
	MOVOU   16(DI), X5
	PMADDWL X3, X2
	PMADDWL X5, X4
	PADDL   X2, X0
	PADDL   X4, X1
	ADDQ    $32, SI
	ADDQ    $32, DI
	SUBQ    $16, CX
	JMP     by16

sum:
	PADDL  X1, X0
	PSHUFD $0x4e, X0, X1
	PADDL  X1, X0
	PSHUFD $0xb1, X0, X1
	PADDL  X1, X0
	MOVL   X0, ret+24(FP)
	RET
