in vec2 vPlace;
flat in vec4 vColor;
uniform bool uLight;
out vec4 color;

void main() {
  float r = length(vPlace);
  if (r >= 1.0) discard;
  float fill = 1.0 - smoothstep(0.35, 1.0, r);
  color = vec4(vColor.rgb, vColor.a * fill * (uLight ? 0.17 : 0.15));
}
