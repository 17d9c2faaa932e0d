import{A as e,C as t,F as n,I as r,L as i,M as a,N as o,P as s,j as c,k as l,t as u,w as d}from"./index-B5oCDbtn.js";var f=512,p=`precision highp float;
precision highp int;
${l}
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
void main() { color = vId; }`;function h(t){let r=t.live.get().world,i=Math.max(Math.ceil(r.count/f),1),l=new n(f,i,{depthBuffer:!1}),u=new e;u.setDrawRange(0,r.count);let d=new o({glslVersion:c,vertexShader:p,fragmentShader:m,blending:0,depthTest:!1,uniforms:{...t.stage.nodes,uTarget:{value:[f,i]}}}),h=new a(u,d);h.frustumCulled=!1;let g=new s;g.add(h);let{renderer:_}=t.stage;_.setRenderTarget(l),_.clear(),_.render(g,t.stage.camera);let v=new Uint8Array(4*f*i);return _.readRenderTargetPixels(l,0,0,f,i,v),_.setRenderTarget(null),l.dispose(),u.dispose(),d.dispose(),v}function g(e){let t=_(e);Object.assign(window,{__somnograph:t})}function _(e){return{ready:()=>e.live.get().status!==`loading`,status:()=>e.live.get().status,count:()=>e.live.get().world?.count??0,drawn(){let t=e.live.get().world,n=h(e);return Array.from({length:t.count},(e,t)=>t).filter(e=>n[4*e]===255).map(e=>t.idOf(e)).sort()},visible(){let{world:t,passing:n}=e.live.get(),r=e.moment();return Array.from({length:t.count},(e,t)=>t).filter(e=>n[e]&&d(t,e,r)).map(e=>t.idOf(e)).sort()},retentionGap(){let n=e.live.get().world,r=h(e),i=e.moment(),a=0;for(let e=0;e<n.count;e++)r[4*e]===255&&(a=Math.max(a,Math.abs((r[4*e+1]*256+r[4*e+2])/65535-t(n,e,i.recorded))));return a},info(){e.stage.renderNow();let{calls:t,points:n,triangles:r,lines:i}=e.stage.renderer.info.render;return{calls:t,points:n,triangles:r,lines:i}},where(t){let n=e.live.get().world,r={x:0,y:0,far:0},a=n.indexOf(t);return a>=0&&i(n,a,e.stage.lens(),r)?{x:r.x,y:r.y}:null},under(t,n){let i=e.live.get().world,a=r(i,t=>e.drawn(t),e.stage.lens(),t,n);return a>=0?i.idOf(a):null},ids:()=>Array.from({length:e.live.get().world.count},(t,n)=>e.live.get().world.idOf(n)),setView:t=>e.view.set(t),view:()=>e.view.get(),moment:()=>e.moment(),lost:()=>e.stage.renderer.getContext().isContextLost(),async lit(){let t=await createImageBitmap(await u(e)),n=new OffscreenCanvas(t.width,t.height).getContext(`2d`);n.drawImage(t,0,0);let{data:r}=n.getImageData(0,0,t.width,t.height),i=0;for(let e=0;e<r.length;e+=4)Math.max(r[e],r[e+1],r[e+2])>96&&i++;return i},async colorAt(t,n){let r=await createImageBitmap(await u(e)),i=new OffscreenCanvas(1,1).getContext(`2d`),a=r.width/e.stage.canvas.getBoundingClientRect().width;i.drawImage(r,-Math.round(t*a),-Math.round(n*a));let[o,s,c]=i.getImageData(0,0,1,1).data;return[o,s,c]},scrubCost(t){let n=e.live.get().world.firstBorn,r=e.clock.now(),i=performance.now();for(let i=0;i<t;i++)e.stage.setMoment({...e.moment(),recorded:n+(r-n)*i/t}),e.stage.renderNow();return(performance.now()-i)/t}}}export{g as install};