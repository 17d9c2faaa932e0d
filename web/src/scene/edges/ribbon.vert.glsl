// An edge as a ribbon of constant width in pixels. Straight: four corners for the line, three for the
// arrow of a SUPERSEDES edge. Curved: two corners at each end of a piece.
uniform vec2 uDrawingSize;        // of the drawing buffer, pixels
uniform float uPixelRatio;

flat out vec4 vColor;
flat out float vWidth;     // half width of the line, pixels; below 0: the arrow
out vec2 vAt;              // along and across, pixels; for the arrow from its tip

const float HEAD = 9.0;

void hide() { gl_Position = vec4(2.0, 2.0, 2.0, 1.0); }

vec2 onPage(vec4 p) { return (p.xy / p.w) * 0.5 * uDrawingSize; }

void curved(int row, int corner) {
  Edge e = readEdge(row);
  vColor = e.color;
  if (!e.shown || e.a.w <= 0.1 || e.b.w <= 0.1) { hide(); return; }
  vWidth = 0.55 * uPixelRatio;
  float t = float(corner >> 1) / float(SEGMENTS);
  vec4 p = pointAt(e, t);
  vec2 along = onPage(pointAt(e, min(t + 0.05, 1.0))) - onPage(pointAt(e, max(t - 0.05, 0.0)));
  float size = length(along);
  vec2 side = size > 0.001 ? vec2(-along.y, along.x) / size : vec2(0.0, 1.0);
  float across = (float(corner & 1) * 2.0 - 1.0) * (vWidth + 0.75 * uPixelRatio);
  vAt = vec2(0.0, across);
  gl_Position = vec4((onPage(p) + side * across) / (0.5 * uDrawingSize), p.z / p.w, 1.0);
}

void main() {
  const int CURVED_CORNERS = 2 * (SEGMENTS + 1);
  int straight = gl_VertexID - CURVED_CORNERS * uCurved;
  if (straight < 0) { curved(gl_VertexID / CURVED_CORNERS, gl_VertexID % CURVED_CORNERS); return; }
  int corner = straight % 7;
  Edge e = readEdge(uCurved + straight / 7);
  vColor = e.color;
  if (!e.shown || e.a.w <= 0.1 || e.b.w <= 0.1 || (corner > 3 && e.kind != SUPERSEDES)) { hide(); return; }

  vec2 pb = (e.b.xy / e.b.w) * 0.5 * uDrawingSize, pa = mix(pb, (e.a.xy / e.a.w) * 0.5 * uDrawingSize, e.grown);
  vec2 along = pb - pa;
  float size = length(along);
  vec2 dir = size > 0.001 ? along / size : vec2(1.0, 0.0);
  vec2 side = vec2(-dir.y, dir.x);
  vWidth = (e.kind == SUPERSEDES ? 0.95 : e.kind <= CONTRADICTS ? 0.75 : 0.55) * uPixelRatio;

  float t, across;           // position of the corner: [0,1] along, pixels across
  if (corner < 4) {
    t = float(corner >> 1);
    across = (float(corner & 1) * 2.0 - 1.0) * (vWidth + 0.75 * uPixelRatio);
    vAt = vec2(t * size, across);
  } else {
    // In the middle, where no point covers it; with room for its soft edge.
    float head = HEAD * uPixelRatio, soft = 2.0 * uPixelRatio;
    if (size < 2.0 * head) { hide(); return; }
    float back = corner == 4 ? -soft : head + soft;
    across = corner == 4 ? 0.0 : (corner == 5 ? -1.0 : 1.0) * (head * 0.55 + 2.0 * soft);
    t = 0.5 + (0.5 * head - back) / size;
    vAt = vec2(back, across);
    vWidth = -head;
  }
  vec2 at = mix(pa, pb, t) + side * across;
  gl_Position = vec4(at / (0.5 * uDrawingSize), mix(e.a.z / e.a.w, e.b.z / e.b.w, t), 1.0);
}
