//go:build amd64 && !purego

#include "textflag.h"

// Rows anywhere in memory, as a search in a neighbour graph compares. The addresses are known in
// advance, so each row is prefetched while another is multiplied; without that the search mostly
// waits for memory. If no row is left to prefetch, the current one is prefetched again, which
// costs nothing.

// func dotsAVX512(query *float32, rows *unsafe.Pointer, n, count int, out *float32)
TEXT ·dotsAVX512(SB), NOSPLIT, $0-40
	MOVQ query+0(FP), SI
	MOVQ rows+8(FP), R8
	MOVQ n+16(FP), DX
	MOVQ count+24(FP), CX
	MOVQ out+32(FP), R9
	MOVQ DX, AX
	ANDQ $15, AX // the rest after the last 16
	MOVQ CX, R12
	MOVL $1, BX
	MOVQ AX, CX
	SHLL CX, BX
	DECL BX
	KMOVW BX, K1
	MOVQ R12, CX

dots512row:
	TESTQ  CX, CX
	JZ     dots512done
	MOVQ   (R8), DI
	MOVQ   DI, R10
	CMPQ   CX, $3
	JLT    dots512alone
	MOVQ   16(R8), R10        // the row after the next

dots512alone:
	VPXORD Z0, Z0, Z0
	VPXORD Z1, Z1, Z1
	VPXORD Z2, Z2, Z2
	VPXORD Z3, Z3, Z3
	XORQ   AX, AX
	MOVQ   DX, BX

dots512by64:
	CMPQ        BX, $64
	JLT         dots512by16
	PREFETCHT0  (R10)(AX*1)
	PREFETCHT0  64(R10)(AX*1)
	PREFETCHT0  128(R10)(AX*1)
	PREFETCHT0  192(R10)(AX*1)
	VMOVUPS     (SI)(AX*1), Z4
	VMOVUPS     64(SI)(AX*1), Z5
	VMOVUPS     128(SI)(AX*1), Z6
	VMOVUPS     192(SI)(AX*1), Z7
	VFMADD231PS (DI)(AX*1), Z4, Z0
	VFMADD231PS 64(DI)(AX*1), Z5, Z1
	VFMADD231PS 128(DI)(AX*1), Z6, Z2
	VFMADD231PS 192(DI)(AX*1), Z7, Z3
	ADDQ        $256, AX
	SUBQ        $64, BX
	JMP         dots512by64

dots512by16:
	CMPQ        BX, $16
	JLT         dots512rest
	VMOVUPS     (SI)(AX*1), Z4
	VFMADD231PS (DI)(AX*1), Z4, Z0
	ADDQ        $64, AX
	SUBQ        $16, BX
	JMP         dots512by16

dots512rest:
	TESTQ       BX, BX
	JZ          dots512sum
	VMOVUPS.Z   (SI)(AX*1), K1, Z4
	VMOVUPS.Z   (DI)(AX*1), K1, Z5
	VFMADD231PS Z4, Z5, Z0

dots512sum:
	VADDPS        Z1, Z0, Z0
	VADDPS        Z3, Z2, Z2
	VADDPS        Z2, Z0, Z0
	VEXTRACTF64X4 $1, Z0, Y1
	VADDPS        Y1, Y0, Y0
	VEXTRACTF128  $1, Y0, X1
	VADDPS        X1, X0, X0
	VHADDPS       X0, X0, X0
	VHADDPS       X0, X0, X0
	VMOVSS        X0, (R9)
	ADDQ          $8, R8
	ADDQ          $4, R9
	DECQ          CX
	JMP           dots512row

dots512done:
	VZEROUPPER
	RET

// func dotsAVX2(query *float32, rows *unsafe.Pointer, n, count int, out *float32)
TEXT ·dotsAVX2(SB), NOSPLIT, $0-40
	MOVQ query+0(FP), SI
	MOVQ rows+8(FP), R8
	MOVQ n+16(FP), DX
	MOVQ count+24(FP), CX
	MOVQ out+32(FP), R9

dots256row:
	TESTQ  CX, CX
	JZ     dots256done
	MOVQ   (R8), DI
	MOVQ   DI, R10
	CMPQ   CX, $3
	JLT    dots256alone
	MOVQ   16(R8), R10

dots256alone:
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	VXORPS Y2, Y2, Y2
	VXORPS Y3, Y3, Y3
	XORQ   AX, AX
	MOVQ   DX, BX

dots256by32:
	CMPQ        BX, $32
	JLT         dots256by8
	PREFETCHT0  (R10)(AX*1)
	PREFETCHT0  64(R10)(AX*1)
	VMOVUPS     (SI)(AX*1), Y4
	VMOVUPS     32(SI)(AX*1), Y5
	VMOVUPS     64(SI)(AX*1), Y6
	VMOVUPS     96(SI)(AX*1), Y7
	VFMADD231PS (DI)(AX*1), Y4, Y0
	VFMADD231PS 32(DI)(AX*1), Y5, Y1
	VFMADD231PS 64(DI)(AX*1), Y6, Y2
	VFMADD231PS 96(DI)(AX*1), Y7, Y3
	ADDQ        $128, AX
	SUBQ        $32, BX
	JMP         dots256by32

dots256by8:
	CMPQ        BX, $8
	JLT         dots256sum
	VMOVUPS     (SI)(AX*1), Y4
	VFMADD231PS (DI)(AX*1), Y4, Y0
	ADDQ        $32, AX
	SUBQ        $8, BX
	JMP         dots256by8

dots256sum:
	VADDPS       Y1, Y0, Y0
	VADDPS       Y3, Y2, Y2
	VADDPS       Y2, Y0, Y0
	VEXTRACTF128 $1, Y0, X1
	VADDPS       X1, X0, X0
	VHADDPS      X0, X0, X0
	VHADDPS      X0, X0, X0

dots256rest:
	TESTQ       BX, BX
	JZ          dots256next
	VMOVSS      (SI)(AX*1), X4
	VMOVSS      (DI)(AX*1), X5
	VFMADD231SS X4, X5, X0
	ADDQ        $4, AX
	DECQ        BX
	JMP         dots256rest

dots256next:
	VMOVSS X0, (R9)
	ADDQ   $8, R8
	ADDQ   $4, R9
	DECQ   CX
	JMP    dots256row

dots256done:
	VZEROUPPER
	RET

// func codesAVX512(query *int8, rows *unsafe.Pointer, stride, count int, bias int32, out *int32)
// A row of codes is short, so four other rows are prefetched while it is multiplied.
TEXT ·codesAVX512(SB), NOSPLIT, $0-48
	MOVQ query+0(FP), SI
	MOVQ rows+8(FP), R8
	MOVQ stride+16(FP), DX
	MOVQ count+24(FP), CX
	MOVL bias+32(FP), R13
	MOVQ out+40(FP), R9

	// Prefetch the first four together.
	MOVQ CX, BX
	CMPQ BX, $4
	JLE  codes512few
	MOVQ $4, BX

codes512few:
	MOVQ R8, R11

codes512ahead:
	TESTQ BX, BX
	JZ    codes512row
	MOVQ  (R11), DI
	XORQ  AX, AX

codes512fetch:
	PREFETCHT0 (DI)(AX*1)
	ADDQ       $64, AX
	CMPQ       AX, DX
	JLT        codes512fetch
	ADDQ       $8, R11
	DECQ       BX
	JMP        codes512ahead

codes512row:
	TESTQ  CX, CX
	JZ     codes512done
	MOVQ   (R8), DI
	MOVQ   DI, R10
	CMPQ   CX, $5
	JLT    codes512alone
	MOVQ   32(R8), R10

codes512alone:
	VPXORD Z0, Z0, Z0
	XORQ   AX, AX

codes512chunk:
	PREFETCHT0 (R10)(AX*1)
	VMOVDQU64  (SI)(AX*1), Z8
	VMOVDQU64  (DI)(AX*1), Z4
	VPDPBUSD   Z8, Z4, Z0
	ADDQ       $64, AX
	CMPQ       AX, DX
	JLT        codes512chunk

	VEXTRACTI64X4 $1, Z0, Y4
	VPADDD        Y4, Y0, Y0
	VEXTRACTI128  $1, Y0, X1
	VPADDD        X1, X0, X0
	VPHADDD       X0, X0, X0
	VPHADDD       X0, X0, X0
	VMOVD         X0, AX
	ADDL          R13, AX
	MOVL          AX, (R9)
	ADDQ          $8, R8
	ADDQ          $4, R9
	DECQ          CX
	JMP           codes512row

codes512done:
	VZEROUPPER
	RET

// func codesAVX2(query *int8, rows *unsafe.Pointer, stride, count int, bias int32, out *int32)
TEXT ·codesAVX2(SB), NOSPLIT, $0-48
	MOVQ query+0(FP), SI
	MOVQ rows+8(FP), R8
	MOVQ stride+16(FP), DX
	MOVQ count+24(FP), CX
	MOVL bias+32(FP), R13
	MOVQ out+40(FP), R9

codes256row:
	TESTQ CX, CX
	JZ    codes256done
	MOVQ  (R8), DI
	MOVQ  DI, R10
	CMPQ  CX, $3
	JLT   codes256alone
	MOVQ  16(R8), R10

codes256alone:
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	XORQ  AX, AX

codes256chunk:
	PREFETCHT0 (R10)(AX*1)
	VPMOVSXBW  (SI)(AX*1), Y4
	VPMOVZXBW  (DI)(AX*1), Y5
	VPMOVSXBW  16(SI)(AX*1), Y6
	VPMOVZXBW  16(DI)(AX*1), Y7
	VPMADDWD   Y4, Y5, Y5
	VPMADDWD   Y6, Y7, Y7
	VPADDD     Y5, Y0, Y0
	VPADDD     Y7, Y1, Y1
	ADDQ       $32, AX
	CMPQ       AX, DX
	JLT        codes256chunk

	VPADDD       Y1, Y0, Y0
	VEXTRACTI128 $1, Y0, X1
	VPADDD       X1, X0, X0
	VPHADDD      X0, X0, X0
	VPHADDD      X0, X0, X0
	VMOVD        X0, AX
	ADDL         R13, AX
	MOVL         AX, (R9)
	ADDQ         $8, R8
	ADDQ         $4, R9
	DECQ         CX
	JMP          codes256row

codes256done:
	VZEROUPPER
	RET
