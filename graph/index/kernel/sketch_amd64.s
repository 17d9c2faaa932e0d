//go:build amd64 && !purego

#include "textflag.h"

// func aboveAVX512(table, rows *uint8, bytes, groups int, least uint16, out *uint64)
// A byte of 64 rows is looked up as two times four signs (André, Kermarrec and Le Scouarnec,
// "Cache locality is not enough: high-performance nearest neighbor search with product
// quantization fast scan", VLDB 2015). The sums of even places are what the words add up to
// less the odd ones, which lie in the upper bytes.
TEXT ·aboveAVX512(SB), NOSPLIT, $0-48
	MOVQ         table+0(FP), SI
	MOVQ         rows+8(FP), DI
	MOVQ         bytes+16(FP), DX
	MOVQ         groups+24(FP), CX
	MOVWLZX      least+32(FP), R9
	MOVQ         out+40(FP), R8
	MOVL         $0x0f0f0f0f, AX
	VPBROADCASTD AX, Z31
	VPBROADCASTW R9, Z30

above512group:
	TESTQ  CX, CX
	JZ     above512done
	VPXORD Z0, Z0, Z0
	VPXORD Z1, Z1, Z1
	MOVQ   SI, R10
	MOVQ   DX, R11

above512byte:
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
	JNZ             above512byte

	VPSLLW  $8, Z1, Z2
	VPSUBW  Z2, Z0, Z0
	VPCMPUW $5, Z30, Z0, K1
	VPCMPUW $5, Z30, Z1, K2
	KMOVD   K1, AX
	KMOVD   K2, BX
	SHLQ    $32, BX
	ORQ     BX, AX
	MOVQ    AX, (R8)
	ADDQ    $8, R8
	DECQ    CX
	JMP     above512group

above512done:
	VZEROUPPER
	RET

// STAGE adds every lane to the one it is paired with in S, and in the lanes of K takes it
// from that one.
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
// The order of stages is that of hadamardsGo, so that the bits are the same.
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
