uniform mat4 uView, uProjection;
uniform float uPixelsPerUnit;    // height of the drawing in pixels ÷ 2 tan(fov ÷ 2)
uniform float uScale;     // size of all points, smaller for many
uniform float uMaxRadius; // of a point in page pixels
uniform float uPixelRatio;     // device pixels per page pixel
uniform float uFogFrom, uFogTo;
uniform float uPulsePhase;     // radians
uniform float uFlash;     // highlight of new memories: 1 at first, falling to 0
uniform float uGlowDays;  // new memories glow for this many days while time plays; 0: no glow
uniform bool uFocus;      // something is in focus: the rest is dimmed
uniform int uSelected, uHovered;
uniform bool uHalo;
uniform float uHaloStrength;     // lower for many points, [0,1]
uniform bool uFocusGlow;         // only what is in focus glows
uniform int uColorBy;     // 0: category, 1: retention, 2: age, 3: confidence
uniform highp usampler2D uCategories; // of each node, an index in uPalette, or a value × 255
uniform vec3 uPalette[31];
uniform vec3 uRamp[4];    // colours from the lowest value to the highest
uniform float uAgeSpan;   // age of the oldest memory in days
uniform vec3 uSuperseded, uAccent;
uniform vec3 uEffectColors[10];
uniform float uSleepDim;     // dims the other points during a sleep replay, [0,1]

flat out vec4 vColor;
flat out vec4 vRing;
flat out float vCore;     // radius of the shape in the sprite, [0,1]
flat out float vSoft;     // width of a soft edge, in units of the shape
flat out int vShape;
flat out int vHollow;
flat out float vPixels;   // half the width of the sprite
flat out float vEngraved; // 1: an engram

void hide() {
  gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
  gl_PointSize = 0.0;
}

// The colour of what the points are coloured by. Ages are compared by their logarithm.
vec3 colorOf(int i, Node n, float left) {
  if (uColorBy == 0) return uPalette[min(int(texelFetch(uCategories, cell(i), 0).r), 30)];
  float value = left;
  if (uColorBy == 3) value = float(texelFetch(uCategories, cell(i), 0).r) / 255.0;
  if (uColorBy == 2) {
    ivec4 first = texelFetch(uStates, cell(n.stateStart), 0);
    float age = max(daysBetween(ivec2(first.x, first.y & 0xfffff), uRecorded), 0.0);
    value = 1.0 - log(1.0 + age) / log(1.0 + uAgeSpan);
  }
  float at = clamp(value, 0.0, 1.0) * 3.0;
  int low = min(int(at), 2);
  return mix(uRamp[low], uRamp[low + 1], at - float(low));
}

// Rises at once and falls slowly; constant with reduced motion.
float pulseOf(Effect a) {
  if (a.kind == 0 || a.t < 0.0) return 0.0;
  return uReducedMotion ? 0.6 : smoothstep(0.0, 0.18, a.t) * exp(-0.75 * a.t);
}

void main() {
  int i = gl_VertexID;
  Node n = readNode(i);
  State s = stateOf(n);
  Effect a = effectOf(i);
  bool ghost = isGhost(n, s);
  if (!isShown(n, s, a)) { hide(); return; }

  float run = uReducedMotion ? (a.t < 0.0 ? 0.0 : 1.0) : clamp(a.t / EFFECT_SECONDS, 0.0, 1.0);
  vec3 place = positionOf(i);
  if (!uReducedMotion) {
    if (a.kind == MERGE && a.to >= 0) place = mix(place, positionOf(a.to), run * run * (3.0 - 2.0 * run)) + vec3(0.0, 5.0 * sin(3.14159 * run), 0.0);
    if (a.kind == PROMOTE || a.kind == ENGRAVE) place.y += 5.0 * sin(3.14159 * run);
    if (a.kind == ARCHIVE) place.y -= 5.0 * run * run;
  }
  vec4 eye = uView * vec4(place, 1.0);
  gl_Position = uProjection * eye;
  float far = -eye.z;
  if (far <= 0.0) { hide(); return; }

  float left = retentionOf(n, s);
  bool selected = i == uSelected, hovered = i == uHovered;
  bool hit = (n.marks & HIT) != 0u, near = (n.marks & NEAR) != 0u;
  float pulse = n.type == 2 && s.status == ACTIVE ? 0.5 + 0.5 * sin(uPulsePhase) : 0.0;
  float age = daysBetween(s.from, uRecorded);
  float glow = uGlowDays > 0.0 && age >= 0.0 ? max(1.0 - age / uGlowDays, 0.0) : 0.0;
  if ((n.marks & FRESH) != 0u) glow = max(glow, uFlash);
  float lit = pulseOf(a);

  float radius = mix(0.62, 2.1, n.importance * n.importance) * uScale;
  radius *= 1.0 + 0.12 * pulse + 0.7 * glow + 0.75 * lit + (hovered ? 0.25 : 0.0);
  if (!uReducedMotion && a.kind == MERGE) radius *= 1.0 - 0.55 * run;
  if (!uReducedMotion && a.kind == BORN) radius *= smoothstep(0.0, 0.5, a.t);
  float px = clamp(radius * uPixelsPerUnit / far, 1.3 * uPixelRatio, uMaxRadius * uPixelRatio);

  vec3 own = colorOf(i, n, left);
  vec3 color = own;
  float alpha = mix(0.2, 1.0, pow(left, 0.8));
  int hollow = 0;
  bool before = a.kind > 0 && (a.t < 0.0 || a.more); // not yet in the state that the scene has
  if (ghost || (s.status != ACTIVE && !before) || (a.kind == ARCHIVE && a.t >= 0.0)) {
    color = mix(mix(color, vec3(dot(color, vec3(0.3, 0.5, 0.2))), 0.5), uSuperseded, s.status == 1 ? 0.55 : 0.2);
    hollow = 1;
    alpha = max(alpha, ghost ? 0.7 : 0.35);
  }
  if (uFocus && !selected && !hovered && !hit && !near && a.kind == 0) alpha *= 0.26;
  if (a.kind == 0 && !selected && !hovered && !hit) alpha *= 1.0 - 0.5 * uSleepDim;
  if (selected || hovered || hit) alpha = max(alpha, 0.9);
  if (a.kind > 0) {
    alpha = max(alpha, 0.95 * lit);
    if (!uReducedMotion && (a.kind == ARCHIVE || a.kind == MERGE)) alpha *= 1.0 - smoothstep(0.55, 1.0, run);
    if (!uReducedMotion && a.kind == GIVE && !isVisible(n, s)) alpha *= 1.0 - smoothstep(1.0, 1.5, a.t / EFFECT_SECONDS);
    color = mix(color, uEffectColors[a.kind], 0.85 * lit);
  }
  alpha *= mix(1.0, 0.38, smoothstep(uFogFrom, uFogTo, far));
  color = mix(color, vec3(1.0), 0.55 * glow);

  // An expanding ring for promotions, merges and new memories; a fixed ring with reduced
  // motion.
  bool waves = a.kind >= RECEIVE && a.kind != GIVE && a.t >= 0.0 && (uReducedMotion || run < 1.0);
  bool ring = selected || hovered || hit || waves;
  vEngraved = s.tier == 3 && !(a.kind == ENGRAVE && a.t < 0.35) && !a.engraves ? 1.0 : 0.0;
  vHollow = hollow;
  vShape = n.type;
  vColor = vec4(color, alpha);
  vRing = vec4(selected ? uAccent : hit ? mix(own, uAccent, 0.45) : uAccent, ring ? (selected ? 1.0 : hit ? 0.85 : 0.55) : 0.0);
  if (waves && !selected) vRing = vec4(uEffectColors[a.kind], uReducedMotion ? 0.85 : 0.9 * (1.0 - run));
  if (uHalo) {
    float light = (0.16 + 0.40 * n.importance) * left * (a.kind == 0 ? 1.0 - 0.6 * uSleepDim : 1.0) + 0.45 * pulse + 0.9 * glow + 1.1 * lit + (selected ? 0.5 : 0.0) + (hit ? 0.45 : 0.0);
    if (hollow == 1) light *= 0.25;
    if (alpha < 0.3) light *= 0.3;
    if (uFocusGlow && !selected && !hovered && !hit && glow <= 0.0 && lit <= 0.0) { hide(); return; }
    vColor.a = clamp(light * (selected || hit ? 1.0 : uHaloStrength), 0.0, 1.0) * (alpha < 0.3 ? alpha * 2.0 : 1.0);
    if (vColor.a < 0.02) { hide(); return; }
    px *= mix(2.6, 4.4, uHaloStrength);
    vCore = 1.0;
  } else {
    float room = ring ? px + (6.5 + (waves && !uReducedMotion && !selected ? 16.0 * run : 0.0)) * uPixelRatio : px + (px < 4.0 * uPixelRatio ? 0.6 : 1.0) * uPixelRatio;
    vCore = px / room;
    px = room;
  }
  vPixels = px;
  vSoft = 0.9 * uPixelRatio / max(px * vCore, 1.0);
  gl_PointSize = 2.0 * px;
}
