uniform float uRatio;
flat in vec4 vColor;
flat in float vWidth;
flat in int vArrow;
flat in float vLength;
in vec2 vAt;
out vec4 color;

void main() {
  float soft = 0.75 * uRatio;
  float line = 1.0 - smoothstep(vWidth - 0.5 * soft, vWidth + soft, abs(vAt.y));
  if (vArrow == 1) {
    float head = 9.0 * uRatio;
    float tip = vLength * 0.5 + head * 0.5; // in the middle, where no point covers it
    float back = tip - vAt.x;               // 0 at the tip, head at the base
    float half_ = back * 0.55;
    if (back > 0.0 && back < head && vLength > 2.0 * head) {
      line = max(line, 1.0 - smoothstep(half_ - soft, half_ + soft, abs(vAt.y)));
    }
  }
  float a = line * vColor.a;
  if (a < 0.01) discard;
  color = vec4(vColor.rgb, a);
}
