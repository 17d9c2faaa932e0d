// One byte a node says how it stands out. The bits are those of node.glsl.

export const PASSES = 1 // let through by the filters
export const GHOST = 2 // shown although its status is not, because what is selected needs it
export const HIT = 4 // found by the search
export const NEAR = 8 // selected, or joined to what is
export const FRESH = 16 // just arrived
