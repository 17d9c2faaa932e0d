// Shared by both edge shaders: reads an edge, whether both ends are drawn, and its colour.
uniform mat4 uView, uProjection;
uniform highp usampler2D uRows; // a texel per edge: from, to, kind, weight (0 to 255)
uniform int uFirst;             // the first row of this layer
uniform int uCurved;            // so many rows of this layer, the first ones, are curved
uniform highp sampler2D uBends; // a texel for each curved row: offset of its control point from the middle between its ends
uniform float uBend;            // how far these offsets count, [0,1]
uniform float uFogFrom, uFogTo;
uniform vec3 uEdgeColors[8];
uniform float uEdgeAlpha;            // opacity of edges outside the focus, lower the more there are, [0,1]
uniform int uRestRows;               // the first rows are edges at rest
uniform float uRestAlpha;            // opacity of edges at rest, [0,1]
uniform bool uFocus;

const int SUPERSEDES = 0, CONTRADICTS = 4, SAME_SESSION = 5, TEMPORAL_SEQ = 6, ENTITY_OVERLAP = 7;

struct Edge {
  bool shown;
  int kind;
  vec4 a, b;    // the ends in clip space
  vec3 placeA, placeB, bend;
  float grown;  // how far an edge to a new memory has grown from b, [0,1]
  vec4 color;
};

// Edges across the map are fainter than those within a region, which would not be seen through them.
float farness(vec3 a, vec3 b) { return mix(1.0, 0.3, smoothstep(15.0, 80.0, distance(a, b))); }

Edge readEdge(int row) {
  uvec4 r = texelFetch(uRows, cell(uFirst + row), 0);
  Edge e;
  e.kind = int(r.z);
  // A SUPERSEDES edge runs from the newer to the older memory; its arrow points to the newer.
  int a = int(e.kind == SUPERSEDES ? r.y : r.x), b = int(e.kind == SUPERSEDES ? r.x : r.y);
  Effect effectA = effectOf(a), effectB = effectOf(b);
  Node nodeA = readNode(a), nodeB = readNode(b);
  e.shown = isShown(nodeA, stateOf(nodeA), effectA) && isShown(nodeB, stateOf(nodeB), effectB);
  if (!e.shown) return e;
  vec3 placeA = positionOf(a), placeB = positionOf(b);
  e.placeA = placeA;
  e.placeB = placeB;
  vec3 bend = row < uCurved ? texelFetch(uBends, cell(uFirst + row), 0).xyz : vec3(0.0);
  e.bend = uBend * vec3(bend.xy, bend.z * uDepth);
  vec4 eyeA = uView * vec4(placeA, 1.0), eyeB = uView * vec4(placeB, 1.0);
  e.a = uProjection * eyeA;
  e.b = uProjection * eyeB;
  e.grown = effectA.kind == BORN && !uReducedMotion ? smoothstep(0.0, 1.0, effectA.t) : 1.0;
  float alpha = e.kind <= CONTRADICTS ? 0.85 : e.kind == ENTITY_OVERLAP ? float(r.w) / 300.0 : e.kind == TEMPORAL_SEQ ? 0.5 : 0.34;
  if ((nodeA.marks & nodeB.marks & NEAR) == 0u) alpha = uFirst + row < uRestRows ? uRestAlpha * farness(placeA, placeB) * (uFocus ? 0.3 : 1.0) : alpha * uEdgeAlpha;
  alpha *= mix(1.0, 0.4, smoothstep(uFogFrom, uFogTo, -0.5 * (eyeA.z + eyeB.z)));
  e.color = vec4(uEdgeColors[e.kind], alpha);
  return e;
}

// The point of a curved edge at t in clip space; 0: the first end. An edge to a new memory grows from the second one.
vec4 pointAt(Edge e, float t) {
  t = mix(1.0 - e.grown, 1.0, t);
  return uProjection * uView * vec4(mix(e.placeA, e.placeB, t) + 2.0 * t * (1.0 - t) * e.bend, 1.0);
}
