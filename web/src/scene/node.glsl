// Shared by all shaders: reads a node, whether it is visible at the instant, and its retention.
// state/visibility.ts has the same rules; instants are split as in state/instant.ts.

uniform highp isampler2D uNodes;  // four texels per node, see nodes.ts
uniform highp isampler2D uStates; // from (high), from (low; status, tier and core in the upper bits), valid-to high, low
uniform highp isampler2D uUses;   // days of use as instants
uniform highp usampler2D uMarks;  // bits, see marks.ts
uniform highp sampler2D uPositions;
uniform highp sampler2D uOldPositions;
uniform float uPositionMix;  // 0: old positions, 1: new positions
uniform float uDepth;  // 1: three dimensions, 0: flat
uniform ivec2 uRecorded;
uniform ivec2 uValid;
uniform bool uHasValid;
uniform int uStatuses;
uniform highp sampler2D uEffects; // the sleep's effects on each node, see effects.ts
uniform float uReplay;   // second of the sleep replay; below 0: no replay
uniform bool uReducedMotion;    // final states without movement

const int ACTIVE = 0, EXPIRED = 4;
const uint PASSES = 1u, GHOST = 2u, HIT = 4u, NEAR = 8u, FRESH = 16u;
const int STRENGTHEN = 1, ARCHIVE = 2, MERGE = 3, RECEIVE = 4, PROMOTE = 5, ENGRAVE = 6, DREAM = 7, GIVE = 8, BORN = 9; // EFFECTS of state/sleepreplay.ts
const float EFFECT_SECONDS = 1.6;
const float STEP_DAYS = 1048576.0 / 86400000.0;

struct Node {
  int stateStart, stateCount, useStart, useCount;
  int type;
  float importance;
  ivec2 expires, validFrom, anchor, created, lastUse;
  float k;
  uint marks;
};

struct State {
  bool born;
  ivec2 from;
  int status, tier;
  bool core;
  ivec2 validTo;
};

ivec2 cell(int i) { return ivec2(i & 2047, i >> 11); }

bool notAfter(ivec2 a, ivec2 b) { return a.x < b.x || (a.x == b.x && a.y <= b.y); }

Node readNode(int i) {
  ivec4 a = texelFetch(uNodes, cell(4 * i), 0);
  ivec4 b = texelFetch(uNodes, cell(4 * i + 1), 0);
  ivec4 c = texelFetch(uNodes, cell(4 * i + 2), 0);
  ivec4 d = texelFetch(uNodes, cell(4 * i + 3), 0);
  return Node(a.x, a.y & 0xffff, a.z, a.w & 0xffff, a.y >> 16, float(a.w >> 16) / 255.0,
    b.xy, b.zw, c.xy, c.zw, d.xy, intBitsToFloat(d.z), texelFetch(uMarks, cell(i), 0).r);
}

State stateOf(Node n) {
  for (int s = n.stateStart + n.stateCount - 1; s >= n.stateStart; s--) {
    ivec4 t = texelFetch(uStates, cell(s), 0);
    ivec2 from = ivec2(t.x, t.y & 0xfffff);
    if (!notAfter(from, uRecorded)) continue;
    int status = (t.y >> 20) & 7;
    if (status == ACTIVE && notAfter(n.expires, uRecorded)) status = EXPIRED;
    return State(true, from, status, (t.y >> 23) & 3, ((t.y >> 25) & 1) == 1, t.zw);
  }
  return State(false, ivec2(0), 0, 0, false, ivec2(0));
}

// Visible by the rules of an as-of read, and passes the filters.
bool isVisible(Node n, State s) {
  if (!s.born || (n.marks & PASSES) == 0u || (uStatuses & (1 << s.status)) == 0) return false;
  return !uHasValid || (notAfter(n.validFrom, uValid) && !notAfter(s.validTo, uValid));
}

// Shown although it is not visible, because it belongs to the selection.
bool isGhost(Node n, State s) { return s.born && (n.marks & GHOST) != 0u && !isVisible(n, s); }

struct Effect {
  int kind;   // 0: none
  float t;    // seconds since it began; below 0: not begun
  int to;     // the target node; -1: none
  bool more;  // another effect on the same memory follows
  bool engraves;  // one of the following effects is ENGRAVE
};

Effect effectOf(int i) {
  if (uReplay < 0.0) return Effect(0, 0.0, -1, false, false);
  vec4 a = texelFetch(uEffects, cell(i), 0);
  return Effect(int(a.x), uReplay - a.y, int(a.z), a.w > 0.5, a.w > 1.5);
}

// The scene already has the state after the sleep. Memories that leave are shown until their
// effect is over; new ones appear when theirs begins.
bool isShown(Node n, State s, Effect a) {
  bool shown = isVisible(n, s) || isGhost(n, s);
  if (a.kind == 0) return shown;
  if (a.kind == BORN) return shown && a.t >= 0.0;
  bool passes = s.born && (n.marks & PASSES) != 0u;
  if (a.kind == ARCHIVE || a.kind == MERGE) return passes && (uReducedMotion || a.t < EFFECT_SECONDS);
  return shown || (passes && (a.more || a.t < 1.5 * EFFECT_SECONDS));
}

float daysBetween(ivec2 from, ivec2 to) {
  return float(to.x - from.x) * STEP_DAYS + float(to.y - from.y) / 86400000.0;
}

float retentionOf(Node n, State s) {
  if (s.core || s.tier == 3 || n.k == 0.0) return 1.0;
  ivec2 anchor = n.created;
  if (notAfter(n.anchor, uRecorded) && notAfter(anchor, n.anchor)) anchor = n.anchor;
  if (notAfter(n.lastUse, uRecorded)) {
    if (notAfter(anchor, n.lastUse)) anchor = n.lastUse;
  } else {
    for (int u = n.useStart + n.useCount - 1; u >= n.useStart; u--) {
      ivec2 day = texelFetch(uUses, cell(u), 0).xy;
      if (!notAfter(day, uRecorded)) continue;
      if (notAfter(anchor, day)) anchor = day;
      break;
    }
  }
  return exp(-n.k * max(daysBetween(anchor, uRecorded), 0.0));
}

vec3 positionOf(int i) {
  vec3 p = texelFetch(uPositions, cell(i), 0).xyz;
  if (uPositionMix < 1.0) p = mix(texelFetch(uOldPositions, cell(i), 0).xyz, p, uPositionMix);
  return vec3(p.xy, p.z * uDepth);
}
