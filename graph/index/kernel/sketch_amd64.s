//go:build amd64 && !purego

#include "textflag.h"

// func sumsAVX512(table, rows *uint8, bytes, groups int, out *uint16)
// A byte of 64 rows is looked up as two groups of four signs (André, Kermarrec and Le Scouarnec,
// "Cache locality is not enough: high-performance nearest neighbor search with product
// quantization fast scan", VLDB 2015). The words add up the even and the odd places together;
// the sums of the even places are the words minus the odd sums, which are in the upper bytes.
TEXT ·sumsAVX512(SB), NOSPLIT, $0-40
	MOVQ         table+0(FP), SI
	MOVQ         rows+8(FP), DI
	MOVQ         bytes+16(FP), DX
	MOVQ         groups+24(FP), CX
	MOVQ         out+32(FP), R8
	MOVL         $0x0f0f0f0f, AX
	VPBROADCASTD AX, Z31

sums512group:
	TESTQ  CX, CX
	JZ     sums512done
	VPXORD Z0, Z0, Z0
	VPXORD Z1, Z1, Z1
	MOVQ   SI, R10
	MOVQ   DX, R11

sums512byte:
	PREFETCHT0      4096(DI)
	VMOVDQU64       (DI), Z4
	VPSRLW          $4, Z4, Z5
	VPANDD          Z31, Z4, Z4
	VPANDD          Z31, Z5, Z5
	VBROADCASTI32X4 (R10), Z6
	VBROADCASTI32X4 16(R10), Z7
	VPSHUFB         Z4, Z6, Z6
	VPSHUFB         Z5, Z7, Z7
	VPADDB          Z7, Z6, Z6
	VPADDW          Z6, Z0, Z0
	VPSRLW          $8, Z6, Z6
	VPADDW          Z6, Z1, Z1
	ADDQ            $64, DI
	ADDQ            $32, R10
	DECQ            R11
	JNZ             sums512byte

	VPSLLW    $8, Z1, Z2
	VPSUBW    Z2, Z0, Z0
	VMOVDQU64 Z0, (R8)
	VMOVDQU64 Z1, 64(R8)
	ADDQ      $128, R8
	DECQ      CX
	JMP       sums512group

sums512done:
	VZEROUPPER
	RET

// func atLeastAVX512(sums *uint16, groups int, least uint16, out *uint64)
TEXT ·atLeastAVX512(SB), NOSPLIT, $0-32
	MOVQ         sums+0(FP), DI
	MOVQ         groups+8(FP), CX
	MOVWLZX      least+16(FP), R9
	MOVQ         out+24(FP), R8
	VPBROADCASTW R9, Z30

atLeast512group:
	TESTQ     CX, CX
	JZ        atLeast512done
	VMOVDQU64 (DI), Z0
	VMOVDQU64 64(DI), Z1
	VPCMPUW   $5, Z30, Z0, K1
	VPCMPUW   $5, Z30, Z1, K2
	KMOVD     K1, AX
	KMOVD     K2, BX
	SHLQ      $32, BX
	ORQ       BX, AX
	MOVQ      AX, (R8)
	ADDQ      $128, DI
	ADDQ      $8, R8
	DECQ      CX
	JMP       atLeast512group

atLeast512done:
	VZEROUPPER
	RET

// LOOKUP adds the table entries of a byte of 32 places to E, and those of the odd places to O.
#define LOOKUP(M, E, O) \
	VMOVDQU M, Y4        \
	VPSRLW  $4, Y4, Y5   \
	VPAND   Y15, Y4, Y4  \
	VPAND   Y15, Y5, Y5  \
	VPSHUFB Y4, Y6, Y4   \
	VPSHUFB Y5, Y7, Y5   \
	VPADDB  Y5, Y4, Y4   \
	VPADDW  Y4, E, E     \
	VPSRLW  $8, Y4, Y4   \
	VPADDW  Y4, O, O

// func sumsAVX2(table, rows *uint8, bytes, groups int, out *uint16)
TEXT ·sumsAVX2(SB), NOSPLIT, $0-40
	MOVQ         table+0(FP), SI
	MOVQ         rows+8(FP), DI
	MOVQ         bytes+16(FP), DX
	MOVQ         groups+24(FP), CX
	MOVQ         out+32(FP), R8
	MOVL         $0x0f0f0f0f, AX
	MOVQ         AX, X15
	VPBROADCASTD X15, Y15

sums2group:
	TESTQ CX, CX
	JZ    sums2done
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3
	MOVQ  SI, R10
	MOVQ  DX, R11

sums2byte:
	PREFETCHT0     4096(DI)
	VBROADCASTI128 (R10), Y6
	VBROADCASTI128 16(R10), Y7
	LOOKUP((DI), Y0, Y2)
	LOOKUP(32(DI), Y1, Y3)
	ADDQ           $64, DI
	ADDQ           $32, R10
	DECQ           R11
	JNZ            sums2byte

	VPSLLW  $8, Y2, Y4
	VPSUBW  Y4, Y0, Y0
	VPSLLW  $8, Y3, Y5
	VPSUBW  Y5, Y1, Y1
	VMOVDQU Y0, (R8)
	VMOVDQU Y1, 32(R8)
	VMOVDQU Y2, 64(R8)
	VMOVDQU Y3, 96(R8)
	ADDQ    $128, R8
	DECQ    CX
	JMP     sums2group

sums2done:
	VZEROUPPER
	RET

// func atLeastAVX2(sums *uint16, groups int, least uint16, out *uint64)
// A sum is at least least if the maximum of the two is the sum.
TEXT ·atLeastAVX2(SB), NOSPLIT, $0-32
	MOVQ         sums+0(FP), DI
	MOVQ         groups+8(FP), CX
	MOVWLZX      least+16(FP), R9
	MOVQ         out+24(FP), R8
	MOVQ         R9, X15
	VPBROADCASTW X15, Y15

atLeast2group:
	TESTQ     CX, CX
	JZ        atLeast2done
	VMOVDQU   (DI), Y0
	VMOVDQU   32(DI), Y1
	VMOVDQU   64(DI), Y2
	VMOVDQU   96(DI), Y3
	VPMAXUW   Y15, Y0, Y4
	VPMAXUW   Y15, Y1, Y5
	VPMAXUW   Y15, Y2, Y6
	VPMAXUW   Y15, Y3, Y7
	VPCMPEQW  Y4, Y0, Y0
	VPCMPEQW  Y5, Y1, Y1
	VPCMPEQW  Y6, Y2, Y2
	VPCMPEQW  Y7, Y3, Y3
	VPACKSSWB Y1, Y0, Y0
	VPACKSSWB Y3, Y2, Y2
	VPERMQ    $0xd8, Y0, Y0
	VPERMQ    $0xd8, Y2, Y2
	VPMOVMSKB Y0, AX
	VPMOVMSKB Y2, BX
	SHLQ      $32, BX
	ORQ       BX, AX
	MOVQ      AX, (R8)
	ADDQ      $128, DI
	ADDQ      $8, R8
	DECQ      CX
	JMP       atLeast2group

atLeast2done:
	VZEROUPPER
	RET

// STAGE adds to every lane its pair in S; in the lanes of K it subtracts the lane from the pair.
#define STAGE(Z, S, K) \
	VSUBPS Z, S, Z20    \
	VADDPS Z, S, Z      \
	VMOVAPS Z20, K, Z

#define CROSS(A, B) \
	VSUBPS  B, A, Z20 \
	VADDPS  B, A, A   \
	VMOVAPS Z20, B

#define LANES(Z) \
	VPERMILPS $0xb1, Z, Z21   \ // neighbours
	STAGE(Z, Z21, K1)         \
	VPERMILPS $0x4e, Z, Z21   \ // pairs
	STAGE(Z, Z21, K2)         \
	VSHUFF32X4 $0xb1, Z, Z, Z21 \ // fours
	STAGE(Z, Z21, K3)         \
	VSHUFF32X4 $0x4e, Z, Z, Z21 \ // eights
	STAGE(Z, Z21, K4)

// func hadamardsAVX512(x *float32, blocks int)
// The order of stages is that of hadamardsGo, so that the results are identical.
TEXT ·hadamardsAVX512(SB), NOSPLIT, $0-16
	MOVQ         x+0(FP), DI
	MOVQ         blocks+8(FP), CX
	MOVL         $0xaaaa, AX
	KMOVW        AX, K1
	MOVL         $0xcccc, AX
	KMOVW        AX, K2
	MOVL         $0xf0f0, AX
	KMOVW        AX, K3
	MOVL         $0xff00, AX
	KMOVW        AX, K4
	MOVL         $0x3e000000, AX // 1/8
	VPBROADCASTD AX, Z30

hadamard512:
	TESTQ   CX, CX
	JZ      hadamard512done
	VMOVUPS (DI), Z0
	VMOVUPS 64(DI), Z1
	VMOVUPS 128(DI), Z2
	VMOVUPS 192(DI), Z3
	LANES(Z0)
	LANES(Z1)
	LANES(Z2)
	LANES(Z3)
	CROSS(Z0, Z1)
	CROSS(Z2, Z3)
	CROSS(Z0, Z2)
	CROSS(Z1, Z3)
	VMULPS  Z30, Z0, Z0
	VMULPS  Z30, Z1, Z1
	VMULPS  Z30, Z2, Z2
	VMULPS  Z30, Z3, Z3
	VMOVUPS Z0, (DI)
	VMOVUPS Z1, 64(DI)
	VMOVUPS Z2, 128(DI)
	VMOVUPS Z3, 192(DI)
	ADDQ    $256, DI
	DECQ    CX
	JMP     hadamard512

hadamard512done:
	VZEROUPPER
	RET
