import{a as e,c as t,d as n,f as r,i,l as a,n as o,o as s,r as c,s as l,t as u,u as d}from"./index-CDr28lOQ.js";var f=512,p=`precision highp float;
precision highp int;
${i}
uniform vec2 uTarget;
flat out vec4 vId;
void main() {
  int i = gl_VertexID;
  Node n = readNode(i);
  State s = stateOf(n);
  float left = floor(retentionOf(n, s) * 65535.0 + 0.5);
  vId = vec4(inPicture(n, s) ? 1.0 : 0.0, floor(left / 256.0) / 255.0, mod(left, 256.0) / 255.0, float(s.status + 1) / 255.0);
  vec2 at = (vec2(float(i % ${f}), float(i / ${f})) + 0.5) / uTarget;
  gl_Position = vec4(at * 2.0 - 1.0, 0.0, 1.0);
  gl_PointSize = 1.0;
}`,m=`precision highp float;
flat in vec4 vId;
out vec4 color;
void main() { color = vId; }`;function h(n){let r=n.live.get().world,i=Math.max(Math.ceil(r.count/f),1),o=new d(f,i,{depthBuffer:!1}),c=new e;c.setDrawRange(0,r.count);let u=new t({glslVersion:s,vertexShader:p,fragmentShader:m,blending:0,depthTest:!1,uniforms:{...n.stage.nodes,uTarget:{value:[f,i]}}}),h=new l(c,u);h.frustumCulled=!1;let g=new a;g.add(h);let{renderer:_}=n.stage;_.setRenderTarget(o),_.clear(),_.render(g,n.stage.camera);let v=new Uint8Array(4*f*i);return _.readRenderTargetPixels(o,0,0,f,i,v),_.setRenderTarget(null),o.dispose(),c.dispose(),u.dispose(),v}function g(e){let t=_(e);Object.assign(window,{__somnograph:t})}function _(e){return{ready:()=>e.live.get().status!==`loading`,status:()=>e.live.get().status,count:()=>e.live.get().world?.count??0,drawn(){let t=e.live.get().world,n=h(e);return Array.from({length:t.count},(e,t)=>t).filter(e=>n[4*e]===255).map(e=>t.idOf(e)).sort()},visible(){let{world:t,passing:n}=e.live.get(),r=e.moment();return Array.from({length:t.count},(e,t)=>t).filter(e=>n[e]&&c(t,e,r)).map(e=>t.idOf(e)).sort()},retentionGap(){let t=e.live.get().world,n=h(e),r=e.moment(),i=0;for(let e=0;e<t.count;e++)n[4*e]===255&&(i=Math.max(i,Math.abs((n[4*e+1]*256+n[4*e+2])/65535-o(t,e,r.recorded))));return i},info(){e.stage.renderNow();let{calls:t,points:n,triangles:r,lines:i}=e.stage.renderer.info.render;return{calls:t,points:n,triangles:r,lines:i}},where(t){let n=e.live.get().world,i={x:0,y:0,far:0},a=n.indexOf(t);return a>=0&&r(n,a,e.stage.lens(),i)?{x:i.x,y:i.y}:null},under(t,r){let i=e.live.get().world,a=n(i,t=>e.drawn(t),e.stage.lens(),t,r);return a>=0?i.idOf(a):null},ids:()=>Array.from({length:e.live.get().world.count},(t,n)=>e.live.get().world.idOf(n)),setView:t=>e.view.set(t),view:()=>e.view.get(),moment:()=>e.moment(),lost:()=>e.stage.renderer.getContext().isContextLost(),async lit(){let t=await createImageBitmap(await u(e)),n=new OffscreenCanvas(t.width,t.height).getContext(`2d`);n.drawImage(t,0,0);let{data:r}=n.getImageData(0,0,t.width,t.height),i=0;for(let e=0;e<r.length;e+=4)Math.max(r[e],r[e+1],r[e+2])>96&&i++;return i},async colorAt(t,n){let r=await createImageBitmap(await u(e)),i=new OffscreenCanvas(1,1).getContext(`2d`),a=r.width/e.stage.canvas.getBoundingClientRect().width;i.drawImage(r,-Math.round(t*a),-Math.round(n*a));let[o,s,c]=i.getImageData(0,0,1,1).data;return[o,s,c]},scrubCost(t){let n=e.live.get().world.firstBorn,r=e.clock.now(),i=performance.now();for(let i=0;i<t;i++)e.stage.setMoment({...e.moment(),recorded:n+(r-n)*i/t}),e.stage.renderNow();return(performance.now()-i)/t}}}export{g as install};