// One byte per node for how it is emphasised. node.glsl has the same bits.

export const PASSES = 1 // passes the filters
export const GHOST = 2 // shown in spite of its status, because it belongs to the selection
export const HIT = 4 // found by the search, or highlighted by a panel
export const NEAR = 8 // selected, or linked to the selection
export const FRESH = 16 // just arrived
