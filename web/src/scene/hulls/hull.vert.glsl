// An area is a disc that faces the camera: the projection of a normal distribution with the
// covariance of the cluster (Zwicker et al., "EWA Splatting", 2002, without perspective skew).
uniform mat4 uView, uProjection;
uniform float uDepth;      // 1: three dimensions, 0: flat
uniform vec4 uCentres[24]; // place; share of its members that are visible
uniform vec4 uSpreads[48]; // xx, xy, xz, hue; yy, yz, zz, strength
uniform vec3 uHullColors[31];
uniform bool uPlain;       // one colour for all: the points are not coloured by cluster
uniform bool uFocus;
uniform float uSleepDim;

out vec2 vPlace;
flat out vec4 vColor;

const float REACH = 2.3;   // radius in standard deviations
const float NEAREST = 12.0, NEAR = 60.0;

void main() {
  int hull = gl_VertexID / 4;
  vec2 corner = vec2(float(gl_VertexID & 1), float((gl_VertexID >> 1) & 1)) * 2.0 - 1.0;
  vec4 centre = uCentres[hull];
  vec4 first = uSpreads[2 * hull], second = uSpreads[2 * hull + 1];
  vec4 eye = uView * vec4(centre.xy, centre.z * uDepth, 1.0);
  float far = -eye.z;
  float shown = smoothstep(0.1, 0.35, centre.w) * smoothstep(NEAREST, NEAR, far);
  if (shown <= 0.0) {
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    return;
  }
  mat3 spread = mat3(first.x, first.y, first.z * uDepth, first.y, second.x, second.y * uDepth, first.z * uDepth, second.y * uDepth, second.z * uDepth * uDepth);
  mat3 view = mat3(uView);
  mat3 seen = view * spread * transpose(view);
  float a = seen[0][0], b = seen[0][1], d = seen[1][1];
  float middle = 0.5 * (a + d), apart = sqrt(max(0.25 * (a - d) * (a - d) + b * b, 0.0));
  vec2 axis = abs(b) > 1e-4 ? normalize(vec2(b, middle + apart - a)) : (a >= d ? vec2(1.0, 0.0) : vec2(0.0, 1.0));
  vec2 size = REACH * sqrt(vec2(middle + apart, max(middle - apart, 0.0)));
  vec2 off = axis * size.x * corner.x + vec2(-axis.y, axis.x) * size.y * corner.y;
  gl_Position = uProjection * (eye + vec4(off, 0.0, 0.0));
  vPlace = corner;
  vColor = vec4(uHullColors[uPlain ? 0 : int(first.w)], shown * second.w * (uFocus ? 0.4 : 1.0) * (1.0 - 0.5 * uSleepDim));
}
