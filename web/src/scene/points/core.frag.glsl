flat in vec4 vColor;
flat in vec4 vRing;
flat in float vCore;
flat in float vSoft;
flat in int vShape;
flat in int vHollow;
flat in float vPixels;
flat in float vEngraved;
uniform bool uLight;
uniform float uPixelRatio;
out vec4 color;

// Signed distance to the edge of the shape, negative inside. All shapes have about the same
// area. Each type has its own shape, so that types differ in more than colour.
float shape(vec2 p) {
  if (vShape == 1) { p = abs(p); return (p.x + p.y - 1.18) * 0.7071; }
  if (vShape == 3) { vec2 q = abs(p) - 0.66; return length(max(q, 0.0)) + min(max(q.x, q.y), 0.0) - 0.16; }
  if (vShape == 4) {
    p.y += 0.14;
    p.x = abs(p.x);
    return max(p.x * 0.866 + p.y * 0.5, -p.y) - 0.52 - 0.05;
  }
  if (vShape == 2) return max(length(p) - 1.0, 0.42 - length(p));
  return length(p) - 0.94;
}

void main() {
  vec2 p = gl_PointCoord * 2.0 - 1.0;
  p.y = -p.y;
  vec2 q = p / vCore;
  float d = shape(q);
  float fill = 1.0 - smoothstep(-vSoft, vSoft, d);
  float ring = 0.0;
  if (vRing.a > 0.0) ring = vRing.a * (1.0 - smoothstep(0.6, 1.4, abs(length(p) * vPixels - (vPixels - 2.0 * uPixelRatio)) / uPixelRatio));
  if (vHollow == 1) fill *= smoothstep(-0.34 - vSoft, -0.34 + vSoft, d) * 0.85 + 0.15;
  if (vShape == 2) {
    float far = length(q);
    if (far < 0.24) fill = max(fill, 1.0 - smoothstep(0.2 - vSoft, 0.2 + vSoft, far));
  }
  float a = fill * vColor.a;
  if (max(a, ring) < 0.01) discard;
  vec3 tone = vColor.rgb;
  // Shading is invisible at a few pixels.
  if (vSoft < 0.35) {
    float lit = uLight ? 0.12 : 0.30;
    float off = length(q - vec2(-0.35, 0.4));
    tone *= 1.0 - 0.28 * smoothstep(0.1, 1.3, off) + lit * (1.0 - smoothstep(0.0, 0.8, off));
    if (vEngraved > 0.0) {
      // An engram has a bright line inside its edge.
      float cut = vEngraved * (1.0 - smoothstep(0.09, 0.09 + 1.4 * vSoft, abs(d + 0.3)));
      tone = mix(tone, uLight ? vec3(1.0) : mix(vColor.rgb, vec3(1.0), 0.85), cut);
    }
  }
  color = vec4(mix(tone, vRing.rgb, ring), max(a, ring));
}
