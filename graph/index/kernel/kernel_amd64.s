//go:build amd64 && !purego

#include "textflag.h"

// func dotAVX512(a, b *float32, n int) float32
// Four sums of 16 lanes, then one, then a masked rest.
TEXT ·dotAVX512(SB), NOSPLIT, $0-28
	MOVQ   a+0(FP), SI
	MOVQ   b+8(FP), DI
	MOVQ   n+16(FP), CX
	VPXORD Z0, Z0, Z0
	VPXORD Z1, Z1, Z1
	VPXORD Z2, Z2, Z2
	VPXORD Z3, Z3, Z3

dot512by64:
	CMPQ        CX, $64
	JLT         dot512by16
	VMOVUPS     (SI), Z4
	VMOVUPS     64(SI), Z5
	VMOVUPS     128(SI), Z6
	VMOVUPS     192(SI), Z7
	VFMADD231PS (DI), Z4, Z0
	VFMADD231PS 64(DI), Z5, Z1
	VFMADD231PS 128(DI), Z6, Z2
	VFMADD231PS 192(DI), Z7, Z3
	ADDQ        $256, SI
	ADDQ        $256, DI
	SUBQ        $64, CX
	JMP         dot512by64

dot512by16:
	CMPQ        CX, $16
	JLT         dot512rest
	VMOVUPS     (SI), Z4
	VFMADD231PS (DI), Z4, Z0
	ADDQ        $64, SI
	ADDQ        $64, DI
	SUBQ        $16, CX
	JMP         dot512by16

dot512rest:
	TESTQ       CX, CX
	JZ          dot512sum
	MOVL        $1, AX
	SHLL        CX, AX
	DECL        AX
	KMOVW       AX, K1
	VMOVUPS.Z   (SI), K1, Z4
	VMOVUPS.Z   (DI), K1, Z5
	VFMADD231PS Z4, Z5, Z0

dot512sum:
	VADDPS        Z1, Z0, Z0
	VADDPS        Z3, Z2, Z2
	VADDPS        Z2, Z0, Z0
	VEXTRACTF64X4 $1, Z0, Y1
	VADDPS        Y1, Y0, Y0
	VEXTRACTF128  $1, Y0, X1
	VADDPS        X1, X0, X0
	VHADDPS       X0, X0, X0
	VHADDPS       X0, X0, X0
	VMOVSS        X0, ret+24(FP)
	VZEROUPPER
	RET

// func dotAVX2(a, b *float32, n int) float32
TEXT ·dotAVX2(SB), NOSPLIT, $0-28
	MOVQ   a+0(FP), SI
	MOVQ   b+8(FP), DI
	MOVQ   n+16(FP), CX
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	VXORPS Y2, Y2, Y2
	VXORPS Y3, Y3, Y3

dot256by32:
	CMPQ        CX, $32
	JLT         dot256by8
	VMOVUPS     (SI), Y4
	VMOVUPS     32(SI), Y5
	VMOVUPS     64(SI), Y6
	VMOVUPS     96(SI), Y7
	VFMADD231PS (DI), Y4, Y0
	VFMADD231PS 32(DI), Y5, Y1
	VFMADD231PS 64(DI), Y6, Y2
	VFMADD231PS 96(DI), Y7, Y3
	ADDQ        $128, SI
	ADDQ        $128, DI
	SUBQ        $32, CX
	JMP         dot256by32

dot256by8:
	CMPQ        CX, $8
	JLT         dot256sum
	VMOVUPS     (SI), Y4
	VFMADD231PS (DI), Y4, Y0
	ADDQ        $32, SI
	ADDQ        $32, DI
	SUBQ        $8, CX
	JMP         dot256by8

dot256sum:
	VADDPS       Y1, Y0, Y0
	VADDPS       Y3, Y2, Y2
	VADDPS       Y2, Y0, Y0
	VEXTRACTF128 $1, Y0, X1
	VADDPS       X1, X0, X0
	VHADDPS      X0, X0, X0
	VHADDPS      X0, X0, X0

dot256rest:
	TESTQ       CX, CX
	JZ          dot256done
	VMOVSS      (SI), X4
	VMOVSS      (DI), X5
	VFMADD231SS X4, X5, X0
	ADDQ        $4, SI
	ADDQ        $4, DI
	DECQ        CX
	JMP         dot256rest

dot256done:
	VMOVSS X0, ret+24(FP)
	VZEROUPPER
	RET

// func rowsAVX512(query *int8, codes *uint8, stride, n int, bias int32, out *int32)
// VPDPBUSD multiplies unsigned codes by signed query values and adds four neighbours into each
// int32 lane. Rows are read in memory order, because the hardware prefetches that (half the time
// of four interleaved rows, measured). It does not prefetch across a page border, so the code
// prefetches one page ahead, which is harmless after the last row. Four sums are folded
// together.
TEXT ·rowsAVX512(SB), NOSPLIT, $0-48
	MOVQ query+0(FP), SI
	MOVQ codes+8(FP), DI
	MOVQ stride+16(FP), DX
	MOVQ n+24(FP), CX
	MOVL bias+32(FP), R13
	MOVQ out+40(FP), R8

rows512by4:
	CMPQ   CX, $4
	JLT    rows512by1
	VPXORD Z0, Z0, Z0
	XORQ   AX, AX

rows512chunk4row0:
	PREFETCHT0 4096(DI)(AX*1)
	VMOVDQU64 (DI)(AX*1), Z4
	VMOVDQU64 (SI)(AX*1), Z8
	VPDPBUSD  Z8, Z4, Z0
	ADDQ      $64, AX
	CMPQ      AX, DX
	JLT       rows512chunk4row0
	ADDQ      DX, DI

	VPXORD Z1, Z1, Z1
	XORQ   AX, AX

rows512chunk4row1:
	PREFETCHT0 4096(DI)(AX*1)
	VMOVDQU64 (DI)(AX*1), Z4
	VMOVDQU64 (SI)(AX*1), Z8
	VPDPBUSD  Z8, Z4, Z1
	ADDQ      $64, AX
	CMPQ      AX, DX
	JLT       rows512chunk4row1
	ADDQ      DX, DI

	VPXORD Z2, Z2, Z2
	XORQ   AX, AX

rows512chunk4row2:
	PREFETCHT0 4096(DI)(AX*1)
	VMOVDQU64 (DI)(AX*1), Z4
	VMOVDQU64 (SI)(AX*1), Z8
	VPDPBUSD  Z8, Z4, Z2
	ADDQ      $64, AX
	CMPQ      AX, DX
	JLT       rows512chunk4row2
	ADDQ      DX, DI

	VPXORD Z3, Z3, Z3
	XORQ   AX, AX

rows512chunk4row3:
	PREFETCHT0 4096(DI)(AX*1)
	VMOVDQU64 (DI)(AX*1), Z4
	VMOVDQU64 (SI)(AX*1), Z8
	VPDPBUSD  Z8, Z4, Z3
	ADDQ      $64, AX
	CMPQ      AX, DX
	JLT       rows512chunk4row3
	ADDQ      DX, DI

	// Fold each sum to four lanes, then add the lanes of the four sums in parallel.
	VEXTRACTI64X4 $1, Z0, Y4
	VEXTRACTI64X4 $1, Z1, Y5
	VEXTRACTI64X4 $1, Z2, Y6
	VEXTRACTI64X4 $1, Z3, Y7
	VPADDD        Y4, Y0, Y0
	VPADDD        Y5, Y1, Y1
	VPADDD        Y6, Y2, Y2
	VPADDD        Y7, Y3, Y3
	VPHADDD       Y1, Y0, Y0
	VPHADDD       Y3, Y2, Y2
	VPHADDD       Y2, Y0, Y0
	VEXTRACTI128  $1, Y0, X1
	VPADDD        X1, X0, X0
	VMOVD         R13, X1
	VPBROADCASTD  X1, X1
	VPADDD        X1, X0, X0
	VMOVDQU       X0, (R8)
	ADDQ          $16, R8
	SUBQ          $4, CX
	JMP           rows512by4

rows512by1:
	TESTQ  CX, CX
	JZ     rows512done
	VPXORD Z0, Z0, Z0
	XORQ   AX, AX

rows512chunk1:
	VMOVDQU64 (SI)(AX*1), Z8
	VMOVDQU64 (DI)(AX*1), Z4
	VPDPBUSD  Z8, Z4, Z0
	ADDQ      $64, AX
	CMPQ      AX, DX
	JLT       rows512chunk1

	VEXTRACTI64X4 $1, Z0, Y4
	VPADDD        Y4, Y0, Y0
	VEXTRACTI128  $1, Y0, X1
	VPADDD        X1, X0, X0
	VPHADDD       X0, X0, X0
	VPHADDD       X0, X0, X0
	VMOVD         X0, AX
	ADDL          R13, AX
	MOVL          AX, (R8)
	ADDQ          $4, R8
	ADDQ          DX, DI
	DECQ          CX
	JMP           rows512by1

rows512done:
	VZEROUPPER
	RET

// func rowsAVX2(query *int8, codes *uint8, stride, n int, bias int32, out *int32)
// Bytes are widened to 16 bits, multiplied and added in pairs to 32 bits.
TEXT ·rowsAVX2(SB), NOSPLIT, $0-48
	MOVQ query+0(FP), SI
	MOVQ codes+8(FP), DI
	MOVQ stride+16(FP), DX
	MOVQ n+24(FP), CX
	MOVL bias+32(FP), R13
	MOVQ out+40(FP), R8

rows256row:
	TESTQ CX, CX
	JZ    rows256done
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	XORQ  AX, AX

rows256chunk:
	VPMOVSXBW (SI)(AX*1), Y4
	VPMOVZXBW (DI)(AX*1), Y5
	VPMOVSXBW 16(SI)(AX*1), Y6
	VPMOVZXBW 16(DI)(AX*1), Y7
	VPMADDWD  Y4, Y5, Y5
	VPMADDWD  Y6, Y7, Y7
	VPADDD    Y5, Y0, Y0
	VPADDD    Y7, Y1, Y1
	ADDQ      $32, AX
	CMPQ      AX, DX
	JLT       rows256chunk

	VPADDD       Y1, Y0, Y0
	VEXTRACTI128 $1, Y0, X1
	VPADDD       X1, X0, X0
	VPHADDD      X0, X0, X0
	VPHADDD      X0, X0, X0
	VMOVD        X0, AX
	ADDL         R13, AX
	MOVL         AX, (R8)
	ADDQ         $4, R8
	ADDQ         DX, DI
	DECQ         CX
	JMP          rows256row

rows256done:
	VZEROUPPER
	RET
