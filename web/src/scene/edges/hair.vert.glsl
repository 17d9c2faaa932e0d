// An edge as the thinnest line that the graphics card draws. Used when there are many.
flat out vec4 vColor;

void main() {
  int straight = gl_VertexID - 2 * SEGMENTS * uCurved; // below 0: the vertex is of a curved edge
  Edge e = readEdge(straight < 0 ? gl_VertexID / (2 * SEGMENTS) : uCurved + (straight >> 1));
  vColor = e.color;
  int part = gl_VertexID % (2 * SEGMENTS);
  if (!e.shown) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
  else if (straight < 0) gl_Position = pointAt(e, float((part >> 1) + (part & 1)) / float(SEGMENTS));
  else gl_Position = (gl_VertexID & 1) == 0 ? mix(e.b, e.a, e.grown) : e.b;
}
