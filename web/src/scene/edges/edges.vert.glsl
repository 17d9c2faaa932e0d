uniform mat4 uView, uProjection;
uniform vec2 uSize;        // of the drawing, pixels
uniform float uRatio;
uniform float uFogFrom, uFogTo;
uniform vec3 uEdgeColors[8];

in uvec4 aEdge;            // from, to, kind, weight of 255

flat out vec4 vColor;
flat out float vWidth;     // half width of the line, pixels
flat out int vArrow;
flat out float vLength;    // pixels
out vec2 vAt;              // along and across, pixels

const int SUPERSEDES = 0, CONTRADICTS = 4, SAME_SESSION = 5, TEMPORAL_SEQ = 6, ENTITY_OVERLAP = 7;

void hide() { gl_Position = vec4(2.0, 2.0, 2.0, 1.0); }

bool drawn(int i, Act a) {
  Node n = readNode(i);
  return onStage(n, stateOf(n), a);
}

void main() {
  int kind = int(aEdge.z);
  // An edge of the chain runs from the newer to the older; its arrow shows the way belief went.
  int a = int(kind == SUPERSEDES ? aEdge.y : aEdge.x), b = int(kind == SUPERSEDES ? aEdge.x : aEdge.y);
  Act actA = actOf(a), actB = actOf(b);
  vec4 eyeA = uView * vec4(placeOf(a), 1.0), eyeB = uView * vec4(placeOf(b), 1.0);
  vec4 clipA = uProjection * eyeA, clipB = uProjection * eyeB;
  if (clipA.w <= 0.1 || clipB.w <= 0.1 || !drawn(a, actA) || !drawn(b, actB)) { hide(); return; }

  vec2 pa = (clipA.xy / clipA.w) * 0.5 * uSize, pb = (clipB.xy / clipB.w) * 0.5 * uSize;
  // A line to what is born grows from its source.
  if (actA.part == BORN && !uCalm) pa = mix(pb, pa, smoothstep(0.0, 1.0, actA.t));
  vec2 along = pb - pa;
  float size = length(along);
  vec2 dir = size > 0.001 ? along / size : vec2(1.0, 0.0);
  vec2 side = vec2(-dir.y, dir.x);

  bool strong = kind <= CONTRADICTS;
  float room = (kind == SUPERSEDES ? 7.0 : 3.0) * uRatio;
  float end = float(gl_VertexID >> 1), hand = float(gl_VertexID & 1) * 2.0 - 1.0;
  vec2 at = mix(pa, pb, end) + side * hand * room;
  float depth = mix(clipA.z / clipA.w, clipB.z / clipB.w, end);
  gl_Position = vec4(at / (0.5 * uSize), depth, 1.0);

  float weight = float(aEdge.w) / 255.0;
  float alpha = strong ? 0.85 : kind == ENTITY_OVERLAP ? weight * 0.85 : kind == TEMPORAL_SEQ ? 0.5 : 0.34;
  float far = 0.5 * (-eyeA.z - eyeB.z);
  alpha *= mix(1.0, 0.4, smoothstep(uFogFrom, uFogTo, far));
  vColor = vec4(uEdgeColors[kind], alpha);
  vWidth = (kind == SUPERSEDES ? 0.95 : strong ? 0.75 : 0.55) * uRatio;
  vArrow = kind == SUPERSEDES ? 1 : 0;
  vLength = size;
  vAt = vec2(end * size, hand * room);
}
