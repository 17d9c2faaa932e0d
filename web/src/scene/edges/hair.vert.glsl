// An edge as the thinnest line that the graphics card draws. Used when there are many.
flat out vec4 vColor;

void main() {
  Edge e = readEdge(gl_VertexID >> 1);
  vColor = e.color;
  if (!e.shown) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
  else gl_Position = (gl_VertexID & 1) == 0 ? mix(e.b, e.a, e.grown) : e.b;
}
