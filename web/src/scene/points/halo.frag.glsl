flat in vec4 vColor;
flat in vec4 vRing;
flat in float vCore;
flat in float vSoft;
flat in int vShape;
flat in int vHollow;
flat in float vPixels;
flat in float vEngraved;
out vec4 color;

void main() {
  float r = length(gl_PointCoord * 2.0 - 1.0);
  if (r >= 1.0) discard;
  float fall = 1.0 - r;
  color = vec4(vColor.rgb, vColor.a * fall * fall * fall * 0.8);
}
