uniform float uPixelRatio;
flat in vec4 vColor;
flat in float vWidth;
in vec2 vAt;
out vec4 color;

void main() {
  float soft = 0.75 * uPixelRatio;
  float a = vColor.a;
  if (vWidth > 0.0) a *= 1.0 - smoothstep(vWidth - 0.5 * soft, vWidth + soft, abs(vAt.y));
  else {
    float half_ = 0.55 * vAt.x;
    a *= (1.0 - smoothstep(half_ - soft, half_ + soft, abs(vAt.y))) * (1.0 - smoothstep(-vWidth - soft, -vWidth + soft, vAt.x));
  }
  color = vec4(vColor.rgb, a);
}
