const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=["./bar-lKCdu18J.js","./acting-DSJ1Vulp.js","./operations-BchX0WCP.js","./dom-DCvYN8eO.js","./dialog-B-vpaBsV.js","./dialog-IyW2zrt1.css","./forget-KEatlcpC.js","./contested-CdJo2iml.js","./vocabulary-JIJmPx5c.js","./visibility-C2BjNaDb.js","./clock-CRtFo5eM.js","./conflictpair-DmEgwmTj.js","./clusters-BLfD3PLe.js","./conflictpair-DsdeA7fM.css","./tabs-enVtmRnK.js","./view-BVVlk-Om.js","./dock-ok0QHufF.css","./memories-JEMqprpb.css","./tabs-BkoM-bv6.js","./charts-B4Ji5wjy.js","./theme-B_6Ar-pK.js","./tabs-BS4aJMNR.css","./tabs-TyNTw8LS.js","./tabs-Bd1OkAVA.css","./tabs-oSJcIkCm.js","./tabs-B0BEQZ5G.css","./tabs-D8x4yfTm.js","./tabs-CfHzr5ZY.css","./several-BzuqHeIg.js","./hubs-DMwpAUJ4.js","./pick-DZX5lxAl.js","./hubs-CSTTR8K0.css","./add-B0YMbmIM.js","./palette-S0tTEV2g.js","./palette-CSkKsNO5.css","./commands-BQdFI077.js","./testing-6aUs0tUk.js"])))=>i.map(i=>d[i]);
import{a as e,c as t,d as n,f as r,i,l as a,m as o,n as s,o as c,p as l,r as u,s as d,t as f,u as p}from"./operations-BchX0WCP.js";import{a as m,c as h,i as g,n as _,o as v,r as y,s as b,t as x}from"./vocabulary-JIJmPx5c.js";import{$ as S,A as C,An as w,B as T,C as E,Cn as D,D as O,Dn as k,E as A,En as j,F as M,Fn as ee,G as te,Gt as ne,H as re,I as N,In as P,J as F,Jt as ie,K as I,Kt as ae,L as oe,Ln as L,M as se,Mn as ce,N as le,Nn as ue,O as de,On as fe,P as pe,Pn as R,Q as me,R as he,S as ge,Sn as _e,T as ve,Tn as ye,U as be,Ut as xe,V as Se,W as Ce,Wt as we,X as Te,Xt as Ee,Y as De,Yt as Oe,Z as ke,_ as Ae,_n as je,a as z,at as Me,b as B,bn as V,cn as H,ct as Ne,d as U,dn as W,et as Pe,f as Fe,fn as Ie,ft as Le,g as G,gn as Re,h as K,i as ze,in as Be,it as Ve,j as He,jn as Ue,k as We,kn as q,l as Ge,ln as Ke,m as qe,mn as Je,n as Ye,nn as Xe,nt as Ze,o as Qe,on as $e,ot as et,pt as tt,q as nt,r as rt,rn as it,rt as at,s as ot,sn as st,t as ct,tn as lt,tt as ut,u as dt,un as ft,v as pt,vn as mt,w as ht,wn as gt,x as _t,xn as J,y as vt,yn as yt,z as bt}from"./theme-B_6Ar-pK.js";import{n as xt,r as St,t as Ct}from"./lines-Cbp5q7KZ.js";import{a as wt,c as Tt,i as Et,n as Dt,o as Ot,r as kt,s as At,t as jt}from"./pick-DZX5lxAl.js";import{a as Mt,i as Nt,n as Pt,o as Ft,r as It,t as Lt}from"./visibility-C2BjNaDb.js";import{a as Rt,c as zt,d as Bt,f as Vt,h as Ht,i as Ut,l as Wt,m as Gt,n as Kt,o as qt,p as Jt,r as Yt,s as Xt,t as Zt,u as Qt}from"./view-BVVlk-Om.js";import{a as $t,i as en,n as tn,o as nn,r as Y,s as rn,t as an}from"./clock-CRtFo5eM.js";import{a as on,i as sn,n as X,o as cn,r as ln,s as un,t as dn}from"./dom-DCvYN8eO.js";var fn=Object.defineProperty,pn=(e,t)=>{let n={};for(var r in e)fn(n,r,{get:e[r],enumerable:!0});return t||fn(n,Symbol.toStringTag,{value:`Module`}),n};async function mn(e){return t((await d(i(`Health`),{},e)).health)}async function hn(e){return t((await d(i(`DeadLetters`),{},e)).deadLetters)}async function gn(e,t){await d(i(e),{ids:[t]})}async function _n(e){await d(i(`ResetBreaker`),{name:e})}async function vn(e){return t((await d(i(`Alarms`),{},e)).alarms)}async function yn(e){t((await d(i(`ResetAlarm`),{id:e})).resetAlarm)}async function bn(e){return t((await d(i(`Performance`),{},e)).performance)}async function xn(e,n,r){return t((await d(i(`GateDecisions`),{namespaces:e,after:n},r)).reconsolidations)}async function Sn(e){return t((await d(i(`Whoami`),{},e)).whoami)}async function Cn(e,n){let r=async r=>t((await d(i(`Receipt`),{id:e,after:r},n)).deletionReceipt),a=await r(null),o=[...a.ids];for(;o.length<a.count;){let e=(await r(o.at(-1))).ids;if(e.length===0)break;o.push(...e)}return{...a,ids:o}}async function wn(e){let n=[];for(let r=null,a=0;a<5;a++){let{nodes:a,pageInfo:o}=t((await d(i(`Receipts`),{after:r},e)).deletionReceipts);if(n.push(...a),!o.hasNextPage)break;r=o.endCursor}return n}async function Tn(e,n){return t((await d(i(`Audit`),{after:e,oldestFirst:!1},n)).audit)}async function En(e){return t((await d(i(`Erasures`),{},e)).audit).nodes}async function Dn(e){return t((await d(i(`AuditCheck`),{},e)).auditCheck)}async function On(e){let n=await d(i(`ReceiptProof`),{id:e});return{proof:t(n.deletionReceipt).proof,key:n.proofKey}}function kn(){let e=null,t=!1,n=null,r=null;function i(t,a){r=e.requestAnimationFrame(i),n(t,a)}return{start:function(){t!==!0&&n!==null&&e!==null&&(r=e.requestAnimationFrame(i),t=!0)},stop:function(){e!==null&&e.cancelAnimationFrame(r),t=!1},setAnimationLoop:function(e){n=e},setContext:function(t){e=t}}}function An(e){let t=new WeakMap;function n(t,n){let r=t.array,i=t.usage,a=r.byteLength,o=e.createBuffer();e.bindBuffer(n,o),e.bufferData(n,r,i),t.onUploadCallback();let s;if(r instanceof Float32Array)s=e.FLOAT;else if(typeof Float16Array<`u`&&r instanceof Float16Array)s=e.HALF_FLOAT;else if(r instanceof Uint16Array)s=t.isFloat16BufferAttribute?e.HALF_FLOAT:e.UNSIGNED_SHORT;else if(r instanceof Int16Array)s=e.SHORT;else if(r instanceof Uint32Array)s=e.UNSIGNED_INT;else if(r instanceof Int32Array)s=e.INT;else if(r instanceof Int8Array)s=e.BYTE;else if(r instanceof Uint8Array)s=e.UNSIGNED_BYTE;else if(r instanceof Uint8ClampedArray)s=e.UNSIGNED_BYTE;else throw Error(`THREE.WebGLAttributes: Unsupported buffer data format: `+r);return{buffer:o,type:s,bytesPerElement:r.BYTES_PER_ELEMENT,version:t.version,size:a}}function r(t,n,r){let i=n.array,a=n.updateRanges;if(e.bindBuffer(r,t),a.length===0)e.bufferSubData(r,0,i);else{a.sort((e,t)=>e.start-t.start);let t=0;for(let e=1;e<a.length;e++){let n=a[t],r=a[e];r.start<=n.start+n.count+1?n.count=Math.max(n.count,r.start+r.count-n.start):(++t,a[t]=r)}a.length=t+1;for(let t=0,n=a.length;t<n;t++){let n=a[t];e.bufferSubData(r,n.start*i.BYTES_PER_ELEMENT,i,n.start,n.count)}n.clearUpdateRanges()}n.onUploadCallback()}function i(e){return e.isInterleavedBufferAttribute&&(e=e.data),t.get(e)}function a(n){n.isInterleavedBufferAttribute&&(n=n.data);let r=t.get(n);r&&(e.deleteBuffer(r.buffer),t.delete(n))}function o(e,i){if(e.isInterleavedBufferAttribute&&(e=e.data),e.isGLBufferAttribute){let n=t.get(e);(!n||n.version<e.version)&&t.set(e,{buffer:e.buffer,type:e.type,bytesPerElement:e.elementSize,version:e.version});return}let a=t.get(e);if(a===void 0)t.set(e,n(e,i));else if(a.version<e.version){if(a.size!==e.array.byteLength)throw Error(`THREE.WebGLAttributes: The size of the buffer attribute's array buffer does not match the original size. Resizing buffer attributes is not supported.`);r(a.buffer,e,i),a.version=e.version}}return{get:i,remove:a,update:o}}var Z={alphahash_fragment:`#ifdef USE_ALPHAHASH
	if ( diffuseColor.a < getAlphaHashThreshold( vPosition ) ) discard;
#endif`,alphahash_pars_fragment:`#ifdef USE_ALPHAHASH
	const float ALPHA_HASH_SCALE = 0.05;
	float hash2D( vec2 value ) {
		return fract( 1.0e4 * sin( 17.0 * value.x + 0.1 * value.y ) * ( 0.1 + abs( sin( 13.0 * value.y + value.x ) ) ) );
	}
	float hash3D( vec3 value ) {
		return hash2D( vec2( hash2D( value.xy ), value.z ) );
	}
	float getAlphaHashThreshold( vec3 position ) {
		float maxDeriv = max(
			length( dFdx( position.xyz ) ),
			length( dFdy( position.xyz ) )
		);
		float pixScale = 1.0 / ( ALPHA_HASH_SCALE * maxDeriv );
		vec2 pixScales = vec2(
			exp2( floor( log2( pixScale ) ) ),
			exp2( ceil( log2( pixScale ) ) )
		);
		vec2 alpha = vec2(
			hash3D( floor( pixScales.x * position.xyz ) ),
			hash3D( floor( pixScales.y * position.xyz ) )
		);
		float lerpFactor = fract( log2( pixScale ) );
		float x = ( 1.0 - lerpFactor ) * alpha.x + lerpFactor * alpha.y;
		float a = min( lerpFactor, 1.0 - lerpFactor );
		vec3 cases = vec3(
			x * x / ( 2.0 * a * ( 1.0 - a ) ),
			( x - 0.5 * a ) / ( 1.0 - a ),
			1.0 - ( ( 1.0 - x ) * ( 1.0 - x ) / ( 2.0 * a * ( 1.0 - a ) ) )
		);
		float threshold = ( x < ( 1.0 - a ) )
			? ( ( x < a ) ? cases.x : cases.y )
			: cases.z;
		return clamp( threshold , 1.0e-6, 1.0 );
	}
#endif`,alphamap_fragment:`#ifdef USE_ALPHAMAP
	diffuseColor.a *= texture2D( alphaMap, vAlphaMapUv ).g;
#endif`,alphamap_pars_fragment:`#ifdef USE_ALPHAMAP
	uniform sampler2D alphaMap;
#endif`,alphatest_fragment:`#ifdef USE_ALPHATEST
	#ifdef ALPHA_TO_COVERAGE
	diffuseColor.a = smoothstep( alphaTest, alphaTest + fwidth( diffuseColor.a ), diffuseColor.a );
	if ( diffuseColor.a == 0.0 ) discard;
	#else
	if ( diffuseColor.a < alphaTest ) discard;
	#endif
#endif`,alphatest_pars_fragment:`#ifdef USE_ALPHATEST
	uniform float alphaTest;
#endif`,aomap_fragment:`#ifdef USE_AOMAP
	float ambientOcclusion = ( texture2D( aoMap, vAoMapUv ).r - 1.0 ) * aoMapIntensity + 1.0;
	reflectedLight.indirectDiffuse *= ambientOcclusion;
	#if defined( USE_CLEARCOAT ) 
		clearcoatSpecularIndirect *= ambientOcclusion;
	#endif
	#if defined( USE_SHEEN ) 
		sheenSpecularIndirect *= ambientOcclusion;
	#endif
	#if defined( USE_ENVMAP ) && defined( STANDARD )
		float dotNV = saturate( dot( geometryNormal, geometryViewDir ) );
		reflectedLight.indirectSpecular *= computeSpecularOcclusion( dotNV, ambientOcclusion, material.roughness );
	#endif
#endif`,aomap_pars_fragment:`#ifdef USE_AOMAP
	uniform sampler2D aoMap;
	uniform float aoMapIntensity;
#endif`,batching_pars_vertex:`#ifdef USE_BATCHING
	#if ! defined( GL_ANGLE_multi_draw )
	#define gl_DrawID _gl_DrawID
	uniform int _gl_DrawID;
	#endif
	uniform highp sampler2D batchingTexture;
	uniform highp usampler2D batchingIdTexture;
	mat4 getBatchingMatrix( const in float i ) {
		int size = textureSize( batchingTexture, 0 ).x;
		int j = int( i ) * 4;
		int x = j % size;
		int y = j / size;
		vec4 v1 = texelFetch( batchingTexture, ivec2( x, y ), 0 );
		vec4 v2 = texelFetch( batchingTexture, ivec2( x + 1, y ), 0 );
		vec4 v3 = texelFetch( batchingTexture, ivec2( x + 2, y ), 0 );
		vec4 v4 = texelFetch( batchingTexture, ivec2( x + 3, y ), 0 );
		return mat4( v1, v2, v3, v4 );
	}
	float getIndirectIndex( const in int i ) {
		int size = textureSize( batchingIdTexture, 0 ).x;
		int x = i % size;
		int y = i / size;
		return float( texelFetch( batchingIdTexture, ivec2( x, y ), 0 ).r );
	}
#endif
#ifdef USE_BATCHING_COLOR
	uniform sampler2D batchingColorTexture;
	vec4 getBatchingColor( const in float i ) {
		int size = textureSize( batchingColorTexture, 0 ).x;
		int j = int( i );
		int x = j % size;
		int y = j / size;
		return texelFetch( batchingColorTexture, ivec2( x, y ), 0 );
	}
#endif`,batching_vertex:`#ifdef USE_BATCHING
	mat4 batchingMatrix = getBatchingMatrix( getIndirectIndex( gl_DrawID ) );
#endif`,begin_vertex:`vec3 transformed = vec3( position );
#ifdef USE_ALPHAHASH
	vPosition = vec3( position );
#endif`,beginnormal_vertex:`vec3 objectNormal = vec3( normal );
#ifdef USE_TANGENT
	vec3 objectTangent = vec3( tangent.xyz );
#endif`,bsdfs:`float G_BlinnPhong_Implicit( ) {
	return 0.25;
}
float D_BlinnPhong( const in float shininess, const in float dotNH ) {
	return RECIPROCAL_PI * ( shininess * 0.5 + 1.0 ) * pow( dotNH, shininess );
}
vec3 BRDF_BlinnPhong( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in vec3 specularColor, const in float shininess ) {
	vec3 halfDir = normalize( lightDir + viewDir );
	float dotNH = saturate( dot( normal, halfDir ) );
	float dotVH = saturate( dot( viewDir, halfDir ) );
	vec3 F = F_Schlick( specularColor, 1.0, dotVH );
	float G = G_BlinnPhong_Implicit( );
	float D = D_BlinnPhong( shininess, dotNH );
	return F * ( G * D );
} // validated`,iridescence_fragment:`#ifdef USE_IRIDESCENCE
	const mat3 XYZ_TO_REC709 = mat3(
		 3.2404542, -0.9692660,  0.0556434,
		-1.5371385,  1.8760108, -0.2040259,
		-0.4985314,  0.0415560,  1.0572252
	);
	vec3 Fresnel0ToIor( vec3 fresnel0 ) {
		vec3 sqrtF0 = sqrt( fresnel0 );
		return ( vec3( 1.0 ) + sqrtF0 ) / ( vec3( 1.0 ) - sqrtF0 );
	}
	vec3 IorToFresnel0( vec3 transmittedIor, float incidentIor ) {
		return pow2( ( transmittedIor - vec3( incidentIor ) ) / ( transmittedIor + vec3( incidentIor ) ) );
	}
	float IorToFresnel0( float transmittedIor, float incidentIor ) {
		return pow2( ( transmittedIor - incidentIor ) / ( transmittedIor + incidentIor ));
	}
	vec3 evalSensitivity( float OPD, vec3 shift ) {
		float phase = 2.0 * PI * OPD * 1.0e-9;
		vec3 val = vec3( 5.4856e-13, 4.4201e-13, 5.2481e-13 );
		vec3 pos = vec3( 1.6810e+06, 1.7953e+06, 2.2084e+06 );
		vec3 var = vec3( 4.3278e+09, 9.3046e+09, 6.6121e+09 );
		vec3 xyz = val * sqrt( 2.0 * PI * var ) * cos( pos * phase + shift ) * exp( - pow2( phase ) * var );
		xyz.x += 9.7470e-14 * sqrt( 2.0 * PI * 4.5282e+09 ) * cos( 2.2399e+06 * phase + shift[ 0 ] ) * exp( - 4.5282e+09 * pow2( phase ) );
		xyz /= 1.0685e-7;
		vec3 rgb = XYZ_TO_REC709 * xyz;
		return rgb;
	}
	vec3 evalIridescence( float outsideIOR, float eta2, float cosTheta1, float thinFilmThickness, vec3 baseF0 ) {
		vec3 I;
		float iridescenceIOR = mix( outsideIOR, eta2, smoothstep( 0.0, 0.03, thinFilmThickness ) );
		float sinTheta2Sq = pow2( outsideIOR / iridescenceIOR ) * ( 1.0 - pow2( cosTheta1 ) );
		float cosTheta2Sq = 1.0 - sinTheta2Sq;
		if ( cosTheta2Sq < 0.0 ) {
			return vec3( 1.0 );
		}
		float cosTheta2 = sqrt( cosTheta2Sq );
		float R0 = IorToFresnel0( iridescenceIOR, outsideIOR );
		float R12 = F_Schlick( R0, 1.0, cosTheta1 );
		float T121 = 1.0 - R12;
		float phi12 = 0.0;
		if ( iridescenceIOR < outsideIOR ) phi12 = PI;
		float phi21 = PI - phi12;
		vec3 baseIOR = Fresnel0ToIor( clamp( baseF0, 0.0, 0.9999 ) );		vec3 R1 = IorToFresnel0( baseIOR, iridescenceIOR );
		vec3 R23 = F_Schlick( R1, 1.0, cosTheta2 );
		vec3 phi23 = vec3( 0.0 );
		if ( baseIOR[ 0 ] < iridescenceIOR ) phi23[ 0 ] = PI;
		if ( baseIOR[ 1 ] < iridescenceIOR ) phi23[ 1 ] = PI;
		if ( baseIOR[ 2 ] < iridescenceIOR ) phi23[ 2 ] = PI;
		float OPD = 2.0 * iridescenceIOR * thinFilmThickness * cosTheta2;
		vec3 phi = vec3( phi21 ) + phi23;
		vec3 R123 = clamp( R12 * R23, 1e-5, 0.9999 );
		vec3 r123 = sqrt( R123 );
		vec3 Rs = pow2( T121 ) * R23 / ( vec3( 1.0 ) - R123 );
		vec3 C0 = R12 + Rs;
		I = C0;
		vec3 Cm = Rs - T121;
		for ( int m = 1; m <= 2; ++ m ) {
			Cm *= r123;
			vec3 Sm = 2.0 * evalSensitivity( float( m ) * OPD, float( m ) * phi );
			I += Cm * Sm;
		}
		return max( I, vec3( 0.0 ) );
	}
#endif`,bumpmap_pars_fragment:`#ifdef USE_BUMPMAP
	uniform sampler2D bumpMap;
	uniform float bumpScale;
	vec2 dHdxy_fwd() {
		vec2 dSTdx = dFdx( vBumpMapUv );
		vec2 dSTdy = dFdy( vBumpMapUv );
		float Hll = bumpScale * texture2D( bumpMap, vBumpMapUv ).x;
		float dBx = bumpScale * texture2D( bumpMap, vBumpMapUv + dSTdx ).x - Hll;
		float dBy = bumpScale * texture2D( bumpMap, vBumpMapUv + dSTdy ).x - Hll;
		return vec2( dBx, dBy );
	}
	vec3 perturbNormalArb( vec3 surf_pos, vec3 surf_norm, vec2 dHdxy, float faceDirection ) {
		vec3 vSigmaX = normalize( dFdx( surf_pos.xyz ) );
		vec3 vSigmaY = normalize( dFdy( surf_pos.xyz ) );
		vec3 vN = surf_norm;
		vec3 R1 = cross( vSigmaY, vN );
		vec3 R2 = cross( vN, vSigmaX );
		float fDet = dot( vSigmaX, R1 ) * faceDirection;
		vec3 vGrad = sign( fDet ) * ( dHdxy.x * R1 + dHdxy.y * R2 );
		return normalize( abs( fDet ) * surf_norm - vGrad );
	}
#endif`,clipping_planes_fragment:`#if NUM_CLIPPING_PLANES > 0
	vec4 plane;
	#ifdef ALPHA_TO_COVERAGE
		float distanceToPlane, distanceGradient;
		float clipOpacity = 1.0;
		#pragma unroll_loop_start
		for ( int i = 0; i < UNION_CLIPPING_PLANES; i ++ ) {
			plane = clippingPlanes[ i ];
			distanceToPlane = - dot( vClipPosition, plane.xyz ) + plane.w;
			distanceGradient = fwidth( distanceToPlane ) / 2.0;
			clipOpacity *= smoothstep( - distanceGradient, distanceGradient, distanceToPlane );
			if ( clipOpacity == 0.0 ) discard;
		}
		#pragma unroll_loop_end
		#if UNION_CLIPPING_PLANES < NUM_CLIPPING_PLANES
			float unionClipOpacity = 1.0;
			#pragma unroll_loop_start
			for ( int i = UNION_CLIPPING_PLANES; i < NUM_CLIPPING_PLANES; i ++ ) {
				plane = clippingPlanes[ i ];
				distanceToPlane = - dot( vClipPosition, plane.xyz ) + plane.w;
				distanceGradient = fwidth( distanceToPlane ) / 2.0;
				unionClipOpacity *= 1.0 - smoothstep( - distanceGradient, distanceGradient, distanceToPlane );
			}
			#pragma unroll_loop_end
			clipOpacity *= 1.0 - unionClipOpacity;
		#endif
		diffuseColor.a *= clipOpacity;
		if ( diffuseColor.a == 0.0 ) discard;
	#else
		#pragma unroll_loop_start
		for ( int i = 0; i < UNION_CLIPPING_PLANES; i ++ ) {
			plane = clippingPlanes[ i ];
			if ( dot( vClipPosition, plane.xyz ) > plane.w ) discard;
		}
		#pragma unroll_loop_end
		#if UNION_CLIPPING_PLANES < NUM_CLIPPING_PLANES
			bool clipped = true;
			#pragma unroll_loop_start
			for ( int i = UNION_CLIPPING_PLANES; i < NUM_CLIPPING_PLANES; i ++ ) {
				plane = clippingPlanes[ i ];
				clipped = ( dot( vClipPosition, plane.xyz ) > plane.w ) && clipped;
			}
			#pragma unroll_loop_end
			if ( clipped ) discard;
		#endif
	#endif
#endif`,clipping_planes_pars_fragment:`#if NUM_CLIPPING_PLANES > 0
	varying vec3 vClipPosition;
	uniform vec4 clippingPlanes[ NUM_CLIPPING_PLANES ];
#endif`,clipping_planes_pars_vertex:`#if NUM_CLIPPING_PLANES > 0
	varying vec3 vClipPosition;
#endif`,clipping_planes_vertex:`#if NUM_CLIPPING_PLANES > 0
	vClipPosition = - mvPosition.xyz;
#endif`,color_fragment:`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA )
	diffuseColor *= vColor;
#endif`,color_pars_fragment:`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA )
	varying vec4 vColor;
#endif`,color_pars_vertex:`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA ) || defined( USE_INSTANCING_COLOR ) || defined( USE_BATCHING_COLOR )
	varying vec4 vColor;
#endif`,color_vertex:`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA ) || defined( USE_INSTANCING_COLOR ) || defined( USE_BATCHING_COLOR )
	vColor = vec4( 1.0 );
#endif
#ifdef USE_COLOR_ALPHA
	vColor *= color;
#elif defined( USE_COLOR )
	vColor.rgb *= color;
#endif
#ifdef USE_INSTANCING_COLOR
	vColor.rgb *= instanceColor.rgb;
#endif
#ifdef USE_BATCHING_COLOR
	vColor *= getBatchingColor( getIndirectIndex( gl_DrawID ) );
#endif`,common:`#define PI 3.141592653589793
#define PI2 6.283185307179586
#define PI_HALF 1.5707963267948966
#define RECIPROCAL_PI 0.3183098861837907
#define RECIPROCAL_PI2 0.15915494309189535
#define EPSILON 1e-6
#ifndef saturate
#define saturate( a ) clamp( a, 0.0, 1.0 )
#endif
#define whiteComplement( a ) ( 1.0 - saturate( a ) )
float pow2( const in float x ) { return x*x; }
vec3 pow2( const in vec3 x ) { return x*x; }
float pow3( const in float x ) { return x*x*x; }
float pow4( const in float x ) { float x2 = x*x; return x2*x2; }
float max3( const in vec3 v ) { return max( max( v.x, v.y ), v.z ); }
float average( const in vec3 v ) { return dot( v, vec3( 0.3333333 ) ); }
highp float rand( const in vec2 uv ) {
	const highp float a = 12.9898, b = 78.233, c = 43758.5453;
	highp float dt = dot( uv.xy, vec2( a,b ) ), sn = mod( dt, PI );
	return fract( sin( sn ) * c );
}
#ifdef HIGH_PRECISION
	float precisionSafeLength( vec3 v ) { return length( v ); }
#else
	float precisionSafeLength( vec3 v ) {
		float maxComponent = max3( abs( v ) );
		return length( v / maxComponent ) * maxComponent;
	}
#endif
struct IncidentLight {
	vec3 color;
	vec3 direction;
	bool visible;
};
struct ReflectedLight {
	vec3 directDiffuse;
	vec3 directSpecular;
	vec3 indirectDiffuse;
	vec3 indirectSpecular;
};
#ifdef USE_ALPHAHASH
	varying vec3 vPosition;
#endif
vec3 transformDirection( in vec3 dir, in mat4 matrix ) {
	return normalize( ( matrix * vec4( dir, 0.0 ) ).xyz );
}
#define inverseTransformDirection transformDirectionByInverseViewMatrix
vec3 transformNormalByInverseViewMatrix( in vec3 normal, in mat4 viewMatrix ) {
	return normalize( ( vec4( normal, 0.0 ) * viewMatrix ).xyz );
}
vec3 transformDirectionByInverseViewMatrix( in vec3 dir, in mat4 viewMatrix ) {
	return normalize( ( vec4( dir, 0.0 ) * viewMatrix ).xyz );
}
bool isPerspectiveMatrix( mat4 m ) {
	return m[ 2 ][ 3 ] == - 1.0;
}
vec2 equirectUv( in vec3 dir ) {
	float u = atan( dir.z, dir.x ) * RECIPROCAL_PI2 + 0.5;
	float v = asin( clamp( dir.y, - 1.0, 1.0 ) ) * RECIPROCAL_PI + 0.5;
	return vec2( u, v );
}
vec3 BRDF_Lambert( const in vec3 diffuseColor ) {
	return RECIPROCAL_PI * diffuseColor;
}
vec3 F_Schlick( const in vec3 f0, const in float f90, const in float dotVH ) {
	float fresnel = exp2( ( - 5.55473 * dotVH - 6.98316 ) * dotVH );
	return f0 * ( 1.0 - fresnel ) + ( f90 * fresnel );
}
float F_Schlick( const in float f0, const in float f90, const in float dotVH ) {
	float fresnel = exp2( ( - 5.55473 * dotVH - 6.98316 ) * dotVH );
	return f0 * ( 1.0 - fresnel ) + ( f90 * fresnel );
} // validated`,defaultnormal_vertex:`vec3 transformedNormal = objectNormal;
#ifdef USE_TANGENT
	vec3 transformedTangent = objectTangent;
#endif
#ifdef USE_BATCHING
	mat3 bm = mat3( batchingMatrix );
	transformedNormal /= vec3( dot( bm[ 0 ], bm[ 0 ] ), dot( bm[ 1 ], bm[ 1 ] ), dot( bm[ 2 ], bm[ 2 ] ) );
	transformedNormal = bm * transformedNormal;
	#ifdef USE_TANGENT
		transformedTangent = bm * transformedTangent;
	#endif
#endif
#ifdef USE_INSTANCING
	mat3 im = mat3( instanceMatrix );
	transformedNormal /= vec3( dot( im[ 0 ], im[ 0 ] ), dot( im[ 1 ], im[ 1 ] ), dot( im[ 2 ], im[ 2 ] ) );
	transformedNormal = im * transformedNormal;
	#ifdef USE_TANGENT
		transformedTangent = im * transformedTangent;
	#endif
#endif
transformedNormal = normalMatrix * transformedNormal;
#ifdef FLIP_SIDED
	transformedNormal = - transformedNormal;
#endif
#ifdef USE_TANGENT
	transformedTangent = ( modelViewMatrix * vec4( transformedTangent, 0.0 ) ).xyz;
#endif`,displacementmap_pars_vertex:`#ifdef USE_DISPLACEMENTMAP
	uniform sampler2D displacementMap;
	uniform float displacementScale;
	uniform float displacementBias;
#endif`,displacementmap_vertex:`#ifdef USE_DISPLACEMENTMAP
	transformed += normalize( objectNormal ) * ( texture2D( displacementMap, vDisplacementMapUv ).x * displacementScale + displacementBias );
#endif`,emissivemap_fragment:`#ifdef USE_EMISSIVEMAP
	vec4 emissiveColor = texture2D( emissiveMap, vEmissiveMapUv );
	#ifdef DECODE_VIDEO_TEXTURE_EMISSIVE
		emissiveColor = sRGBTransferEOTF( emissiveColor );
	#endif
	totalEmissiveRadiance *= emissiveColor.rgb;
#endif`,emissivemap_pars_fragment:`#ifdef USE_EMISSIVEMAP
	uniform sampler2D emissiveMap;
#endif`,colorspace_fragment:`gl_FragColor = linearToOutputTexel( gl_FragColor );`,colorspace_pars_fragment:`vec4 LinearTransferOETF( in vec4 value ) {
	return value;
}
vec4 sRGBTransferEOTF( in vec4 value ) {
	return vec4( mix( pow( value.rgb * 0.9478672986 + vec3( 0.0521327014 ), vec3( 2.4 ) ), value.rgb * 0.0773993808, vec3( lessThanEqual( value.rgb, vec3( 0.04045 ) ) ) ), value.a );
}
vec4 sRGBTransferOETF( in vec4 value ) {
	return vec4( mix( pow( value.rgb, vec3( 0.41666 ) ) * 1.055 - vec3( 0.055 ), value.rgb * 12.92, vec3( lessThanEqual( value.rgb, vec3( 0.0031308 ) ) ) ), value.a );
}`,envmap_fragment:`#ifdef USE_ENVMAP
	#ifdef ENV_WORLDPOS
		vec3 cameraToFrag;
		if ( isOrthographic ) {
			cameraToFrag = normalize( vec3( - viewMatrix[ 0 ][ 2 ], - viewMatrix[ 1 ][ 2 ], - viewMatrix[ 2 ][ 2 ] ) );
		} else {
			cameraToFrag = normalize( vWorldPosition - cameraPosition );
		}
		vec3 worldNormal = transformNormalByInverseViewMatrix( normal, viewMatrix );
		#ifdef ENVMAP_MODE_REFLECTION
			vec3 reflectVec = reflect( cameraToFrag, worldNormal );
		#else
			vec3 reflectVec = refract( cameraToFrag, worldNormal, refractionRatio );
		#endif
	#else
		vec3 reflectVec = vReflect;
	#endif
	#ifdef ENVMAP_TYPE_CUBE
		vec4 envColor = textureCube( envMap, envMapRotation * reflectVec );
		#ifdef ENVMAP_BLENDING_MULTIPLY
			outgoingLight = mix( outgoingLight, outgoingLight * envColor.xyz, specularStrength * reflectivity );
		#elif defined( ENVMAP_BLENDING_MIX )
			outgoingLight = mix( outgoingLight, envColor.xyz, specularStrength * reflectivity );
		#elif defined( ENVMAP_BLENDING_ADD )
			outgoingLight += envColor.xyz * specularStrength * reflectivity;
		#endif
	#endif
#endif`,envmap_common_pars_fragment:`#ifdef USE_ENVMAP
	uniform float envMapIntensity;
	uniform mat3 envMapRotation;
	uniform samplerCube envMap;
	#ifdef ENVMAP_TYPE_PMREM
		float roughnessToMip( const in float roughness ) {
			float r = clamp( roughness, 0.0, 1.0 );
			return ENVMAP_MAX_LOD * r * ( 2.0 - r );
		}
	#endif
#endif`,envmap_pars_fragment:`#ifdef USE_ENVMAP
	uniform float reflectivity;
	#if defined( USE_BUMPMAP ) || defined( USE_NORMALMAP ) || defined( PHONG ) || defined( LAMBERT )
		#define ENV_WORLDPOS
	#endif
	#ifdef ENV_WORLDPOS
		varying vec3 vWorldPosition;
		uniform float refractionRatio;
	#else
		varying vec3 vReflect;
	#endif
#endif`,envmap_pars_vertex:`#ifdef USE_ENVMAP
	#if defined( USE_BUMPMAP ) || defined( USE_NORMALMAP ) || defined( PHONG ) || defined( LAMBERT )
		#define ENV_WORLDPOS
	#endif
	#ifdef ENV_WORLDPOS
		
		varying vec3 vWorldPosition;
	#else
		varying vec3 vReflect;
		uniform float refractionRatio;
	#endif
#endif`,envmap_physical_pars_fragment:`#ifdef USE_ENVMAP
	vec3 getIBLIrradiance( const in vec3 normal ) {
		#ifdef ENVMAP_TYPE_PMREM
			vec3 worldNormal = transformNormalByInverseViewMatrix( normal, viewMatrix );
			vec4 envMapColor = textureLod( envMap, envMapRotation * worldNormal, ENVMAP_MAX_LOD );
			return PI * envMapColor.rgb * envMapIntensity;
		#else
			return vec3( 0.0 );
		#endif
	}
	vec3 getIBLRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness ) {
		#ifdef ENVMAP_TYPE_PMREM
			vec3 reflectVec = reflect( - viewDir, normal );
			reflectVec = normalize( mix( reflectVec, normal, pow4( roughness ) ) );
			reflectVec = transformDirectionByInverseViewMatrix( reflectVec, viewMatrix );
			vec4 envMapColor = textureLod( envMap, envMapRotation * reflectVec, roughnessToMip( roughness ) );
			return envMapColor.rgb * envMapIntensity;
		#else
			return vec3( 0.0 );
		#endif
	}
	#ifdef USE_RETROREFLECTION
		vec3 getIBLRetroRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness ) {
			#ifdef ENVMAP_TYPE_PMREM
				vec3 retroVec = normalize( mix( viewDir, normal, pow4( roughness ) ) );
				retroVec = transformDirectionByInverseViewMatrix( retroVec, viewMatrix );
				vec4 envMapColor = textureLod( envMap, envMapRotation * retroVec, roughnessToMip( roughness ) );
				return envMapColor.rgb * envMapIntensity;
			#else
				return vec3( 0.0 );
			#endif
		}
	#endif
	#ifdef USE_ANISOTROPY
		vec3 getIBLAnisotropyRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness, const in vec3 bitangent, const in float anisotropy ) {
			#ifdef ENVMAP_TYPE_PMREM
				vec3 bentNormal = cross( bitangent, viewDir );
				bentNormal = normalize( cross( bentNormal, bitangent ) );
				bentNormal = normalize( mix( bentNormal, normal, pow2( pow2( 1.0 - anisotropy * ( 1.0 - roughness ) ) ) ) );
				return getIBLRadiance( viewDir, bentNormal, roughness );
			#else
				return vec3( 0.0 );
			#endif
		}
		#ifdef USE_RETROREFLECTION
			vec3 getIBLAnisotropyRetroRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness, const in vec3 bitangent, const in float anisotropy ) {
				#ifdef ENVMAP_TYPE_PMREM
					vec3 bentNormal = cross( bitangent, viewDir );
					bentNormal = normalize( cross( bentNormal, bitangent ) );
					bentNormal = normalize( mix( bentNormal, normal, pow2( pow2( 1.0 - anisotropy * ( 1.0 - roughness ) ) ) ) );
					return getIBLRetroRadiance( viewDir, bentNormal, roughness );
				#else
					return vec3( 0.0 );
				#endif
			}
		#endif
	#endif
#endif`,envmap_vertex:`#ifdef USE_ENVMAP
	#ifdef ENV_WORLDPOS
		vWorldPosition = worldPosition.xyz;
	#else
		vec3 cameraToVertex;
		if ( isOrthographic ) {
			cameraToVertex = normalize( vec3( - viewMatrix[ 0 ][ 2 ], - viewMatrix[ 1 ][ 2 ], - viewMatrix[ 2 ][ 2 ] ) );
		} else {
			cameraToVertex = normalize( worldPosition.xyz - cameraPosition );
		}
		vec3 worldNormal = transformNormalByInverseViewMatrix( transformedNormal, viewMatrix );
		#ifdef ENVMAP_MODE_REFLECTION
			vReflect = reflect( cameraToVertex, worldNormal );
		#else
			vReflect = refract( cameraToVertex, worldNormal, refractionRatio );
		#endif
	#endif
#endif`,fog_vertex:`#ifdef USE_FOG
	vFogDepth = - mvPosition.z;
#endif`,fog_pars_vertex:`#ifdef USE_FOG
	varying float vFogDepth;
#endif`,fog_fragment:`#ifdef USE_FOG
	#ifdef FOG_EXP2
		float fogFactor = 1.0 - exp( - fogDensity * fogDensity * vFogDepth * vFogDepth );
	#else
		float fogFactor = smoothstep( fogNear, fogFar, vFogDepth );
	#endif
	gl_FragColor.rgb = mix( gl_FragColor.rgb, fogColor, fogFactor );
#endif`,fog_pars_fragment:`#ifdef USE_FOG
	uniform vec3 fogColor;
	varying float vFogDepth;
	#ifdef FOG_EXP2
		uniform float fogDensity;
	#else
		uniform float fogNear;
		uniform float fogFar;
	#endif
#endif`,gradientmap_pars_fragment:`#ifdef USE_GRADIENTMAP
	uniform sampler2D gradientMap;
#endif
vec3 getGradientIrradiance( vec3 normal, vec3 lightDirection ) {
	float dotNL = dot( normal, lightDirection );
	vec2 coord = vec2( dotNL * 0.5 + 0.5, 0.0 );
	#ifdef USE_GRADIENTMAP
		return vec3( texture2D( gradientMap, coord ).r );
	#else
		vec2 fw = fwidth( coord ) * 0.5;
		return mix( vec3( 0.7 ), vec3( 1.0 ), smoothstep( 0.7 - fw.x, 0.7 + fw.x, coord.x ) );
	#endif
}`,lightmap_pars_fragment:`#ifdef USE_LIGHTMAP
	uniform sampler2D lightMap;
	uniform float lightMapIntensity;
#endif`,lights_lambert_fragment:`LambertMaterial material;
material.diffuseColor = diffuseColor.rgb;
material.specularStrength = specularStrength;`,lights_lambert_pars_fragment:`varying vec3 vViewPosition;
struct LambertMaterial {
	vec3 diffuseColor;
	float specularStrength;
};
void RE_Direct_Lambert( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in LambertMaterial material, inout ReflectedLight reflectedLight ) {
	float dotNL = saturate( dot( geometryNormal, directLight.direction ) );
	vec3 irradiance = dotNL * directLight.color;
	reflectedLight.directDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
void RE_IndirectDiffuse_Lambert( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in LambertMaterial material, inout ReflectedLight reflectedLight ) {
	reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
#define RE_Direct				RE_Direct_Lambert
#define RE_IndirectDiffuse		RE_IndirectDiffuse_Lambert`,lights_pars_begin:`uniform bool receiveShadow;
uniform vec3 ambientLightColor;
#if defined( USE_LIGHT_PROBES )
	uniform vec3 lightProbe[ 9 ];
#endif
vec3 shGetIrradianceAt( in vec3 normal, in vec3 shCoefficients[ 9 ] ) {
	float x = normal.x, y = normal.y, z = normal.z;
	vec3 result = shCoefficients[ 0 ] * 0.886227;
	result += shCoefficients[ 1 ] * 2.0 * 0.511664 * y;
	result += shCoefficients[ 2 ] * 2.0 * 0.511664 * z;
	result += shCoefficients[ 3 ] * 2.0 * 0.511664 * x;
	result += shCoefficients[ 4 ] * 2.0 * 0.429043 * x * y;
	result += shCoefficients[ 5 ] * 2.0 * 0.429043 * y * z;
	result += shCoefficients[ 6 ] * ( 0.743125 * z * z - 0.247708 );
	result += shCoefficients[ 7 ] * 2.0 * 0.429043 * x * z;
	result += shCoefficients[ 8 ] * 0.429043 * ( x * x - y * y );
	return result;
}
vec3 getLightProbeIrradiance( const in vec3 lightProbe[ 9 ], const in vec3 normal ) {
	vec3 worldNormal = transformNormalByInverseViewMatrix( normal, viewMatrix );
	vec3 irradiance = shGetIrradianceAt( worldNormal, lightProbe );
	return irradiance;
}
vec3 getAmbientLightIrradiance( const in vec3 ambientLightColor ) {
	vec3 irradiance = ambientLightColor;
	return irradiance;
}
float getDistanceAttenuation( const in float lightDistance, const in float cutoffDistance, const in float decayExponent ) {
	float distanceFalloff = 1.0 / max( pow( lightDistance, decayExponent ), 0.01 );
	if ( cutoffDistance > 0.0 ) {
		distanceFalloff *= pow2( saturate( 1.0 - pow4( lightDistance / cutoffDistance ) ) );
	}
	return distanceFalloff;
}
float getSpotAttenuation( const in float coneCosine, const in float penumbraCosine, const in float angleCosine ) {
	return smoothstep( coneCosine, penumbraCosine, angleCosine );
}
#if NUM_SUN_LIGHTS > 0
	struct SunLight {
		vec3 direction;
		vec3 color;
	};
	uniform SunLight sunLights[ NUM_SUN_LIGHTS ];
	void getSunLightInfo( const in SunLight sunLight, out IncidentLight light ) {
		light.color = sunLight.color;
		light.direction = sunLight.direction;
		light.visible = true;
	}
#endif
#if NUM_DIR_LIGHTS > 0
	struct DirectionalLight {
		vec3 direction;
		vec3 color;
	};
	uniform DirectionalLight directionalLights[ NUM_DIR_LIGHTS ];
	void getDirectionalLightInfo( const in DirectionalLight directionalLight, out IncidentLight light ) {
		light.color = directionalLight.color;
		light.direction = directionalLight.direction;
		light.visible = true;
	}
#endif
#if NUM_POINT_LIGHTS > 0
	struct PointLight {
		vec3 position;
		vec3 color;
		float distance;
		float decay;
	};
	uniform PointLight pointLights[ NUM_POINT_LIGHTS ];
	void getPointLightInfo( const in PointLight pointLight, const in vec3 geometryPosition, out IncidentLight light ) {
		vec3 lVector = pointLight.position - geometryPosition;
		light.direction = normalize( lVector );
		float lightDistance = length( lVector );
		light.color = pointLight.color;
		light.color *= getDistanceAttenuation( lightDistance, pointLight.distance, pointLight.decay );
		light.visible = ( light.color != vec3( 0.0 ) );
	}
#endif
#if NUM_SPOT_LIGHTS > 0
	struct SpotLight {
		vec3 position;
		vec3 direction;
		vec3 color;
		float distance;
		float decay;
		float coneCos;
		float penumbraCos;
	};
	uniform SpotLight spotLights[ NUM_SPOT_LIGHTS ];
	void getSpotLightInfo( const in SpotLight spotLight, const in vec3 geometryPosition, out IncidentLight light ) {
		vec3 lVector = spotLight.position - geometryPosition;
		light.direction = normalize( lVector );
		float angleCos = dot( light.direction, spotLight.direction );
		float spotAttenuation = getSpotAttenuation( spotLight.coneCos, spotLight.penumbraCos, angleCos );
		if ( spotAttenuation > 0.0 ) {
			float lightDistance = length( lVector );
			light.color = spotLight.color * spotAttenuation;
			light.color *= getDistanceAttenuation( lightDistance, spotLight.distance, spotLight.decay );
			light.visible = ( light.color != vec3( 0.0 ) );
		} else {
			light.color = vec3( 0.0 );
			light.visible = false;
		}
	}
#endif
#if NUM_RECT_AREA_LIGHTS > 0
	struct RectAreaLight {
		vec3 color;
		vec3 position;
		vec3 halfWidth;
		vec3 halfHeight;
	};
	uniform sampler2D ltc_1;	uniform sampler2D ltc_2;
	uniform RectAreaLight rectAreaLights[ NUM_RECT_AREA_LIGHTS ];
#endif
#if NUM_HEMI_LIGHTS > 0
	struct HemisphereLight {
		vec3 direction;
		vec3 skyColor;
		vec3 groundColor;
	};
	uniform HemisphereLight hemisphereLights[ NUM_HEMI_LIGHTS ];
	vec3 getHemisphereLightIrradiance( const in HemisphereLight hemiLight, const in vec3 normal ) {
		float dotNL = dot( normal, hemiLight.direction );
		float hemiDiffuseWeight = 0.5 * dotNL + 0.5;
		vec3 irradiance = mix( hemiLight.groundColor, hemiLight.skyColor, hemiDiffuseWeight );
		return irradiance;
	}
#endif
#include <lightprobes_pars_fragment>`,lights_toon_fragment:`ToonMaterial material;
material.diffuseColor = diffuseColor.rgb;`,lights_toon_pars_fragment:`varying vec3 vViewPosition;
struct ToonMaterial {
	vec3 diffuseColor;
};
void RE_Direct_Toon( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in ToonMaterial material, inout ReflectedLight reflectedLight ) {
	vec3 irradiance = getGradientIrradiance( geometryNormal, directLight.direction ) * directLight.color;
	reflectedLight.directDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
void RE_IndirectDiffuse_Toon( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in ToonMaterial material, inout ReflectedLight reflectedLight ) {
	reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
#define RE_Direct				RE_Direct_Toon
#define RE_IndirectDiffuse		RE_IndirectDiffuse_Toon`,lights_phong_fragment:`BlinnPhongMaterial material;
material.diffuseColor = diffuseColor.rgb;
material.specularColor = specular;
material.specularShininess = shininess;
material.specularStrength = specularStrength;`,lights_phong_pars_fragment:`varying vec3 vViewPosition;
struct BlinnPhongMaterial {
	vec3 diffuseColor;
	vec3 specularColor;
	float specularShininess;
	float specularStrength;
};
void RE_Direct_BlinnPhong( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in BlinnPhongMaterial material, inout ReflectedLight reflectedLight ) {
	float dotNL = saturate( dot( geometryNormal, directLight.direction ) );
	vec3 irradiance = dotNL * directLight.color;
	reflectedLight.directDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
	reflectedLight.directSpecular += irradiance * BRDF_BlinnPhong( directLight.direction, geometryViewDir, geometryNormal, material.specularColor, material.specularShininess ) * material.specularStrength;
}
void RE_IndirectDiffuse_BlinnPhong( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in BlinnPhongMaterial material, inout ReflectedLight reflectedLight ) {
	reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
#define RE_Direct				RE_Direct_BlinnPhong
#define RE_IndirectDiffuse		RE_IndirectDiffuse_BlinnPhong`,lights_physical_fragment:`PhysicalMaterial material;
material.diffuseColor = diffuseColor.rgb;
material.diffuseContribution = diffuseColor.rgb * ( 1.0 - metalnessFactor );
material.metalness = metalnessFactor;
vec3 dxy = max( abs( dFdx( nonPerturbedNormal ) ), abs( dFdy( nonPerturbedNormal ) ) );
float geometryRoughness = max( max( dxy.x, dxy.y ), dxy.z );
material.roughness = max( roughnessFactor, 0.045 );
material.roughness += geometryRoughness;
material.roughness = min( material.roughness, 1.0 );
#ifdef USE_DIFFUSE_ROUGHNESS
	float diffuseRoughnessFactor = diffuseRoughness;
	#ifdef USE_DIFFUSE_ROUGHNESSMAP
		diffuseRoughnessFactor *= texture2D( diffuseRoughnessMap, vDiffuseRoughnessMapUv ).r;
	#endif
	material.diffuseRoughness = saturate( diffuseRoughnessFactor );
#endif
#ifdef IOR
	material.ior = ior;
	#ifdef USE_SPECULAR
		float specularIntensityFactor = specularIntensity;
		vec3 specularColorFactor = specularColor;
		#ifdef USE_SPECULAR_COLORMAP
			specularColorFactor *= texture2D( specularColorMap, vSpecularColorMapUv ).rgb;
		#endif
		#ifdef USE_SPECULAR_INTENSITYMAP
			specularIntensityFactor *= texture2D( specularIntensityMap, vSpecularIntensityMapUv ).a;
		#endif
		material.specularF90 = mix( specularIntensityFactor, 1.0, metalnessFactor );
	#else
		float specularIntensityFactor = 1.0;
		vec3 specularColorFactor = vec3( 1.0 );
		material.specularF90 = 1.0;
	#endif
	material.specularColor = min( pow2( ( material.ior - 1.0 ) / ( material.ior + 1.0 ) ) * specularColorFactor, vec3( 1.0 ) ) * specularIntensityFactor;
	material.specularColorBlended = mix( material.specularColor, diffuseColor.rgb, metalnessFactor );
#else
	material.specularColor = vec3( 0.04 );
	material.specularColorBlended = mix( material.specularColor, diffuseColor.rgb, metalnessFactor );
	material.specularF90 = 1.0;
#endif
#ifdef USE_CLEARCOAT
	material.clearcoat = clearcoat;
	material.clearcoatRoughness = clearcoatRoughness;
	material.clearcoatF0 = vec3( 0.04 );
	material.clearcoatF90 = 1.0;
	#ifdef USE_CLEARCOATMAP
		material.clearcoat *= texture2D( clearcoatMap, vClearcoatMapUv ).x;
	#endif
	#ifdef USE_CLEARCOAT_ROUGHNESSMAP
		material.clearcoatRoughness *= texture2D( clearcoatRoughnessMap, vClearcoatRoughnessMapUv ).y;
	#endif
	material.clearcoat = saturate( material.clearcoat );	material.clearcoatRoughness = max( material.clearcoatRoughness, 0.045 );
	material.clearcoatRoughness += geometryRoughness;
	material.clearcoatRoughness = min( material.clearcoatRoughness, 1.0 );
#endif
#ifdef USE_DISPERSION
	material.dispersion = dispersion;
#endif
#ifdef USE_RETROREFLECTION
	material.retroreflectivity = retroreflectivity;
#endif
#ifdef USE_IRIDESCENCE
	material.iridescence = iridescence;
	material.iridescenceIOR = iridescenceIOR;
	#ifdef USE_IRIDESCENCEMAP
		material.iridescence *= texture2D( iridescenceMap, vIridescenceMapUv ).r;
	#endif
	#ifdef USE_IRIDESCENCE_THICKNESSMAP
		material.iridescenceThickness = (iridescenceThicknessMaximum - iridescenceThicknessMinimum) * texture2D( iridescenceThicknessMap, vIridescenceThicknessMapUv ).g + iridescenceThicknessMinimum;
	#else
		material.iridescenceThickness = iridescenceThicknessMaximum;
	#endif
#endif
#ifdef USE_SHEEN
	material.sheenColor = sheenColor;
	#ifdef USE_SHEEN_COLORMAP
		material.sheenColor *= texture2D( sheenColorMap, vSheenColorMapUv ).rgb;
	#endif
	material.sheenRoughness = clamp( sheenRoughness, 0.0001, 1.0 );
	#ifdef USE_SHEEN_ROUGHNESSMAP
		material.sheenRoughness *= texture2D( sheenRoughnessMap, vSheenRoughnessMapUv ).a;
	#endif
#endif
#ifdef USE_ANISOTROPY
	#ifdef USE_ANISOTROPYMAP
		mat2 anisotropyMat = mat2( anisotropyVector.x, anisotropyVector.y, - anisotropyVector.y, anisotropyVector.x );
		vec3 anisotropyPolar = texture2D( anisotropyMap, vAnisotropyMapUv ).rgb;
		vec2 anisotropyV = anisotropyMat * normalize( 2.0 * anisotropyPolar.rg - vec2( 1.0 ) ) * anisotropyPolar.b;
	#else
		vec2 anisotropyV = anisotropyVector;
	#endif
	material.anisotropy = length( anisotropyV );
	if( material.anisotropy == 0.0 ) {
		anisotropyV = vec2( 1.0, 0.0 );
	} else {
		anisotropyV /= material.anisotropy;
		material.anisotropy = saturate( material.anisotropy );
	}
	material.alphaT = mix( pow2( material.roughness ), 1.0, pow2( material.anisotropy ) );
	material.anisotropyT = tbn[ 0 ] * anisotropyV.x + tbn[ 1 ] * anisotropyV.y;
	material.anisotropyB = tbn[ 1 ] * anisotropyV.x - tbn[ 0 ] * anisotropyV.y;
#endif`,lights_physical_pars_fragment:`uniform sampler2D dfgLUT;
struct PhysicalMaterial {
	vec3 diffuseColor;
	vec3 diffuseContribution;
	vec3 specularColor;
	vec3 specularColorBlended;
	float roughness;
	float metalness;
	float specularF90;
	float dispersion;
	vec2 dfg;
	vec3 multiScatteringCompensation;
	#ifdef USE_DIFFUSE_ROUGHNESS
		float diffuseRoughness;
	#endif
	#ifdef USE_RETROREFLECTION
		float retroreflectivity;
	#endif
	#ifdef USE_CLEARCOAT
		float clearcoat;
		float clearcoatRoughness;
		vec3 clearcoatF0;
		float clearcoatF90;
	#endif
	#ifdef USE_IRIDESCENCE
		float iridescence;
		float iridescenceIOR;
		float iridescenceThickness;
		vec3 iridescenceFresnel;
		vec3 iridescenceF0Dielectric;
		vec3 iridescenceF0Metallic;
	#endif
	#ifdef USE_SHEEN
		vec3 sheenColor;
		float sheenRoughness;
	#endif
	#ifdef IOR
		float ior;
	#endif
	#ifdef USE_TRANSMISSION
		float transmission;
		float transmissionAlpha;
		float thickness;
		float attenuationDistance;
		vec3 attenuationColor;
	#endif
	#ifdef USE_ANISOTROPY
		float anisotropy;
		float alphaT;
		vec3 anisotropyT;
		vec3 anisotropyB;
	#endif
};
vec3 clearcoatSpecularDirect = vec3( 0.0 );
vec3 clearcoatSpecularIndirect = vec3( 0.0 );
vec3 sheenSpecularDirect = vec3( 0.0 );
vec3 sheenSpecularIndirect = vec3(0.0 );
vec3 Schlick_to_F0( const in vec3 f, const in float f90, const in float dotVH ) {
    float x = clamp( 1.0 - dotVH, 0.0, 1.0 );
    float x2 = x * x;
    float x5 = clamp( x * x2 * x2, 0.0, 0.9999 );
    return ( f - vec3( f90 ) * x5 ) / ( 1.0 - x5 );
}
#ifdef USE_DIFFUSE_ROUGHNESS
	const float EON_EPSILON = 1e-7;
	float FON_DirectionalAlbedo( const in float mu, const in float roughness, const in float A ) {
		float muComp = 1.0 - mu;
		float gOverPi = muComp * ( 0.0571085289 + muComp * ( 0.491881867 + muComp * ( - 0.332181442 + muComp * 0.0714429953 ) ) );
		return A * ( 1.0 + roughness * gOverPi );
	}
	vec3 BRDF_EON( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in vec3 diffuseColor, const in float roughness ) {
		vec3 rho = saturate( diffuseColor );
		if ( roughness <= EON_EPSILON ) return BRDF_Lambert( rho );
		float dotNL = saturate( dot( normal, lightDir ) );
		float dotNV = saturate( dot( normal, viewDir ) );
		float s = dot( lightDir, viewDir ) - dotNL * dotNV;
		float sOverT = ( s > 0.0 ) ? s / max( max( dotNL, dotNV ), EON_EPSILON ) : s;
		float A = 1.0 / ( 1.0 + ( 0.5 - 2.0 / ( 3.0 * PI ) ) * roughness );
		vec3 singleScatter = rho * RECIPROCAL_PI * A * ( 1.0 + roughness * sOverT );
		float averageAlbedo = A * ( 1.0 + ( 2.0 / 3.0 - 28.0 / ( 15.0 * PI ) ) * roughness );
		float albedoV = FON_DirectionalAlbedo( dotNV, roughness, A );
		float albedoL = FON_DirectionalAlbedo( dotNL, roughness, A );
		vec3 rhoMultiScatter = rho * rho * averageAlbedo / max( vec3( EON_EPSILON ), vec3( 1.0 ) - rho * ( 1.0 - averageAlbedo ) );
		vec3 multiScatter = rhoMultiScatter * RECIPROCAL_PI
			* max( EON_EPSILON, 1.0 - albedoV )
			* max( EON_EPSILON, 1.0 - albedoL )
			/ max( EON_EPSILON, 1.0 - averageAlbedo );
		return singleScatter + multiScatter;
	}
	vec3 EON_DirectionalAlbedo( const in vec3 diffuseColor, const in float roughness, const in float dotNV ) {
		vec3 rho = saturate( diffuseColor );
		if ( roughness <= EON_EPSILON ) return rho;
		float A = 1.0 / ( 1.0 + ( 0.5 - 2.0 / ( 3.0 * PI ) ) * roughness );
		float directionalAlbedo = FON_DirectionalAlbedo( dotNV, roughness, A );
		float averageAlbedo = A * ( 1.0 + ( 2.0 / 3.0 - 28.0 / ( 15.0 * PI ) ) * roughness );
		vec3 rhoMultiScatter = rho * rho * averageAlbedo / max( vec3( EON_EPSILON ), vec3( 1.0 ) - rho * ( 1.0 - averageAlbedo ) );
		return rho * directionalAlbedo + rhoMultiScatter * ( 1.0 - directionalAlbedo );
	}
#endif
float V_GGX_SmithCorrelated( const in float alpha, const in float dotNL, const in float dotNV ) {
	float a2 = pow2( alpha );
	float gv = dotNL * sqrt( a2 + ( 1.0 - a2 ) * pow2( dotNV ) );
	float gl = dotNV * sqrt( a2 + ( 1.0 - a2 ) * pow2( dotNL ) );
	return 0.5 / max( gv + gl, EPSILON );
}
float D_GGX( const in float alpha, const in float dotNH ) {
	float a2 = pow2( alpha );
	float denom = pow2( dotNH ) * ( a2 - 1.0 ) + 1.0;
	return RECIPROCAL_PI * a2 / pow2( denom );
}
#ifdef USE_ANISOTROPY
	float V_GGX_SmithCorrelated_Anisotropic( const in float alphaT, const in float alphaB, const in float dotTV, const in float dotBV, const in float dotTL, const in float dotBL, const in float dotNV, const in float dotNL ) {
		float gv = dotNL * length( vec3( alphaT * dotTV, alphaB * dotBV, dotNV ) );
		float gl = dotNV * length( vec3( alphaT * dotTL, alphaB * dotBL, dotNL ) );
		return 0.5 / max( gv + gl, EPSILON );
	}
	float D_GGX_Anisotropic( const in float alphaT, const in float alphaB, const in float dotNH, const in float dotTH, const in float dotBH ) {
		float a2 = alphaT * alphaB;
		highp vec3 v = vec3( alphaB * dotTH, alphaT * dotBH, a2 * dotNH );
		highp float v2 = dot( v, v );
		float w2 = a2 / v2;
		return RECIPROCAL_PI * a2 * pow2 ( w2 );
	}
#endif
#ifdef USE_CLEARCOAT
	vec3 BRDF_GGX_Clearcoat( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in PhysicalMaterial material) {
		vec3 f0 = material.clearcoatF0;
		float f90 = material.clearcoatF90;
		float roughness = max( material.clearcoatRoughness, 0.045 );
		float alpha = pow2( roughness );
		vec3 halfDir = normalize( lightDir + viewDir );
		float dotNL = saturate( dot( normal, lightDir ) );
		float dotNV = saturate( dot( normal, viewDir ) );
		float dotNH = saturate( dot( normal, halfDir ) );
		float dotVH = saturate( dot( viewDir, halfDir ) );
		vec3 F = F_Schlick( f0, f90, dotVH );
		float V = V_GGX_SmithCorrelated( alpha, dotNL, dotNV );
		float D = D_GGX( alpha, dotNH );
		return F * ( V * D );
	}
#endif
vec3 BRDF_GGX( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in PhysicalMaterial material ) {
	vec3 f0 = material.specularColorBlended;
	float f90 = material.specularF90;
	float roughness = max( material.roughness, 0.045 );
	float alpha = pow2( roughness );
	vec3 halfDir = normalize( lightDir + viewDir );
	float dotNL = saturate( dot( normal, lightDir ) );
	float dotNV = saturate( dot( normal, viewDir ) );
	float dotNH = saturate( dot( normal, halfDir ) );
	float dotVH = saturate( dot( viewDir, halfDir ) );
	vec3 F = F_Schlick( f0, f90, dotVH );
	#ifdef USE_IRIDESCENCE
		F = mix( F, material.iridescenceFresnel, material.iridescence );
	#endif
	#ifdef USE_ANISOTROPY
		float dotTL = dot( material.anisotropyT, lightDir );
		float dotTV = dot( material.anisotropyT, viewDir );
		float dotTH = dot( material.anisotropyT, halfDir );
		float dotBL = dot( material.anisotropyB, lightDir );
		float dotBV = dot( material.anisotropyB, viewDir );
		float dotBH = dot( material.anisotropyB, halfDir );
		float alphaT = max( material.alphaT, alpha );
		float V = V_GGX_SmithCorrelated_Anisotropic( alphaT, alpha, dotTV, dotBV, dotTL, dotBL, dotNV, dotNL );
		float D = D_GGX_Anisotropic( alphaT, alpha, dotNH, dotTH, dotBH );
	#else
		float V = V_GGX_SmithCorrelated( alpha, dotNL, dotNV );
		float D = D_GGX( alpha, dotNH );
	#endif
	return F * ( V * D );
}
vec2 LTC_Uv( const in vec3 N, const in vec3 V, const in float roughness ) {
	const float LUT_SIZE = 64.0;
	const float LUT_SCALE = ( LUT_SIZE - 1.0 ) / LUT_SIZE;
	const float LUT_BIAS = 0.5 / LUT_SIZE;
	float dotNV = saturate( dot( N, V ) );
	vec2 uv = vec2( roughness, sqrt( 1.0 - dotNV ) );
	uv = uv * LUT_SCALE + LUT_BIAS;
	return uv;
}
float LTC_ClippedSphereFormFactor( const in vec3 f ) {
	float l = length( f );
	return max( ( l * l + f.z ) / ( l + 1.0 ), 0.0 );
}
vec3 LTC_EdgeVectorFormFactor( const in vec3 v1, const in vec3 v2 ) {
	float x = dot( v1, v2 );
	float y = abs( x );
	float a = 0.8543985 + ( 0.4965155 + 0.0145206 * y ) * y;
	float b = 3.4175940 + ( 4.1616724 + y ) * y;
	float v = a / b;
	float theta_sintheta = ( x > 0.0 ) ? v : 0.5 * inversesqrt( max( 1.0 - x * x, 1e-7 ) ) - v;
	return cross( v1, v2 ) * theta_sintheta;
}
vec3 LTC_Evaluate( const in vec3 N, const in vec3 V, const in vec3 P, const in mat3 mInv, const in vec3 rectCoords[ 4 ] ) {
	vec3 v1 = rectCoords[ 1 ] - rectCoords[ 0 ];
	vec3 v2 = rectCoords[ 3 ] - rectCoords[ 0 ];
	vec3 lightNormal = cross( v1, v2 );
	if( dot( lightNormal, P - rectCoords[ 0 ] ) < 0.0 ) return vec3( 0.0 );
	vec3 T1, T2;
	T1 = normalize( V - N * dot( V, N ) );
	T2 = - cross( N, T1 );
	mat3 mat = mInv * transpose( mat3( T1, T2, N ) );
	vec3 coords[ 4 ];
	coords[ 0 ] = mat * ( rectCoords[ 0 ] - P );
	coords[ 1 ] = mat * ( rectCoords[ 1 ] - P );
	coords[ 2 ] = mat * ( rectCoords[ 2 ] - P );
	coords[ 3 ] = mat * ( rectCoords[ 3 ] - P );
	coords[ 0 ] = normalize( coords[ 0 ] );
	coords[ 1 ] = normalize( coords[ 1 ] );
	coords[ 2 ] = normalize( coords[ 2 ] );
	coords[ 3 ] = normalize( coords[ 3 ] );
	vec3 vectorFormFactor = vec3( 0.0 );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 0 ], coords[ 1 ] );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 1 ], coords[ 2 ] );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 2 ], coords[ 3 ] );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 3 ], coords[ 0 ] );
	float result = LTC_ClippedSphereFormFactor( vectorFormFactor );
	return vec3( result );
}
#if defined( USE_SHEEN )
float D_Charlie( float roughness, float dotNH ) {
	float alpha = pow2( roughness );
	float invAlpha = 1.0 / alpha;
	float cos2h = dotNH * dotNH;
	float sin2h = max( 1.0 - cos2h, 0.0078125 );
	return ( 2.0 + invAlpha ) * pow( sin2h, invAlpha * 0.5 ) / ( 2.0 * PI );
}
float V_Neubelt( float dotNV, float dotNL ) {
	return saturate( 1.0 / ( 4.0 * ( dotNL + dotNV - dotNL * dotNV ) ) );
}
vec3 BRDF_Sheen( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, vec3 sheenColor, const in float sheenRoughness ) {
	vec3 halfDir = normalize( lightDir + viewDir );
	float dotNL = saturate( dot( normal, lightDir ) );
	float dotNV = saturate( dot( normal, viewDir ) );
	float dotNH = saturate( dot( normal, halfDir ) );
	float D = D_Charlie( sheenRoughness, dotNH );
	float V = V_Neubelt( dotNV, dotNL );
	return sheenColor * ( D * V );
}
#endif
float IBLSheenBRDF( const in vec3 normal, const in vec3 viewDir, const in float roughness ) {
	float dotNV = saturate( dot( normal, viewDir ) );
	float r2 = roughness * roughness;
	float rInv = 1.0 / ( roughness + 0.1 );
	float a = -1.9362 + 1.0678 * roughness + 0.4573 * r2 - 0.8469 * rInv;
	float b = -0.6014 + 0.5538 * roughness - 0.4670 * r2 - 0.1255 * rInv;
	float DG = exp( a * dotNV + b );
	return saturate( DG );
}
vec3 EnvironmentBRDF( const in vec3 normal, const in vec3 viewDir, const in vec3 specularColor, const in float specularF90, const in float roughness ) {
	float dotNV = saturate( dot( normal, viewDir ) );
	vec2 fab = texture2D( dfgLUT, vec2( roughness, dotNV ) ).rg;
	return specularColor * fab.x + specularF90 * fab.y;
}
#ifdef USE_IRIDESCENCE
void computeMultiscatteringIridescence( const in vec2 fab, const in vec3 specularColor, const in float specularF90, const in float iridescence, const in vec3 iridescenceF0, inout vec3 singleScatter, inout vec3 multiScatter ) {
#else
void computeMultiscattering( const in vec2 fab, const in vec3 specularColor, const in float specularF90, inout vec3 singleScatter, inout vec3 multiScatter ) {
#endif
	#ifdef USE_IRIDESCENCE
		vec3 Fr = mix( specularColor, iridescenceF0, iridescence );
	#else
		vec3 Fr = specularColor;
	#endif
	vec3 FssEss = Fr * fab.x + specularF90 * fab.y;
	float Ess = fab.x + fab.y;
	float Ems = 1.0 - Ess;
	vec3 Favg = Fr + ( 1.0 - Fr ) * 0.047619;	vec3 Fms = FssEss * Favg / ( 1.0 - Ems * Favg );
	singleScatter += FssEss;
	multiScatter += Fms * Ems;
}
#if NUM_RECT_AREA_LIGHTS > 0
	void RE_Direct_RectArea_Physical( const in RectAreaLight rectAreaLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight ) {
		vec3 normal = geometryNormal;
		vec3 viewDir = geometryViewDir;
		vec3 position = geometryPosition;
		vec3 lightPos = rectAreaLight.position;
		vec3 halfWidth = rectAreaLight.halfWidth;
		vec3 halfHeight = rectAreaLight.halfHeight;
		vec3 lightColor = rectAreaLight.color;
		float roughness = material.roughness;
		vec3 rectCoords[ 4 ];
		rectCoords[ 0 ] = lightPos + halfWidth - halfHeight;		rectCoords[ 1 ] = lightPos - halfWidth - halfHeight;
		rectCoords[ 2 ] = lightPos - halfWidth + halfHeight;
		rectCoords[ 3 ] = lightPos + halfWidth + halfHeight;
		vec2 uv = LTC_Uv( normal, viewDir, roughness );
		vec4 t1 = texture2D( ltc_1, uv );
		vec4 t2 = texture2D( ltc_2, uv );
		mat3 mInv = mat3(
			vec3( t1.x, 0, t1.y ),
			vec3(    0, 1,    0 ),
			vec3( t1.z, 0, t1.w )
		);
		vec3 fresnel = ( material.specularColorBlended * t2.x + ( material.specularF90 - material.specularColorBlended ) * t2.y );
		reflectedLight.directSpecular += lightColor * fresnel * LTC_Evaluate( normal, viewDir, position, mInv, rectCoords );
		reflectedLight.directDiffuse += lightColor * material.diffuseContribution * LTC_Evaluate( normal, viewDir, position, mat3( 1.0 ), rectCoords );
		#ifdef USE_CLEARCOAT
			vec3 Ncc = geometryClearcoatNormal;
			vec2 uvClearcoat = LTC_Uv( Ncc, viewDir, material.clearcoatRoughness );
			vec4 t1Clearcoat = texture2D( ltc_1, uvClearcoat );
			vec4 t2Clearcoat = texture2D( ltc_2, uvClearcoat );
			mat3 mInvClearcoat = mat3(
				vec3( t1Clearcoat.x, 0, t1Clearcoat.y ),
				vec3(             0, 1,             0 ),
				vec3( t1Clearcoat.z, 0, t1Clearcoat.w )
			);
			vec3 fresnelClearcoat = material.clearcoatF0 * t2Clearcoat.x + ( material.clearcoatF90 - material.clearcoatF0 ) * t2Clearcoat.y;
			clearcoatSpecularDirect += lightColor * fresnelClearcoat * LTC_Evaluate( Ncc, viewDir, position, mInvClearcoat, rectCoords );
		#endif
	}
#endif
void RE_Direct_Physical( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight ) {
	float dotNL = saturate( dot( geometryNormal, directLight.direction ) );
	vec3 irradiance = dotNL * directLight.color;
	#ifdef USE_CLEARCOAT
		float dotNLcc = saturate( dot( geometryClearcoatNormal, directLight.direction ) );
		vec3 ccIrradiance = dotNLcc * directLight.color;
		clearcoatSpecularDirect += ccIrradiance * BRDF_GGX_Clearcoat( directLight.direction, geometryViewDir, geometryClearcoatNormal, material );
	#endif
	#ifdef USE_SHEEN
 
 		sheenSpecularDirect += irradiance * BRDF_Sheen( directLight.direction, geometryViewDir, geometryNormal, material.sheenColor, material.sheenRoughness );
 
 		float sheenAlbedoV = IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness );
 		float sheenAlbedoL = IBLSheenBRDF( geometryNormal, directLight.direction, material.sheenRoughness );
 
 		float sheenEnergyComp = 1.0 - max3( material.sheenColor ) * max( sheenAlbedoV, sheenAlbedoL );
 
 		irradiance *= sheenEnergyComp;
 
 	#endif
	vec3 specularBRDF = BRDF_GGX( directLight.direction, geometryViewDir, geometryNormal, material );
	#ifdef USE_RETROREFLECTION
		vec3 retroViewDir = reflect( - geometryViewDir, geometryNormal );
		vec3 retroSpecularBRDF = BRDF_GGX( directLight.direction, retroViewDir, geometryNormal, material );
		specularBRDF = mix( specularBRDF, retroSpecularBRDF, saturate( material.retroreflectivity ) );
	#endif
	reflectedLight.directSpecular += irradiance * specularBRDF * material.multiScatteringCompensation;
	vec3 halfDir = normalize( directLight.direction + geometryViewDir );
	float dotVH = saturate( dot( geometryViewDir, halfDir ) );
	vec3 F = F_Schlick( material.specularColor, material.specularF90, dotVH );
	#ifdef USE_RETROREFLECTION
		vec3 retroHalfDir = normalize( directLight.direction + retroViewDir );
		float dotRetroVH = saturate( dot( retroViewDir, retroHalfDir ) );
		vec3 retroF = F_Schlick( material.specularColor, material.specularF90, dotRetroVH );
		F = mix( F, retroF, saturate( material.retroreflectivity ) );
	#endif
	#ifdef USE_DIFFUSE_ROUGHNESS
		vec3 diffuseBRDF = BRDF_EON( directLight.direction, geometryViewDir, geometryNormal, material.diffuseColor, material.diffuseRoughness ) * ( 1.0 - material.metalness );
	#else
		vec3 diffuseBRDF = BRDF_Lambert( material.diffuseContribution );
	#endif
	reflectedLight.directDiffuse += irradiance * diffuseBRDF * ( 1.0 - F );
}
void RE_IndirectDiffuse_Physical( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight ) {
	vec3 singleScattering = vec3( 0.0 );
	vec3 multiScattering = vec3( 0.0 );
	#ifdef USE_IRIDESCENCE
		computeMultiscatteringIridescence( material.dfg, material.specularColor, material.specularF90, material.iridescence, material.iridescenceF0Dielectric, singleScattering, multiScattering );
	#else
		computeMultiscattering( material.dfg, material.specularColor, material.specularF90, singleScattering, multiScattering );
	#endif
	#ifdef USE_DIFFUSE_ROUGHNESS
		float dotNV = saturate( dot( geometryNormal, geometryViewDir ) );
		vec3 diffuseAlbedo = EON_DirectionalAlbedo( material.diffuseColor, material.diffuseRoughness, dotNV ) * ( 1.0 - material.metalness );
		vec3 diffuse = irradiance * RECIPROCAL_PI * diffuseAlbedo * ( 1.0 - singleScattering - multiScattering );
	#else
		vec3 diffuse = irradiance * BRDF_Lambert( material.diffuseContribution ) * ( 1.0 - singleScattering - multiScattering );
	#endif
	#ifdef USE_SHEEN
		float sheenAlbedo = IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness );
		sheenSpecularIndirect += irradiance * material.sheenColor * sheenAlbedo * RECIPROCAL_PI;
		float sheenEnergyComp = 1.0 - max3( material.sheenColor ) * sheenAlbedo;
		diffuse *= sheenEnergyComp;
	#endif
	reflectedLight.indirectDiffuse += diffuse;
}
void RE_IndirectSpecular_Physical( const in vec3 radiance, const in vec3 irradiance, const in vec3 clearcoatRadiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight) {
	#ifdef USE_CLEARCOAT
		clearcoatSpecularIndirect += clearcoatRadiance * EnvironmentBRDF( geometryClearcoatNormal, geometryViewDir, material.clearcoatF0, material.clearcoatF90, material.clearcoatRoughness );
	#endif
	#ifdef USE_SHEEN
		sheenSpecularIndirect += irradiance * material.sheenColor * IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness ) * RECIPROCAL_PI;
 	#endif
	vec3 singleScatteringDielectric = vec3( 0.0 );
	vec3 multiScatteringDielectric = vec3( 0.0 );
	vec3 singleScatteringMetallic = vec3( 0.0 );
	vec3 multiScatteringMetallic = vec3( 0.0 );
	#ifdef USE_IRIDESCENCE
		computeMultiscatteringIridescence( material.dfg, material.specularColor, material.specularF90, material.iridescence, material.iridescenceF0Dielectric, singleScatteringDielectric, multiScatteringDielectric );
		computeMultiscatteringIridescence( material.dfg, material.diffuseColor, material.specularF90, material.iridescence, material.iridescenceF0Metallic, singleScatteringMetallic, multiScatteringMetallic );
	#else
		computeMultiscattering( material.dfg, material.specularColor, material.specularF90, singleScatteringDielectric, multiScatteringDielectric );
		computeMultiscattering( material.dfg, material.diffuseColor, material.specularF90, singleScatteringMetallic, multiScatteringMetallic );
	#endif
	vec3 singleScattering = mix( singleScatteringDielectric, singleScatteringMetallic, material.metalness );
	vec3 multiScattering = mix( multiScatteringDielectric, multiScatteringMetallic, material.metalness );
	vec3 totalScatteringDielectric = singleScatteringDielectric + multiScatteringDielectric;
	#ifdef USE_DIFFUSE_ROUGHNESS
		float dotNV = saturate( dot( geometryNormal, geometryViewDir ) );
		vec3 diffuse = EON_DirectionalAlbedo( material.diffuseColor, material.diffuseRoughness, dotNV ) * ( 1.0 - material.metalness ) * ( 1.0 - totalScatteringDielectric );
	#else
		vec3 diffuse = material.diffuseContribution * ( 1.0 - totalScatteringDielectric );
	#endif
	vec3 cosineWeightedIrradiance = irradiance * RECIPROCAL_PI;
	vec3 indirectSpecular = radiance * singleScattering;
	indirectSpecular += multiScattering * cosineWeightedIrradiance;
	vec3 indirectDiffuse = diffuse * cosineWeightedIrradiance;
	#ifdef USE_SHEEN
		float sheenAlbedo = IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness );
		float sheenEnergyComp = 1.0 - max3( material.sheenColor ) * sheenAlbedo;
		indirectSpecular *= sheenEnergyComp;
		indirectDiffuse *= sheenEnergyComp;
	#endif
	reflectedLight.indirectSpecular += indirectSpecular;
	reflectedLight.indirectDiffuse += indirectDiffuse;
}
#define RE_Direct				RE_Direct_Physical
#define RE_Direct_RectArea		RE_Direct_RectArea_Physical
#define RE_IndirectDiffuse		RE_IndirectDiffuse_Physical
#define RE_IndirectSpecular		RE_IndirectSpecular_Physical
float computeSpecularOcclusion( const in float dotNV, const in float ambientOcclusion, const in float roughness ) {
	return saturate( pow( dotNV + ambientOcclusion, exp2( - 16.0 * roughness - 1.0 ) ) - 1.0 + ambientOcclusion );
}`,lights_fragment_begin:`
vec3 geometryPosition = - vViewPosition;
vec3 geometryNormal = normal;
vec3 geometryViewDir = ( isOrthographic ) ? vec3( 0, 0, 1 ) : normalize( vViewPosition );
vec3 geometryClearcoatNormal = vec3( 0.0 );
#ifdef USE_CLEARCOAT
	geometryClearcoatNormal = clearcoatNormal;
#endif
#ifdef USE_IRIDESCENCE
	float dotNVi = saturate( dot( normal, geometryViewDir ) );
	if ( material.iridescenceThickness == 0.0 ) {
		material.iridescence = 0.0;
	} else {
		material.iridescence = saturate( material.iridescence );
	}
	if ( material.iridescence > 0.0 ) {
		vec3 iridescenceFresnelDielectric = evalIridescence( 1.0, material.iridescenceIOR, dotNVi, material.iridescenceThickness, material.specularColor );
		vec3 iridescenceFresnelMetallic = evalIridescence( 1.0, material.iridescenceIOR, dotNVi, material.iridescenceThickness, material.diffuseColor );
		material.iridescenceFresnel = mix( iridescenceFresnelDielectric, iridescenceFresnelMetallic, material.metalness );
		material.iridescenceF0Dielectric = Schlick_to_F0( iridescenceFresnelDielectric, 1.0, dotNVi );
		material.iridescenceF0Metallic = Schlick_to_F0( iridescenceFresnelMetallic, 1.0, dotNVi );
	}
#endif
#ifdef STANDARD
	float dotNVms = saturate( dot( geometryNormal, geometryViewDir ) );
	material.dfg = texture2D( dfgLUT, vec2( material.roughness, dotNVms ) ).rg;
	#if ( NUM_SUN_LIGHTS > 0 || NUM_DIR_LIGHTS > 0 || NUM_POINT_LIGHTS > 0 || NUM_SPOT_LIGHTS > 0 )
		float EssMs = material.dfg.x + material.dfg.y;
		material.multiScatteringCompensation = 1.0 + material.specularColorBlended * ( 1.0 / EssMs - 1.0 );
	#endif
#endif
IncidentLight directLight;
#if ( NUM_POINT_LIGHTS > 0 ) && defined( RE_Direct )
	PointLight pointLight;
	#if defined( USE_SHADOWMAP ) && NUM_POINT_LIGHT_SHADOWS > 0
	PointLightShadow pointLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_POINT_LIGHTS; i ++ ) {
		pointLight = pointLights[ i ];
		getPointLightInfo( pointLight, geometryPosition, directLight );
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_POINT_LIGHT_SHADOWS ) && ( defined( SHADOWMAP_TYPE_PCF ) || defined( SHADOWMAP_TYPE_BASIC ) )
		pointLightShadow = pointLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getPointShadow( pointShadowMap[ i ], pointLightShadow.shadowMapSize, pointLightShadow.shadowIntensity, pointLightShadow.shadowBias, pointLightShadow.shadowRadius, vPointShadowCoord[ i ], pointLightShadow.shadowCameraNear, pointLightShadow.shadowCameraFar ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_SPOT_LIGHTS > 0 ) && defined( RE_Direct )
	SpotLight spotLight;
	vec4 spotColor;
	vec3 spotLightCoord;
	bool inSpotLightMap;
	#if defined( USE_SHADOWMAP ) && NUM_SPOT_LIGHT_SHADOWS > 0
	SpotLightShadow spotLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SPOT_LIGHTS; i ++ ) {
		spotLight = spotLights[ i ];
		getSpotLightInfo( spotLight, geometryPosition, directLight );
		#if ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS )
		#define SPOT_LIGHT_MAP_INDEX UNROLLED_LOOP_INDEX
		#elif ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
		#define SPOT_LIGHT_MAP_INDEX NUM_SPOT_LIGHT_MAPS
		#else
		#define SPOT_LIGHT_MAP_INDEX ( UNROLLED_LOOP_INDEX - NUM_SPOT_LIGHT_SHADOWS + NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS )
		#endif
		#if ( SPOT_LIGHT_MAP_INDEX < NUM_SPOT_LIGHT_MAPS )
			spotLightCoord = vSpotLightCoord[ i ].xyz / vSpotLightCoord[ i ].w;
			inSpotLightMap = all( lessThan( abs( spotLightCoord * 2. - 1. ), vec3( 1.0 ) ) );
			spotColor = texture2D( spotLightMap[ SPOT_LIGHT_MAP_INDEX ], spotLightCoord.xy );
			directLight.color = inSpotLightMap ? directLight.color * spotColor.rgb : directLight.color;
		#endif
		#undef SPOT_LIGHT_MAP_INDEX
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
		spotLightShadow = spotLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getShadow( spotShadowMap[ i ], spotLightShadow.shadowMapSize, spotLightShadow.shadowIntensity, spotLightShadow.shadowBias, spotLightShadow.shadowRadius, vSpotLightCoord[ i ] ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_SUN_LIGHTS > 0 ) && defined( RE_Direct )
	SunLight sunLight;
	#if defined( USE_SHADOWMAP ) && NUM_SUN_LIGHT_SHADOWS > 0
	SunLightShadow sunLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SUN_LIGHTS; i ++ ) {
		sunLight = sunLights[ i ];
		getSunLightInfo( sunLight, directLight );
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_SUN_LIGHT_SHADOWS )
		sunLightShadow = sunLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getSunShadow( sunShadowMap[ i ], sunLightShadow, UNROLLED_LOOP_INDEX ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_DIR_LIGHTS > 0 ) && defined( RE_Direct )
	DirectionalLight directionalLight;
	#if defined( USE_SHADOWMAP ) && NUM_DIR_LIGHT_SHADOWS > 0
	DirectionalLightShadow directionalLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_DIR_LIGHTS; i ++ ) {
		directionalLight = directionalLights[ i ];
		getDirectionalLightInfo( directionalLight, directLight );
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_DIR_LIGHT_SHADOWS )
		directionalLightShadow = directionalLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getShadow( directionalShadowMap[ i ], directionalLightShadow.shadowMapSize, directionalLightShadow.shadowIntensity, directionalLightShadow.shadowBias, directionalLightShadow.shadowRadius, vDirectionalShadowCoord[ i ] ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_RECT_AREA_LIGHTS > 0 ) && defined( RE_Direct_RectArea )
	RectAreaLight rectAreaLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_RECT_AREA_LIGHTS; i ++ ) {
		rectAreaLight = rectAreaLights[ i ];
		RE_Direct_RectArea( rectAreaLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if defined( RE_IndirectDiffuse )
	vec3 iblIrradiance = vec3( 0.0 );
	vec3 irradiance = getAmbientLightIrradiance( ambientLightColor );
	#if defined( USE_LIGHT_PROBES )
		irradiance += getLightProbeIrradiance( lightProbe, geometryNormal );
	#endif
	#if ( NUM_HEMI_LIGHTS > 0 )
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_HEMI_LIGHTS; i ++ ) {
			irradiance += getHemisphereLightIrradiance( hemisphereLights[ i ], geometryNormal );
		}
		#pragma unroll_loop_end
	#endif
	#if NUM_LIGHT_PROBE_GRIDS > 0
		vec3 probeWorldPos = ( ( vec4( geometryPosition, 1.0 ) - viewMatrix[ 3 ] ) * viewMatrix ).xyz;
		vec3 probeWorldNormal = transformNormalByInverseViewMatrix( geometryNormal, viewMatrix );
		int probeGrid = - 1;
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_LIGHT_PROBE_GRIDS; i ++ ) {
			if ( isInsideLightProbeGrid( probeWorldPos, probeWorldNormal, probesMin[ i ], probesMax[ i ], probesResolution[ i ] ) ) probeGrid = UNROLLED_LOOP_INDEX;
		}
		#pragma unroll_loop_end
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_LIGHT_PROBE_GRIDS; i ++ ) {
			if ( probeGrid == UNROLLED_LOOP_INDEX ) irradiance += getLightProbeGridIrradiance( probesSH[ i ], probesMin[ i ], probesMax[ i ], probesResolution[ i ], probeWorldPos, probeWorldNormal );
		}
		#pragma unroll_loop_end
	#endif
#endif
#if defined( RE_IndirectSpecular )
	vec3 radiance = vec3( 0.0 );
	vec3 clearcoatRadiance = vec3( 0.0 );
#endif`,lights_fragment_maps:`#if defined( RE_IndirectDiffuse )
	#ifdef USE_LIGHTMAP
		vec4 lightMapTexel = texture2D( lightMap, vLightMapUv );
		vec3 lightMapIrradiance = lightMapTexel.rgb * lightMapIntensity;
		irradiance += lightMapIrradiance;
	#endif
	#if defined( USE_ENVMAP ) && defined( ENVMAP_TYPE_PMREM )
		#if defined( STANDARD ) || defined( LAMBERT ) || defined( PHONG )
			iblIrradiance += getIBLIrradiance( geometryNormal );
		#endif
	#endif
#endif
#if defined( USE_ENVMAP ) && defined( RE_IndirectSpecular )
	#ifdef USE_ANISOTROPY
		vec3 iblRadiance = getIBLAnisotropyRadiance( geometryViewDir, geometryNormal, material.roughness, material.anisotropyB, material.anisotropy );
	#else
		vec3 iblRadiance = getIBLRadiance( geometryViewDir, geometryNormal, material.roughness );
	#endif
	#ifdef USE_RETROREFLECTION
		#ifdef USE_ANISOTROPY
			vec3 retroIBLRadiance = getIBLAnisotropyRetroRadiance( geometryViewDir, geometryNormal, material.roughness, material.anisotropyB, material.anisotropy );
		#else
			vec3 retroIBLRadiance = getIBLRetroRadiance( geometryViewDir, geometryNormal, material.roughness );
		#endif
		iblRadiance = mix( iblRadiance, retroIBLRadiance, saturate( material.retroreflectivity ) );
	#endif
	radiance += iblRadiance;
	#ifdef USE_CLEARCOAT
		clearcoatRadiance += getIBLRadiance( geometryViewDir, geometryClearcoatNormal, material.clearcoatRoughness );
	#endif
#endif`,lights_fragment_end:`#if defined( RE_IndirectDiffuse )
	#if defined( LAMBERT ) || defined( PHONG )
		irradiance += iblIrradiance;
	#endif
	RE_IndirectDiffuse( irradiance, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
#endif
#if defined( RE_IndirectSpecular )
	RE_IndirectSpecular( radiance, iblIrradiance, clearcoatRadiance, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
#endif`,lightprobes_pars_fragment:`#if NUM_LIGHT_PROBE_GRIDS > 0
uniform highp sampler3D probesSH[ NUM_LIGHT_PROBE_GRIDS ];
uniform vec3 probesMin[ NUM_LIGHT_PROBE_GRIDS ];
uniform vec3 probesMax[ NUM_LIGHT_PROBE_GRIDS ];
uniform vec3 probesResolution[ NUM_LIGHT_PROBE_GRIDS ];
bool isInsideLightProbeGrid( vec3 worldPos, vec3 worldNormal, vec3 probesMin, vec3 probesMax, vec3 probesResolution ) {
	vec3 spacing = ( probesMax - probesMin ) / probesResolution;
	vec3 samplePos = worldPos + worldNormal * spacing * 0.5;
	vec3 margin = spacing * 0.01;
	return all( greaterThanEqual( samplePos, probesMin - margin ) ) && all( lessThanEqual( samplePos, probesMax + margin ) );
}
vec3 getLightProbeGridIrradiance( highp sampler3D probesSH, vec3 probesMin, vec3 probesMax, vec3 probesResolution, vec3 worldPos, vec3 worldNormal ) {
	vec3 res = probesResolution;
	vec3 gridRange = probesMax - probesMin;
	vec3 probeSpacing = gridRange / res;
	vec3 samplePos = worldPos + worldNormal * probeSpacing * 0.5;
	vec3 uvw = clamp( ( samplePos - probesMin ) / gridRange, 0.5 / res, 1.0 - 0.5 / res );
	float nz          = res.z;
	float paddedSlices = nz + 2.0;
	float atlasDepth  = 7.0 * paddedSlices;
	float uvZBase     = uvw.z * nz + 1.0;
	vec4 s0 = texture( probesSH, vec3( uvw.xy, ( uvZBase                       ) / atlasDepth ) );
	vec4 s1 = texture( probesSH, vec3( uvw.xy, ( uvZBase +       paddedSlices   ) / atlasDepth ) );
	vec4 s2 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 2.0 * paddedSlices   ) / atlasDepth ) );
	vec4 s3 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 3.0 * paddedSlices   ) / atlasDepth ) );
	vec4 s4 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 4.0 * paddedSlices   ) / atlasDepth ) );
	vec4 s5 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 5.0 * paddedSlices   ) / atlasDepth ) );
	vec4 s6 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 6.0 * paddedSlices   ) / atlasDepth ) );
	vec3 c0 = s0.xyz;
	vec3 c1 = vec3( s0.w, s1.xy );
	vec3 c2 = vec3( s1.zw, s2.x );
	vec3 c3 = s2.yzw;
	vec3 c4 = s3.xyz;
	vec3 c5 = vec3( s3.w, s4.xy );
	vec3 c6 = vec3( s4.zw, s5.x );
	vec3 c7 = s5.yzw;
	vec3 c8 = s6.xyz;
	float x = worldNormal.x, y = worldNormal.y, z = worldNormal.z;
	vec3 result = c0 * 0.886227;
	result += c1 * 2.0 * 0.511664 * y;
	result += c2 * 2.0 * 0.511664 * z;
	result += c3 * 2.0 * 0.511664 * x;
	result += c4 * 2.0 * 0.429043 * x * y;
	result += c5 * 2.0 * 0.429043 * y * z;
	result += c6 * ( 0.743125 * z * z - 0.247708 );
	result += c7 * 2.0 * 0.429043 * x * z;
	result += c8 * 0.429043 * ( x * x - y * y );
	return max( result, vec3( 0.0 ) );
}
#endif`,logdepthbuf_fragment:`#if defined( USE_LOGARITHMIC_DEPTH_BUFFER )
	gl_FragDepth = vIsPerspective == 0.0 ? gl_FragCoord.z : log2( vFragDepth ) * logDepthBufFC * 0.5;
#endif`,logdepthbuf_pars_fragment:`#if defined( USE_LOGARITHMIC_DEPTH_BUFFER )
	uniform float logDepthBufFC;
	varying float vFragDepth;
	varying float vIsPerspective;
#endif`,logdepthbuf_pars_vertex:`#ifdef USE_LOGARITHMIC_DEPTH_BUFFER
	varying float vFragDepth;
	varying float vIsPerspective;
#endif`,logdepthbuf_vertex:`#ifdef USE_LOGARITHMIC_DEPTH_BUFFER
	vFragDepth = 1.0 + gl_Position.w;
	vIsPerspective = float( isPerspectiveMatrix( projectionMatrix ) );
#endif`,map_fragment:`#ifdef USE_MAP
	vec4 sampledDiffuseColor = texture2D( map, vMapUv );
	#ifdef DECODE_VIDEO_TEXTURE
		sampledDiffuseColor = sRGBTransferEOTF( sampledDiffuseColor );
	#endif
	diffuseColor *= sampledDiffuseColor;
#endif`,map_pars_fragment:`#ifdef USE_MAP
	uniform sampler2D map;
#endif`,map_particle_fragment:`#if defined( USE_MAP ) || defined( USE_ALPHAMAP )
	#if defined( USE_POINTS_UV )
		vec2 uv = vUv;
	#else
		vec2 uv = ( uvTransform * vec3( gl_PointCoord.x, 1.0 - gl_PointCoord.y, 1 ) ).xy;
	#endif
#endif
#ifdef USE_MAP
	diffuseColor *= texture2D( map, uv );
#endif
#ifdef USE_ALPHAMAP
	diffuseColor.a *= texture2D( alphaMap, uv ).g;
#endif`,map_particle_pars_fragment:`#if defined( USE_POINTS_UV )
	varying vec2 vUv;
#else
	#if defined( USE_MAP ) || defined( USE_ALPHAMAP )
		uniform mat3 uvTransform;
	#endif
#endif
#ifdef USE_MAP
	uniform sampler2D map;
#endif
#ifdef USE_ALPHAMAP
	uniform sampler2D alphaMap;
#endif`,metalnessmap_fragment:`float metalnessFactor = metalness;
#ifdef USE_METALNESSMAP
	vec4 texelMetalness = texture2D( metalnessMap, vMetalnessMapUv );
	metalnessFactor *= texelMetalness.b;
#endif`,metalnessmap_pars_fragment:`#ifdef USE_METALNESSMAP
	uniform sampler2D metalnessMap;
#endif`,morphinstance_vertex:`#ifdef USE_INSTANCING_MORPH
	float morphTargetInfluences[ MORPHTARGETS_COUNT ];
	float morphTargetBaseInfluence = texelFetch( morphTexture, ivec2( 0, gl_InstanceID ), 0 ).r;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		morphTargetInfluences[i] =  texelFetch( morphTexture, ivec2( i + 1, gl_InstanceID ), 0 ).r;
	}
#endif`,morphcolor_vertex:`#if defined( USE_MORPHCOLORS )
	#if defined( USE_COLOR_ALPHA )
		vColor *= morphTargetBaseInfluence;
	#elif defined( USE_COLOR )
		vColor.rgb *= morphTargetBaseInfluence;
	#endif
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		#if defined( USE_COLOR_ALPHA )
			if ( morphTargetInfluences[ i ] != 0.0 ) vColor += getMorph( gl_VertexID, i, 2 ) * morphTargetInfluences[ i ];
		#elif defined( USE_COLOR )
			if ( morphTargetInfluences[ i ] != 0.0 ) vColor.rgb += getMorph( gl_VertexID, i, 2 ).rgb * morphTargetInfluences[ i ];
		#endif
	}
#endif`,morphnormal_vertex:`#ifdef USE_MORPHNORMALS
	objectNormal *= morphTargetBaseInfluence;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		if ( morphTargetInfluences[ i ] != 0.0 ) objectNormal += getMorph( gl_VertexID, i, 1 ).xyz * morphTargetInfluences[ i ];
	}
#endif`,morphtarget_pars_vertex:`#ifdef USE_MORPHTARGETS
	#ifndef USE_INSTANCING_MORPH
		uniform float morphTargetBaseInfluence;
		uniform float morphTargetInfluences[ MORPHTARGETS_COUNT ];
	#endif
	uniform sampler2DArray morphTargetsTexture;
	uniform ivec2 morphTargetsTextureSize;
	vec4 getMorph( const in int vertexIndex, const in int morphTargetIndex, const in int offset ) {
		int texelIndex = vertexIndex * MORPHTARGETS_TEXTURE_STRIDE + offset;
		int y = texelIndex / morphTargetsTextureSize.x;
		int x = texelIndex - y * morphTargetsTextureSize.x;
		ivec3 morphUV = ivec3( x, y, morphTargetIndex );
		return texelFetch( morphTargetsTexture, morphUV, 0 );
	}
#endif`,morphtarget_vertex:`#ifdef USE_MORPHTARGETS
	transformed *= morphTargetBaseInfluence;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		if ( morphTargetInfluences[ i ] != 0.0 ) transformed += getMorph( gl_VertexID, i, 0 ).xyz * morphTargetInfluences[ i ];
	}
#endif`,normal_fragment_begin:`float faceDirection = gl_FrontFacing ? 1.0 : - 1.0;
#ifdef FLAT_SHADED
	vec3 fdx = dFdx( vViewPosition );
	vec3 fdy = dFdy( vViewPosition );
	vec3 normal = normalize( cross( fdx, fdy ) );
#else
	vec3 normal = normalize( vNormal );
	#ifdef DOUBLE_SIDED
		normal *= faceDirection;
	#endif
#endif
#if defined( USE_NORMALMAP_TANGENTSPACE ) || defined( USE_CLEARCOAT_NORMALMAP ) || defined( USE_ANISOTROPY )
	#ifdef USE_TANGENT
		mat3 tbn = mat3( normalize( vTangent ), normalize( vBitangent ), normal );
	#else
		mat3 tbn = getTangentFrame( - vViewPosition, normal,
		#if defined( USE_NORMALMAP )
			vNormalMapUv
		#elif defined( USE_CLEARCOAT_NORMALMAP )
			vClearcoatNormalMapUv
		#else
			vUv
		#endif
		);
	#endif
	#ifdef DOUBLE_SIDED
		tbn[0] *= faceDirection;
		tbn[1] *= faceDirection;
	#endif
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	#ifdef USE_TANGENT
		mat3 tbn2 = mat3( normalize( vTangent ), normalize( vBitangent ), normal );
	#else
		mat3 tbn2 = getTangentFrame( - vViewPosition, normal, vClearcoatNormalMapUv );
	#endif
	#ifdef DOUBLE_SIDED
		tbn2[0] *= faceDirection;
		tbn2[1] *= faceDirection;
	#endif
#endif
vec3 nonPerturbedNormal = normal;`,normal_fragment_maps:`#ifdef USE_NORMALMAP_OBJECTSPACE
	normal = texture2D( normalMap, vNormalMapUv ).xyz * 2.0 - 1.0;
	#ifdef FLIP_SIDED
		normal = - normal;
	#endif
	#ifdef DOUBLE_SIDED
		normal = normal * faceDirection;
	#endif
	normal = normalize( normalMatrix * normal );
#elif defined( USE_NORMALMAP_TANGENTSPACE )
	vec3 mapN = texture2D( normalMap, vNormalMapUv ).xyz * 2.0 - 1.0;
	#if defined( USE_PACKED_NORMALMAP )
		mapN = vec3( mapN.xy, sqrt( saturate( 1.0 - dot( mapN.xy, mapN.xy ) ) ) );
	#endif
	mapN.xy *= normalScale;
	normal = normalize( tbn * mapN );
#elif defined( USE_BUMPMAP )
	normal = perturbNormalArb( - vViewPosition, normal, dHdxy_fwd(), faceDirection );
#endif`,normal_pars_fragment:`#ifndef FLAT_SHADED
	varying vec3 vNormal;
	#ifdef USE_TANGENT
		varying vec3 vTangent;
		varying vec3 vBitangent;
	#endif
#endif`,normal_pars_vertex:`#ifndef FLAT_SHADED
	varying vec3 vNormal;
	#ifdef USE_TANGENT
		varying vec3 vTangent;
		varying vec3 vBitangent;
	#endif
#endif`,normal_vertex:`#ifndef FLAT_SHADED
	vNormal = normalize( transformedNormal );
	#ifdef USE_TANGENT
		vTangent = normalize( transformedTangent );
		vBitangent = normalize( cross( vNormal, vTangent ) * tangent.w );
		#ifdef FLIP_SIDED
			vBitangent = - vBitangent;
		#endif
	#endif
#endif`,normalmap_pars_fragment:`#ifdef USE_NORMALMAP
	uniform sampler2D normalMap;
	uniform vec2 normalScale;
#endif
#ifdef USE_NORMALMAP_OBJECTSPACE
	uniform mat3 normalMatrix;
#endif
#if ! defined ( USE_TANGENT ) && ( defined ( USE_NORMALMAP_TANGENTSPACE ) || defined ( USE_CLEARCOAT_NORMALMAP ) || defined( USE_ANISOTROPY ) )
	mat3 getTangentFrame( vec3 eye_pos, vec3 surf_norm, vec2 uv ) {
		vec3 q0 = dFdx( eye_pos.xyz );
		vec3 q1 = dFdy( eye_pos.xyz );
		vec2 st0 = dFdx( uv.st );
		vec2 st1 = dFdy( uv.st );
		vec3 N = surf_norm;
		vec3 q1perp = cross( q1, N );
		vec3 q0perp = cross( N, q0 );
		vec3 T = q1perp * st0.x + q0perp * st1.x;
		vec3 B = q1perp * st0.y + q0perp * st1.y;
		float det = max( dot( T, T ), dot( B, B ) );
		float scale = ( det == 0.0 ) ? 0.0 : inversesqrt( det );
		return mat3( T * scale, B * scale, N );
	}
#endif`,clearcoat_normal_fragment_begin:`#ifdef USE_CLEARCOAT
	vec3 clearcoatNormal = nonPerturbedNormal;
#endif`,clearcoat_normal_fragment_maps:`#ifdef USE_CLEARCOAT_NORMALMAP
	vec3 clearcoatMapN = texture2D( clearcoatNormalMap, vClearcoatNormalMapUv ).xyz * 2.0 - 1.0;
	clearcoatMapN.xy *= clearcoatNormalScale;
	clearcoatNormal = normalize( tbn2 * clearcoatMapN );
#endif`,clearcoat_pars_fragment:`#ifdef USE_CLEARCOATMAP
	uniform sampler2D clearcoatMap;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	uniform sampler2D clearcoatNormalMap;
	uniform vec2 clearcoatNormalScale;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	uniform sampler2D clearcoatRoughnessMap;
#endif`,iridescence_pars_fragment:`#ifdef USE_IRIDESCENCEMAP
	uniform sampler2D iridescenceMap;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	uniform sampler2D iridescenceThicknessMap;
#endif`,opaque_fragment:`#ifdef OPAQUE
diffuseColor.a = 1.0;
#endif
#ifdef USE_TRANSMISSION
diffuseColor.a *= material.transmissionAlpha;
#endif
gl_FragColor = vec4( outgoingLight, diffuseColor.a );`,packing:`vec3 packNormalToRGB( const in vec3 normal ) {
	return normalize( normal ) * 0.5 + 0.5;
}
vec3 unpackRGBToNormal( const in vec3 rgb ) {
	return 2.0 * rgb.xyz - 1.0;
}
const float PackUpscale = 256. / 255.;const float UnpackDownscale = 255. / 256.;const float ShiftRight8 = 1. / 256.;
const float Inv255 = 1. / 255.;
const vec4 PackFactors = vec4( 1.0, 256.0, 256.0 * 256.0, 256.0 * 256.0 * 256.0 );
const vec2 UnpackFactors2 = vec2( UnpackDownscale, 1.0 / PackFactors.g );
const vec3 UnpackFactors3 = vec3( UnpackDownscale / PackFactors.rg, 1.0 / PackFactors.b );
const vec4 UnpackFactors4 = vec4( UnpackDownscale / PackFactors.rgb, 1.0 / PackFactors.a );
vec4 packDepthToRGBA( const in float v ) {
	if( v <= 0.0 )
		return vec4( 0., 0., 0., 0. );
	if( v >= 1.0 )
		return vec4( 1., 1., 1., 1. );
	float vuf;
	float af = modf( v * PackFactors.a, vuf );
	float bf = modf( vuf * ShiftRight8, vuf );
	float gf = modf( vuf * ShiftRight8, vuf );
	return vec4( vuf * Inv255, gf * PackUpscale, bf * PackUpscale, af );
}
vec3 packDepthToRGB( const in float v ) {
	if( v <= 0.0 )
		return vec3( 0., 0., 0. );
	if( v >= 1.0 )
		return vec3( 1., 1., 1. );
	float vuf;
	float bf = modf( v * PackFactors.b, vuf );
	float gf = modf( vuf * ShiftRight8, vuf );
	return vec3( vuf * Inv255, gf * PackUpscale, bf );
}
vec2 packDepthToRG( const in float v ) {
	if( v <= 0.0 )
		return vec2( 0., 0. );
	if( v >= 1.0 )
		return vec2( 1., 1. );
	float vuf;
	float gf = modf( v * 256., vuf );
	return vec2( vuf * Inv255, gf );
}
float unpackRGBAToDepth( const in vec4 v ) {
	return dot( v, UnpackFactors4 );
}
float unpackRGBToDepth( const in vec3 v ) {
	return dot( v, UnpackFactors3 );
}
float unpackRGToDepth( const in vec2 v ) {
	return v.r * UnpackFactors2.r + v.g * UnpackFactors2.g;
}
vec4 pack2HalfToRGBA( const in vec2 v ) {
	vec4 r = vec4( v.x, fract( v.x * 255.0 ), v.y, fract( v.y * 255.0 ) );
	return vec4( r.x - r.y / 255.0, r.y, r.z - r.w / 255.0, r.w );
}
vec2 unpackRGBATo2Half( const in vec4 v ) {
	return vec2( v.x + ( v.y / 255.0 ), v.z + ( v.w / 255.0 ) );
}
float viewZToOrthographicDepth( const in float viewZ, const in float near, const in float far ) {
	return ( viewZ + near ) / ( near - far );
}
float orthographicDepthToViewZ( const in float depth, const in float near, const in float far ) {
	#ifdef USE_REVERSED_DEPTH_BUFFER
	
		return depth * ( far - near ) - far;
	#else
		return depth * ( near - far ) - near;
	#endif
}
float viewZToPerspectiveDepth( const in float viewZ, const in float near, const in float far ) {
	return ( ( near + viewZ ) * far ) / ( ( far - near ) * viewZ );
}
float perspectiveDepthToViewZ( const in float depth, const in float near, const in float far ) {
	
	#ifdef USE_REVERSED_DEPTH_BUFFER
		return ( near * far ) / ( ( near - far ) * depth - near );
	#else
		return ( near * far ) / ( ( far - near ) * depth - far );
	#endif
}`,premultiplied_alpha_fragment:`#ifdef PREMULTIPLIED_ALPHA
	gl_FragColor.rgb *= gl_FragColor.a;
#endif`,project_vertex:`vec4 mvPosition = vec4( transformed, 1.0 );
#ifdef USE_BATCHING
	mvPosition = batchingMatrix * mvPosition;
#endif
#ifdef USE_INSTANCING
	mvPosition = instanceMatrix * mvPosition;
#endif
mvPosition = modelViewMatrix * mvPosition;
gl_Position = projectionMatrix * mvPosition;`,dithering_fragment:`#ifdef DITHERING
	gl_FragColor.rgb = dithering( gl_FragColor.rgb );
#endif`,dithering_pars_fragment:`#ifdef DITHERING
	vec3 dithering( vec3 color ) {
		float grid_position = rand( gl_FragCoord.xy );
		vec3 dither_shift_RGB = vec3( 0.25 / 255.0, -0.25 / 255.0, 0.25 / 255.0 );
		dither_shift_RGB = mix( 2.0 * dither_shift_RGB, -2.0 * dither_shift_RGB, grid_position );
		return color + dither_shift_RGB;
	}
#endif`,roughnessmap_fragment:`float roughnessFactor = roughness;
#ifdef USE_ROUGHNESSMAP
	vec4 texelRoughness = texture2D( roughnessMap, vRoughnessMapUv );
	roughnessFactor *= texelRoughness.g;
#endif`,roughnessmap_pars_fragment:`#ifdef USE_ROUGHNESSMAP
	uniform sampler2D roughnessMap;
#endif`,shadowmap_pars_fragment:`#if NUM_SPOT_LIGHT_COORDS > 0
	varying vec4 vSpotLightCoord[ NUM_SPOT_LIGHT_COORDS ];
#endif
#if NUM_SPOT_LIGHT_MAPS > 0
	uniform sampler2D spotLightMap[ NUM_SPOT_LIGHT_MAPS ];
#endif
#ifdef USE_SHADOWMAP
	#if NUM_SUN_LIGHT_SHADOWS > 0
		#define SUN_LIGHT_CASCADES 2
		#if defined( SHADOWMAP_TYPE_PCF )
			uniform sampler2DShadow sunShadowMap[ NUM_SUN_LIGHT_SHADOWS ];
		#else
			uniform sampler2D sunShadowMap[ NUM_SUN_LIGHT_SHADOWS ];
		#endif
		uniform mat4 sunShadowMatrix[ NUM_SUN_LIGHT_SHADOWS * SUN_LIGHT_CASCADES ];
		uniform vec4 sunShadowCascade[ NUM_SUN_LIGHT_SHADOWS * SUN_LIGHT_CASCADES ];
		varying vec4 vSunShadowWorldPosition;
		varying vec3 vSunShadowWorldNormal;
		struct SunLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform SunLightShadow sunLightShadows[ NUM_SUN_LIGHT_SHADOWS ];
	#endif
	#if NUM_DIR_LIGHT_SHADOWS > 0
		#if defined( SHADOWMAP_TYPE_PCF )
			uniform sampler2DShadow directionalShadowMap[ NUM_DIR_LIGHT_SHADOWS ];
		#else
			uniform sampler2D directionalShadowMap[ NUM_DIR_LIGHT_SHADOWS ];
		#endif
		varying vec4 vDirectionalShadowCoord[ NUM_DIR_LIGHT_SHADOWS ];
		struct DirectionalLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform DirectionalLightShadow directionalLightShadows[ NUM_DIR_LIGHT_SHADOWS ];
	#endif
	#if NUM_SPOT_LIGHT_SHADOWS > 0
		#if defined( SHADOWMAP_TYPE_PCF )
			uniform sampler2DShadow spotShadowMap[ NUM_SPOT_LIGHT_SHADOWS ];
		#else
			uniform sampler2D spotShadowMap[ NUM_SPOT_LIGHT_SHADOWS ];
		#endif
		struct SpotLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform SpotLightShadow spotLightShadows[ NUM_SPOT_LIGHT_SHADOWS ];
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
		#if defined( SHADOWMAP_TYPE_PCF )
			uniform samplerCubeShadow pointShadowMap[ NUM_POINT_LIGHT_SHADOWS ];
		#elif defined( SHADOWMAP_TYPE_BASIC )
			uniform samplerCube pointShadowMap[ NUM_POINT_LIGHT_SHADOWS ];
		#endif
		varying vec4 vPointShadowCoord[ NUM_POINT_LIGHT_SHADOWS ];
		struct PointLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
			float shadowCameraNear;
			float shadowCameraFar;
		};
		uniform PointLightShadow pointLightShadows[ NUM_POINT_LIGHT_SHADOWS ];
	#endif
	#if defined( SHADOWMAP_TYPE_PCF )
		float interleavedGradientNoise( vec2 position ) {
			return fract( 52.9829189 * fract( dot( position, vec2( 0.06711056, 0.00583715 ) ) ) );
		}
		vec2 vogelDiskSample( int sampleIndex, int samplesCount, float phi ) {
			const float goldenAngle = 2.399963229728653;
			float r = sqrt( ( float( sampleIndex ) + 0.5 ) / float( samplesCount ) );
			float theta = float( sampleIndex ) * goldenAngle + phi;
			return vec2( cos( theta ), sin( theta ) ) * r;
		}
	#endif
	#if defined( SHADOWMAP_TYPE_PCF )
		float getShadow( sampler2DShadow shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord ) {
			float shadow = 1.0;
			shadowCoord.xyz /= shadowCoord.w;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				shadowCoord.z -= shadowBias;
			#else
				shadowCoord.z += shadowBias;
			#endif
			bool inFrustum = shadowCoord.x >= 0.0 && shadowCoord.x <= 1.0 && shadowCoord.y >= 0.0 && shadowCoord.y <= 1.0;
			bool frustumTest = inFrustum && shadowCoord.z <= 1.0;
			if ( frustumTest ) {
				vec2 texelSize = vec2( 1.0 ) / shadowMapSize;
				vec2 radius = shadowRadius * texelSize;
				float phi = interleavedGradientNoise( gl_FragCoord.xy ) * PI2;
				shadow = (
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 0, 5, phi ) * radius, shadowCoord.z ) ) +
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 1, 5, phi ) * radius, shadowCoord.z ) ) +
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 2, 5, phi ) * radius, shadowCoord.z ) ) +
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 3, 5, phi ) * radius, shadowCoord.z ) ) +
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 4, 5, phi ) * radius, shadowCoord.z ) )
				) * 0.2;
			}
			return mix( 1.0, shadow, shadowIntensity );
		}
	#elif defined( SHADOWMAP_TYPE_VSM )
		float getShadow( sampler2D shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord ) {
			float shadow = 1.0;
			shadowCoord.xyz /= shadowCoord.w;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				shadowCoord.z -= shadowBias;
			#else
				shadowCoord.z += shadowBias;
			#endif
			bool inFrustum = shadowCoord.x >= 0.0 && shadowCoord.x <= 1.0 && shadowCoord.y >= 0.0 && shadowCoord.y <= 1.0;
			bool frustumTest = inFrustum && shadowCoord.z <= 1.0;
			if ( frustumTest ) {
				vec2 distribution = texture2D( shadowMap, shadowCoord.xy ).rg;
				float mean = distribution.x;
				float variance = distribution.y * distribution.y;
				#ifdef USE_REVERSED_DEPTH_BUFFER
					float hard_shadow = step( mean, shadowCoord.z );
				#else
					float hard_shadow = step( shadowCoord.z, mean );
				#endif
				
				if ( hard_shadow == 1.0 ) {
					shadow = 1.0;
				} else {
					variance = max( variance, 0.0000001 );
					float d = shadowCoord.z - mean;
					float p_max = variance / ( variance + d * d );
					p_max = clamp( ( p_max - 0.3 ) / 0.65, 0.0, 1.0 );
					shadow = max( hard_shadow, p_max );
				}
			}
			return mix( 1.0, shadow, shadowIntensity );
		}
	#else
		float getShadow( sampler2D shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord ) {
			float shadow = 1.0;
			shadowCoord.xyz /= shadowCoord.w;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				shadowCoord.z -= shadowBias;
			#else
				shadowCoord.z += shadowBias;
			#endif
			bool inFrustum = shadowCoord.x >= 0.0 && shadowCoord.x <= 1.0 && shadowCoord.y >= 0.0 && shadowCoord.y <= 1.0;
			bool frustumTest = inFrustum && shadowCoord.z <= 1.0;
			if ( frustumTest ) {
				float depth = texture2D( shadowMap, shadowCoord.xy ).r;
				#ifdef USE_REVERSED_DEPTH_BUFFER
					shadow = step( depth, shadowCoord.z );
				#else
					shadow = step( shadowCoord.z, depth );
				#endif
			}
			return mix( 1.0, shadow, shadowIntensity );
		}
	#endif
	#if NUM_SUN_LIGHT_SHADOWS > 0
		float getSunShadow(
			#if defined( SHADOWMAP_TYPE_PCF )
				sampler2DShadow shadowMap,
			#else
				sampler2D shadowMap,
			#endif
			SunLightShadow sunLightShadow,
			int shadowIndex
		) {
			vec4 shadowWorldPosition = vec4( vSunShadowWorldPosition.xyz + vSunShadowWorldNormal * sunLightShadow.shadowNormalBias, 1.0 );
			float viewDepth = vSunShadowWorldPosition.w;
			int cascadeOffset = shadowIndex * SUN_LIGHT_CASCADES;
			float shadow = 1.0;
			for ( int i = SUN_LIGHT_CASCADES - 1; i >= 0; i -- ) {
				vec4 cascade = sunShadowCascade[ cascadeOffset + i ];
				if ( viewDepth >= cascade.x && viewDepth < cascade.y ) {
					float cascadeShadow = getShadow(
						shadowMap,
						sunLightShadow.shadowMapSize,
						sunLightShadow.shadowIntensity,
						sunLightShadow.shadowBias,
						sunLightShadow.shadowRadius,
						sunShadowMatrix[ cascadeOffset + i ] * shadowWorldPosition
					);
					shadow = mix( cascadeShadow, shadow, smoothstep( cascade.z, cascade.y, viewDepth ) );
				}
			}
			return shadow;
		}
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
	#if defined( SHADOWMAP_TYPE_PCF )
	float getPointShadow( samplerCubeShadow shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord, float shadowCameraNear, float shadowCameraFar ) {
		float shadow = 1.0;
		vec3 lightToPosition = shadowCoord.xyz;
		vec3 bd3D = normalize( lightToPosition );
		vec3 absVec = abs( lightToPosition );
		float viewSpaceZ = max( max( absVec.x, absVec.y ), absVec.z );
		if ( viewSpaceZ - shadowCameraFar <= 0.0 && viewSpaceZ - shadowCameraNear >= 0.0 ) {
			float lightDistance = length( lightToPosition );
			float depthRange = shadowCameraFar - shadowCameraNear;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				float depthA = - shadowCameraNear / depthRange - shadowBias;
				float depthB = shadowCameraNear * shadowCameraFar / ( depthRange * lightDistance );
			#else
				float depthA = shadowCameraFar / depthRange + shadowBias;
				float depthB = - shadowCameraNear * shadowCameraFar / ( depthRange * lightDistance );
			#endif
			float texelSize = shadowRadius / shadowMapSize.x;
			vec3 absDir = abs( bd3D );
			vec3 tangent = absDir.x > absDir.z ? vec3( 0.0, 1.0, 0.0 ) : vec3( 1.0, 0.0, 0.0 );
			tangent = normalize( cross( bd3D, tangent ) );
			vec3 bitangent = cross( bd3D, tangent );
			float phi = interleavedGradientNoise( gl_FragCoord.xy ) * PI2;
			shadow = 0.0;
			for ( int i = 0; i < 5; i ++ ) {
				vec2 offset = vogelDiskSample( i, 5, phi );
				vec3 direction = bd3D + ( tangent * offset.x + bitangent * offset.y ) * texelSize;
				vec3 absDirection = abs( direction );
				float dp = depthA + depthB / max( max( absDirection.x, absDirection.y ), absDirection.z );
				shadow += texture( shadowMap, vec4( direction, dp ) );
			}
			shadow *= 0.2;
		}
		return mix( 1.0, shadow, shadowIntensity );
	}
	#elif defined( SHADOWMAP_TYPE_BASIC )
	float getPointShadow( samplerCube shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord, float shadowCameraNear, float shadowCameraFar ) {
		float shadow = 1.0;
		vec3 lightToPosition = shadowCoord.xyz;
		vec3 absVec = abs( lightToPosition );
		float viewSpaceZ = max( max( absVec.x, absVec.y ), absVec.z );
		if ( viewSpaceZ - shadowCameraFar <= 0.0 && viewSpaceZ - shadowCameraNear >= 0.0 ) {
			float dp = ( shadowCameraFar * ( viewSpaceZ - shadowCameraNear ) ) / ( viewSpaceZ * ( shadowCameraFar - shadowCameraNear ) );
			dp += shadowBias;
			vec3 bd3D = normalize( lightToPosition );
			float depth = textureCube( shadowMap, bd3D ).r;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				depth = 1.0 - depth;
			#endif
			shadow = step( dp, depth );
		}
		return mix( 1.0, shadow, shadowIntensity );
	}
	#endif
	#endif
#endif`,shadowmap_pars_vertex:`#if NUM_SPOT_LIGHT_COORDS > 0
	uniform mat4 spotLightMatrix[ NUM_SPOT_LIGHT_COORDS ];
	varying vec4 vSpotLightCoord[ NUM_SPOT_LIGHT_COORDS ];
#endif
#ifdef USE_SHADOWMAP
	#if NUM_SUN_LIGHT_SHADOWS > 0
		varying vec4 vSunShadowWorldPosition;
		varying vec3 vSunShadowWorldNormal;
	#endif
	#if NUM_DIR_LIGHT_SHADOWS > 0
		uniform mat4 directionalShadowMatrix[ NUM_DIR_LIGHT_SHADOWS ];
		varying vec4 vDirectionalShadowCoord[ NUM_DIR_LIGHT_SHADOWS ];
		struct DirectionalLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform DirectionalLightShadow directionalLightShadows[ NUM_DIR_LIGHT_SHADOWS ];
	#endif
	#if NUM_SPOT_LIGHT_SHADOWS > 0
		struct SpotLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform SpotLightShadow spotLightShadows[ NUM_SPOT_LIGHT_SHADOWS ];
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
		uniform mat4 pointShadowMatrix[ NUM_POINT_LIGHT_SHADOWS ];
		varying vec4 vPointShadowCoord[ NUM_POINT_LIGHT_SHADOWS ];
		struct PointLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
			float shadowCameraNear;
			float shadowCameraFar;
		};
		uniform PointLightShadow pointLightShadows[ NUM_POINT_LIGHT_SHADOWS ];
	#endif
#endif`,shadowmap_vertex:`#if ( defined( USE_SHADOWMAP ) && ( NUM_DIR_LIGHT_SHADOWS > 0 || NUM_SUN_LIGHT_SHADOWS > 0 || NUM_POINT_LIGHT_SHADOWS > 0 ) ) || ( NUM_SPOT_LIGHT_COORDS > 0 )
	#ifdef HAS_NORMAL
		vec3 shadowWorldNormal = transformNormalByInverseViewMatrix( transformedNormal, viewMatrix );
	#else
		vec3 shadowWorldNormal = vec3( 0.0 );
	#endif
	vec4 shadowWorldPosition;
#endif
#if defined( USE_SHADOWMAP )
	#if NUM_SUN_LIGHT_SHADOWS > 0
		vSunShadowWorldPosition = vec4( worldPosition.xyz, - mvPosition.z );
		vSunShadowWorldNormal = shadowWorldNormal;
	#endif
	#if NUM_DIR_LIGHT_SHADOWS > 0
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_DIR_LIGHT_SHADOWS; i ++ ) {
			shadowWorldPosition = worldPosition + vec4( shadowWorldNormal * directionalLightShadows[ i ].shadowNormalBias, 0 );
			vDirectionalShadowCoord[ i ] = directionalShadowMatrix[ i ] * shadowWorldPosition;
		}
		#pragma unroll_loop_end
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_POINT_LIGHT_SHADOWS; i ++ ) {
			shadowWorldPosition = worldPosition + vec4( shadowWorldNormal * pointLightShadows[ i ].shadowNormalBias, 0 );
			vPointShadowCoord[ i ] = pointShadowMatrix[ i ] * shadowWorldPosition;
		}
		#pragma unroll_loop_end
	#endif
#endif
#if NUM_SPOT_LIGHT_COORDS > 0
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SPOT_LIGHT_COORDS; i ++ ) {
		shadowWorldPosition = worldPosition;
		#if ( defined( USE_SHADOWMAP ) && UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
			shadowWorldPosition.xyz += shadowWorldNormal * spotLightShadows[ i ].shadowNormalBias;
		#endif
		vSpotLightCoord[ i ] = spotLightMatrix[ i ] * shadowWorldPosition;
	}
	#pragma unroll_loop_end
#endif`,shadowmask_pars_fragment:`float getShadowMask() {
	float shadow = 1.0;
	#ifdef USE_SHADOWMAP
	#if NUM_SUN_LIGHT_SHADOWS > 0
	SunLightShadow sunLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SUN_LIGHT_SHADOWS; i ++ ) {
		sunLight = sunLightShadows[ i ];
		shadow *= receiveShadow ? getSunShadow( sunShadowMap[ i ], sunLight, UNROLLED_LOOP_INDEX ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#if NUM_DIR_LIGHT_SHADOWS > 0
	DirectionalLightShadow directionalLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_DIR_LIGHT_SHADOWS; i ++ ) {
		directionalLight = directionalLightShadows[ i ];
		shadow *= receiveShadow ? getShadow( directionalShadowMap[ i ], directionalLight.shadowMapSize, directionalLight.shadowIntensity, directionalLight.shadowBias, directionalLight.shadowRadius, vDirectionalShadowCoord[ i ] ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#if NUM_SPOT_LIGHT_SHADOWS > 0
	SpotLightShadow spotLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SPOT_LIGHT_SHADOWS; i ++ ) {
		spotLight = spotLightShadows[ i ];
		shadow *= receiveShadow ? getShadow( spotShadowMap[ i ], spotLight.shadowMapSize, spotLight.shadowIntensity, spotLight.shadowBias, spotLight.shadowRadius, vSpotLightCoord[ i ] ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0 && ( defined( SHADOWMAP_TYPE_PCF ) || defined( SHADOWMAP_TYPE_BASIC ) )
	PointLightShadow pointLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_POINT_LIGHT_SHADOWS; i ++ ) {
		pointLight = pointLightShadows[ i ];
		shadow *= receiveShadow ? getPointShadow( pointShadowMap[ i ], pointLight.shadowMapSize, pointLight.shadowIntensity, pointLight.shadowBias, pointLight.shadowRadius, vPointShadowCoord[ i ], pointLight.shadowCameraNear, pointLight.shadowCameraFar ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#endif
	return shadow;
}`,skinbase_vertex:`#ifdef USE_SKINNING
	mat4 boneMatX = getBoneMatrix( skinIndex.x );
	mat4 boneMatY = getBoneMatrix( skinIndex.y );
	mat4 boneMatZ = getBoneMatrix( skinIndex.z );
	mat4 boneMatW = getBoneMatrix( skinIndex.w );
#endif`,skinning_pars_vertex:`#ifdef USE_SKINNING
	uniform mat4 bindMatrix;
	uniform mat4 bindMatrixInverse;
	uniform highp sampler2D boneTexture;
	mat4 getBoneMatrix( const in float i ) {
		int size = textureSize( boneTexture, 0 ).x;
		int j = int( i ) * 4;
		int x = j % size;
		int y = j / size;
		vec4 v1 = texelFetch( boneTexture, ivec2( x, y ), 0 );
		vec4 v2 = texelFetch( boneTexture, ivec2( x + 1, y ), 0 );
		vec4 v3 = texelFetch( boneTexture, ivec2( x + 2, y ), 0 );
		vec4 v4 = texelFetch( boneTexture, ivec2( x + 3, y ), 0 );
		return mat4( v1, v2, v3, v4 );
	}
#endif`,skinning_vertex:`#ifdef USE_SKINNING
	vec4 skinVertex = bindMatrix * vec4( transformed, 1.0 );
	vec4 skinned = vec4( 0.0 );
	skinned += boneMatX * skinVertex * skinWeight.x;
	skinned += boneMatY * skinVertex * skinWeight.y;
	skinned += boneMatZ * skinVertex * skinWeight.z;
	skinned += boneMatW * skinVertex * skinWeight.w;
	transformed = ( bindMatrixInverse * skinned ).xyz;
#endif`,skinnormal_vertex:`#ifdef USE_SKINNING
	mat4 skinMatrix = mat4( 0.0 );
	skinMatrix += skinWeight.x * boneMatX;
	skinMatrix += skinWeight.y * boneMatY;
	skinMatrix += skinWeight.z * boneMatZ;
	skinMatrix += skinWeight.w * boneMatW;
	skinMatrix = bindMatrixInverse * skinMatrix * bindMatrix;
	objectNormal = vec4( skinMatrix * vec4( objectNormal, 0.0 ) ).xyz;
	#ifdef USE_TANGENT
		objectTangent = vec4( skinMatrix * vec4( objectTangent, 0.0 ) ).xyz;
	#endif
#endif`,specularmap_fragment:`float specularStrength;
#ifdef USE_SPECULARMAP
	vec4 texelSpecular = texture2D( specularMap, vSpecularMapUv );
	specularStrength = texelSpecular.r;
#else
	specularStrength = 1.0;
#endif`,specularmap_pars_fragment:`#ifdef USE_SPECULARMAP
	uniform sampler2D specularMap;
#endif`,tonemapping_fragment:`#if defined( TONE_MAPPING )
	gl_FragColor.rgb = toneMapping( gl_FragColor.rgb );
#endif`,tonemapping_pars_fragment:`#ifndef saturate
#define saturate( a ) clamp( a, 0.0, 1.0 )
#endif
uniform float toneMappingExposure;
vec3 LinearToneMapping( vec3 color ) {
	return saturate( toneMappingExposure * color );
}
vec3 ReinhardToneMapping( vec3 color ) {
	color *= toneMappingExposure;
	return saturate( color / ( vec3( 1.0 ) + color ) );
}
vec3 CineonToneMapping( vec3 color ) {
	color *= toneMappingExposure;
	color = max( vec3( 0.0 ), color - 0.004 );
	return pow( ( color * ( 6.2 * color + 0.5 ) ) / ( color * ( 6.2 * color + 1.7 ) + 0.06 ), vec3( 2.2 ) );
}
vec3 RRTAndODTFit( vec3 v ) {
	vec3 a = v * ( v + 0.0245786 ) - 0.000090537;
	vec3 b = v * ( 0.983729 * v + 0.4329510 ) + 0.238081;
	return a / b;
}
vec3 ACESFilmicToneMapping( vec3 color ) {
	const mat3 ACESInputMat = mat3(
		vec3( 0.59719, 0.07600, 0.02840 ),		vec3( 0.35458, 0.90834, 0.13383 ),
		vec3( 0.04823, 0.01566, 0.83777 )
	);
	const mat3 ACESOutputMat = mat3(
		vec3(  1.60475, -0.10208, -0.00327 ),		vec3( -0.53108,  1.10813, -0.07276 ),
		vec3( -0.07367, -0.00605,  1.07602 )
	);
	color *= toneMappingExposure / 0.6;
	color = ACESInputMat * color;
	color = RRTAndODTFit( color );
	color = ACESOutputMat * color;
	return saturate( color );
}
const mat3 LINEAR_REC2020_TO_LINEAR_SRGB = mat3(
	vec3( 1.6605, - 0.1246, - 0.0182 ),
	vec3( - 0.5876, 1.1329, - 0.1006 ),
	vec3( - 0.0728, - 0.0083, 1.1187 )
);
const mat3 LINEAR_SRGB_TO_LINEAR_REC2020 = mat3(
	vec3( 0.6274, 0.0691, 0.0164 ),
	vec3( 0.3293, 0.9195, 0.0880 ),
	vec3( 0.0433, 0.0113, 0.8956 )
);
vec3 agxDefaultContrastApprox( vec3 x ) {
	vec3 x2 = x * x;
	vec3 x4 = x2 * x2;
	return + 15.5 * x4 * x2
		- 40.14 * x4 * x
		+ 31.96 * x4
		- 6.868 * x2 * x
		+ 0.4298 * x2
		+ 0.1191 * x
		- 0.00232;
}
vec3 AgXToneMapping( vec3 color ) {
	const mat3 AgXInsetMatrix = mat3(
		vec3( 0.856627153315983, 0.137318972929847, 0.11189821299995 ),
		vec3( 0.0951212405381588, 0.761241990602591, 0.0767994186031903 ),
		vec3( 0.0482516061458583, 0.101439036467562, 0.811302368396859 )
	);
	const mat3 AgXOutsetMatrix = mat3(
		vec3( 1.1271005818144368, - 0.1413297634984383, - 0.14132976349843826 ),
		vec3( - 0.11060664309660323, 1.157823702216272, - 0.11060664309660294 ),
		vec3( - 0.016493938717834573, - 0.016493938717834257, 1.2519364065950405 )
	);
	const float AgxMinEv = - 12.47393;	const float AgxMaxEv = 4.026069;
	color *= toneMappingExposure;
	color = LINEAR_SRGB_TO_LINEAR_REC2020 * color;
	color = AgXInsetMatrix * color;
	color = max( color, 1e-10 );	color = log2( color );
	color = ( color - AgxMinEv ) / ( AgxMaxEv - AgxMinEv );
	color = clamp( color, 0.0, 1.0 );
	color = agxDefaultContrastApprox( color );
	color = AgXOutsetMatrix * color;
	color = pow( max( vec3( 0.0 ), color ), vec3( 2.2 ) );
	color = LINEAR_REC2020_TO_LINEAR_SRGB * color;
	color = clamp( color, 0.0, 1.0 );
	return color;
}
vec3 NeutralToneMapping( vec3 color ) {
	const float StartCompression = 0.8 - 0.04;
	const float Desaturation = 0.15;
	color *= toneMappingExposure;
	float x = min( color.r, min( color.g, color.b ) );
	float offset = x < 0.08 ? x - 6.25 * x * x : 0.04;
	color -= offset;
	float peak = max( color.r, max( color.g, color.b ) );
	if ( peak < StartCompression ) return color;
	float d = 1. - StartCompression;
	float newPeak = 1. - d * d / ( peak + d - StartCompression );
	color *= newPeak / peak;
	float g = 1. - 1. / ( Desaturation * ( peak - newPeak ) + 1. );
	return mix( color, vec3( newPeak ), g );
}
vec3 CustomToneMapping( vec3 color ) { return color; }`,transmission_fragment:`#ifdef USE_TRANSMISSION
	material.transmission = transmission;
	material.transmissionAlpha = 1.0;
	material.thickness = thickness;
	material.attenuationDistance = attenuationDistance;
	material.attenuationColor = attenuationColor;
	#ifdef USE_TRANSMISSIONMAP
		material.transmission *= texture2D( transmissionMap, vTransmissionMapUv ).r;
	#endif
	#ifdef USE_THICKNESSMAP
		material.thickness *= texture2D( thicknessMap, vThicknessMapUv ).g;
	#endif
	vec3 pos = vWorldPosition;
	vec3 v = normalize( cameraPosition - pos );
	vec3 n = transformNormalByInverseViewMatrix( normal, viewMatrix );
	vec4 transmitted = getIBLVolumeRefraction(
		n, v, material.roughness, material.diffuseContribution, material.specularColorBlended, material.specularF90,
		pos, modelMatrix, viewMatrix, projectionMatrix, material.dispersion, material.ior, material.thickness,
		material.attenuationColor, material.attenuationDistance );
	material.transmissionAlpha = mix( material.transmissionAlpha, transmitted.a, material.transmission );
	totalDiffuse = mix( totalDiffuse, transmitted.rgb, material.transmission );
#endif`,transmission_pars_fragment:`#ifdef USE_TRANSMISSION
	uniform float transmission;
	uniform float thickness;
	uniform float attenuationDistance;
	uniform vec3 attenuationColor;
	#ifdef USE_TRANSMISSIONMAP
		uniform sampler2D transmissionMap;
	#endif
	#ifdef USE_THICKNESSMAP
		uniform sampler2D thicknessMap;
	#endif
	uniform vec2 transmissionSamplerSize;
	uniform sampler2D transmissionSamplerMap;
	uniform mat4 modelMatrix;
	uniform mat4 projectionMatrix;
	varying vec3 vWorldPosition;
	float w0( float a ) {
		return ( 1.0 / 6.0 ) * ( a * ( a * ( - a + 3.0 ) - 3.0 ) + 1.0 );
	}
	float w1( float a ) {
		return ( 1.0 / 6.0 ) * ( a *  a * ( 3.0 * a - 6.0 ) + 4.0 );
	}
	float w2( float a ){
		return ( 1.0 / 6.0 ) * ( a * ( a * ( - 3.0 * a + 3.0 ) + 3.0 ) + 1.0 );
	}
	float w3( float a ) {
		return ( 1.0 / 6.0 ) * ( a * a * a );
	}
	float g0( float a ) {
		return w0( a ) + w1( a );
	}
	float g1( float a ) {
		return w2( a ) + w3( a );
	}
	float h0( float a ) {
		return - 1.0 + w1( a ) / ( w0( a ) + w1( a ) );
	}
	float h1( float a ) {
		return 1.0 + w3( a ) / ( w2( a ) + w3( a ) );
	}
	vec4 bicubic( sampler2D tex, vec2 uv, vec4 texelSize, float lod ) {
		uv = uv * texelSize.zw + 0.5;
		vec2 iuv = floor( uv );
		vec2 fuv = fract( uv );
		float g0x = g0( fuv.x );
		float g1x = g1( fuv.x );
		float h0x = h0( fuv.x );
		float h1x = h1( fuv.x );
		float h0y = h0( fuv.y );
		float h1y = h1( fuv.y );
		vec2 p0 = ( vec2( iuv.x + h0x, iuv.y + h0y ) - 0.5 ) * texelSize.xy;
		vec2 p1 = ( vec2( iuv.x + h1x, iuv.y + h0y ) - 0.5 ) * texelSize.xy;
		vec2 p2 = ( vec2( iuv.x + h0x, iuv.y + h1y ) - 0.5 ) * texelSize.xy;
		vec2 p3 = ( vec2( iuv.x + h1x, iuv.y + h1y ) - 0.5 ) * texelSize.xy;
		return g0( fuv.y ) * ( g0x * textureLod( tex, p0, lod ) + g1x * textureLod( tex, p1, lod ) ) +
			g1( fuv.y ) * ( g0x * textureLod( tex, p2, lod ) + g1x * textureLod( tex, p3, lod ) );
	}
	vec4 textureBicubic( sampler2D sampler, vec2 uv, float lod ) {
		vec2 fLodSize = vec2( textureSize( sampler, int( lod ) ) );
		vec2 cLodSize = vec2( textureSize( sampler, int( lod + 1.0 ) ) );
		vec2 fLodSizeInv = 1.0 / fLodSize;
		vec2 cLodSizeInv = 1.0 / cLodSize;
		vec4 fSample = bicubic( sampler, uv, vec4( fLodSizeInv, fLodSize ), floor( lod ) );
		vec4 cSample = bicubic( sampler, uv, vec4( cLodSizeInv, cLodSize ), ceil( lod ) );
		return mix( fSample, cSample, fract( lod ) );
	}
	vec3 getVolumeTransmissionRay( const in vec3 n, const in vec3 v, const in float thickness, const in float ior, const in mat4 modelMatrix ) {
		vec3 refractionVector = refract( - v, normalize( n ), 1.0 / ior );
		vec3 modelScale;
		modelScale.x = length( vec3( modelMatrix[ 0 ].xyz ) );
		modelScale.y = length( vec3( modelMatrix[ 1 ].xyz ) );
		modelScale.z = length( vec3( modelMatrix[ 2 ].xyz ) );
		return normalize( refractionVector ) * thickness * modelScale;
	}
	float applyIorToRoughness( const in float roughness, const in float ior ) {
		return roughness * clamp( ior * 2.0 - 2.0, 0.0, 1.0 );
	}
	vec4 getTransmissionSample( const in vec2 fragCoord, const in float roughness, const in float ior ) {
		float lod = log2( transmissionSamplerSize.x ) * applyIorToRoughness( roughness, ior );
		return textureBicubic( transmissionSamplerMap, fragCoord.xy, lod );
	}
	vec3 volumeAttenuation( const in float transmissionDistance, const in vec3 attenuationColor, const in float attenuationDistance ) {
		if ( isinf( attenuationDistance ) ) {
			return vec3( 1.0 );
		} else {
			vec3 attenuationCoefficient = -log( attenuationColor ) / attenuationDistance;
			vec3 transmittance = exp( - attenuationCoefficient * transmissionDistance );			return transmittance;
		}
	}
	vec4 getIBLVolumeRefraction( const in vec3 n, const in vec3 v, const in float roughness, const in vec3 diffuseColor,
		const in vec3 specularColor, const in float specularF90, const in vec3 position, const in mat4 modelMatrix,
		const in mat4 viewMatrix, const in mat4 projMatrix, const in float dispersion, const in float ior, const in float thickness,
		const in vec3 attenuationColor, const in float attenuationDistance ) {
		vec4 transmittedLight;
		vec3 transmittance;
		#ifdef USE_DISPERSION
			float halfSpread = ( ior - 1.0 ) * 0.025 * dispersion;
			vec3 iors = vec3( ior - halfSpread, ior, ior + halfSpread );
			for ( int i = 0; i < 3; i ++ ) {
				vec3 transmissionRay = getVolumeTransmissionRay( n, v, thickness, iors[ i ], modelMatrix );
				vec3 refractedRayExit = position + transmissionRay;
				vec4 ndcPos = projMatrix * viewMatrix * vec4( refractedRayExit, 1.0 );
				vec2 refractionCoords = ndcPos.xy / ndcPos.w;
				refractionCoords += 1.0;
				refractionCoords /= 2.0;
				vec4 transmissionSample = getTransmissionSample( refractionCoords, roughness, iors[ i ] );
				transmittedLight[ i ] = transmissionSample[ i ];
				transmittedLight.a += transmissionSample.a;
				transmittance[ i ] = diffuseColor[ i ] * volumeAttenuation( length( transmissionRay ), attenuationColor, attenuationDistance )[ i ];
			}
			transmittedLight.a /= 3.0;
		#else
			vec3 transmissionRay = getVolumeTransmissionRay( n, v, thickness, ior, modelMatrix );
			vec3 refractedRayExit = position + transmissionRay;
			vec4 ndcPos = projMatrix * viewMatrix * vec4( refractedRayExit, 1.0 );
			vec2 refractionCoords = ndcPos.xy / ndcPos.w;
			refractionCoords += 1.0;
			refractionCoords /= 2.0;
			transmittedLight = getTransmissionSample( refractionCoords, roughness, ior );
			transmittance = diffuseColor * volumeAttenuation( length( transmissionRay ), attenuationColor, attenuationDistance );
		#endif
		vec3 attenuatedColor = transmittance * transmittedLight.rgb;
		vec3 F = EnvironmentBRDF( n, v, specularColor, specularF90, roughness );
		float transmittanceFactor = ( transmittance.r + transmittance.g + transmittance.b ) / 3.0;
		return vec4( ( 1.0 - F ) * attenuatedColor, 1.0 - ( 1.0 - transmittedLight.a ) * transmittanceFactor );
	}
#endif`,uv_pars_fragment:`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
	varying vec2 vUv;
#endif
#ifdef USE_MAP
	varying vec2 vMapUv;
#endif
#ifdef USE_ALPHAMAP
	varying vec2 vAlphaMapUv;
#endif
#ifdef USE_LIGHTMAP
	varying vec2 vLightMapUv;
#endif
#ifdef USE_AOMAP
	varying vec2 vAoMapUv;
#endif
#ifdef USE_BUMPMAP
	varying vec2 vBumpMapUv;
#endif
#ifdef USE_NORMALMAP
	varying vec2 vNormalMapUv;
#endif
#ifdef USE_EMISSIVEMAP
	varying vec2 vEmissiveMapUv;
#endif
#ifdef USE_METALNESSMAP
	varying vec2 vMetalnessMapUv;
#endif
#ifdef USE_ROUGHNESSMAP
	varying vec2 vRoughnessMapUv;
#endif
#ifdef USE_DIFFUSE_ROUGHNESSMAP
	varying vec2 vDiffuseRoughnessMapUv;
#endif
#ifdef USE_ANISOTROPYMAP
	varying vec2 vAnisotropyMapUv;
#endif
#ifdef USE_CLEARCOATMAP
	varying vec2 vClearcoatMapUv;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	varying vec2 vClearcoatNormalMapUv;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	varying vec2 vClearcoatRoughnessMapUv;
#endif
#ifdef USE_IRIDESCENCEMAP
	varying vec2 vIridescenceMapUv;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	varying vec2 vIridescenceThicknessMapUv;
#endif
#ifdef USE_SHEEN_COLORMAP
	varying vec2 vSheenColorMapUv;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
	varying vec2 vSheenRoughnessMapUv;
#endif
#ifdef USE_SPECULARMAP
	varying vec2 vSpecularMapUv;
#endif
#ifdef USE_SPECULAR_COLORMAP
	varying vec2 vSpecularColorMapUv;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
	varying vec2 vSpecularIntensityMapUv;
#endif
#ifdef USE_TRANSMISSIONMAP
	uniform mat3 transmissionMapTransform;
	varying vec2 vTransmissionMapUv;
#endif
#ifdef USE_THICKNESSMAP
	uniform mat3 thicknessMapTransform;
	varying vec2 vThicknessMapUv;
#endif`,uv_pars_vertex:`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
	varying vec2 vUv;
#endif
#ifdef USE_MAP
	uniform mat3 mapTransform;
	varying vec2 vMapUv;
#endif
#ifdef USE_ALPHAMAP
	uniform mat3 alphaMapTransform;
	varying vec2 vAlphaMapUv;
#endif
#ifdef USE_LIGHTMAP
	uniform mat3 lightMapTransform;
	varying vec2 vLightMapUv;
#endif
#ifdef USE_AOMAP
	uniform mat3 aoMapTransform;
	varying vec2 vAoMapUv;
#endif
#ifdef USE_BUMPMAP
	uniform mat3 bumpMapTransform;
	varying vec2 vBumpMapUv;
#endif
#ifdef USE_NORMALMAP
	uniform mat3 normalMapTransform;
	varying vec2 vNormalMapUv;
#endif
#ifdef USE_DISPLACEMENTMAP
	uniform mat3 displacementMapTransform;
	varying vec2 vDisplacementMapUv;
#endif
#ifdef USE_EMISSIVEMAP
	uniform mat3 emissiveMapTransform;
	varying vec2 vEmissiveMapUv;
#endif
#ifdef USE_METALNESSMAP
	uniform mat3 metalnessMapTransform;
	varying vec2 vMetalnessMapUv;
#endif
#ifdef USE_ROUGHNESSMAP
	uniform mat3 roughnessMapTransform;
	varying vec2 vRoughnessMapUv;
#endif
#ifdef USE_DIFFUSE_ROUGHNESSMAP
	uniform mat3 diffuseRoughnessMapTransform;
	varying vec2 vDiffuseRoughnessMapUv;
#endif
#ifdef USE_ANISOTROPYMAP
	uniform mat3 anisotropyMapTransform;
	varying vec2 vAnisotropyMapUv;
#endif
#ifdef USE_CLEARCOATMAP
	uniform mat3 clearcoatMapTransform;
	varying vec2 vClearcoatMapUv;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	uniform mat3 clearcoatNormalMapTransform;
	varying vec2 vClearcoatNormalMapUv;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	uniform mat3 clearcoatRoughnessMapTransform;
	varying vec2 vClearcoatRoughnessMapUv;
#endif
#ifdef USE_SHEEN_COLORMAP
	uniform mat3 sheenColorMapTransform;
	varying vec2 vSheenColorMapUv;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
	uniform mat3 sheenRoughnessMapTransform;
	varying vec2 vSheenRoughnessMapUv;
#endif
#ifdef USE_IRIDESCENCEMAP
	uniform mat3 iridescenceMapTransform;
	varying vec2 vIridescenceMapUv;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	uniform mat3 iridescenceThicknessMapTransform;
	varying vec2 vIridescenceThicknessMapUv;
#endif
#ifdef USE_SPECULARMAP
	uniform mat3 specularMapTransform;
	varying vec2 vSpecularMapUv;
#endif
#ifdef USE_SPECULAR_COLORMAP
	uniform mat3 specularColorMapTransform;
	varying vec2 vSpecularColorMapUv;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
	uniform mat3 specularIntensityMapTransform;
	varying vec2 vSpecularIntensityMapUv;
#endif
#ifdef USE_TRANSMISSIONMAP
	uniform mat3 transmissionMapTransform;
	varying vec2 vTransmissionMapUv;
#endif
#ifdef USE_THICKNESSMAP
	uniform mat3 thicknessMapTransform;
	varying vec2 vThicknessMapUv;
#endif`,uv_vertex:`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
	vUv = vec3( uv, 1 ).xy;
#endif
#ifdef USE_MAP
	vMapUv = ( mapTransform * vec3( MAP_UV, 1 ) ).xy;
#endif
#ifdef USE_ALPHAMAP
	vAlphaMapUv = ( alphaMapTransform * vec3( ALPHAMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_LIGHTMAP
	vLightMapUv = ( lightMapTransform * vec3( LIGHTMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_AOMAP
	vAoMapUv = ( aoMapTransform * vec3( AOMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_BUMPMAP
	vBumpMapUv = ( bumpMapTransform * vec3( BUMPMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_NORMALMAP
	vNormalMapUv = ( normalMapTransform * vec3( NORMALMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_DISPLACEMENTMAP
	vDisplacementMapUv = ( displacementMapTransform * vec3( DISPLACEMENTMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_EMISSIVEMAP
	vEmissiveMapUv = ( emissiveMapTransform * vec3( EMISSIVEMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_METALNESSMAP
	vMetalnessMapUv = ( metalnessMapTransform * vec3( METALNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_ROUGHNESSMAP
	vRoughnessMapUv = ( roughnessMapTransform * vec3( ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_DIFFUSE_ROUGHNESSMAP
	vDiffuseRoughnessMapUv = ( diffuseRoughnessMapTransform * vec3( DIFFUSE_ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_ANISOTROPYMAP
	vAnisotropyMapUv = ( anisotropyMapTransform * vec3( ANISOTROPYMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_CLEARCOATMAP
	vClearcoatMapUv = ( clearcoatMapTransform * vec3( CLEARCOATMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	vClearcoatNormalMapUv = ( clearcoatNormalMapTransform * vec3( CLEARCOAT_NORMALMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	vClearcoatRoughnessMapUv = ( clearcoatRoughnessMapTransform * vec3( CLEARCOAT_ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_IRIDESCENCEMAP
	vIridescenceMapUv = ( iridescenceMapTransform * vec3( IRIDESCENCEMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	vIridescenceThicknessMapUv = ( iridescenceThicknessMapTransform * vec3( IRIDESCENCE_THICKNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SHEEN_COLORMAP
	vSheenColorMapUv = ( sheenColorMapTransform * vec3( SHEEN_COLORMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
	vSheenRoughnessMapUv = ( sheenRoughnessMapTransform * vec3( SHEEN_ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SPECULARMAP
	vSpecularMapUv = ( specularMapTransform * vec3( SPECULARMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SPECULAR_COLORMAP
	vSpecularColorMapUv = ( specularColorMapTransform * vec3( SPECULAR_COLORMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
	vSpecularIntensityMapUv = ( specularIntensityMapTransform * vec3( SPECULAR_INTENSITYMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_TRANSMISSIONMAP
	vTransmissionMapUv = ( transmissionMapTransform * vec3( TRANSMISSIONMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_THICKNESSMAP
	vThicknessMapUv = ( thicknessMapTransform * vec3( THICKNESSMAP_UV, 1 ) ).xy;
#endif`,worldpos_vertex:`#if defined( USE_ENVMAP ) || defined( DISTANCE ) || defined ( USE_SHADOWMAP ) || defined ( USE_TRANSMISSION ) || NUM_SPOT_LIGHT_COORDS > 0
	vec4 worldPosition = vec4( transformed, 1.0 );
	#ifdef USE_BATCHING
		worldPosition = batchingMatrix * worldPosition;
	#endif
	#ifdef USE_INSTANCING
		worldPosition = instanceMatrix * worldPosition;
	#endif
	worldPosition = modelMatrix * worldPosition;
#endif`,background_vert:`varying vec2 vUv;
uniform mat3 uvTransform;
void main() {
	vUv = ( uvTransform * vec3( uv, 1 ) ).xy;
	gl_Position = vec4( position.xy, 1.0, 1.0 );
}`,background_frag:`uniform sampler2D t2D;
uniform float backgroundIntensity;
varying vec2 vUv;
void main() {
	vec4 texColor = texture2D( t2D, vUv );
	#ifdef DECODE_VIDEO_TEXTURE
		texColor = vec4( mix( pow( texColor.rgb * 0.9478672986 + vec3( 0.0521327014 ), vec3( 2.4 ) ), texColor.rgb * 0.0773993808, vec3( lessThanEqual( texColor.rgb, vec3( 0.04045 ) ) ) ), texColor.w );
	#endif
	texColor.rgb *= backgroundIntensity;
	gl_FragColor = texColor;
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,backgroundCube_vert:`varying vec3 vWorldDirection;
#include <common>
void main() {
	vWorldDirection = transformDirection( position, modelMatrix );
	#include <begin_vertex>
	#include <project_vertex>
	gl_Position.z = gl_Position.w;
}`,backgroundCube_frag:`uniform float backgroundBlurriness;
uniform float backgroundIntensity;
uniform mat3 backgroundRotation;
varying vec3 vWorldDirection;
#include <envmap_common_pars_fragment>
void main() {
	#ifdef ENVMAP_TYPE_PMREM
		vec4 texColor = textureLod( envMap, backgroundRotation * vWorldDirection, roughnessToMip( backgroundBlurriness ) );
	#else
		vec4 texColor = textureCube( envMap, backgroundRotation * vWorldDirection );
	#endif
	texColor.rgb *= backgroundIntensity;
	gl_FragColor = texColor;
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,cube_vert:`varying vec3 vWorldDirection;
#include <common>
void main() {
	vWorldDirection = transformDirection( position, modelMatrix );
	#include <begin_vertex>
	#include <project_vertex>
	gl_Position.z = gl_Position.w;
}`,cube_frag:`uniform samplerCube tCube;
uniform float tFlip;
uniform float opacity;
varying vec3 vWorldDirection;
void main() {
	vec4 texColor = textureCube( tCube, vec3( tFlip * vWorldDirection.x, vWorldDirection.yz ) );
	gl_FragColor = texColor;
	gl_FragColor.a *= opacity;
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,depth_vert:`#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
varying vec2 vHighPrecisionZW;
void main() {
	#include <uv_vertex>
	#include <batching_vertex>
	#include <skinbase_vertex>
	#include <morphinstance_vertex>
	#ifdef USE_DISPLACEMENTMAP
		#include <beginnormal_vertex>
		#include <morphnormal_vertex>
		#include <skinnormal_vertex>
	#endif
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vHighPrecisionZW = gl_Position.zw;
}`,depth_frag:`#if DEPTH_PACKING == 3200
	uniform float opacity;
#endif
#include <common>
#include <packing>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
varying vec2 vHighPrecisionZW;
void main() {
	vec4 diffuseColor = vec4( 1.0 );
	#include <clipping_planes_fragment>
	#if DEPTH_PACKING == 3200
		diffuseColor.a = opacity;
	#endif
	#include <map_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <logdepthbuf_fragment>
	#ifdef USE_REVERSED_DEPTH_BUFFER
		float fragCoordZ = vHighPrecisionZW[ 0 ] / vHighPrecisionZW[ 1 ];
	#else
		float fragCoordZ = 0.5 * vHighPrecisionZW[ 0 ] / vHighPrecisionZW[ 1 ] + 0.5;
	#endif
	#if DEPTH_PACKING == 3200
		gl_FragColor = vec4( vec3( 1.0 - fragCoordZ ), opacity );
	#elif DEPTH_PACKING == 3201
		gl_FragColor = packDepthToRGBA( fragCoordZ );
	#elif DEPTH_PACKING == 3202
		gl_FragColor = vec4( packDepthToRGB( fragCoordZ ), 1.0 );
	#elif DEPTH_PACKING == 3203
		gl_FragColor = vec4( packDepthToRG( fragCoordZ ), 0.0, 1.0 );
	#endif
}`,distance_vert:`#define DISTANCE
varying vec3 vWorldPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <batching_vertex>
	#include <skinbase_vertex>
	#include <morphinstance_vertex>
	#ifdef USE_DISPLACEMENTMAP
		#include <beginnormal_vertex>
		#include <morphnormal_vertex>
		#include <skinnormal_vertex>
	#endif
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <worldpos_vertex>
	#include <clipping_planes_vertex>
	vWorldPosition = worldPosition.xyz;
}`,distance_frag:`#define DISTANCE
uniform vec3 referencePosition;
uniform float nearDistance;
uniform float farDistance;
varying vec3 vWorldPosition;
#include <common>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( 1.0 );
	#include <clipping_planes_fragment>
	#include <map_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	float dist = length( vWorldPosition - referencePosition );
	dist = ( dist - nearDistance ) / ( farDistance - nearDistance );
	dist = saturate( dist );
	gl_FragColor = vec4( dist, 0.0, 0.0, 1.0 );
}`,equirect_vert:`varying vec3 vWorldDirection;
#include <common>
void main() {
	vWorldDirection = transformDirection( position, modelMatrix );
	#include <begin_vertex>
	#include <project_vertex>
}`,equirect_frag:`uniform sampler2D tEquirect;
varying vec3 vWorldDirection;
#include <common>
void main() {
	vec3 direction = normalize( vWorldDirection );
	vec2 sampleUV = equirectUv( direction );
	gl_FragColor = texture2D( tEquirect, sampleUV );
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,linedashed_vert:`uniform float scale;
attribute float lineDistance;
varying float vLineDistance;
#include <common>
#include <uv_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	vLineDistance = scale * lineDistance;
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <fog_vertex>
}`,linedashed_frag:`uniform vec3 diffuse;
uniform float opacity;
uniform float dashSize;
uniform float totalSize;
varying float vLineDistance;
#include <common>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <fog_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	if ( mod( vLineDistance, totalSize ) > dashSize ) {
		discard;
	}
	vec3 outgoingLight = vec3( 0.0 );
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	outgoingLight = diffuseColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
}`,meshbasic_vert:`#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <envmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#if defined ( USE_ENVMAP ) || defined ( USE_SKINNING )
		#include <beginnormal_vertex>
		#include <morphnormal_vertex>
		#include <skinbase_vertex>
		#include <skinnormal_vertex>
		#include <defaultnormal_vertex>
	#endif
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <worldpos_vertex>
	#include <envmap_vertex>
	#include <fog_vertex>
}`,meshbasic_frag:`uniform vec3 diffuse;
uniform float opacity;
#ifndef FLAT_SHADED
	varying vec3 vNormal;
#endif
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_pars_fragment>
#include <fog_pars_fragment>
#include <specularmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <specularmap_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	#ifdef USE_LIGHTMAP
		vec4 lightMapTexel = texture2D( lightMap, vLightMapUv );
		reflectedLight.indirectDiffuse += lightMapTexel.rgb * lightMapIntensity * RECIPROCAL_PI;
	#else
		reflectedLight.indirectDiffuse += vec3( 1.0 );
	#endif
	#include <aomap_fragment>
	reflectedLight.indirectDiffuse *= diffuseColor.rgb;
	vec3 outgoingLight = reflectedLight.indirectDiffuse;
	#include <envmap_fragment>
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,meshlambert_vert:`#define LAMBERT
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <envmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <envmap_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,meshlambert_frag:`#define LAMBERT
uniform vec3 diffuse;
uniform vec3 emissive;
uniform float opacity;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_pars_fragment>
#include <envmap_physical_pars_fragment>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_lambert_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <specularmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <specularmap_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_lambert_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 outgoingLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse + totalEmissiveRadiance;
	#include <envmap_fragment>
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,meshmatcap_vert:`#define MATCAP
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <color_pars_vertex>
#include <displacementmap_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <fog_vertex>
	vViewPosition = - mvPosition.xyz;
}`,meshmatcap_frag:`#define MATCAP
uniform vec3 diffuse;
uniform float opacity;
uniform sampler2D matcap;
varying vec3 vViewPosition;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <fog_pars_fragment>
#include <normal_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	vec3 viewDir = normalize( vViewPosition );
	vec3 x = normalize( vec3( viewDir.z, 0.0, - viewDir.x ) );
	vec3 y = cross( viewDir, x );
	vec2 uv = vec2( dot( x, normal ), dot( y, normal ) ) * 0.495 + 0.5;
	#ifdef USE_MATCAP
		vec4 matcapColor = texture2D( matcap, uv );
	#else
		vec4 matcapColor = vec4( vec3( mix( 0.2, 0.8, uv.y ) ), 1.0 );
	#endif
	vec3 outgoingLight = diffuseColor.rgb * matcapColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,meshnormal_vert:`#define NORMAL
#if defined( FLAT_SHADED ) || defined( USE_BUMPMAP ) || defined( USE_NORMALMAP_TANGENTSPACE )
	varying vec3 vViewPosition;
#endif
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphinstance_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
#if defined( FLAT_SHADED ) || defined( USE_BUMPMAP ) || defined( USE_NORMALMAP_TANGENTSPACE )
	vViewPosition = - mvPosition.xyz;
#endif
}`,meshnormal_frag:`#define NORMAL
uniform float opacity;
#if defined( FLAT_SHADED ) || defined( USE_BUMPMAP ) || defined( USE_NORMALMAP_TANGENTSPACE )
	varying vec3 vViewPosition;
#endif
#include <uv_pars_fragment>
#include <normal_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( 0.0, 0.0, 0.0, opacity );
	#include <clipping_planes_fragment>
	#include <logdepthbuf_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	gl_FragColor = vec4( normalize( normal ) * 0.5 + 0.5, diffuseColor.a );
	#ifdef OPAQUE
		gl_FragColor.a = 1.0;
	#endif
}`,meshphong_vert:`#define PHONG
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <envmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphinstance_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <envmap_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,meshphong_frag:`#define PHONG
uniform vec3 diffuse;
uniform vec3 emissive;
uniform vec3 specular;
uniform float shininess;
uniform float opacity;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_pars_fragment>
#include <envmap_physical_pars_fragment>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_phong_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <specularmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <specularmap_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_phong_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 outgoingLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse + reflectedLight.directSpecular + reflectedLight.indirectSpecular + totalEmissiveRadiance;
	#include <envmap_fragment>
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,meshphysical_vert:`#define STANDARD
varying vec3 vViewPosition;
#ifdef USE_TRANSMISSION
	varying vec3 vWorldPosition;
#endif
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
#ifdef USE_TRANSMISSION
	vWorldPosition = worldPosition.xyz;
#endif
}`,meshphysical_frag:`#define STANDARD
#ifdef PHYSICAL
	#define IOR
	#define USE_SPECULAR
#endif
uniform vec3 diffuse;
uniform vec3 emissive;
uniform float roughness;
uniform float metalness;
uniform float opacity;
#ifdef IOR
	uniform float ior;
#endif
#ifdef USE_SPECULAR
	uniform float specularIntensity;
	uniform vec3 specularColor;
	#ifdef USE_SPECULAR_COLORMAP
		uniform sampler2D specularColorMap;
	#endif
	#ifdef USE_SPECULAR_INTENSITYMAP
		uniform sampler2D specularIntensityMap;
	#endif
#endif
#ifdef USE_CLEARCOAT
	uniform float clearcoat;
	uniform float clearcoatRoughness;
#endif
#ifdef USE_DIFFUSE_ROUGHNESS
	uniform float diffuseRoughness;
	#ifdef USE_DIFFUSE_ROUGHNESSMAP
		uniform sampler2D diffuseRoughnessMap;
	#endif
#endif
#ifdef USE_DISPERSION
	uniform float dispersion;
#endif
#ifdef USE_RETROREFLECTION
	uniform float retroreflectivity;
#endif
#ifdef USE_IRIDESCENCE
	uniform float iridescence;
	uniform float iridescenceIOR;
	uniform float iridescenceThicknessMinimum;
	uniform float iridescenceThicknessMaximum;
#endif
#ifdef USE_SHEEN
	uniform vec3 sheenColor;
	uniform float sheenRoughness;
	#ifdef USE_SHEEN_COLORMAP
		uniform sampler2D sheenColorMap;
	#endif
	#ifdef USE_SHEEN_ROUGHNESSMAP
		uniform sampler2D sheenRoughnessMap;
	#endif
#endif
#ifdef USE_ANISOTROPY
	uniform vec2 anisotropyVector;
	#ifdef USE_ANISOTROPYMAP
		uniform sampler2D anisotropyMap;
	#endif
#endif
varying vec3 vViewPosition;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <iridescence_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_physical_pars_fragment>
#include <fog_pars_fragment>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_physical_pars_fragment>
#include <transmission_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <clearcoat_pars_fragment>
#include <iridescence_pars_fragment>
#include <roughnessmap_pars_fragment>
#include <metalnessmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <roughnessmap_fragment>
	#include <metalnessmap_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <clearcoat_normal_fragment_begin>
	#include <clearcoat_normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_physical_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 totalDiffuse = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse;
	vec3 totalSpecular = reflectedLight.directSpecular + reflectedLight.indirectSpecular;
	#include <transmission_fragment>
	vec3 outgoingLight = totalDiffuse + totalSpecular + totalEmissiveRadiance;
	#ifdef USE_SHEEN
 
		outgoingLight = outgoingLight + sheenSpecularDirect + sheenSpecularIndirect;
 
 	#endif
	#ifdef USE_CLEARCOAT
		float dotNVcc = saturate( dot( geometryClearcoatNormal, geometryViewDir ) );
		vec3 Fcc = F_Schlick( material.clearcoatF0, material.clearcoatF90, dotNVcc );
		outgoingLight = outgoingLight * ( 1.0 - material.clearcoat * Fcc ) + ( clearcoatSpecularDirect + clearcoatSpecularIndirect ) * material.clearcoat;
	#endif
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,meshtoon_vert:`#define TOON
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,meshtoon_frag:`#define TOON
uniform vec3 diffuse;
uniform vec3 emissive;
uniform float opacity;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <gradientmap_pars_fragment>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_toon_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_toon_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 outgoingLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse + totalEmissiveRadiance;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,points_vert:`uniform float size;
uniform float scale;
#include <common>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
#ifdef USE_POINTS_UV
	varying vec2 vUv;
	uniform mat3 uvTransform;
#endif
void main() {
	#ifdef USE_POINTS_UV
		vUv = ( uvTransform * vec3( uv, 1 ) ).xy;
	#endif
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <project_vertex>
	gl_PointSize = size;
	#ifdef USE_SIZEATTENUATION
		bool isPerspective = isPerspectiveMatrix( projectionMatrix );
		if ( isPerspective ) gl_PointSize *= ( scale / - mvPosition.z );
	#endif
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <worldpos_vertex>
	#include <fog_vertex>
}`,points_frag:`uniform vec3 diffuse;
uniform float opacity;
#include <common>
#include <color_pars_fragment>
#include <map_particle_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <fog_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	vec3 outgoingLight = vec3( 0.0 );
	#include <logdepthbuf_fragment>
	#include <map_particle_fragment>
	#include <color_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	outgoingLight = diffuseColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
}`,shadow_vert:`#include <common>
#include <batching_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <shadowmap_pars_vertex>
void main() {
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphinstance_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <worldpos_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,shadow_frag:`uniform vec3 color;
uniform float opacity;
#include <common>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <logdepthbuf_pars_fragment>
#include <shadowmap_pars_fragment>
#include <shadowmask_pars_fragment>
void main() {
	#include <logdepthbuf_fragment>
	gl_FragColor = vec4( color, opacity * ( 1.0 - getShadowMask() ) );
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
}`,sprite_vert:`uniform float rotation;
uniform vec2 center;
#include <common>
#include <uv_pars_vertex>
#include <fog_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	vec4 mvPosition = modelViewMatrix[ 3 ];
	vec2 scale = vec2( length( modelMatrix[ 0 ].xyz ), length( modelMatrix[ 1 ].xyz ) );
	#ifndef USE_SIZEATTENUATION
		bool isPerspective = isPerspectiveMatrix( projectionMatrix );
		if ( isPerspective ) scale *= - mvPosition.z;
	#endif
	vec2 alignedPosition = ( position.xy - ( center - vec2( 0.5 ) ) ) * scale;
	vec2 rotatedPosition;
	rotatedPosition.x = cos( rotation ) * alignedPosition.x - sin( rotation ) * alignedPosition.y;
	rotatedPosition.y = sin( rotation ) * alignedPosition.x + cos( rotation ) * alignedPosition.y;
	mvPosition.xy += rotatedPosition;
	gl_Position = projectionMatrix * mvPosition;
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <fog_vertex>
}`,sprite_frag:`uniform vec3 diffuse;
uniform float opacity;
#include <common>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <fog_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	vec3 outgoingLight = vec3( 0.0 );
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	outgoingLight = diffuseColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
}`},Q={common:{diffuse:{value:new K(16777215)},opacity:{value:1},map:{value:null},mapTransform:{value:new I},alphaMap:{value:null},alphaMapTransform:{value:new I},alphaTest:{value:0}},specularmap:{specularMap:{value:null},specularMapTransform:{value:new I}},envmap:{envMap:{value:null},envMapRotation:{value:new I},reflectivity:{value:1},ior:{value:1.5},refractionRatio:{value:.98},dfgLUT:{value:null}},aomap:{aoMap:{value:null},aoMapIntensity:{value:1},aoMapTransform:{value:new I}},lightmap:{lightMap:{value:null},lightMapIntensity:{value:1},lightMapTransform:{value:new I}},bumpmap:{bumpMap:{value:null},bumpMapTransform:{value:new I},bumpScale:{value:1}},normalmap:{normalMap:{value:null},normalMapTransform:{value:new I},normalScale:{value:new V(1,1)}},displacementmap:{displacementMap:{value:null},displacementMapTransform:{value:new I},displacementScale:{value:1},displacementBias:{value:0}},emissivemap:{emissiveMap:{value:null},emissiveMapTransform:{value:new I}},metalnessmap:{metalnessMap:{value:null},metalnessMapTransform:{value:new I}},roughnessmap:{roughnessMap:{value:null},roughnessMapTransform:{value:new I}},gradientmap:{gradientMap:{value:null}},fog:{fogDensity:{value:25e-5},fogNear:{value:1},fogFar:{value:2e3},fogColor:{value:new K(16777215)}},lights:{ambientLightColor:{value:[]},lightProbe:{value:[]},sunLights:{value:[],properties:{direction:{},color:{}}},sunLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},sunShadowMatrix:{value:[]},sunShadowCascade:{value:[]},directionalLights:{value:[],properties:{direction:{},color:{}}},directionalLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},directionalShadowMatrix:{value:[]},spotLights:{value:[],properties:{color:{},position:{},direction:{},distance:{},coneCos:{},penumbraCos:{},decay:{}}},spotLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},spotLightMap:{value:[]},spotLightMatrix:{value:[]},pointLights:{value:[],properties:{color:{},position:{},decay:{},distance:{}}},pointLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{},shadowCameraNear:{},shadowCameraFar:{}}},pointShadowMatrix:{value:[]},hemisphereLights:{value:[],properties:{direction:{},skyColor:{},groundColor:{}}},rectAreaLights:{value:[],properties:{color:{},position:{},width:{},height:{}}},ltc_1:{value:null},ltc_2:{value:null},probesSH:{value:[]},probesMin:{value:[]},probesMax:{value:[]},probesResolution:{value:[]}},points:{diffuse:{value:new K(16777215)},opacity:{value:1},size:{value:1},scale:{value:1},map:{value:null},alphaMap:{value:null},alphaMapTransform:{value:new I},alphaTest:{value:0},uvTransform:{value:new I}},sprite:{diffuse:{value:new K(16777215)},opacity:{value:1},center:{value:new V(.5,.5)},rotation:{value:0},map:{value:null},mapTransform:{value:new I},alphaMap:{value:null},alphaMapTransform:{value:new I},alphaTest:{value:0}}},jn={basic:{uniforms:R([Q.common,Q.specularmap,Q.envmap,Q.aomap,Q.lightmap,Q.fog]),vertexShader:Z.meshbasic_vert,fragmentShader:Z.meshbasic_frag},lambert:{uniforms:R([Q.common,Q.specularmap,Q.envmap,Q.aomap,Q.lightmap,Q.emissivemap,Q.bumpmap,Q.normalmap,Q.displacementmap,Q.fog,Q.lights,{emissive:{value:new K(0)},envMapIntensity:{value:1}}]),vertexShader:Z.meshlambert_vert,fragmentShader:Z.meshlambert_frag},phong:{uniforms:R([Q.common,Q.specularmap,Q.envmap,Q.aomap,Q.lightmap,Q.emissivemap,Q.bumpmap,Q.normalmap,Q.displacementmap,Q.fog,Q.lights,{emissive:{value:new K(0)},specular:{value:new K(1118481)},shininess:{value:30},envMapIntensity:{value:1}}]),vertexShader:Z.meshphong_vert,fragmentShader:Z.meshphong_frag},standard:{uniforms:R([Q.common,Q.envmap,Q.aomap,Q.lightmap,Q.emissivemap,Q.bumpmap,Q.normalmap,Q.displacementmap,Q.roughnessmap,Q.metalnessmap,Q.fog,Q.lights,{emissive:{value:new K(0)},roughness:{value:1},metalness:{value:0},envMapIntensity:{value:1}}]),vertexShader:Z.meshphysical_vert,fragmentShader:Z.meshphysical_frag},toon:{uniforms:R([Q.common,Q.aomap,Q.lightmap,Q.emissivemap,Q.bumpmap,Q.normalmap,Q.displacementmap,Q.gradientmap,Q.fog,Q.lights,{emissive:{value:new K(0)}}]),vertexShader:Z.meshtoon_vert,fragmentShader:Z.meshtoon_frag},matcap:{uniforms:R([Q.common,Q.bumpmap,Q.normalmap,Q.displacementmap,Q.fog,{matcap:{value:null}}]),vertexShader:Z.meshmatcap_vert,fragmentShader:Z.meshmatcap_frag},points:{uniforms:R([Q.points,Q.fog]),vertexShader:Z.points_vert,fragmentShader:Z.points_frag},dashed:{uniforms:R([Q.common,Q.fog,{scale:{value:1},dashSize:{value:1},totalSize:{value:2}}]),vertexShader:Z.linedashed_vert,fragmentShader:Z.linedashed_frag},depth:{uniforms:R([Q.common,Q.displacementmap]),vertexShader:Z.depth_vert,fragmentShader:Z.depth_frag},normal:{uniforms:R([Q.common,Q.bumpmap,Q.normalmap,Q.displacementmap,{opacity:{value:1}}]),vertexShader:Z.meshnormal_vert,fragmentShader:Z.meshnormal_frag},sprite:{uniforms:R([Q.sprite,Q.fog]),vertexShader:Z.sprite_vert,fragmentShader:Z.sprite_frag},background:{uniforms:{uvTransform:{value:new I},t2D:{value:null},backgroundIntensity:{value:1}},vertexShader:Z.background_vert,fragmentShader:Z.background_frag},backgroundCube:{uniforms:{envMap:{value:null},backgroundBlurriness:{value:0},backgroundIntensity:{value:1},backgroundRotation:{value:new I}},vertexShader:Z.backgroundCube_vert,fragmentShader:Z.backgroundCube_frag},cube:{uniforms:{tCube:{value:null},tFlip:{value:-1},opacity:{value:1}},vertexShader:Z.cube_vert,fragmentShader:Z.cube_frag},equirect:{uniforms:{tEquirect:{value:null}},vertexShader:Z.equirect_vert,fragmentShader:Z.equirect_frag},distance:{uniforms:R([Q.common,Q.displacementmap,{referencePosition:{value:new J},nearDistance:{value:1},farDistance:{value:1e3}}]),vertexShader:Z.distance_vert,fragmentShader:Z.distance_frag},shadow:{uniforms:R([Q.lights,Q.fog,{color:{value:new K(0)},opacity:{value:1}}]),vertexShader:Z.shadow_vert,fragmentShader:Z.shadow_frag}};jn.physical={uniforms:R([jn.standard.uniforms,{clearcoat:{value:0},clearcoatMap:{value:null},clearcoatMapTransform:{value:new I},clearcoatNormalMap:{value:null},clearcoatNormalMapTransform:{value:new I},clearcoatNormalScale:{value:new V(1,1)},clearcoatRoughness:{value:0},clearcoatRoughnessMap:{value:null},clearcoatRoughnessMapTransform:{value:new I},diffuseRoughness:{value:0},diffuseRoughnessMap:{value:null},diffuseRoughnessMapTransform:{value:new I},dispersion:{value:0},retroreflectivity:{value:0},iridescence:{value:0},iridescenceMap:{value:null},iridescenceMapTransform:{value:new I},iridescenceIOR:{value:1.3},iridescenceThicknessMinimum:{value:100},iridescenceThicknessMaximum:{value:400},iridescenceThicknessMap:{value:null},iridescenceThicknessMapTransform:{value:new I},sheen:{value:0},sheenColor:{value:new K(0)},sheenColorMap:{value:null},sheenColorMapTransform:{value:new I},sheenRoughness:{value:1},sheenRoughnessMap:{value:null},sheenRoughnessMapTransform:{value:new I},transmission:{value:0},transmissionMap:{value:null},transmissionMapTransform:{value:new I},transmissionSamplerSize:{value:new V},transmissionSamplerMap:{value:null},thickness:{value:0},thicknessMap:{value:null},thicknessMapTransform:{value:new I},attenuationDistance:{value:0},attenuationColor:{value:new K(0)},specularColor:{value:new K(1,1,1)},specularColorMap:{value:null},specularColorMapTransform:{value:new I},specularIntensity:{value:1},specularIntensityMap:{value:null},specularIntensityMapTransform:{value:new I},anisotropyVector:{value:new V},anisotropyMap:{value:null},anisotropyMapTransform:{value:new I}}]),vertexShader:Z.meshphysical_vert,fragmentShader:Z.meshphysical_frag};var Mn={r:0,b:0,g:0},Nn=new nt,Pn=new I;Pn.set(-1,0,0,0,1,0,0,0,1);function Fn(e,t,n,r,i,a){let o=new K(0),s=i===!0?0:1,c,l,u=null,d=0,f=null;function p(e){let n=e.isScene===!0?e.background:null;if(n&&n.isTexture){let r=e.backgroundBlurriness>0;n=t.get(n,r)}return n}function m(t){let r=!1,i=p(t);i===null?g(o,s):i&&i.isColor&&(g(i,1),r=!0);let c=e.xr.getEnvironmentBlendMode();c===`additive`?n.buffers.color.setClear(0,0,0,1,a):c===`alpha-blend`&&n.buffers.color.setClear(0,0,0,0,a),(e.autoClear||r)&&(n.buffers.depth.setTest(!0),n.buffers.depth.setMask(!0),n.buffers.color.setMask(!0),e.clear(e.autoClearColor,e.autoClearDepth,e.autoClearStencil))}function h(t,n){let i=p(n);i&&i.isCubeTexture?(l===void 0&&(l=new F(new dt(1,1,1),new Be({name:`BackgroundCubeMaterial`,uniforms:j(jn.backgroundCube.uniforms),vertexShader:jn.backgroundCube.vertexShader,fragmentShader:jn.backgroundCube.fragmentShader,side:1,depthTest:!1,depthWrite:!1,fog:!1,allowOverride:!1})),l.geometry.deleteAttribute(`normal`),l.geometry.deleteAttribute(`uv`),l.onBeforeRender=function(e,t,n){this.matrixWorld.copyPosition(n.matrixWorld)},Object.defineProperty(l.material,"envMap",{get:function(){return this.uniforms.envMap.value}}),r.update(l)),l.material.uniforms.envMap.value=i,l.material.uniforms.backgroundBlurriness.value=n.backgroundBlurriness,l.material.uniforms.backgroundIntensity.value=n.backgroundIntensity,l.material.uniforms.backgroundRotation.value.setFromMatrix4(Nn.makeRotationFromEuler(n.backgroundRotation)).transpose(),i.isRenderTargetTexture===!1&&l.material.uniforms.backgroundRotation.value.premultiply(Pn),l.material.toneMapped=G.getTransfer(i.colorSpace)!==Xe,(u!==i||d!==i.version||f!==e.toneMapping)&&(l.material.needsUpdate=!0,u=i,d=i.version,f=e.toneMapping),l.layers.enableAll(),t.unshift(l,l.geometry,l.material,0,0,null)):i&&i.isTexture&&(c===void 0&&(c=new F(new Ve(2,2),new Be({name:`BackgroundMaterial`,uniforms:j(jn.background.uniforms),vertexShader:jn.background.vertexShader,fragmentShader:jn.background.fragmentShader,side:0,depthTest:!1,depthWrite:!1,fog:!1,allowOverride:!1})),c.geometry.deleteAttribute(`normal`),Object.defineProperty(c.material,"map",{get:function(){return this.uniforms.t2D.value}}),r.update(c)),c.material.uniforms.t2D.value=i,c.material.uniforms.backgroundIntensity.value=n.backgroundIntensity,c.material.toneMapped=G.getTransfer(i.colorSpace)!==Xe,i.matrixAutoUpdate===!0&&i.updateMatrix(),c.material.uniforms.uvTransform.value.copy(i.matrix),(u!==i||d!==i.version||f!==e.toneMapping)&&(c.material.needsUpdate=!0,u=i,d=i.version,f=e.toneMapping),c.layers.enableAll(),t.unshift(c,c.geometry,c.material,0,0,null))}function g(t,r){t.getRGB(Mn,ce(e)),n.buffers.color.setClear(Mn.r,Mn.g,Mn.b,r,a)}function _(){l!==void 0&&(l.geometry.dispose(),l.material.dispose(),l=void 0),c!==void 0&&(c.geometry.dispose(),c.material.dispose(),c=void 0)}return{getClearColor:function(){return o},setClearColor:function(e,t=1){o.set(e),s=t,g(o,s)},getClearAlpha:function(){return s},setClearAlpha:function(e){s=e,g(o,s)},render:m,addToRenderList:h,dispose:_}}function In(e,t){let n=e.getParameter(e.MAX_VERTEX_ATTRIBS),r={},i=f(null),a=i,o=!1;function s(n,r,i,s,c){let u=!1,f=d(n,s,i,r);a!==f&&(a=f,l(a.object)),u=p(n,s,i,c),u&&m(n,s,i,c),c!==null&&t.update(c,e.ELEMENT_ARRAY_BUFFER),(u||o)&&(o=!1,b(n,r,i,s),c!==null&&e.bindBuffer(e.ELEMENT_ARRAY_BUFFER,t.get(c).buffer))}function c(){return e.createVertexArray()}function l(t){return e.bindVertexArray(t)}function u(t){return e.deleteVertexArray(t)}function d(e,t,n,i){let a=i.wireframe===!0,o=r[t.id];o===void 0&&(o={},r[t.id]=o);let s=e.isInstancedMesh===!0?e.id:0,l=o[s];l===void 0&&(l={},o[s]=l);let u=l[n.id];u===void 0&&(u={},l[n.id]=u);let d=u[a];return d===void 0&&(d=f(c()),u[a]=d),d}function f(e){let t=[],r=[],i=[];for(let e=0;e<n;e++)t[e]=0,r[e]=0,i[e]=0;return{geometry:null,program:null,wireframe:!1,newAttributes:t,enabledAttributes:r,attributeDivisors:i,object:e,attributes:{},index:null}}function p(e,t,n,r){let i=a.attributes,o=t.attributes,s=0,c=n.getAttributes();for(let t in c)if(c[t].location>=0){let n=i[t],r=o[t];if(r===void 0&&(t===`instanceMatrix`&&e.instanceMatrix&&(r=e.instanceMatrix),t===`instanceColor`&&e.instanceColor&&(r=e.instanceColor)),n===void 0||n.attribute!==r||r&&n.data!==r.data)return!0;s++}return a.attributesNum!==s||a.index!==r}function m(e,t,n,r){let i={},o=t.attributes,s=0,c=n.getAttributes();for(let t in c)if(c[t].location>=0){let n=o[t];n===void 0&&(t===`instanceMatrix`&&e.instanceMatrix&&(n=e.instanceMatrix),t===`instanceColor`&&e.instanceColor&&(n=e.instanceColor));let r={};r.attribute=n,n&&n.data&&(r.data=n.data),i[t]=r,s++}a.attributes=i,a.attributesNum=s,a.index=r}function h(){let e=a.newAttributes;for(let t=0,n=e.length;t<n;t++)e[t]=0}function g(e){_(e,0)}function _(t,n){let r=a.newAttributes,i=a.enabledAttributes,o=a.attributeDivisors;r[t]=1,i[t]===0&&(e.enableVertexAttribArray(t),i[t]=1),o[t]!==n&&(e.vertexAttribDivisor(t,n),o[t]=n)}function v(){let t=a.newAttributes,n=a.enabledAttributes;for(let r=0,i=n.length;r<i;r++)n[r]!==t[r]&&(e.disableVertexAttribArray(r),n[r]=0)}function y(t,n,r,i,a,o,s){s===!0?e.vertexAttribIPointer(t,n,r,a,o):e.vertexAttribPointer(t,n,r,i,a,o)}function b(n,r,i,a){h();let o=a.attributes,s=i.getAttributes(),c=r.defaultAttributeValues;for(let r in s){let i=s[r];if(i.location>=0){let s=o[r];if(s===void 0&&(r===`instanceMatrix`&&n.instanceMatrix&&(s=n.instanceMatrix),r===`instanceColor`&&n.instanceColor&&(s=n.instanceColor)),s!==void 0){let r=s.normalized,o=s.itemSize,c=t.get(s);if(c===void 0)continue;let l=c.buffer,u=c.type,d=c.bytesPerElement,f=u===e.INT||u===e.UNSIGNED_INT||s.gpuType===1013;if(s.isInterleavedBufferAttribute){let t=s.data,c=t.isInterleavedBuffer===!0?t.stride:t.itemSize,p=s.offset;if(t.isInstancedInterleavedBuffer||t.isInstancedBufferAttribute){for(let e=0;e<i.locationSize;e++)_(i.location+e,t.meshPerAttribute);n.isInstancedMesh!==!0&&a._maxInstanceCount===void 0&&(a._maxInstanceCount=t.meshPerAttribute*t.count)}else for(let e=0;e<i.locationSize;e++)g(i.location+e);e.bindBuffer(e.ARRAY_BUFFER,l);for(let e=0;e<i.locationSize;e++)y(i.location+e,o/i.locationSize,u,r,c*d,(p+o/i.locationSize*e)*d,f)}else{if(s.isInstancedBufferAttribute){for(let e=0;e<i.locationSize;e++)_(i.location+e,s.meshPerAttribute);n.isInstancedMesh!==!0&&a._maxInstanceCount===void 0&&(a._maxInstanceCount=s.meshPerAttribute*s.count)}else for(let e=0;e<i.locationSize;e++)g(i.location+e);e.bindBuffer(e.ARRAY_BUFFER,l);for(let e=0;e<i.locationSize;e++)y(i.location+e,o/i.locationSize,u,r,o*d,o/i.locationSize*e*d,f)}}else if(c!==void 0){let t=c[r];if(t!==void 0)switch(t.length){case 2:e.vertexAttrib2fv(i.location,t);break;case 3:e.vertexAttrib3fv(i.location,t);break;case 4:e.vertexAttrib4fv(i.location,t);break;default:e.vertexAttrib1fv(i.location,t)}}}}v()}function x(){T();for(let e in r){let t=r[e];for(let e in t){let n=t[e];for(let e in n){let t=n[e];for(let e in t)u(t[e].object),delete t[e];delete n[e]}}delete r[e]}}function S(e){if(r[e.id]===void 0)return;let t=r[e.id];for(let e in t){let n=t[e];for(let e in n){let t=n[e];for(let e in t)u(t[e].object),delete t[e];delete n[e]}}delete r[e.id]}function C(e){for(let t in r){let n=r[t];for(let t in n){let r=n[t];if(r[e.id]===void 0)continue;let i=r[e.id];for(let e in i)u(i[e].object),delete i[e];delete r[e.id]}}}function w(e){for(let t in r){let n=r[t],i=e.isInstancedMesh===!0?e.id:0,a=n[i];if(a!==void 0){for(let e in a){let t=a[e];for(let e in t)u(t[e].object),delete t[e];delete a[e]}delete n[i],Object.keys(n).length===0&&delete r[t]}}}function T(){E(),o=!0,a!==i&&(a=i,l(a.object))}function E(){i.geometry=null,i.program=null,i.wireframe=!1}return{setup:s,reset:T,resetDefaultState:E,dispose:x,releaseStatesOfGeometry:S,releaseStatesOfObject:w,releaseStatesOfProgram:C,initAttributes:h,enableAttribute:g,disableUnusedAttributes:v}}function Ln(e,t,n){let r;function i(e){r=e}function a(t,i){e.drawArrays(r,t,i),n.update(i,r,1)}function o(t,i,a){a!==0&&(e.drawArraysInstanced(r,t,i,a),n.update(i,r,a))}function s(e,i,a){if(a===0)return;t.get(`WEBGL_multi_draw`).multiDrawArraysWEBGL(r,e,0,i,0,a);let o=0;for(let e=0;e<a;e++)o+=i[e];n.update(o,r,1)}this.setMode=i,this.render=a,this.renderInstances=o,this.renderMultiDraw=s}function Rn(e,t,n,r){let i;function a(){if(i!==void 0)return i;if(t.has(`EXT_texture_filter_anisotropic`)===!0){let n=t.get(`EXT_texture_filter_anisotropic`);i=e.getParameter(n.MAX_TEXTURE_MAX_ANISOTROPY_EXT)}else i=0;return i}function o(t){return t===1023||r.convert(t)===e.getParameter(e.IMPLEMENTATION_COLOR_READ_FORMAT)}function s(n){let i=n===1016&&(t.has(`EXT_color_buffer_half_float`)||t.has(`EXT_color_buffer_float`));return!(n!==1009&&n!==1015&&!i&&r.convert(n)!==e.getParameter(e.IMPLEMENTATION_COLOR_READ_TYPE))}function c(t){if(t===`highp`){if(e.getShaderPrecisionFormat(e.VERTEX_SHADER,e.HIGH_FLOAT).precision>0&&e.getShaderPrecisionFormat(e.FRAGMENT_SHADER,e.HIGH_FLOAT).precision>0)return`highp`;t=`mediump`}return t===`mediump`&&e.getShaderPrecisionFormat(e.VERTEX_SHADER,e.MEDIUM_FLOAT).precision>0&&e.getShaderPrecisionFormat(e.FRAGMENT_SHADER,e.MEDIUM_FLOAT).precision>0?`mediump`:`lowp`}let l=n.precision===void 0?`highp`:n.precision,u=c(l);u!==l&&(P(`WebGLRenderer:`,l,`not supported, using`,u,`instead.`),l=u);let d=n.reversedDepthBuffer===!0&&t.has(`EXT_clip_control`),f=n.logarithmicDepthBuffer===!0&&d===!1;n.reversedDepthBuffer===!0&&d===!1&&P(`WebGLRenderer: Unable to use reversed depth buffer due to missing EXT_clip_control extension. Fallback to default depth buffer.`),n.logarithmicDepthBuffer===!0&&d===!0&&P(`WebGLRenderer: Logarithmic depth buffer is ignored when reversed depth buffer is enabled.`);let p=e.getParameter(e.MAX_TEXTURE_IMAGE_UNITS),m=e.getParameter(e.MAX_VERTEX_TEXTURE_IMAGE_UNITS),h=e.getParameter(e.MAX_TEXTURE_SIZE),g=e.getParameter(e.MAX_CUBE_MAP_TEXTURE_SIZE),_=e.getParameter(e.MAX_VERTEX_ATTRIBS),v=e.getParameter(e.MAX_VERTEX_UNIFORM_VECTORS),y=e.getParameter(e.MAX_VARYING_VECTORS),b=e.getParameter(e.MAX_FRAGMENT_UNIFORM_VECTORS),x=e.getParameter(e.MAX_SAMPLES),S=e.getParameter(e.SAMPLES);return{isWebGL2:!0,getMaxAnisotropy:a,getMaxPrecision:c,textureFormatReadable:o,textureTypeReadable:s,precision:l,logarithmicDepthBuffer:f,reversedDepthBuffer:d,maxTextures:p,maxVertexTextures:m,maxTextureSize:h,maxCubemapSize:g,maxAttributes:_,maxVertexUniforms:v,maxVaryings:y,maxFragmentUniforms:b,maxSamples:x,samples:S}}function zn(e){let t=this,n=null,r=0,i=!1,a=!1,o=new at,s=new I,c={value:null,needsUpdate:!1};this.uniform=c,this.numPlanes=0,this.numIntersection=0,this.init=function(e,t){let n=e.length!==0||t||r!==0||i;return i=t,r=e.length,n},this.beginShadows=function(){a=!0,u(null)},this.endShadows=function(){a=!1},this.setGlobalState=function(e,t){n=u(e,t,0)},this.setState=function(t,o,s){let d=t.clippingPlanes,f=t.clipIntersection,p=t.clipShadows,m=e.get(t);if(!i||d===null||d.length===0||a&&!p)a?u(null):l();else{let e=a?0:r,t=e*4,i=m.clippingState||null;c.value=i,i=u(d,o,t,s);for(let e=0;e!==t;++e)i[e]=n[e];m.clippingState=i,this.numIntersection=f?this.numPlanes:0,this.numPlanes+=e}};function l(){c.value!==n&&(c.value=n,c.needsUpdate=r>0),t.numPlanes=r,t.numIntersection=0}function u(e,n,r,i){let a=e===null?0:e.length,l=null;if(a!==0){if(l=c.value,i!==!0||l===null){let t=r+a*4,i=n.matrixWorldInverse;s.getNormalMatrix(i),(l===null||l.length<t)&&(l=new Float32Array(t));for(let t=0,n=r;t!==a;++t,n+=4)o.copy(e[t]).applyMatrix4(i,s),o.normal.toArray(l,n),l[n+3]=o.constant}c.value=l,c.needsUpdate=!0}return t.numPlanes=a,t.numIntersection=0,l}}var Bn=class extends gt{constructor(e=1,t={}){super(e,e,t),this.isWebGLCubeRenderTarget=!0;let n={width:e,height:e,depth:1},r=[n,n,n,n,n,n];this.texture=new B(r),this._setTextureOptions(t),this.texture.isRenderTargetTexture=!0}fromEquirectangularTexture(e,t){this.texture.type=t.type,this.texture.colorSpace=t.colorSpace,this.texture.generateMipmaps=t.generateMipmaps,this.texture.minFilter=t.minFilter,this.texture.magFilter=t.magFilter;let n={uniforms:{tEquirect:{value:null}},vertexShader:`

				varying vec3 vWorldDirection;

				vec3 transformDirection( in vec3 dir, in mat4 matrix ) {

					return normalize( ( matrix * vec4( dir, 0.0 ) ).xyz );

				}

				void main() {

					vWorldDirection = transformDirection( position, modelMatrix );

					#include <begin_vertex>
					#include <project_vertex>

				}
			`,fragmentShader:`

				uniform sampler2D tEquirect;

				varying vec3 vWorldDirection;

				#include <common>

				void main() {

					vec3 direction = normalize( vWorldDirection );

					vec2 sampleUV = equirectUv( direction );

					gl_FragColor = texture2D( tEquirect, sampleUV );

				}
			`},r=new dt(5,5,5),i=new Be({name:`CubemapFromEquirect`,uniforms:j(n.uniforms),vertexShader:n.vertexShader,fragmentShader:n.fragmentShader,side:1,blending:0});i.uniforms.tEquirect.value=t;let a=new F(r,i),o=t.minFilter;return t.minFilter===1008&&(t.minFilter=bt),new pt(1,10,this).update(e,a),t.minFilter=o,a.geometry.dispose(),a.material.dispose(),this}clear(e,t=!0,n=!0,r=!0){let i=e.getRenderTarget();for(let i=0;i<6;i++)e.setRenderTarget(this,i),e.clear(t,n,r);e.setRenderTarget(i)}},Vn=256,Hn=3,Un=20,Wn=256,Gn=16,Kn=3,qn=new J,Jn=new K,Yn=class e{constructor(e){this._renderer=e,this._cubeSize=0,this._sourceTarget=null,this._cubeCamera=new pt(1,10,null),this._boxMesh=new F(new dt(5,5,5),null),this._cubemapMaterial=null,this._equirectMaterial=null,this._blurMaterial=null,this._ggxMaterial=null,this._integrationMaterial=null}fromScene(e,t=0,n=.1,r=100,i={}){let{size:a=256,position:o=qn}=i,s=this._renderer;this._setSize(a);let c=this._allocateTarget(),l=this._getSourceTarget(!0);t>0&&(l.texture.mipmapsAutoUpdate=!1);let u=s.autoClear,d=s.autoClearColor,f=s.autoClearDepth,p=s.autoClearStencil,m=e.background;s.autoClear=!0,s.autoClearColor=!0,s.autoClearDepth=!0,s.autoClearStencil=!0,m===null&&(e.background=s.getClearColor(Jn));let h=new pt(n,r,l);return h.position.copy(o),h.update(s,e),s.autoClear=u,s.autoClearColor=d,s.autoClearDepth=f,s.autoClearStencil=p,e.background=m,t>0&&(l.texture.mipmapsAutoUpdate=!0,this._blur(c,t)),this._applyPMREM(c),c}fromEquirectangular(e,t=null){return this._fromTexture(e,t)}fromCubemap(e,t=null){return this._fromTexture(e,t)}compileCubemapShader(){this._cubemapMaterial===null&&(this._cubemapMaterial=nr(),this._compileMaterial(this._cubemapMaterial))}compileEquirectangularShader(){this._equirectMaterial===null&&(this._equirectMaterial=tr(),this._compileMaterial(this._equirectMaterial))}dispose(){this._sourceTarget!==null&&this._sourceTarget.dispose(),this._cubemapMaterial!==null&&this._cubemapMaterial.dispose(),this._equirectMaterial!==null&&this._equirectMaterial.dispose(),this._blurMaterial!==null&&this._blurMaterial.dispose(),this._ggxMaterial!==null&&this._ggxMaterial.dispose(),this._integrationMaterial!==null&&this._integrationMaterial.dispose(),this._boxMesh.geometry.dispose()}static lodToRoughness(e,t){return t>0?1-Math.sqrt(1-e/t):0}_setSize(e){this._cubeSize=Math.max(Vn,w(e))}_fromTexture(e,t){e.mapping===301||e.mapping===302?this._setSize(e.image.length===0?Vn:e.image[0].width||e.image[0].image.width):this._setSize(e.image.width/4);let n=t||this._allocateTarget();return this._textureToCubemap(e),this._applyPMREM(n),n}_allocateTarget(){let e=this._cubeSize,t=Xn(e,!1,!1),n=Math.log2(e)-Hn;for(let r=0;r<=n;r++)t.texture.mipmaps.push({width:e>>r,height:e>>r});return t.texture.name=`PMREM`,t.texture.isPMREMTexture=!0,t}_getSourceTarget(e=!1){let t=this._cubeSize,n=this._sourceTarget;return(n===null||n.width!==t||e&&n.depthBuffer===!1)&&(n!==null&&n.dispose(),this._sourceTarget=Xn(t,!0,e)),this._sourceTarget}_compileMaterial(e){this._boxMesh.material=e,this._renderer.compile(this._boxMesh,this._cubeCamera.children[0])}_renderCube(e,t,n){let r=this._boxMesh,i=this._cubeCamera;r.material=n,i.renderTarget=e,i.activeMipmapLevel=t;let a=e.width>>t;e.viewport.set(0,0,a,a),i.update(this._renderer,r),e.viewport.set(0,0,e.width,e.height)}_textureToCubemap(e){let t;e.mapping===301||e.mapping===302?(this._cubemapMaterial===null&&(this._cubemapMaterial=nr()),t=this._cubemapMaterial,t.uniforms.flipEnvMap.value=e.isRenderTargetTexture===!1?-1:1):(this._equirectMaterial===null&&(this._equirectMaterial=tr()),t=this._equirectMaterial),t.uniforms.envMap.value=e,this._renderCube(this._getSourceTarget(),0,t)}_applyPMREM(t){this._ggxMaterial===null&&(this._ggxMaterial=Qn(),this._integrationMaterial=$n());let n=this._cubeSize,r=t.texture.mipmaps.length-1,i=this._ggxMaterial.uniforms;i.envMap.value=this._sourceTarget.texture;let a=this._integrationMaterial.uniforms;a.envMap.value=this._sourceTarget.texture,a.sourceLod.value=Math.log2(n/Gn);for(let o=0;o<=r;o++){let s=e.lodToRoughness(o,r);if(o>r-Kn)a.roughness.value=s,this._renderCube(t,o,this._integrationMaterial);else{let e=s>0?Math.log2(n)+.5*Math.log2(6/(Wn*s**4))+.5:0;i.roughness.value=s,i.lodBias.value=e,this._renderCube(t,o,this._ggxMaterial)}}}_blur(e,t){this._blurMaterial===null&&(this._blurMaterial=er());let n=this._blurMaterial,r=n.uniforms,i=this._sourceTarget;r.sigma.value=Math.min(t,Math.PI)/Math.SQRT2,r.envMap.value=i.texture,this._renderCube(e,0,n),r.envMap.value=e.texture,this._renderCube(i,0,n)}};function Xn(e,t,n){return new Bn(e,{minFilter:T,generateMipmaps:t,type:M,colorSpace:re,depthBuffer:n})}function Zn(e,t,n){return new Be({name:e,uniforms:t,vertexShader:Z.cube_vert,fragmentShader:n,side:1,blending:0,depthTest:!1,depthWrite:!1})}function Qn(){return Zn(`PMREMGGXConvolution`,{envMap:{value:null},roughness:{value:0},lodBias:{value:0}},`

		#define GGX_SAMPLES ${Wn}u

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float roughness;
		uniform float lodBias;

		#include <common>

		// Van der Corput radical inverse
		float radicalInverse_VdC( uint bits ) {

			bits = ( bits << 16u ) | ( bits >> 16u );
			bits = ( ( bits & 0x55555555u ) << 1u ) | ( ( bits & 0xAAAAAAAAu ) >> 1u );
			bits = ( ( bits & 0x33333333u ) << 2u ) | ( ( bits & 0xCCCCCCCCu ) >> 2u );
			bits = ( ( bits & 0x0F0F0F0Fu ) << 4u ) | ( ( bits & 0xF0F0F0F0u ) >> 4u );
			bits = ( ( bits & 0x00FF00FFu ) << 8u ) | ( ( bits & 0xFF00FF00u ) >> 8u );
			return float( bits ) * 2.3283064365386963e-10; // / 0x100000000

		}

		// Hammersley sequence
		vec2 hammersley( uint i, uint N ) {

			return vec2( float( i ) / float( N ), radicalInverse_VdC( i ) );

		}

		void main() {

			vec3 N = normalize( vWorldDirection );

			// For very low roughness, just sample the environment directly
			if ( roughness < 0.001 ) {

				gl_FragColor = vec4( textureLod( envMap, N, 0.0 ).rgb, 1.0 );
				return;

			}

			float alpha = roughness * roughness;
			float alpha2 = alpha * alpha;

			// Tangent space basis for VNDF sampling
			vec3 up = abs( N.z ) < 0.999 ? vec3( 0.0, 0.0, 1.0 ) : vec3( 1.0, 0.0, 0.0 );
			vec3 tangent = normalize( cross( up, N ) );
			vec3 bitangent = cross( N, tangent );

			vec3 prefilteredColor = vec3( 0.0 );
			float totalWeight = 0.0;

			for ( uint i = 0u; i < GGX_SAMPLES; i ++ ) {

				vec2 Xi = hammersley( i, GGX_SAMPLES );

				// With V = N, sample the reflected direction directly.
				float invQ = 1.0 / ( 1.0 - Xi.x + alpha2 * Xi.x );
				float NdotL = ( 1.0 - Xi.x - alpha2 * Xi.x ) * invQ;

				if ( NdotL > 0.0 ) {

					float phi = 2.0 * PI * Xi.y;
					float sinTheta = 2.0 * alpha * sqrt( Xi.x * ( 1.0 - Xi.x ) ) * invQ;
					vec3 L = N * NdotL + ( tangent * cos( phi ) + bitangent * sin( phi ) ) * sinTheta;

					// Match the source mip to the sample's solid angle. The terms
					// independent of the sample are precomputed in lodBias.
					float d = alpha2 * invQ;
					float lod = max( log2( d ) + lodBias, 0.0 );

					// Weight by NdotL for the split-sum approximation
					prefilteredColor += textureLod( envMap, L, lod ).rgb * NdotL;
					totalWeight += NdotL;

				}

			}

			gl_FragColor = vec4( prefilteredColor / totalWeight, 1.0 );

		}
	`)}function $n(){return Zn(`PMREMGGXIntegration`,{envMap:{value:null},roughness:{value:0},sourceLod:{value:0},sourceSize:{value:Gn}},`

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float roughness;
		uniform float sourceLod;
		uniform int sourceSize;

		void main() {

			vec3 N = normalize( vWorldDirection );

			float alpha = roughness * roughness;
			float alpha2 = alpha * alpha;

			float texelSize = 2.0 / float( sourceSize );

			vec3 prefilteredColor = vec3( 0.0 );
			float totalWeight = 0.0;

			// Pair opposite texels: only the one in N's hemisphere contributes.
			for ( int face = 0; face < 3; face ++ ) {

				for ( int y = 0; y < sourceSize; y ++ ) {

					for ( int x = 0; x < sourceSize; x ++ ) {

						vec2 uv = ( vec2( x, y ) + 0.5 ) * texelSize - 1.0;
						vec3 texelDirection = face == 0 ? vec3( 1.0, uv ) : ( face == 1 ? vec3( uv.x, 1.0, uv.y ) : vec3( uv, 1.0 ) );

						float invDistance = inversesqrt( 1.0 + dot( uv, uv ) );
						float NdotL = dot( N, texelDirection );
						texelDirection *= NdotL < 0.0 ? - 1.0 : 1.0;
						NdotL = abs( NdotL ) * invDistance;

						// With V = N, NdotH squared is ( 1 + NdotL ) / 2. Common factors
						// in the GGX distribution and texel solid angle cancel when normalized.
						float d = 1.0 + alpha2 + ( alpha2 - 1.0 ) * NdotL;
						float weight = NdotL * invDistance * invDistance * invDistance / ( d * d );

						prefilteredColor += textureLod( envMap, texelDirection, sourceLod ).rgb * weight;
						totalWeight += weight;

					}

				}

			}

			gl_FragColor = vec4( prefilteredColor / totalWeight, 1.0 );

		}
	`)}function er(){return Zn(`PMREMSphericalGaussianBlur`,{envMap:{value:null},sigma:{value:0}},`

		#define SAMPLES ${Un}
		#define GOLDEN_ANGLE 2.39996322973

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float sigma;

		#include <common>

		void main() {

			vec3 outputDirection = normalize( vWorldDirection );

			vec3 up = abs( outputDirection.z ) < 0.999 ? vec3( 0.0, 0.0, 1.0 ) : vec3( 1.0, 0.0, 0.0 );
			vec3 tangent = normalize( cross( up, outputDirection ) );
			vec3 bitangent = cross( outputDirection, tangent );

			// Truncate the kernel at three standard deviations or at the antipode.
			float thetaMax = min( 3.0 * sigma, PI );
			float truncation = 1.0 - exp( - 0.5 * thetaMax * thetaMax / ( sigma * sigma ) );

			vec3 accumColor = vec3( 0.0 );
			float accumWeight = 0.0;

			for ( int i = 0; i < SAMPLES; i ++ ) {

				// Stratified inverse-CDF sampling of the Gaussian, placed on a golden-angle spiral.
				float stratum = ( float( i ) + 0.5 ) / float( SAMPLES );
				float theta = sigma * sqrt( - 2.0 * log( 1.0 - stratum * truncation ) );
				float phi = float( i ) * GOLDEN_ANGLE;

				vec3 offset = cos( phi ) * tangent + sin( phi ) * bitangent;
				vec3 sampleDirection = cos( theta ) * outputDirection + sin( theta ) * offset;

				// Correct the planar sample density to solid angle.
				float weight = sin( theta ) / theta;

				accumColor += weight * textureLod( envMap, sampleDirection, 0.0 ).rgb;
				accumWeight += weight;

			}

			gl_FragColor = vec4( accumColor / accumWeight, 1.0 );

		}
	`)}function tr(){return Zn(`PMREMEquirectangularToCubemap`,{envMap:{value:null}},`

		varying vec3 vWorldDirection;

		uniform sampler2D envMap;

		#include <common>

		void main() {

			// Average four subpixel samples to preserve small, bright features.
			vec3 direction = normalize( vWorldDirection );
			vec3 dx = dFdx( direction ) * 0.25;
			vec3 dy = dFdy( direction ) * 0.25;

			vec3 color = textureLod( envMap, equirectUv( normalize( direction - dx - dy ) ), 0.0 ).rgb;
			color += textureLod( envMap, equirectUv( normalize( direction + dx - dy ) ), 0.0 ).rgb;
			color += textureLod( envMap, equirectUv( normalize( direction - dx + dy ) ), 0.0 ).rgb;
			color += textureLod( envMap, equirectUv( normalize( direction + dx + dy ) ), 0.0 ).rgb;
			gl_FragColor = vec4( color * 0.25, 1.0 );

		}
	`)}function nr(){return Zn(`PMREMCubemapToCubemap`,{envMap:{value:null},flipEnvMap:{value:-1}},`

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float flipEnvMap;

		void main() {

			gl_FragColor = vec4( textureCube( envMap, vec3( flipEnvMap * vWorldDirection.x, vWorldDirection.yz ) ).rgb, 1.0 );

		}
	`)}function rr(e){let t=new WeakMap,n=new WeakMap,r=null;function i(e,t=!1){return e==null?null:t?o(e):a(e)}function a(n){if(n&&n.isTexture){let r=n.mapping;if(r===303||r===304){if(t.has(n)){let e=t.get(n).texture;return s(e,n.mapping)}{let r=n.image;if(r&&r.height>0){let i=new Bn(r.height);return i.fromEquirectangularTexture(e,n),t.set(n,i),n.addEventListener(`dispose`,l),s(i.texture,n.mapping)}return null}}}return n}function o(t){if(t&&t.isTexture&&t.isPMREMTexture!==!0){let i=t.mapping,a=i===303||i===304,o=i===301||i===302;if(a||o){let i=n.get(t),s=i===void 0?0:i.texture.pmremVersion;if(t.isRenderTargetTexture&&t.pmremVersion!==s)return r===null&&(r=new Yn(e)),i=a?r.fromEquirectangular(t,i):r.fromCubemap(t,i),i.texture.pmremVersion=t.pmremVersion,n.set(t,i),i.texture;if(i!==void 0)return i.texture;{let s=t.image;return a&&s&&s.height>0||o&&s&&c(s)?(r===null&&(r=new Yn(e)),i=a?r.fromEquirectangular(t):r.fromCubemap(t),i.texture.pmremVersion=t.pmremVersion,n.set(t,i),t.addEventListener(`dispose`,u),i.texture):null}}}return t}function s(e,t){return t===303?e.mapping=301:t===304&&(e.mapping=302),e}function c(e){let t=0;for(let n=0;n<6;n++)e[n]!==void 0&&t++;return t===6}function l(e){let n=e.target;n.removeEventListener(`dispose`,l);let r=t.get(n);r!==void 0&&(t.delete(n),r.dispose())}function u(e){let t=e.target;t.removeEventListener(`dispose`,u);let r=n.get(t);r!==void 0&&(n.delete(t),r.dispose())}function d(){t=new WeakMap,n=new WeakMap,r!==null&&(r.dispose(),r=null)}return{get:i,dispose:d}}function ir(e){let t={};function n(n){if(t[n]!==void 0)return t[n];let r=e.getExtension(n);return t[n]=r,r}return{has:function(e){return n(e)!==null},init:function(){n(`EXT_color_buffer_float`),n(`WEBGL_clip_cull_distance`),n(`OES_texture_float_linear`),n(`EXT_color_buffer_half_float`),n(`WEBGL_multisampled_render_to_texture`),n(`WEBGL_render_shared_exponent`)},get:function(e){let t=n(e);return t===null&&L(`WebGLRenderer: `+e+` extension not supported.`),t}}}function ar(e,t,n,r){let i={},a=new WeakMap,o=new FinalizationRegistry(e=>delete i[e]);function s(e){c(e.target)}function c(e){e.index!==null&&t.remove(e.index);for(let n in e.attributes)t.remove(e.attributes[n]);e.removeEventListener(`dispose`,s),delete i[e.id],o.unregister(e);let c=a.get(e);c&&(t.remove(c),a.delete(e)),r.releaseStatesOfGeometry(e),e.isInstancedBufferGeometry===!0&&delete e._maxInstanceCount,n.memory.geometries--}function l(e,t){return i[t.id]===void 0&&(t.addEventListener(`dispose`,s),i[t.id]=new WeakRef(t),o.register(t,t.id,t),n.memory.geometries++),t}function u(n){let r=n.attributes;for(let n in r)t.update(r[n],e.ARRAY_BUFFER)}function d(e){let n=e.index,r=e.attributes.position,i=0;if(r===void 0)return;let o=n===null?r.array.length/3-1:n.array.length,s=new(r.count>=65535?ft:Ke)(Math.ceil(o/3)*6,1),c=s.array;if(n!==null){let e=n.array;i=n.version;for(let t=0,n=0;t<o;t+=3){let r=e[t+0],i=e[t+1],a=e[t+2];c[n++]=r,c[n++]=i,c[n++]=i,c[n++]=a,c[n++]=a,c[n++]=r}}else{i=r.version;for(let e=0,t=0;e<o;e+=3){let n=e+0,r=e+1,i=e+2;c[t++]=n,c[t++]=r,c[t++]=r,c[t++]=i,c[t++]=i,c[t++]=n}}s.version=i;let l=a.get(e);l&&t.remove(l),a.set(e,s)}function f(e){let t=a.get(e);if(t){let n=e.index;n!==null&&t.version<n.version&&d(e)}else d(e);return a.get(e)}function p(){for(let e in i){let t=i[e].deref();t!==void 0&&c(t)}}return{get:l,update:u,getWireframeAttribute:f,dispose:p}}function or(e,t,n){let r;function i(e){r=e}let a,o;function s(e){a=e.type,o=e.bytesPerElement}function c(t,i){e.drawElements(r,i,a,t*o),n.update(i,r,1)}function l(t,i,s){s!==0&&(e.drawElementsInstanced(r,i,a,t*o,s),n.update(i,r,s))}function u(e,i,o){if(o===0)return;t.get(`WEBGL_multi_draw`).multiDrawElementsWEBGL(r,i,0,a,e,0,o);let s=0;for(let e=0;e<o;e++)s+=i[e];n.update(s,r,1)}this.setMode=i,this.setIndex=s,this.render=c,this.renderInstances=l,this.renderMultiDraw=u}function sr(e){let t={geometries:0,textures:0},n={frame:0,calls:0,triangles:0,points:0,lines:0};function r(t,r,i){switch(n.calls++,r){case e.TRIANGLES:n.triangles+=t/3*i;break;case e.LINES:n.lines+=t/2*i;break;case e.LINE_STRIP:n.lines+=i*(t-1);break;case e.LINE_LOOP:n.lines+=i*t;break;case e.POINTS:n.points+=i*t;break;default:q(`WebGLInfo: Unknown draw mode:`,r)}}function i(){n.calls=0,n.triangles=0,n.points=0,n.lines=0}return{memory:t,render:n,programs:null,autoReset:!0,reset:i,update:r}}function cr(e,t,n){let r=new WeakMap,i=new _e;function a(a,o,s){let c=a.morphTargetInfluences,l=o.morphAttributes.position||o.morphAttributes.normal||o.morphAttributes.color,u=l===void 0?0:l.length,d=r.get(o);if(d===void 0||d.count!==u){d!==void 0&&d.texture.dispose();let e=o.morphAttributes.position!==void 0,n=o.morphAttributes.normal!==void 0,a=o.morphAttributes.color!==void 0,s=o.morphAttributes.position||[],c=o.morphAttributes.normal||[],l=o.morphAttributes.color||[],f=0;e===!0&&(f=1),n===!0&&(f=2),a===!0&&(f=3);let p=o.attributes.position.count*f,m=1;p>t.maxTextureSize&&(m=Math.ceil(p/t.maxTextureSize),p=t.maxTextureSize);let h=new Float32Array(p*m*4*u),g=new ge(h,p,m,u);g.type=C,g.needsUpdate=!0;let _=f*4;for(let t=0;t<u;t++){let r=s[t],o=c[t],u=l[t],d=p*m*4*t;for(let t=0;t<r.count;t++){let s=t*_;e===!0&&(i.fromBufferAttribute(r,t),h[d+s+0]=i.x,h[d+s+1]=i.y,h[d+s+2]=i.z,h[d+s+3]=0),n===!0&&(i.fromBufferAttribute(o,t),h[d+s+4]=i.x,h[d+s+5]=i.y,h[d+s+6]=i.z,h[d+s+7]=0),a===!0&&(i.fromBufferAttribute(u,t),h[d+s+8]=i.x,h[d+s+9]=i.y,h[d+s+10]=i.z,h[d+s+11]=u.itemSize===4?i.w:1)}}d={count:u,texture:g,size:new V(p,m)},r.set(o,d);function v(){g.dispose(),r.delete(o),o.removeEventListener(`dispose`,v)}o.addEventListener(`dispose`,v)}if(a.isInstancedMesh===!0&&a.morphTexture!==null)s.getUniforms().setValue(e,`morphTexture`,a.morphTexture,n);else{let t=0;for(let e=0;e<c.length;e++)t+=c[e];let n=o.morphTargetsRelative?1:1-t;s.getUniforms().setValue(e,`morphTargetBaseInfluence`,n),s.getUniforms().setValue(e,`morphTargetInfluences`,c)}s.getUniforms().setValue(e,`morphTargetsTexture`,d.texture,n),s.getUniforms().setValue(e,`morphTargetsTextureSize`,d.size)}return{update:a}}function lr(e,t,n,r,i){let a=new WeakMap;function o(r){let o=i.render.frame,s=r.geometry,l=t.get(r,s);if(a.get(l)!==o&&(t.update(l),a.set(l,o)),r.isInstancedMesh&&(r.hasEventListener(`dispose`,c)===!1&&r.addEventListener(`dispose`,c),a.get(r)!==o&&(n.update(r.instanceMatrix,e.ARRAY_BUFFER),r.instanceColor!==null&&n.update(r.instanceColor,e.ARRAY_BUFFER),a.set(r,o))),r.isSkinnedMesh){let e=r.skeleton;a.get(e)!==o&&(e.update(),a.set(e,o))}return l}function s(){a=new WeakMap}function c(e){let t=e.target;t.removeEventListener(`dispose`,c),r.releaseStatesOfObject(t),n.remove(t.instanceMatrix),t.instanceColor!==null&&n.remove(t.instanceColor)}return{update:o,dispose:s}}var ur={1:`LINEAR_TONE_MAPPING`,2:`REINHARD_TONE_MAPPING`,3:`CINEON_TONE_MAPPING`,4:`ACES_FILMIC_TONE_MAPPING`,6:`AGX_TONE_MAPPING`,7:`NEUTRAL_TONE_MAPPING`,5:`CUSTOM_TONE_MAPPING`};function dr(e,t,n,r,i,a){let o=new gt(t,n,{type:e,depthBuffer:i,stencilBuffer:a,samples:r?4:0,storeMultisampledDepthBuffer:!1,storeMultisampledStencilBuffer:!1,resolveDepthBuffer:!1,resolveStencilBuffer:!1}),s=null,c=null,l=null,u=new Fe;u.setAttribute(`position`,new We([-1,3,0,-1,-1,0,3,-1,0],3)),u.setAttribute(`uv`,new We([0,2,0,0,2,0],2));let d=new ne({uniforms:{tDiffuse:{value:null}},vertexShader:`
			precision highp float;

			uniform mat4 modelViewMatrix;
			uniform mat4 projectionMatrix;

			attribute vec3 position;
			attribute vec2 uv;

			varying vec2 vUv;

			void main() {
				vUv = uv;
				gl_Position = projectionMatrix * modelViewMatrix * vec4( position, 1.0 );
			}`,fragmentShader:`
			precision highp float;

			uniform sampler2D tDiffuse;

			varying vec2 vUv;

			#include <tonemapping_pars_fragment>
			#include <colorspace_pars_fragment>

			void main() {
				gl_FragColor = texture2D( tDiffuse, vUv );

				#ifdef LINEAR_TONE_MAPPING
					gl_FragColor.rgb = LinearToneMapping( gl_FragColor.rgb );
				#elif defined( REINHARD_TONE_MAPPING )
					gl_FragColor.rgb = ReinhardToneMapping( gl_FragColor.rgb );
				#elif defined( CINEON_TONE_MAPPING )
					gl_FragColor.rgb = CineonToneMapping( gl_FragColor.rgb );
				#elif defined( ACES_FILMIC_TONE_MAPPING )
					gl_FragColor.rgb = ACESFilmicToneMapping( gl_FragColor.rgb );
				#elif defined( AGX_TONE_MAPPING )
					gl_FragColor.rgb = AgXToneMapping( gl_FragColor.rgb );
				#elif defined( NEUTRAL_TONE_MAPPING )
					gl_FragColor.rgb = NeutralToneMapping( gl_FragColor.rgb );
				#elif defined( CUSTOM_TONE_MAPPING )
					gl_FragColor.rgb = CustomToneMapping( gl_FragColor.rgb );
				#endif

				#ifdef SRGB_TRANSFER
					gl_FragColor = sRGBTransferOETF( gl_FragColor );
				#endif
			}`,depthTest:!1,depthWrite:!1}),f=new F(u,d),p=new ut(-1,1,1,-1,0,1),m=null,h=null,g=!1,_,v=null,y=[],b=!1;this.setSize=function(e,t){o.setSize(e,t),s!==null&&s.setSize(e,t),c!==null&&c.setSize(e,t);for(let n=0;n<y.length;n++){let r=y[n];r.setSize&&r.setSize(e,t)}},this.setEffects=function(e){y=e,b=y.length>0&&y[0].isRenderPass===!0;let t=o.width,n=o.height;y.length>0&&s===null&&(s=new gt(t,n,{type:M,depthBuffer:!1,stencilBuffer:!1}),c=new gt(t,n,{type:M,depthBuffer:!1,stencilBuffer:!1}));let r=i===!0&&y.some(e=>e.needsDepthTexture===!0);r!==(o.depthTexture!==null)&&(r===!0&&l===null&&(l=new A(t,n),a===!0&&(l.format=ve,l.type=Je)),o.dispose(),o.depthTexture=r?l:null,o.resolveDepthBuffer=r,o.storeMultisampledDepthBuffer=r);for(let e=0;e<y.length;e++){let i=y[e];i.setSize&&i.setSize(t,n),r&&i.needsDepthTexture===!0&&i.setDepthTexture&&i.setDepthTexture(l)}},this.begin=function(e,t){if(g||e.toneMapping===0&&y.length===0)return!1;if(v=t,t!==null){let e=t.width,n=t.height;(o.width!==e||o.height!==n)&&this.setSize(e,n)}return b===!1&&e.setRenderTarget(o),_=e.toneMapping,e.toneMapping=0,!0},this.hasRenderPass=function(){return b},this.end=function(e,t){e.toneMapping=_,g=!0;let n=o,r=s;for(let i=0;i<y.length;i++){let a=y[i];a.enabled!==!1&&(a.render(e,r,n,t),a.needsSwap!==!1&&(n=r,r=r===s?c:s))}if(m!==e.outputColorSpace||h!==e.toneMapping){m=e.outputColorSpace,h=e.toneMapping,d.defines={},G.getTransfer(m)===`srgb`&&(d.defines.SRGB_TRANSFER=``);let t=ur[h];t&&(d.defines[t]=``),d.needsUpdate=!0}d.uniforms.tDiffuse.value=n.texture,e.setRenderTarget(v),e.render(f,p),v=null,g=!1},this.isCompositing=function(){return g},this.dispose=function(){o.dispose(),s!==null&&s.dispose(),c!==null&&c.dispose(),u.dispose(),d.dispose()}}var fr=new H,pr=new A(1,1),mr=new vt(1),hr=new ge,gr=new _t,_r=new B,vr=[],yr=[],br=new Float32Array(16),xr=new Float32Array(9),Sr=new Float32Array(4);function Cr(e,t,n){let r=e[0];if(r<=0||r>0)return e;let i=t*n,a=vr[i];if(a===void 0&&(a=new Float32Array(i),vr[i]=a),t!==0){r.toArray(a,0);for(let r=1,i=0;r!==t;++r)i+=n,e[r].toArray(a,i)}return a}function wr(e,t){if(e.length!==t.length)return!1;for(let n=0,r=e.length;n<r;n++)if(e[n]!==t[n])return!1;return!0}function Tr(e,t){for(let n=0,r=t.length;n<r;n++)e[n]=t[n]}function Er(e,t){let n=yr[t];n===void 0&&(n=new Int32Array(t),yr[t]=n);for(let r=0;r!==t;++r)n[r]=e.allocateTextureUnit();return n}function Dr(e,t){let n=this.cache;n[0]!==t&&(e.uniform1f(this.addr,t),n[0]=t)}function Or(e,t){let n=this.cache;if(t.x!==void 0)(n[0]!==t.x||n[1]!==t.y)&&(e.uniform2f(this.addr,t.x,t.y),n[0]=t.x,n[1]=t.y);else{if(wr(n,t))return;e.uniform2fv(this.addr,t),Tr(n,t)}}function kr(e,t){let n=this.cache;if(t.x!==void 0)(n[0]!==t.x||n[1]!==t.y||n[2]!==t.z)&&(e.uniform3f(this.addr,t.x,t.y,t.z),n[0]=t.x,n[1]=t.y,n[2]=t.z);else if(t.r!==void 0)(n[0]!==t.r||n[1]!==t.g||n[2]!==t.b)&&(e.uniform3f(this.addr,t.r,t.g,t.b),n[0]=t.r,n[1]=t.g,n[2]=t.b);else{if(wr(n,t))return;e.uniform3fv(this.addr,t),Tr(n,t)}}function Ar(e,t){let n=this.cache;if(t.x!==void 0)(n[0]!==t.x||n[1]!==t.y||n[2]!==t.z||n[3]!==t.w)&&(e.uniform4f(this.addr,t.x,t.y,t.z,t.w),n[0]=t.x,n[1]=t.y,n[2]=t.z,n[3]=t.w);else{if(wr(n,t))return;e.uniform4fv(this.addr,t),Tr(n,t)}}function jr(e,t){let n=this.cache,r=t.elements;if(r===void 0){if(wr(n,t))return;e.uniformMatrix2fv(this.addr,!1,t),Tr(n,t)}else{if(wr(n,r))return;Sr.set(r),e.uniformMatrix2fv(this.addr,!1,Sr),Tr(n,r)}}function Mr(e,t){let n=this.cache,r=t.elements;if(r===void 0){if(wr(n,t))return;e.uniformMatrix3fv(this.addr,!1,t),Tr(n,t)}else{if(wr(n,r))return;xr.set(r),e.uniformMatrix3fv(this.addr,!1,xr),Tr(n,r)}}function Nr(e,t){let n=this.cache,r=t.elements;if(r===void 0){if(wr(n,t))return;e.uniformMatrix4fv(this.addr,!1,t),Tr(n,t)}else{if(wr(n,r))return;br.set(r),e.uniformMatrix4fv(this.addr,!1,br),Tr(n,r)}}function Pr(e,t){let n=this.cache;n[0]!==t&&(e.uniform1i(this.addr,t),n[0]=t)}function Fr(e,t){let n=this.cache;if(t.x!==void 0)(n[0]!==t.x||n[1]!==t.y)&&(e.uniform2i(this.addr,t.x,t.y),n[0]=t.x,n[1]=t.y);else{if(wr(n,t))return;e.uniform2iv(this.addr,t),Tr(n,t)}}function Ir(e,t){let n=this.cache;if(t.x!==void 0)(n[0]!==t.x||n[1]!==t.y||n[2]!==t.z)&&(e.uniform3i(this.addr,t.x,t.y,t.z),n[0]=t.x,n[1]=t.y,n[2]=t.z);else{if(wr(n,t))return;e.uniform3iv(this.addr,t),Tr(n,t)}}function Lr(e,t){let n=this.cache;if(t.x!==void 0)(n[0]!==t.x||n[1]!==t.y||n[2]!==t.z||n[3]!==t.w)&&(e.uniform4i(this.addr,t.x,t.y,t.z,t.w),n[0]=t.x,n[1]=t.y,n[2]=t.z,n[3]=t.w);else{if(wr(n,t))return;e.uniform4iv(this.addr,t),Tr(n,t)}}function Rr(e,t){let n=this.cache;n[0]!==t&&(e.uniform1ui(this.addr,t),n[0]=t)}function zr(e,t){let n=this.cache;if(t.x!==void 0)(n[0]!==t.x||n[1]!==t.y)&&(e.uniform2ui(this.addr,t.x,t.y),n[0]=t.x,n[1]=t.y);else{if(wr(n,t))return;e.uniform2uiv(this.addr,t),Tr(n,t)}}function Br(e,t){let n=this.cache;if(t.x!==void 0)(n[0]!==t.x||n[1]!==t.y||n[2]!==t.z)&&(e.uniform3ui(this.addr,t.x,t.y,t.z),n[0]=t.x,n[1]=t.y,n[2]=t.z);else{if(wr(n,t))return;e.uniform3uiv(this.addr,t),Tr(n,t)}}function Vr(e,t){let n=this.cache;if(t.x!==void 0)(n[0]!==t.x||n[1]!==t.y||n[2]!==t.z||n[3]!==t.w)&&(e.uniform4ui(this.addr,t.x,t.y,t.z,t.w),n[0]=t.x,n[1]=t.y,n[2]=t.z,n[3]=t.w);else{if(wr(n,t))return;e.uniform4uiv(this.addr,t),Tr(n,t)}}function Hr(e){return e.version===0&&(e.compareFunction=519,e.needsUpdate=!0),e}function Ur(e,t,n){let r=this.cache,i=n.allocateTextureUnit();r[0]!==i&&(e.uniform1i(this.addr,i),r[0]=i);let a;a=this.type===e.SAMPLER_2D_SHADOW?Hr(pr):fr,n.setTexture2D(t||a,i)}function Wr(e,t,n){let r=this.cache,i=n.allocateTextureUnit();r[0]!==i&&(e.uniform1i(this.addr,i),r[0]=i),n.setTexture3D(t||gr,i)}function Gr(e,t,n){let r=this.cache,i=n.allocateTextureUnit();r[0]!==i&&(e.uniform1i(this.addr,i),r[0]=i);let a;a=this.type===e.SAMPLER_CUBE_SHADOW?Hr(mr):_r,n.setTextureCube(t||a,i)}function Kr(e,t,n){let r=this.cache,i=n.allocateTextureUnit();r[0]!==i&&(e.uniform1i(this.addr,i),r[0]=i),n.setTexture2DArray(t||hr,i)}function qr(e){switch(e){case 5126:return Dr;case 35664:return Or;case 35665:return kr;case 35666:return Ar;case 35674:return jr;case 35675:return Mr;case 35676:return Nr;case 5124:case 35670:return Pr;case 35667:case 35671:return Fr;case 35668:case 35672:return Ir;case 35669:case 35673:return Lr;case 5125:return Rr;case 36294:return zr;case 36295:return Br;case 36296:return Vr;case 35678:case 36198:case 36298:case 36306:case 35682:return Ur;case 35679:case 36299:case 36307:return Wr;case 35680:case 36300:case 36308:case 36293:return Gr;case 36289:case 36303:case 36311:case 36292:return Kr}}function Jr(e,t){e.uniform1fv(this.addr,t)}function Yr(e,t){let n=Cr(t,this.size,2);e.uniform2fv(this.addr,n)}function Xr(e,t){let n=Cr(t,this.size,3);e.uniform3fv(this.addr,n)}function Zr(e,t){let n=Cr(t,this.size,4);e.uniform4fv(this.addr,n)}function Qr(e,t){let n=Cr(t,this.size,4);e.uniformMatrix2fv(this.addr,!1,n)}function $r(e,t){let n=Cr(t,this.size,9);e.uniformMatrix3fv(this.addr,!1,n)}function ei(e,t){let n=Cr(t,this.size,16);e.uniformMatrix4fv(this.addr,!1,n)}function ti(e,t){e.uniform1iv(this.addr,t)}function ni(e,t){e.uniform2iv(this.addr,t)}function ri(e,t){e.uniform3iv(this.addr,t)}function ii(e,t){e.uniform4iv(this.addr,t)}function ai(e,t){e.uniform1uiv(this.addr,t)}function oi(e,t){e.uniform2uiv(this.addr,t)}function si(e,t){e.uniform3uiv(this.addr,t)}function ci(e,t){e.uniform4uiv(this.addr,t)}function li(e,t,n){let r=this.cache,i=t.length,a=Er(n,i);wr(r,a)||(e.uniform1iv(this.addr,a),Tr(r,a));let o;o=this.type===e.SAMPLER_2D_SHADOW?Hr(pr):fr;for(let e=0;e!==i;++e)n.setTexture2D(t[e]||o,a[e])}function ui(e,t,n){let r=this.cache,i=t.length,a=Er(n,i);wr(r,a)||(e.uniform1iv(this.addr,a),Tr(r,a));for(let e=0;e!==i;++e)n.setTexture3D(t[e]||gr,a[e])}function di(e,t,n){let r=this.cache,i=t.length,a=Er(n,i);wr(r,a)||(e.uniform1iv(this.addr,a),Tr(r,a));let o;o=this.type===e.SAMPLER_CUBE_SHADOW?Hr(mr):_r;for(let e=0;e!==i;++e)n.setTextureCube(t[e]||o,a[e])}function fi(e,t,n){let r=this.cache,i=t.length,a=Er(n,i);wr(r,a)||(e.uniform1iv(this.addr,a),Tr(r,a));for(let e=0;e!==i;++e)n.setTexture2DArray(t[e]||hr,a[e])}function pi(e){switch(e){case 5126:return Jr;case 35664:return Yr;case 35665:return Xr;case 35666:return Zr;case 35674:return Qr;case 35675:return $r;case 35676:return ei;case 5124:case 35670:return ti;case 35667:case 35671:return ni;case 35668:case 35672:return ri;case 35669:case 35673:return ii;case 5125:return ai;case 36294:return oi;case 36295:return si;case 36296:return ci;case 35678:case 36198:case 36298:case 36306:case 35682:return li;case 35679:case 36299:case 36307:return ui;case 35680:case 36300:case 36308:case 36293:return di;case 36289:case 36303:case 36311:case 36292:return fi}}var mi=class{constructor(e,t,n){this.id=e,this.addr=n,this.cache=[],this.type=t.type,this.setValue=qr(t.type)}},hi=class{constructor(e,t,n){this.id=e,this.addr=n,this.cache=[],this.type=t.type,this.size=t.size,this.setValue=pi(t.type)}},gi=class{constructor(e){this.id=e,this.seq=[],this.map={}}setValue(e,t,n){let r=this.seq;for(let i=0,a=r.length;i!==a;++i){let a=r[i];a.setValue(e,t[a.id],n)}}},_i=/(\w+)(\])?(\[|\.)?/g;function vi(e,t){e.seq.push(t),e.map[t.id]=t}function yi(e,t,n){let r=e.name,i=r.length;for(_i.lastIndex=0;;){let a=_i.exec(r),o=_i.lastIndex,s=a[1],c=a[2]===`]`,l=a[3];if(c&&(s|=0),l===void 0||l===`[`&&o+2===i){vi(n,l===void 0?new mi(s,e,t):new hi(s,e,t));break}{let e=n.map[s];e===void 0&&(e=new gi(s),vi(n,e)),n=e}}}var bi=class{constructor(e,t){this.seq=[],this.map={};let n=e.getProgramParameter(t,e.ACTIVE_UNIFORMS);for(let r=0;r<n;++r){let n=e.getActiveUniform(t,r);yi(n,e.getUniformLocation(t,n.name),this)}let r=[],i=[];for(let t of this.seq)t.type===e.SAMPLER_2D_SHADOW||t.type===e.SAMPLER_CUBE_SHADOW||t.type===e.SAMPLER_2D_ARRAY_SHADOW?r.push(t):i.push(t);r.length>0&&(this.seq=r.concat(i))}setValue(e,t,n,r){let i=this.map[t];i!==void 0&&i.setValue(e,n,r)}setOptional(e,t,n){let r=t[n];r!==void 0&&this.setValue(e,n,r)}static upload(e,t,n,r){for(let i=0,a=t.length;i!==a;++i){let a=t[i],o=n[a.id];o.needsUpdate!==!1&&a.setValue(e,o.value,r)}}static seqWithValue(e,t){let n=[];for(let r=0,i=e.length;r!==i;++r){let i=e[r];i.id in t&&n.push(i)}return n}};function xi(e,t,n){let r=e.createShader(t);return e.shaderSource(r,n),e.compileShader(r),r}var Si=37297,Ci=0;function wi(e,t){let n=e.split(`
`),r=[],i=Math.max(t-6,0),a=Math.min(t+6,n.length);for(let e=i;e<a;e++){let i=e+1;r.push(`${i===t?`>`:` `} ${i}: ${n[e]}`)}return r.join(`
`)}var Ti=new I;function Ei(e){G._getMatrix(Ti,G.workingColorSpace,e);let t=`mat3( ${Ti.elements.map(e=>e.toFixed(4))} )`;switch(G.getTransfer(e)){case be:return[t,`LinearTransferOETF`];case Xe:return[t,`sRGBTransferOETF`];default:return P(`WebGLProgram: Unsupported color space: `,e),[t,`LinearTransferOETF`]}}function Di(e,t,n){let r=e.getShaderParameter(t,e.COMPILE_STATUS),i=(e.getShaderInfoLog(t)||``).trim();if(r&&i===``)return``;let a=/ERROR: 0:(\d+)/.exec(i);if(a){let r=parseInt(a[1]);return n.toUpperCase()+`

`+i+`

`+wi(e.getShaderSource(t),r)}return i}function Oi(e,t){let n=Ei(t);return[`vec4 ${e}( vec4 value ) {`,`	return ${n[1]}( vec4( ${n[0]} * value.rgb, value.a ) );`,`}`].join(`
`)}var ki={1:`Linear`,2:`Reinhard`,3:`Cineon`,4:`ACESFilmic`,6:`AgX`,7:`Neutral`,5:`Custom`};function Ai(e,t){let n=ki[t];return n===void 0?(P(`WebGLProgram: Unsupported toneMapping:`,t),`vec3 `+e+`( vec3 color ) { return LinearToneMapping( color ); }`):`vec3 `+e+`( vec3 color ) { return `+n+`ToneMapping( color ); }`}var ji=new J;function Mi(){return G.getLuminanceCoefficients(ji),[`float luminance( const in vec3 rgb ) {`,`	const vec3 weights = vec3( ${ji.x.toFixed(4)}, ${ji.y.toFixed(4)}, ${ji.z.toFixed(4)} );`,`	return dot( weights, rgb );`,`}`].join(`
`)}function Ni(e){return[e.extensionClipCullDistance?`#extension GL_ANGLE_clip_cull_distance : require`:``,e.extensionMultiDraw?`#extension GL_ANGLE_multi_draw : require`:``].filter(Ii).join(`
`)}function Pi(e){let t=[];for(let n in e){let r=e[n];r!==!1&&t.push(`#define `+n+` `+r)}return t.join(`
`)}function Fi(e,t){let n={},r=e.getProgramParameter(t,e.ACTIVE_ATTRIBUTES);for(let i=0;i<r;i++){let r=e.getActiveAttrib(t,i),a=r.name,o=1;r.type===e.FLOAT_MAT2&&(o=2),r.type===e.FLOAT_MAT3&&(o=3),r.type===e.FLOAT_MAT4&&(o=4),n[a]={type:r.type,location:e.getAttribLocation(t,a),locationSize:o}}return n}function Ii(e){return e!==``}function Li(e,t){let n=t.numSpotLightShadows+t.numSpotLightMaps-t.numSpotLightShadowsWithMaps;return e.replace(/NUM_SUN_LIGHTS/g,t.numSunLights).replace(/NUM_DIR_LIGHTS/g,t.numDirLights).replace(/NUM_SPOT_LIGHTS/g,t.numSpotLights).replace(/NUM_SPOT_LIGHT_MAPS/g,t.numSpotLightMaps).replace(/NUM_SPOT_LIGHT_COORDS/g,n).replace(/NUM_RECT_AREA_LIGHTS/g,t.numRectAreaLights).replace(/NUM_POINT_LIGHTS/g,t.numPointLights).replace(/NUM_HEMI_LIGHTS/g,t.numHemiLights).replace(/NUM_SUN_LIGHT_SHADOWS/g,t.numSunLightShadows).replace(/NUM_DIR_LIGHT_SHADOWS/g,t.numDirLightShadows).replace(/NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS/g,t.numSpotLightShadowsWithMaps).replace(/NUM_SPOT_LIGHT_SHADOWS/g,t.numSpotLightShadows).replace(/NUM_POINT_LIGHT_SHADOWS/g,t.numPointLightShadows).replace(/NUM_LIGHT_PROBE_GRIDS/g,t.numLightProbeGrids)}function Ri(e,t){return e.replace(/NUM_CLIPPING_PLANES/g,t.numClippingPlanes).replace(/UNION_CLIPPING_PLANES/g,t.numClippingPlanes-t.numClipIntersection)}var zi=/^[ \t]*#include +<([\w\d./]+)>/gm;function Bi(e){return e.replace(zi,Vi)}function Vi(e,t){let n=Z[t];if(n===void 0)throw Error(`THREE.WebGLProgram: Can not resolve #include <`+t+`>`);return Bi(n)}var Hi=/#pragma unroll_loop_start\s+for\s*\(\s*int\s+i\s*=\s*(\d+)\s*;\s*i\s*<\s*(\d+)\s*;\s*i\s*\+\+\s*\)\s*{([\s\S]+?)}\s+#pragma unroll_loop_end/g;function Ui(e){return e.replace(Hi,Wi)}function Wi(e,t,n,r){let i=``;for(let e=parseInt(t);e<parseInt(n);e++)i+=r.replace(/\[\s*i\s*\]/g,`[ `+e+` ]`).replace(/UNROLLED_LOOP_INDEX/g,e);return i}function Gi(e){let t=`precision ${e.precision} float;
	precision ${e.precision} int;
	precision ${e.precision} sampler2D;
	precision ${e.precision} samplerCube;
	precision ${e.precision} sampler3D;
	precision ${e.precision} sampler2DArray;
	precision ${e.precision} sampler2DShadow;
	precision ${e.precision} samplerCubeShadow;
	precision ${e.precision} sampler2DArrayShadow;
	precision ${e.precision} isampler2D;
	precision ${e.precision} isampler3D;
	precision ${e.precision} isamplerCube;
	precision ${e.precision} isampler2DArray;
	precision ${e.precision} usampler2D;
	precision ${e.precision} usampler3D;
	precision ${e.precision} usamplerCube;
	precision ${e.precision} usampler2DArray;
	`;return e.precision===`highp`?t+=`
#define HIGH_PRECISION`:e.precision===`mediump`?t+=`
#define MEDIUM_PRECISION`:e.precision===`lowp`&&(t+=`
#define LOW_PRECISION`),t}var Ki={1:`SHADOWMAP_TYPE_PCF`,3:`SHADOWMAP_TYPE_VSM`};function qi(e){return Ki[e.shadowMapType]||`SHADOWMAP_TYPE_BASIC`}var Ji={302:`ENVMAP_MODE_REFRACTION`};function Yi(e){return e.envMap===!1?`ENVMAP_MODE_REFLECTION`:Ji[e.envMapMode]||`ENVMAP_MODE_REFLECTION`}var Xi={0:`ENVMAP_BLENDING_MULTIPLY`,1:`ENVMAP_BLENDING_MIX`,2:`ENVMAP_BLENDING_ADD`};function Zi(e){return e.envMap===!1?`ENVMAP_BLENDING_NONE`:Xi[e.combine]||`ENVMAP_BLENDING_NONE`}function Qi(e,t,n,r){let i=e.getContext(),a=n.defines,o=n.vertexShader,s=n.fragmentShader,c=qi(n),l=n.envMapPMREM===!0?`ENVMAP_TYPE_PMREM`:`ENVMAP_TYPE_CUBE`,u=Yi(n),d=Zi(n),f=Ni(n),p=Pi(a),m=i.createProgram(),h,g,_=n.glslVersion?`#version `+n.glslVersion+`
`:``;n.isRawShaderMaterial?(h=[`#define SHADER_TYPE `+n.shaderType,`#define SHADER_NAME `+n.shaderName,p].filter(Ii).join(`
`),h.length>0&&(h+=`
`),g=[`#define SHADER_TYPE `+n.shaderType,`#define SHADER_NAME `+n.shaderName,p].filter(Ii).join(`
`),g.length>0&&(g+=`
`)):(h=[Gi(n),`#define SHADER_TYPE `+n.shaderType,`#define SHADER_NAME `+n.shaderName,p,n.extensionClipCullDistance?`#define USE_CLIP_DISTANCE`:``,n.batching?`#define USE_BATCHING`:``,n.batchingColor?`#define USE_BATCHING_COLOR`:``,n.instancing?`#define USE_INSTANCING`:``,n.instancingColor?`#define USE_INSTANCING_COLOR`:``,n.instancingMorph?`#define USE_INSTANCING_MORPH`:``,n.useFog&&n.fog?`#define USE_FOG`:``,n.useFog&&n.fogExp2?`#define FOG_EXP2`:``,n.map?`#define USE_MAP`:``,n.envMap?`#define USE_ENVMAP`:``,n.envMap?`#define `+u:``,n.lightMap?`#define USE_LIGHTMAP`:``,n.aoMap?`#define USE_AOMAP`:``,n.bumpMap?`#define USE_BUMPMAP`:``,n.normalMap?`#define USE_NORMALMAP`:``,n.normalMapObjectSpace?`#define USE_NORMALMAP_OBJECTSPACE`:``,n.normalMapTangentSpace?`#define USE_NORMALMAP_TANGENTSPACE`:``,n.displacementMap?`#define USE_DISPLACEMENTMAP`:``,n.emissiveMap?`#define USE_EMISSIVEMAP`:``,n.anisotropy?`#define USE_ANISOTROPY`:``,n.anisotropyMap?`#define USE_ANISOTROPYMAP`:``,n.clearcoatMap?`#define USE_CLEARCOATMAP`:``,n.clearcoatRoughnessMap?`#define USE_CLEARCOAT_ROUGHNESSMAP`:``,n.clearcoatNormalMap?`#define USE_CLEARCOAT_NORMALMAP`:``,n.diffuseRoughnessMap?`#define USE_DIFFUSE_ROUGHNESSMAP`:``,n.iridescenceMap?`#define USE_IRIDESCENCEMAP`:``,n.iridescenceThicknessMap?`#define USE_IRIDESCENCE_THICKNESSMAP`:``,n.specularMap?`#define USE_SPECULARMAP`:``,n.specularColorMap?`#define USE_SPECULAR_COLORMAP`:``,n.specularIntensityMap?`#define USE_SPECULAR_INTENSITYMAP`:``,n.roughnessMap?`#define USE_ROUGHNESSMAP`:``,n.metalnessMap?`#define USE_METALNESSMAP`:``,n.alphaMap?`#define USE_ALPHAMAP`:``,n.alphaHash?`#define USE_ALPHAHASH`:``,n.transmission?`#define USE_TRANSMISSION`:``,n.transmissionMap?`#define USE_TRANSMISSIONMAP`:``,n.thicknessMap?`#define USE_THICKNESSMAP`:``,n.sheenColorMap?`#define USE_SHEEN_COLORMAP`:``,n.sheenRoughnessMap?`#define USE_SHEEN_ROUGHNESSMAP`:``,n.mapUv?`#define MAP_UV `+n.mapUv:``,n.alphaMapUv?`#define ALPHAMAP_UV `+n.alphaMapUv:``,n.lightMapUv?`#define LIGHTMAP_UV `+n.lightMapUv:``,n.aoMapUv?`#define AOMAP_UV `+n.aoMapUv:``,n.emissiveMapUv?`#define EMISSIVEMAP_UV `+n.emissiveMapUv:``,n.bumpMapUv?`#define BUMPMAP_UV `+n.bumpMapUv:``,n.normalMapUv?`#define NORMALMAP_UV `+n.normalMapUv:``,n.displacementMapUv?`#define DISPLACEMENTMAP_UV `+n.displacementMapUv:``,n.metalnessMapUv?`#define METALNESSMAP_UV `+n.metalnessMapUv:``,n.roughnessMapUv?`#define ROUGHNESSMAP_UV `+n.roughnessMapUv:``,n.anisotropyMapUv?`#define ANISOTROPYMAP_UV `+n.anisotropyMapUv:``,n.clearcoatMapUv?`#define CLEARCOATMAP_UV `+n.clearcoatMapUv:``,n.clearcoatNormalMapUv?`#define CLEARCOAT_NORMALMAP_UV `+n.clearcoatNormalMapUv:``,n.clearcoatRoughnessMapUv?`#define CLEARCOAT_ROUGHNESSMAP_UV `+n.clearcoatRoughnessMapUv:``,n.diffuseRoughnessMapUv?`#define DIFFUSE_ROUGHNESSMAP_UV `+n.diffuseRoughnessMapUv:``,n.iridescenceMapUv?`#define IRIDESCENCEMAP_UV `+n.iridescenceMapUv:``,n.iridescenceThicknessMapUv?`#define IRIDESCENCE_THICKNESSMAP_UV `+n.iridescenceThicknessMapUv:``,n.sheenColorMapUv?`#define SHEEN_COLORMAP_UV `+n.sheenColorMapUv:``,n.sheenRoughnessMapUv?`#define SHEEN_ROUGHNESSMAP_UV `+n.sheenRoughnessMapUv:``,n.specularMapUv?`#define SPECULARMAP_UV `+n.specularMapUv:``,n.specularColorMapUv?`#define SPECULAR_COLORMAP_UV `+n.specularColorMapUv:``,n.specularIntensityMapUv?`#define SPECULAR_INTENSITYMAP_UV `+n.specularIntensityMapUv:``,n.transmissionMapUv?`#define TRANSMISSIONMAP_UV `+n.transmissionMapUv:``,n.thicknessMapUv?`#define THICKNESSMAP_UV `+n.thicknessMapUv:``,n.vertexTangents&&n.flatShading===!1?`#define USE_TANGENT`:``,n.vertexNormals?`#define HAS_NORMAL`:``,n.vertexColors?`#define USE_COLOR`:``,n.vertexAlphas?`#define USE_COLOR_ALPHA`:``,n.vertexUv1s?`#define USE_UV1`:``,n.vertexUv2s?`#define USE_UV2`:``,n.vertexUv3s?`#define USE_UV3`:``,n.pointsUvs?`#define USE_POINTS_UV`:``,n.flatShading?`#define FLAT_SHADED`:``,n.skinning?`#define USE_SKINNING`:``,n.morphTargets?`#define USE_MORPHTARGETS`:``,n.morphNormals&&n.flatShading===!1?`#define USE_MORPHNORMALS`:``,n.morphColors?`#define USE_MORPHCOLORS`:``,n.morphTargetsCount>0?`#define MORPHTARGETS_TEXTURE_STRIDE `+n.morphTextureStride:``,n.morphTargetsCount>0?`#define MORPHTARGETS_COUNT `+n.morphTargetsCount:``,n.doubleSided?`#define DOUBLE_SIDED`:``,n.flipSided?`#define FLIP_SIDED`:``,n.shadowMapEnabled?`#define USE_SHADOWMAP`:``,n.shadowMapEnabled?`#define `+c:``,n.sizeAttenuation?`#define USE_SIZEATTENUATION`:``,n.numLightProbes>0?`#define USE_LIGHT_PROBES`:``,n.logarithmicDepthBuffer?`#define USE_LOGARITHMIC_DEPTH_BUFFER`:``,n.reversedDepthBuffer?`#define USE_REVERSED_DEPTH_BUFFER`:``,`uniform mat4 modelMatrix;`,`uniform mat4 modelViewMatrix;`,`uniform mat4 projectionMatrix;`,`uniform mat4 viewMatrix;`,`uniform mat3 normalMatrix;`,`uniform vec3 cameraPosition;`,`uniform bool isOrthographic;`,`#ifdef USE_INSTANCING`,`	attribute mat4 instanceMatrix;`,`#endif`,`#ifdef USE_INSTANCING_COLOR`,`	attribute vec3 instanceColor;`,`#endif`,`#ifdef USE_INSTANCING_MORPH`,`	uniform sampler2D morphTexture;`,`#endif`,`attribute vec3 position;`,`attribute vec3 normal;`,`attribute vec2 uv;`,`#ifdef USE_UV1`,`	attribute vec2 uv1;`,`#endif`,`#ifdef USE_UV2`,`	attribute vec2 uv2;`,`#endif`,`#ifdef USE_UV3`,`	attribute vec2 uv3;`,`#endif`,`#ifdef USE_TANGENT`,`	attribute vec4 tangent;`,`#endif`,`#if defined( USE_COLOR_ALPHA )`,`	attribute vec4 color;`,`#elif defined( USE_COLOR )`,`	attribute vec3 color;`,`#endif`,`#ifdef USE_SKINNING`,`	attribute vec4 skinIndex;`,`	attribute vec4 skinWeight;`,`#endif`,`
`].filter(Ii).join(`
`),g=[Gi(n),`#define SHADER_TYPE `+n.shaderType,`#define SHADER_NAME `+n.shaderName,p,n.useFog&&n.fog?`#define USE_FOG`:``,n.useFog&&n.fogExp2?`#define FOG_EXP2`:``,n.alphaToCoverage?`#define ALPHA_TO_COVERAGE`:``,n.map?`#define USE_MAP`:``,n.matcap?`#define USE_MATCAP`:``,n.envMap?`#define USE_ENVMAP`:``,n.envMap?`#define `+l:``,n.envMap?`#define `+u:``,n.envMap?`#define `+d:``,n.envMapPMREM?`#define ENVMAP_MAX_LOD `+n.envMapMaxLod+`.0`:``,n.envMapPMREM?`#define ENVMAP_SIZE `+n.envMapSize+`.0`:``,n.lightMap?`#define USE_LIGHTMAP`:``,n.aoMap?`#define USE_AOMAP`:``,n.bumpMap?`#define USE_BUMPMAP`:``,n.normalMap?`#define USE_NORMALMAP`:``,n.normalMapObjectSpace?`#define USE_NORMALMAP_OBJECTSPACE`:``,n.normalMapTangentSpace?`#define USE_NORMALMAP_TANGENTSPACE`:``,n.packedNormalMap?`#define USE_PACKED_NORMALMAP`:``,n.emissiveMap?`#define USE_EMISSIVEMAP`:``,n.anisotropy?`#define USE_ANISOTROPY`:``,n.anisotropyMap?`#define USE_ANISOTROPYMAP`:``,n.clearcoat?`#define USE_CLEARCOAT`:``,n.clearcoatMap?`#define USE_CLEARCOATMAP`:``,n.clearcoatRoughnessMap?`#define USE_CLEARCOAT_ROUGHNESSMAP`:``,n.clearcoatNormalMap?`#define USE_CLEARCOAT_NORMALMAP`:``,n.diffuseRoughness?`#define USE_DIFFUSE_ROUGHNESS`:``,n.diffuseRoughnessMap?`#define USE_DIFFUSE_ROUGHNESSMAP`:``,n.dispersion?`#define USE_DISPERSION`:``,n.retroreflection?`#define USE_RETROREFLECTION`:``,n.iridescence?`#define USE_IRIDESCENCE`:``,n.iridescenceMap?`#define USE_IRIDESCENCEMAP`:``,n.iridescenceThicknessMap?`#define USE_IRIDESCENCE_THICKNESSMAP`:``,n.specularMap?`#define USE_SPECULARMAP`:``,n.specularColorMap?`#define USE_SPECULAR_COLORMAP`:``,n.specularIntensityMap?`#define USE_SPECULAR_INTENSITYMAP`:``,n.roughnessMap?`#define USE_ROUGHNESSMAP`:``,n.metalnessMap?`#define USE_METALNESSMAP`:``,n.alphaMap?`#define USE_ALPHAMAP`:``,n.alphaTest?`#define USE_ALPHATEST`:``,n.alphaHash?`#define USE_ALPHAHASH`:``,n.sheen?`#define USE_SHEEN`:``,n.sheenColorMap?`#define USE_SHEEN_COLORMAP`:``,n.sheenRoughnessMap?`#define USE_SHEEN_ROUGHNESSMAP`:``,n.transmission?`#define USE_TRANSMISSION`:``,n.transmissionMap?`#define USE_TRANSMISSIONMAP`:``,n.thicknessMap?`#define USE_THICKNESSMAP`:``,n.vertexTangents&&n.flatShading===!1?`#define USE_TANGENT`:``,n.vertexColors||n.instancingColor?`#define USE_COLOR`:``,n.vertexAlphas||n.batchingColor?`#define USE_COLOR_ALPHA`:``,n.vertexUv1s?`#define USE_UV1`:``,n.vertexUv2s?`#define USE_UV2`:``,n.vertexUv3s?`#define USE_UV3`:``,n.pointsUvs?`#define USE_POINTS_UV`:``,n.gradientMap?`#define USE_GRADIENTMAP`:``,n.flatShading?`#define FLAT_SHADED`:``,n.doubleSided?`#define DOUBLE_SIDED`:``,n.flipSided?`#define FLIP_SIDED`:``,n.shadowMapEnabled?`#define USE_SHADOWMAP`:``,n.shadowMapEnabled?`#define `+c:``,n.premultipliedAlpha?`#define PREMULTIPLIED_ALPHA`:``,n.numLightProbes>0?`#define USE_LIGHT_PROBES`:``,n.decodeVideoTexture?`#define DECODE_VIDEO_TEXTURE`:``,n.decodeVideoTextureEmissive?`#define DECODE_VIDEO_TEXTURE_EMISSIVE`:``,n.logarithmicDepthBuffer?`#define USE_LOGARITHMIC_DEPTH_BUFFER`:``,n.reversedDepthBuffer?`#define USE_REVERSED_DEPTH_BUFFER`:``,`uniform mat4 viewMatrix;`,`uniform vec3 cameraPosition;`,`uniform bool isOrthographic;`,n.toneMapping===0?``:`#define TONE_MAPPING`,n.toneMapping===0?``:Z.tonemapping_pars_fragment,n.toneMapping===0?``:Ai(`toneMapping`,n.toneMapping),n.dithering?`#define DITHERING`:``,n.opaque?`#define OPAQUE`:``,Z.colorspace_pars_fragment,Oi(`linearToOutputTexel`,n.outputColorSpace),Mi(),n.useDepthPacking?`#define DEPTH_PACKING `+n.depthPacking:``,`
`].filter(Ii).join(`
`)),o=Bi(o),o=Li(o,n),o=Ri(o,n),s=Bi(s),s=Li(s,n),s=Ri(s,n),o=Ui(o),s=Ui(s),n.isRawShaderMaterial!==!0&&(_=`#version 300 es
`,h=[f,`#define attribute in`,`#define varying out`,`#define texture2D texture`].join(`
`)+`
`+h,g=[`#define varying in`,n.glslVersion===`300 es`?``:`layout(location = 0) out highp vec4 pc_fragColor;`,n.glslVersion===`300 es`?``:`#define gl_FragColor pc_fragColor`,`#define gl_FragDepthEXT gl_FragDepth`,`#define texture2D texture`,`#define textureCube texture`,`#define texture2DProj textureProj`,`#define texture2DLodEXT textureLod`,`#define texture2DProjLodEXT textureProjLod`,`#define textureCubeLodEXT textureLod`,`#define texture2DGradEXT textureGrad`,`#define texture2DProjGradEXT textureProjGrad`,`#define textureCubeGradEXT textureGrad`].join(`
`)+`
`+g);let v=_+h+o,y=_+g+s,b=xi(i,i.VERTEX_SHADER,v),x=xi(i,i.FRAGMENT_SHADER,y);i.attachShader(m,b),i.attachShader(m,x),n.index0AttributeName===void 0?n.hasPositionAttribute===!0&&i.bindAttribLocation(m,0,`position`):i.bindAttribLocation(m,0,n.index0AttributeName),i.linkProgram(m);function S(t){if(e.debug.checkShaderErrors){let n=i.getProgramInfoLog(m)||``,r=i.getShaderInfoLog(b)||``,a=i.getShaderInfoLog(x)||``,o=n.trim(),s=r.trim(),c=a.trim(),l=!0,u=!0;if(i.getProgramParameter(m,i.LINK_STATUS)===!1){if(l=!1,typeof e.debug.onShaderError==`function`)e.debug.onShaderError(i,m,b,x);else{let e=Di(i,b,`vertex`),n=Di(i,x,`fragment`);q(`WebGLProgram: Shader Error `+i.getError()+` - VALIDATE_STATUS `+i.getProgramParameter(m,i.VALIDATE_STATUS)+`

Material Name: `+t.name+`
Material Type: `+t.type+`

Program Info Log: `+o+`
`+e+`
`+n)}}else o===``?(s===``||c===``)&&(u=!1):P(`WebGLProgram: Program Info Log:`,o);u&&(t.diagnostics={runnable:l,programLog:o,vertexShader:{log:s,prefix:h},fragmentShader:{log:c,prefix:g}})}i.deleteShader(b),i.deleteShader(x),C=new bi(i,m),w=Fi(i,m)}let C;this.getUniforms=function(){return C===void 0&&S(this),C};let w;this.getAttributes=function(){return w===void 0&&S(this),w};let T=n.rendererExtensionParallelShaderCompile===!1;return this.isReady=function(){return T===!1&&(T=i.getProgramParameter(m,Si)),T},this.destroy=function(){r.releaseStatesOfProgram(this),i.deleteProgram(m),this.program=void 0},this.type=n.shaderType,this.name=n.shaderName,this.id=Ci++,this.cacheKey=t,this.usedTimes=1,this.program=m,this.vertexShader=b,this.fragmentShader=x,this}var $i=0,ea=class{constructor(){this.shaderCache=new Map,this.materialCache=new Map}update(e,t,n){let r=this._getShaderCacheForMaterial(e);return r.has(t)===!1&&(r.add(t),t.usedTimes++),r.has(n)===!1&&(r.add(n),n.usedTimes++),this}remove(e){let t=this.materialCache.get(e);for(let e of t)e.usedTimes--,e.usedTimes===0&&this.shaderCache.delete(e.code);return this.materialCache.delete(e),this}getVertexShaderStage(e){return this._getShaderStage(e.vertexShader)}getFragmentShaderStage(e){return this._getShaderStage(e.fragmentShader)}dispose(){this.shaderCache.clear(),this.materialCache.clear()}_getShaderCacheForMaterial(e){let t=this.materialCache,n=t.get(e);return n===void 0&&(n=new Set,t.set(e,n)),n}_getShaderStage(e){let t=this.shaderCache,n=t.get(e);return n===void 0&&(n=new ta(e),t.set(e,n)),n}},ta=class{constructor(e){this.id=$i++,this.code=e,this.usedTimes=0}};function na(e){return e===1030||e===37490||e===36285}function ra(e,t,n,r,i,a){let o=new oe,s=new ea,c=new Set,l=[],u=new Map,d=r.logarithmicDepthBuffer,f={MeshDepthMaterial:`depth`,MeshDistanceMaterial:`distance`,MeshNormalMaterial:`normal`,MeshBasicMaterial:`basic`,MeshLambertMaterial:`lambert`,MeshPhongMaterial:`phong`,MeshToonMaterial:`toon`,MeshStandardMaterial:`physical`,MeshPhysicalMaterial:`physical`,MeshMatcapMaterial:`matcap`,LineBasicMaterial:`basic`,LineDashedMaterial:`dashed`,PointsMaterial:`points`,ShadowMaterial:`shadow`,SpriteMaterial:`sprite`};function p(e){return c.add(e),e===0?`uv`:`uv${e}`}function m(i,o,l,u,m,h){let g=u.fog,_=m.geometry,v=i.isMeshStandardMaterial||i.isMeshLambertMaterial||i.isMeshPhongMaterial?u.environment:null,y=i.isMeshStandardMaterial||i.isMeshLambertMaterial&&!i.envMap||i.isMeshPhongMaterial&&!i.envMap,b=t.get(i.envMap||v,y),x=f[i.type],S=r.precision;i.precision!==null&&(S=r.getMaxPrecision(i.precision),S!==i.precision&&P(`WebGLProgram.getParameters:`,i.precision,`not supported, using`,S,`instead.`));let C=_.morphAttributes.position||_.morphAttributes.normal||_.morphAttributes.color,w=C===void 0?0:C.length,T=0;_.morphAttributes.position!==void 0&&(T=1),_.morphAttributes.normal!==void 0&&(T=2),_.morphAttributes.color!==void 0&&(T=3);let E,D,O,k;if(x){let e=jn[x];E=e.vertexShader,D=e.fragmentShader}else{E=i.vertexShader,D=i.fragmentShader;let e=s.getVertexShaderStage(i),t=s.getFragmentShaderStage(i);s.update(i,e,t),O=e.id,k=t.id}let A=e.getRenderTarget(),j=e.state.buffers.depth.getReversed(),M=m.isInstancedMesh===!0,ee=m.isBatchedMesh===!0,te=!!i.map,ne=!!i.matcap,re=!!b,N=re&&b.isPMREMTexture===!0,F=!!i.aoMap,ie=!!i.lightMap,I=!!i.bumpMap&&i.wireframe===!1,ae=!!i.normalMap,oe=!!i.displacementMap,L=!!i.emissiveMap,se=!!i.metalnessMap,ce=!!i.roughnessMap,le=i.anisotropy>0,ue=i.clearcoat>0,de=i.diffuseRoughness>0,fe=i.dispersion>0,pe=i.retroreflectivity>0,R=i.iridescence>0,me=i.sheen>0,he=i.transmission>0,ge=le&&!!i.anisotropyMap,_e=ue&&!!i.clearcoatMap,ve=ue&&!!i.clearcoatNormalMap,ye=ue&&!!i.clearcoatRoughnessMap,be=de&&!!i.diffuseRoughnessMap,xe=R&&!!i.iridescenceMap,Se=R&&!!i.iridescenceThicknessMap,Ce=me&&!!i.sheenColorMap,we=me&&!!i.sheenRoughnessMap,Te=!!i.specularMap,Ee=!!i.specularColorMap,De=!!i.specularIntensityMap,Oe=he&&!!i.transmissionMap,ke=he&&!!i.thicknessMap,Ae=!!i.gradientMap,je=!!i.alphaMap,z=i.alphaTest>0,Me=!!i.alphaHash,B=!!i.extensions,V=0;i.toneMapped&&(A===null||A.isXRRenderTarget===!0)&&(V=e.toneMapping);let H=N?b.isCompressedCubeTexture?b.image[0].mipmaps:b.mipmaps:null,Ne={shaderID:x,shaderType:i.type,shaderName:i.name,vertexShader:E,fragmentShader:D,defines:i.defines,customVertexShaderID:O,customFragmentShaderID:k,isRawShaderMaterial:i.isRawShaderMaterial===!0,glslVersion:i.glslVersion,precision:S,batching:ee,batchingColor:ee&&m._colorsTexture!==null,instancing:M,instancingColor:M&&m.instanceColor!==null,instancingMorph:M&&m.morphTexture!==null,outputColorSpace:A===null?e.outputColorSpace:A.isXRRenderTarget===!0?A.texture.colorSpace:G.workingColorSpace,alphaToCoverage:!!i.alphaToCoverage,map:te,matcap:ne,envMap:re,envMapMode:re&&b.mapping,envMapPMREM:N,envMapMaxLod:N?H.length-1:null,envMapSize:N?H[0].width:null,aoMap:F,lightMap:ie,bumpMap:I,normalMap:ae,displacementMap:oe,emissiveMap:L,normalMapObjectSpace:ae&&i.normalMapType===1,normalMapTangentSpace:ae&&i.normalMapType===0,packedNormalMap:ae&&i.normalMapType===0&&na(i.normalMap.format),metalnessMap:se,roughnessMap:ce,anisotropy:le,anisotropyMap:ge,clearcoat:ue,clearcoatMap:_e,clearcoatNormalMap:ve,clearcoatRoughnessMap:ye,diffuseRoughness:de,diffuseRoughnessMap:be,dispersion:fe,retroreflection:pe,iridescence:R,iridescenceMap:xe,iridescenceThicknessMap:Se,sheen:me,sheenColorMap:Ce,sheenRoughnessMap:we,specularMap:Te,specularColorMap:Ee,specularIntensityMap:De,transmission:he,transmissionMap:Oe,thicknessMap:ke,gradientMap:Ae,opaque:i.transparent===!1&&i.blending===1&&i.alphaToCoverage===!1,alphaMap:je,alphaTest:z,alphaHash:Me,combine:i.combine,mapUv:te&&p(i.map.channel),aoMapUv:F&&p(i.aoMap.channel),lightMapUv:ie&&p(i.lightMap.channel),bumpMapUv:I&&p(i.bumpMap.channel),normalMapUv:ae&&p(i.normalMap.channel),displacementMapUv:oe&&p(i.displacementMap.channel),emissiveMapUv:L&&p(i.emissiveMap.channel),metalnessMapUv:se&&p(i.metalnessMap.channel),roughnessMapUv:ce&&p(i.roughnessMap.channel),anisotropyMapUv:ge&&p(i.anisotropyMap.channel),clearcoatMapUv:_e&&p(i.clearcoatMap.channel),clearcoatNormalMapUv:ve&&p(i.clearcoatNormalMap.channel),clearcoatRoughnessMapUv:ye&&p(i.clearcoatRoughnessMap.channel),diffuseRoughnessMapUv:be&&p(i.diffuseRoughnessMap.channel),iridescenceMapUv:xe&&p(i.iridescenceMap.channel),iridescenceThicknessMapUv:Se&&p(i.iridescenceThicknessMap.channel),sheenColorMapUv:Ce&&p(i.sheenColorMap.channel),sheenRoughnessMapUv:we&&p(i.sheenRoughnessMap.channel),specularMapUv:Te&&p(i.specularMap.channel),specularColorMapUv:Ee&&p(i.specularColorMap.channel),specularIntensityMapUv:De&&p(i.specularIntensityMap.channel),transmissionMapUv:Oe&&p(i.transmissionMap.channel),thicknessMapUv:ke&&p(i.thicknessMap.channel),alphaMapUv:je&&p(i.alphaMap.channel),vertexTangents:!!_.attributes.tangent&&(ae||le),vertexNormals:!!_.attributes.normal,vertexColors:i.vertexColors,vertexAlphas:i.vertexColors===!0&&!!_.attributes.color&&_.attributes.color.itemSize===4,pointsUvs:m.isPoints===!0&&!!_.attributes.uv&&(te||je),fog:!!g,useFog:i.fog===!0,fogExp2:!!g&&g.isFogExp2,flatShading:i.wireframe===!1&&(i.flatShading===!0||_.attributes.normal===void 0&&ae===!1&&(i.isMeshLambertMaterial||i.isMeshPhongMaterial||i.isMeshStandardMaterial||i.isMeshPhysicalMaterial)),sizeAttenuation:i.sizeAttenuation===!0,logarithmicDepthBuffer:d,reversedDepthBuffer:j,skinning:m.isSkinnedMesh===!0,hasPositionAttribute:_.attributes.position!==void 0,morphTargets:_.morphAttributes.position!==void 0,morphNormals:_.morphAttributes.normal!==void 0,morphColors:_.morphAttributes.color!==void 0,morphTargetsCount:w,morphTextureStride:T,numSunLights:o.sun.length,numDirLights:o.directional.length,numPointLights:o.point.length,numSpotLights:o.spot.length,numSpotLightMaps:o.spotLightMap.length,numRectAreaLights:o.rectArea.length,numHemiLights:o.hemi.length,numSunLightShadows:o.sunShadowMap.length,numDirLightShadows:o.directionalShadowMap.length,numPointLightShadows:o.pointShadowMap.length,numSpotLightShadows:o.spotShadowMap.length,numSpotLightShadowsWithMaps:o.numSpotLightShadowsWithMaps,numLightProbes:o.numLightProbes,numLightProbeGrids:h.filter(e=>e.texture!==null).length,numClippingPlanes:a.numPlanes,numClipIntersection:a.numIntersection,dithering:i.dithering,shadowMapEnabled:e.shadowMap.enabled&&l.length>0,shadowMapType:e.shadowMap.type,toneMapping:V,decodeVideoTexture:te&&i.map.isVideoTexture===!0&&G.getTransfer(i.map.colorSpace)===`srgb`,decodeVideoTextureEmissive:L&&i.emissiveMap.isVideoTexture===!0&&G.getTransfer(i.emissiveMap.colorSpace)===`srgb`,premultipliedAlpha:i.premultipliedAlpha,doubleSided:i.side===2,flipSided:i.side===1,useDepthPacking:i.depthPacking>=0,depthPacking:i.depthPacking||0,index0AttributeName:i.index0AttributeName,extensionClipCullDistance:B&&i.extensions.clipCullDistance===!0&&n.has(`WEBGL_clip_cull_distance`),extensionMultiDraw:(B&&i.extensions.multiDraw===!0||ee)&&n.has(`WEBGL_multi_draw`),rendererExtensionParallelShaderCompile:n.has(`KHR_parallel_shader_compile`),customProgramCacheKey:i.customProgramCacheKey()};return Ne.vertexUv1s=c.has(1),Ne.vertexUv2s=c.has(2),Ne.vertexUv3s=c.has(3),c.clear(),Ne}function h(t){let n=[];if(t.shaderID?n.push(t.shaderID):(n.push(t.customVertexShaderID),n.push(t.customFragmentShaderID)),t.defines!==void 0)for(let e in t.defines)n.push(e),n.push(t.defines[e]);return t.isRawShaderMaterial===!1&&(g(n,t),_(n,t),n.push(e.outputColorSpace)),n.push(t.customProgramCacheKey),n.join()}function g(e,t){e.push(t.precision),e.push(t.outputColorSpace),e.push(t.envMapMode),e.push(t.envMapPMREM),e.push(t.envMapMaxLod),e.push(t.envMapSize),e.push(t.mapUv),e.push(t.alphaMapUv),e.push(t.lightMapUv),e.push(t.aoMapUv),e.push(t.bumpMapUv),e.push(t.normalMapUv),e.push(t.displacementMapUv),e.push(t.emissiveMapUv),e.push(t.metalnessMapUv),e.push(t.roughnessMapUv),e.push(t.anisotropyMapUv),e.push(t.clearcoatMapUv),e.push(t.clearcoatNormalMapUv),e.push(t.clearcoatRoughnessMapUv),e.push(t.diffuseRoughnessMapUv),e.push(t.iridescenceMapUv),e.push(t.iridescenceThicknessMapUv),e.push(t.sheenColorMapUv),e.push(t.sheenRoughnessMapUv),e.push(t.specularMapUv),e.push(t.specularColorMapUv),e.push(t.specularIntensityMapUv),e.push(t.transmissionMapUv),e.push(t.thicknessMapUv),e.push(t.combine),e.push(t.fogExp2),e.push(t.sizeAttenuation),e.push(t.morphTargetsCount),e.push(t.numSunLights),e.push(t.numDirLights),e.push(t.numPointLights),e.push(t.numSpotLights),e.push(t.numSpotLightMaps),e.push(t.numHemiLights),e.push(t.numRectAreaLights),e.push(t.numSunLightShadows),e.push(t.numDirLightShadows),e.push(t.numPointLightShadows),e.push(t.numSpotLightShadows),e.push(t.numSpotLightShadowsWithMaps),e.push(t.numLightProbes),e.push(t.numLightProbeGrids),e.push(t.shadowMapType),e.push(t.toneMapping),e.push(t.numClippingPlanes),e.push(t.numClipIntersection),e.push(t.depthPacking)}function _(e,t){o.disableAll(),t.instancing&&o.enable(0),t.instancingColor&&o.enable(1),t.instancingMorph&&o.enable(2),t.matcap&&o.enable(3),t.envMap&&o.enable(4),t.normalMapObjectSpace&&o.enable(5),t.normalMapTangentSpace&&o.enable(6),t.clearcoat&&o.enable(7),t.iridescence&&o.enable(8),t.alphaTest&&o.enable(9),t.vertexColors&&o.enable(10),t.vertexAlphas&&o.enable(11),t.vertexUv1s&&o.enable(12),t.vertexUv2s&&o.enable(13),t.vertexUv3s&&o.enable(14),t.vertexTangents&&o.enable(15),t.anisotropy&&o.enable(16),t.alphaHash&&o.enable(17),t.batching&&o.enable(18),t.dispersion&&o.enable(19),t.retroreflection&&o.enable(24),t.diffuseRoughness&&o.enable(25),t.batchingColor&&o.enable(20),t.gradientMap&&o.enable(21),t.packedNormalMap&&o.enable(22),t.vertexNormals&&o.enable(23),e.push(o.mask),o.disableAll(),t.fog&&o.enable(0),t.useFog&&o.enable(1),t.flatShading&&o.enable(2),t.logarithmicDepthBuffer&&o.enable(3),t.reversedDepthBuffer&&o.enable(4),t.skinning&&o.enable(5),t.morphTargets&&o.enable(6),t.morphNormals&&o.enable(7),t.morphColors&&o.enable(8),t.premultipliedAlpha&&o.enable(9),t.shadowMapEnabled&&o.enable(10),t.doubleSided&&o.enable(11),t.flipSided&&o.enable(12),t.useDepthPacking&&o.enable(13),t.dithering&&o.enable(14),t.transmission&&o.enable(15),t.sheen&&o.enable(16),t.opaque&&o.enable(17),t.pointsUvs&&o.enable(18),t.decodeVideoTexture&&o.enable(19),t.decodeVideoTextureEmissive&&o.enable(20),t.alphaToCoverage&&o.enable(21),t.numLightProbeGrids>0&&o.enable(22),t.hasPositionAttribute&&o.enable(23),e.push(o.mask)}function v(e){let t=f[e.type],n;if(t){let e=jn[t];n=W.clone(e.uniforms)}else n=e.uniforms;return n}function y(t,n){let r=u.get(n);return r===void 0?(r=new Qi(e,n,t,i),l.push(r),u.set(n,r)):++r.usedTimes,r}function b(e){if(--e.usedTimes===0){let t=l.indexOf(e);l[t]=l[l.length-1],l.pop(),u.delete(e.cacheKey),e.destroy()}}function x(e){s.remove(e)}function S(){s.dispose()}return{getParameters:m,getProgramCacheKey:h,getUniforms:v,acquireProgram:y,releaseProgram:b,releaseShaderCache:x,programs:l,dispose:S}}function ia(){let e=new WeakMap;function t(t){return e.has(t)}function n(t){let n=e.get(t);return n===void 0&&(n={},e.set(t,n)),n}function r(t){e.delete(t)}function i(t,n,r){e.get(t)[n]=r}function a(){e=new WeakMap}return{has:t,get:n,remove:r,update:i,dispose:a}}function aa(e,t){return e.groupOrder===t.groupOrder?e.renderOrder===t.renderOrder?e.material.id===t.material.id?e.materialVariant===t.materialVariant?e.z===t.z?e.id-t.id:e.z-t.z:e.materialVariant-t.materialVariant:e.material.id-t.material.id:e.renderOrder-t.renderOrder:e.groupOrder-t.groupOrder}function oa(e,t){return e.groupOrder===t.groupOrder?e.renderOrder===t.renderOrder?e.z===t.z?e.id-t.id:t.z-e.z:e.renderOrder-t.renderOrder:e.groupOrder-t.groupOrder}function sa(){let e=[],t=0,n=[],r=[],i=[];function a(){t=0,n.length=0,r.length=0,i.length=0}function o(e){let t=0;return e.isInstancedMesh&&(t+=2),e.isSkinnedMesh&&(t+=1),t}function s(n,r,i,a,s,c){let l=e[t];return l===void 0?(l={id:n.id,object:n,geometry:r,material:i,materialVariant:o(n),groupOrder:a,renderOrder:n.renderOrder,z:s,group:c},e[t]=l):(l.id=n.id,l.object=n,l.geometry=r,l.material=i,l.materialVariant=o(n),l.groupOrder=a,l.renderOrder=n.renderOrder,l.z=s,l.group=c),t++,l}function c(e,t,a,o,c,l,u){u.reversedDepth===!0&&(c=-c);let d=s(e,t,a,o,c,l);a.transmission>0?r.push(d):a.transparent===!0?i.push(d):n.push(d)}function l(e,t,a,o,c,l){let u=s(e,t,a,o,c,l);a.transmission>0?r.unshift(u):a.transparent===!0?i.unshift(u):n.unshift(u)}function u(e,t){n.length>1&&n.sort(e||aa),r.length>1&&r.sort(t||oa),i.length>1&&i.sort(t||oa)}function d(){for(let n=t,r=e.length;n<r;n++){let t=e[n];if(t.id===null)break;t.id=null,t.object=null,t.geometry=null,t.material=null,t.group=null}}return{opaque:n,transmissive:r,transparent:i,init:a,push:c,unshift:l,finish:d,sort:u}}function ca(){let e=new WeakMap;function t(t,n){let r=e.get(t),i;return r===void 0?(i=new sa,e.set(t,[i])):n>=r.length?(i=new sa,r.push(i)):i=r[n],i}function n(){e=new WeakMap}return{get:t,dispose:n}}function la(){let e={};return{get:function(t){if(e[t.id]!==void 0)return e[t.id];let n;switch(t.type){case`SunLight`:case`DirectionalLight`:n={direction:new J,color:new K};break;case`SpotLight`:n={position:new J,direction:new J,color:new K,distance:0,coneCos:0,penumbraCos:0,decay:0};break;case`PointLight`:n={position:new J,color:new K,distance:0,decay:0};break;case`HemisphereLight`:n={direction:new J,skyColor:new K,groundColor:new K};break;case`RectAreaLight`:n={color:new K,position:new J,halfWidth:new J,halfHeight:new J}}return e[t.id]=n,n}}}function ua(){let e={};return{get:function(t){if(e[t.id]!==void 0)return e[t.id];let n;switch(t.type){case`SunLight`:case`DirectionalLight`:n={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new V};break;case`SpotLight`:n={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new V};break;case`PointLight`:n={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new V,shadowCameraNear:1,shadowCameraFar:1e3}}return e[t.id]=n,n}}}var da=0;function fa(e,t){return(t.castShadow?2:0)-(e.castShadow?2:0)+ +!!t.map-!!e.map}function pa(e){let t=new la,n=ua(),r={version:0,hash:{sunLength:-1,directionalLength:-1,pointLength:-1,spotLength:-1,rectAreaLength:-1,hemiLength:-1,numSunShadows:-1,numDirectionalShadows:-1,numPointShadows:-1,numSpotShadows:-1,numSpotMaps:-1,numLightProbes:-1},ambient:[0,0,0],probe:[],sun:[],sunShadow:[],sunShadowMap:[],sunShadowMatrix:[],sunShadowCascade:[],directional:[],directionalShadow:[],directionalShadowMap:[],directionalShadowMatrix:[],spot:[],spotLightMap:[],spotShadow:[],spotShadowMap:[],spotLightMatrix:[],rectArea:[],rectAreaLTC1:null,rectAreaLTC2:null,point:[],pointShadow:[],pointShadowMap:[],pointShadowMatrix:[],hemi:[],numSpotLightShadowsWithMaps:0,numLightProbes:0};for(let e=0;e<9;e++)r.probe.push(new J);let i=new J,a=new nt,o=new nt;function s(i){let a=0,o=0,s=0;for(let e=0;e<9;e++)r.probe[e].set(0,0,0);let c=0,l=0,u=0,d=0,f=0,p=0,m=0,h=0,g=0,_=0,v=0,y=0,b=0,x=0;i.sort(fa);for(let e=0,S=i.length;e<S;e++){let S=i[e],C=S.color,w=S.intensity,T=S.distance,E=null;if(S.shadow&&S.shadow.map&&(E=S.shadow.map.texture.format===1030?S.shadow.map.texture:S.shadow.map.depthTexture||S.shadow.map.texture),S.isAmbientLight)a+=C.r*w,o+=C.g*w,s+=C.b*w;else if(S.isLightProbe){for(let e=0;e<9;e++)r.probe[e].addScaledVector(S.sh.coefficients[e],w);x++}else if(S.isSunLight){let e=t.get(S);if(e.color.copy(S.color).multiplyScalar(S.intensity),S.castShadow){let e=S.shadow,t=n.get(S);t.shadowIntensity=e.intensity,t.shadowBias=e.bias,t.shadowNormalBias=e.normalBias,t.shadowRadius=e.radius,t.shadowMapSize.copy(e.mapSize).multiply(e.getFrameExtents()),r.sunShadow[l]=t,r.sunShadowMap[l]=E;let i=e.getViewportCount();for(let t=0;t<i;t++)r.sunShadowMatrix[u+t]=e.getMatrix(t),r.sunShadowCascade[u+t]=e._cascadeData[t];u+=i,l++}r.sun[c]=e,c++}else if(S.isDirectionalLight){let e=t.get(S);if(e.color.copy(S.color).multiplyScalar(S.intensity),S.castShadow){let e=S.shadow,t=n.get(S);t.shadowIntensity=e.intensity,t.shadowBias=e.bias,t.shadowNormalBias=e.normalBias,t.shadowRadius=e.radius,t.shadowMapSize=e.mapSize,r.directionalShadow[d]=t,r.directionalShadowMap[d]=E,r.directionalShadowMatrix[d]=S.shadow.matrix,g++}r.directional[d]=e,d++}else if(S.isSpotLight){let e=t.get(S);e.position.setFromMatrixPosition(S.matrixWorld),e.color.copy(C).multiplyScalar(w),e.distance=T,e.coneCos=Math.cos(S.angle),e.penumbraCos=Math.cos(S.angle*(1-S.penumbra)),e.decay=S.decay,r.spot[p]=e;let i=S.shadow;if(S.map&&(r.spotLightMap[y]=S.map,y++,i.updateMatrices(S),S.castShadow&&b++),r.spotLightMatrix[p]=i.matrix,S.castShadow){let e=n.get(S);e.shadowIntensity=i.intensity,e.shadowBias=i.bias,e.shadowNormalBias=i.normalBias,e.shadowRadius=i.radius,e.shadowMapSize=i.mapSize,r.spotShadow[p]=e,r.spotShadowMap[p]=E,v++}p++}else if(S.isRectAreaLight){let e=t.get(S);e.color.copy(C).multiplyScalar(w),e.halfWidth.set(S.width*.5,0,0),e.halfHeight.set(0,S.height*.5,0),r.rectArea[m]=e,m++}else if(S.isPointLight){let e=t.get(S);if(e.color.copy(S.color).multiplyScalar(S.intensity),e.distance=S.distance,e.decay=S.decay,S.castShadow){let e=S.shadow,t=n.get(S);t.shadowIntensity=e.intensity,t.shadowBias=e.bias,t.shadowNormalBias=e.normalBias,t.shadowRadius=e.radius,t.shadowMapSize=e.mapSize,t.shadowCameraNear=e.camera.near,t.shadowCameraFar=e.camera.far,r.pointShadow[f]=t,r.pointShadowMap[f]=E,r.pointShadowMatrix[f]=S.shadow.matrix,_++}r.point[f]=e,f++}else if(S.isHemisphereLight){let e=t.get(S);e.skyColor.copy(S.color).multiplyScalar(w),e.groundColor.copy(S.groundColor).multiplyScalar(w),r.hemi[h]=e,h++}}m>0&&(e.has(`OES_texture_float_linear`)===!0?(r.rectAreaLTC1=Q.LTC_FLOAT_1,r.rectAreaLTC2=Q.LTC_FLOAT_2):(r.rectAreaLTC1=Q.LTC_HALF_1,r.rectAreaLTC2=Q.LTC_HALF_2)),r.ambient[0]=a,r.ambient[1]=o,r.ambient[2]=s;let S=r.hash;(S.sunLength!==c||S.directionalLength!==d||S.pointLength!==f||S.spotLength!==p||S.rectAreaLength!==m||S.hemiLength!==h||S.numSunShadows!==l||S.numDirectionalShadows!==g||S.numPointShadows!==_||S.numSpotShadows!==v||S.numSpotMaps!==y||S.numLightProbes!==x)&&(r.sun.length=c,r.directional.length=d,r.spot.length=p,r.rectArea.length=m,r.point.length=f,r.hemi.length=h,r.sunShadow.length=l,r.sunShadowMap.length=l,r.sunShadowMatrix.length=u,r.sunShadowCascade.length=u,r.directionalShadow.length=g,r.directionalShadowMap.length=g,r.directionalShadowMatrix.length=g,r.pointShadow.length=_,r.pointShadowMap.length=_,r.pointShadowMatrix.length=_,r.spotShadow.length=v,r.spotShadowMap.length=v,r.spotLightMatrix.length=v+y-b,r.spotLightMap.length=y,r.numSpotLightShadowsWithMaps=b,r.numLightProbes=x,S.sunLength=c,S.directionalLength=d,S.pointLength=f,S.spotLength=p,S.rectAreaLength=m,S.hemiLength=h,S.numSunShadows=l,S.numDirectionalShadows=g,S.numPointShadows=_,S.numSpotShadows=v,S.numSpotMaps=y,S.numLightProbes=x,r.version=da++)}function c(e,t){let n=0,s=0,c=0,l=0,u=0,d=0,f=t.matrixWorldInverse;for(let t=0,p=e.length;t<p;t++){let p=e[t];if(p.isSunLight){let e=r.sun[n];e.direction.setFromMatrixPosition(p.matrixWorld),e.direction.transformDirection(f),n++}else if(p.isDirectionalLight){let e=r.directional[s];e.direction.setFromMatrixPosition(p.matrixWorld),i.setFromMatrixPosition(p.target.matrixWorld),e.direction.sub(i),e.direction.transformDirection(f),s++}else if(p.isSpotLight){let e=r.spot[l];e.position.setFromMatrixPosition(p.matrixWorld),e.position.applyMatrix4(f),e.direction.setFromMatrixPosition(p.matrixWorld),i.setFromMatrixPosition(p.target.matrixWorld),e.direction.sub(i),e.direction.transformDirection(f),l++}else if(p.isRectAreaLight){let e=r.rectArea[u];e.position.setFromMatrixPosition(p.matrixWorld),e.position.applyMatrix4(f),o.identity(),a.copy(p.matrixWorld),a.premultiply(f),o.extractRotation(a),e.halfWidth.set(p.width*.5,0,0),e.halfHeight.set(0,p.height*.5,0),e.halfWidth.applyMatrix4(o),e.halfHeight.applyMatrix4(o),u++}else if(p.isPointLight){let e=r.point[c];e.position.setFromMatrixPosition(p.matrixWorld),e.position.applyMatrix4(f),c++}else if(p.isHemisphereLight){let e=r.hemi[d];e.direction.setFromMatrixPosition(p.matrixWorld),e.direction.transformDirection(f),d++}}}return{setup:s,setupView:c,state:r}}function ma(e){let t=new pa(e),n=[],r=[],i=[];function a(e){u.camera=e,n.length=0,r.length=0,i.length=0}function o(e){e.isLightProbeGrid?i.push(e):n.push(e)}function s(e){r.push(e)}function c(){t.setup(n),i.sort((e,t)=>e.priority-t.priority||e.id-t.id)}function l(e){t.setupView(n,e)}let u={lightsArray:n,shadowsArray:r,lightProbeGridArray:i,camera:null,lights:t,transmissionRenderTarget:{},textureUnits:0};return{init:a,state:u,setupLights:c,setupLightsView:l,pushLight:o,pushShadow:s}}function ha(e){let t=new WeakMap;function n(n,r=0){let i=t.get(n),a;return i===void 0?(a=new ma(e),t.set(n,[a])):r>=i.length?(a=new ma(e),i.push(a)):a=i[r],a}function r(){t=new WeakMap}return{get:n,dispose:r}}var ga=`void main() {
	gl_Position = vec4( position, 1.0 );
}`,_a=`uniform sampler2D shadow_pass;
uniform vec2 resolution;
uniform float radius;
void main() {
	const float samples = float( VSM_SAMPLES );
	float mean = 0.0;
	float squared_mean = 0.0;
	float uvStride = samples <= 1.0 ? 0.0 : 2.0 / ( samples - 1.0 );
	float uvStart = samples <= 1.0 ? 0.0 : - 1.0;
	for ( float i = 0.0; i < samples; i ++ ) {
		float uvOffset = uvStart + i * uvStride;
		#ifdef HORIZONTAL_PASS
			vec2 distribution = texture2D( shadow_pass, ( gl_FragCoord.xy + vec2( uvOffset, 0.0 ) * radius ) / resolution ).rg;
			mean += distribution.x;
			squared_mean += distribution.y * distribution.y + distribution.x * distribution.x;
		#else
			float depth = texture2D( shadow_pass, ( gl_FragCoord.xy + vec2( 0.0, uvOffset ) * radius ) / resolution ).r;
			mean += depth;
			squared_mean += depth * depth;
		#endif
	}
	mean = mean / samples;
	squared_mean = squared_mean / samples;
	float std_dev = sqrt( max( 0.0, squared_mean - mean * mean ) );
	gl_FragColor = vec4( mean, std_dev, 0.0, 1.0 );
}`,va=[new J(1,0,0),new J(-1,0,0),new J(0,1,0),new J(0,-1,0),new J(0,0,1),new J(0,0,-1)],ya=[new J(0,-1,0),new J(0,-1,0),new J(0,0,1),new J(0,0,-1),new J(0,-1,0),new J(0,-1,0)],ba=new nt,xa=new J,Sa=new J;function Ca(e,t,n){let r=new He,i=new V,a=new V,o=new _e,s=new De,c=new Te,l={},u=n.maxTextureSize,d={0:1,1:0,2:2},f=new Be({defines:{VSM_SAMPLES:8},uniforms:{shadow_pass:{value:null},resolution:{value:new V},radius:{value:4}},vertexShader:ga,fragmentShader:_a}),p=f.clone();p.defines.HORIZONTAL_PASS=1;let m=new Fe;m.setAttribute(`position`,new U(new Float32Array([-1,-1,.5,3,-1,.5,-1,3,.5]),3));let h=new F(m,f),g=this;this.enabled=!1,this.autoUpdate=!0,this.needsUpdate=!1,this.type=1;let _=this.type;this.render=function(t,n,s){if(g.enabled===!1||g.autoUpdate===!1&&g.needsUpdate===!1||t.length===0)return;this.type===2&&(P(`WebGLShadowMap: PCFSoftShadowMap has been removed. Using PCFShadowMap instead.`),this.type=1);let c=e.getRenderTarget(),l=e.getActiveCubeFace(),d=e.getActiveMipmapLevel(),f=e.state;f.setBlending(0),f.buffers.depth.getReversed()===!0?f.buffers.color.setClear(0,0,0,0):f.buffers.color.setClear(1,1,1,1),f.buffers.depth.setTest(!0),f.setScissorTest(!1);let p=_!==this.type;p&&n.traverse(function(e){e.material&&(Array.isArray(e.material)?e.material.forEach(e=>e.needsUpdate=!0):e.material.needsUpdate=!0)});for(let c=0,l=t.length;c<l;c++){let l=t[c],d=l.shadow;if(d===void 0){P(`WebGLShadowMap:`,l,`has no shadow.`);continue}if(d.autoUpdate===!1&&d.needsUpdate===!1)continue;i.copy(d.mapSize);let m=d.getFrameExtents();i.multiply(m),a.copy(d.mapSize),(i.x>u||i.y>u)&&(i.x>u&&(a.x=Math.floor(u/m.x),i.x=a.x*m.x,d.mapSize.x=a.x),i.y>u&&(a.y=Math.floor(u/m.y),i.y=a.y*m.y,d.mapSize.y=a.y));let h=e.state.buffers.depth.getReversed();if(d.camera._reversedDepth=h,d.map===null||p===!0){if(d.map!==null&&(d.map.depthTexture!==null&&(d.map.depthTexture.dispose(),d.map.depthTexture=null),d.map.dispose()),this.type===3){if(l.isPointLight){P(`WebGLShadowMap: VSM shadow maps are not supported for PointLights. Use PCF or BasicShadowMap instead.`);continue}d.map=new gt(i.x,i.y,{format:xe,type:M,minFilter:bt,magFilter:bt,generateMipmaps:!1}),d.map.texture.name=l.name+`.shadowMap`,d.map.depthTexture=new A(i.x,i.y,C),d.map.depthTexture.name=l.name+`.shadowMapDepth`,d.map.depthTexture.format=ht,d.map.depthTexture.compareFunction=null,d.map.depthTexture.minFilter=me,d.map.depthTexture.magFilter=me}else l.isPointLight?(d.map=new Bn(i.x),d.map.depthTexture=new vt(i.x,Re)):(d.map=new gt(i.x,i.y),d.map.depthTexture=new A(i.x,i.y,Re)),d.map.depthTexture.name=l.name+`.shadowMap`,d.map.depthTexture.format=ht,this.type===1?(d.map.depthTexture.compareFunction=h?518:515,d.map.depthTexture.minFilter=bt,d.map.depthTexture.magFilter=bt):(d.map.depthTexture.compareFunction=null,d.map.depthTexture.minFilter=me,d.map.depthTexture.magFilter=me);d.camera.updateProjectionMatrix()}d.map.isWebGLCubeRenderTarget!==!0&&(d.map.width!==i.x||d.map.height!==i.y)&&d.map.setSize(i.x,i.y);let g=d.map.isWebGLCubeRenderTarget?6:d.getViewportCount();l.isPointLight!==!0&&d.updateMatrices(l,s);let _=d.camera.layers.mask&4294967294?d.camera.layers:s.layers;for(let t=0;t<g;t++){let i=d.getCamera(t);if(l.isPointLight){let e=d.camera,n=d.matrix,r=l.distance||e.far;r!==e.far&&(e.far=r,e.updateProjectionMatrix()),xa.setFromMatrixPosition(l.matrixWorld),e.position.copy(xa),Sa.copy(e.position),Sa.add(va[t]),e.up.copy(ya[t]),e.lookAt(Sa),e.updateMatrixWorld(),n.makeTranslation(-xa.x,-xa.y,-xa.z),ba.multiplyMatrices(e.projectionMatrix,e.matrixWorldInverse),d._frustum.setFromProjectionMatrix(ba,e.coordinateSystem,e.reversedDepth)}if(d.map.isWebGLCubeRenderTarget)e.setRenderTarget(d.map,t),e.clear();else{t===0&&(e.setRenderTarget(d.map),e.clear());let n=d.getViewport(t);o.set(a.x*n.x,a.y*n.y,a.x*n.z,a.y*n.w),f.viewport(o)}r=d.getFrustum(t),b(n,s,i,l,_,this.type)}d.isPointLightShadow!==!0&&this.type===3&&v(d,s),d.needsUpdate=!1}_=this.type,g.needsUpdate=!1,e.setRenderTarget(c,l,d)};function v(n,r){let a=t.update(h);f.defines.VSM_SAMPLES!==n.blurSamples&&(f.defines.VSM_SAMPLES=n.blurSamples,p.defines.VSM_SAMPLES=n.blurSamples,f.needsUpdate=!0,p.needsUpdate=!0),n.mapPass===null?n.mapPass=new gt(i.x,i.y,{format:xe,type:M}):(n.mapPass.width!==n.map.width||n.mapPass.height!==n.map.height)&&n.mapPass.setSize(n.map.width,n.map.height),f.uniforms.shadow_pass.value=n.map.depthTexture,f.uniforms.resolution.value.set(n.map.width,n.map.height),f.uniforms.radius.value=n.radius,e.setRenderTarget(n.mapPass),e.clear(),e.renderBufferDirect(r,null,a,f,h,null),p.uniforms.shadow_pass.value=n.mapPass.texture,p.uniforms.resolution.value.set(n.map.width,n.map.height),p.uniforms.radius.value=n.radius,e.setRenderTarget(n.map),e.clear(),e.renderBufferDirect(r,null,a,p,h,null)}function y(t,n,r,i){let a=null,o=r.isPointLight===!0?t.customDistanceMaterial:t.customDepthMaterial;if(o!==void 0)a=o;else if(a=r.isPointLight===!0?c:s,e.localClippingEnabled&&n.clipShadows===!0&&Array.isArray(n.clippingPlanes)&&n.clippingPlanes.length!==0||n.displacementMap&&n.displacementScale!==0||n.alphaMap&&n.alphaTest>0||n.map&&n.alphaTest>0||n.alphaToCoverage===!0){let e=a.uuid,t=n.uuid,r=l[e];r===void 0&&(r={},l[e]=r);let i=r[t];i===void 0&&(i=a.clone(),r[t]=i,n.addEventListener(`dispose`,x)),a=i}if(a.visible=n.visible,a.wireframe=n.wireframe,i===3?a.side=n.shadowSide===null?n.side:n.shadowSide:a.side=n.shadowSide===null?d[n.side]:n.shadowSide,a.alphaMap=n.alphaMap,a.alphaTest=n.alphaToCoverage===!0?.5:n.alphaTest,a.map=n.map,a.clipShadows=n.clipShadows,a.clippingPlanes=n.clippingPlanes,a.clipIntersection=n.clipIntersection,a.displacementMap=n.displacementMap,a.displacementScale=n.displacementScale,a.displacementBias=n.displacementBias,a.wireframeLinewidth=n.wireframeLinewidth,a.linewidth=n.linewidth,r.isPointLight===!0&&a.isMeshDistanceMaterial===!0){let t=e.properties.get(a);t.light=r}return a}function b(n,i,a,o,s,c){if(n.visible===!1)return;if(n.layers.test(s)&&(n.isMesh||n.isLine||n.isPoints)&&(n.castShadow||n.receiveShadow&&c===3)&&(!n.frustumCulled||n.intersectsFrustum(r))){n.modelViewMatrix.multiplyMatrices(a.matrixWorldInverse,n.matrixWorld);let r=t.update(n),s=n.material;if(Array.isArray(s)){let t=r.groups;for(let l=0,u=t.length;l<u;l++){let u=t[l],d=s[u.materialIndex];if(d&&d.visible){let t=y(n,d,o,c);n.onBeforeShadow(e,n,i,a,r,t,u),e.renderBufferDirect(a,null,r,t,n,u),n.onAfterShadow(e,n,i,a,r,t,u)}}}else if(s.visible){let t=y(n,s,o,c);n.onBeforeShadow(e,n,i,a,r,t,null),e.renderBufferDirect(a,null,r,t,n,null),n.onAfterShadow(e,n,i,a,r,t,null)}}let l=n.children;for(let e=0,t=l.length;e<t;e++)b(l[e],i,a,o,s,c)}function x(e){e.target.removeEventListener(`dispose`,x);for(let t in l){let n=l[t],r=e.target.uuid;r in n&&(n[r].dispose(),delete n[r])}}}function wa(e,t){function n(){let t=!1,n=new _e,r=null,i=new _e(0,0,0,0);return{setMask:function(n){r!==n&&!t&&(e.colorMask(n,n,n,n),r=n)},setLocked:function(e){t=e},setClear:function(t,r,a,o,s){s===!0&&(t*=o,r*=o,a*=o),n.set(t,r,a,o),i.equals(n)===!1&&(e.clearColor(t,r,a,o),i.copy(n))},reset:function(){t=!1,r=null,i.set(-1,0,0,0)}}}function r(){let n=!1,r=!1,i=null,a=null,o=null;return{setReversed:function(e){if(r!==e){let n=t.get(`EXT_clip_control`);e?n.clipControlEXT(n.LOWER_LEFT_EXT,n.ZERO_TO_ONE_EXT):n.clipControlEXT(n.LOWER_LEFT_EXT,n.NEGATIVE_ONE_TO_ONE_EXT),r=e;let i=o;o=null,this.setClear(i)}},getReversed:function(){return r},setTest:function(t){t?L(e.DEPTH_TEST):se(e.DEPTH_TEST)},setMask:function(t){i!==t&&!n&&(e.depthMask(t),i=t)},setFunc:function(t){if(r&&(t=Ee[t]),a!==t){switch(t){case 0:e.depthFunc(e.NEVER);break;case 1:e.depthFunc(e.ALWAYS);break;case 2:e.depthFunc(e.LESS);break;case 3:e.depthFunc(e.LEQUAL);break;case 4:e.depthFunc(e.EQUAL);break;case 5:e.depthFunc(e.GEQUAL);break;case 6:e.depthFunc(e.GREATER);break;case 7:e.depthFunc(e.NOTEQUAL);break;default:e.depthFunc(e.LEQUAL)}a=t}},setLocked:function(e){n=e},setClear:function(t){o!==t&&(o=t,r&&(t=1-t),e.clearDepth(t))},reset:function(){n=!1,i=null,a=null,o=null,r=!1}}}function i(){let t=!1,n=null,r=null,i=null,a=null,o=null,s=null,c=null,l=null;return{setTest:function(n){t||(n?L(e.STENCIL_TEST):se(e.STENCIL_TEST))},setMask:function(r){n!==r&&!t&&(e.stencilMask(r),n=r)},setFunc:function(t,n,o){(r!==t||i!==n||a!==o)&&(e.stencilFunc(t,n,o),r=t,i=n,a=o)},setOp:function(t,n,r){(o!==t||s!==n||c!==r)&&(e.stencilOp(t,n,r),o=t,s=n,c=r)},setLocked:function(e){t=e},setClear:function(t){l!==t&&(e.clearStencil(t),l=t)},reset:function(){t=!1,n=null,r=null,i=null,a=null,o=null,s=null,c=null,l=null}}}let a=new n,o=new r,s=new i,c={},l=new WeakMap,u={},d={},f={},p=new WeakMap,m=[],h=null,g=!1,_=null,v=null,y=null,b=null,x=null,S=null,C=null,w=new K(0,0,0),T=0,E=!1,D=null,O=null,k=null,A=null,j=null,M=e.getParameter(e.MAX_COMBINED_TEXTURE_IMAGE_UNITS),ee=!1,te=0,ne=e.getParameter(e.VERSION);ne.indexOf(`WebGL`)===-1?ne.indexOf(`OpenGL ES`)!==-1&&(te=parseFloat(/^OpenGL ES (\d)/.exec(ne)[1]),ee=te>=2):(te=parseFloat(/^WebGL (\d)/.exec(ne)[1]),ee=te>=1);let re=null,N={},P=e.getParameter(e.SCISSOR_BOX),F=e.getParameter(e.VIEWPORT),ie=new _e().fromArray(P),I=new _e().fromArray(F);function ae(t,n,r,i){let a=new Uint8Array(4),o=e.createTexture();e.bindTexture(t,o),e.texParameteri(t,e.TEXTURE_MIN_FILTER,e.NEAREST),e.texParameteri(t,e.TEXTURE_MAG_FILTER,e.NEAREST);for(let o=0;o<r;o++)t===e.TEXTURE_3D||t===e.TEXTURE_2D_ARRAY?e.texImage3D(n,0,e.RGBA,1,1,i,0,e.RGBA,e.UNSIGNED_BYTE,a):e.texImage2D(n+o,0,e.RGBA,1,1,0,e.RGBA,e.UNSIGNED_BYTE,a);return o}let oe={};oe[e.TEXTURE_2D]=ae(e.TEXTURE_2D,e.TEXTURE_2D,1),oe[e.TEXTURE_CUBE_MAP]=ae(e.TEXTURE_CUBE_MAP,e.TEXTURE_CUBE_MAP_POSITIVE_X,6),oe[e.TEXTURE_2D_ARRAY]=ae(e.TEXTURE_2D_ARRAY,e.TEXTURE_2D_ARRAY,1,1),oe[e.TEXTURE_3D]=ae(e.TEXTURE_3D,e.TEXTURE_3D,1,1),a.setClear(0,0,0,1),o.setClear(1),s.setClear(0),L(e.DEPTH_TEST),o.setFunc(3),me(!1),he(1),L(e.CULL_FACE),pe(0);function L(t){u[t]!==!0&&(e.enable(t),u[t]=!0)}function se(t){u[t]!==!1&&(e.disable(t),u[t]=!1)}function ce(t,n){return f[t]!==n&&(e.bindFramebuffer(t,n),f[t]=n,t===e.DRAW_FRAMEBUFFER&&(f[e.FRAMEBUFFER]=n),t===e.FRAMEBUFFER&&(f[e.DRAW_FRAMEBUFFER]=n),!0)}function le(t,n){let r=m,i=!1;if(t){r=p.get(n),r===void 0&&(r=[],p.set(n,r));let a=t.textures;if(r.length!==a.length||r[0]!==e.COLOR_ATTACHMENT0){for(let t=0,n=a.length;t<n;t++)r[t]=e.COLOR_ATTACHMENT0+t;r.length=a.length,i=!0}}else r[0]!==e.BACK&&(r[0]=e.BACK,i=!0);i&&e.drawBuffers(r)}function ue(t){return h!==t&&(e.useProgram(t),h=t,!0)}let de={100:e.FUNC_ADD,101:e.FUNC_SUBTRACT,102:e.FUNC_REVERSE_SUBTRACT};de[103]=e.MIN,de[104]=e.MAX;let fe={200:e.ZERO,201:e.ONE,202:e.SRC_COLOR,204:e.SRC_ALPHA,210:e.SRC_ALPHA_SATURATE,208:e.DST_COLOR,206:e.DST_ALPHA,203:e.ONE_MINUS_SRC_COLOR,205:e.ONE_MINUS_SRC_ALPHA,209:e.ONE_MINUS_DST_COLOR,207:e.ONE_MINUS_DST_ALPHA,211:e.CONSTANT_COLOR,212:e.ONE_MINUS_CONSTANT_COLOR,213:e.CONSTANT_ALPHA,214:e.ONE_MINUS_CONSTANT_ALPHA};function pe(t,n,r,i,a,o,s,c,l,u){if(t===0)g===!0&&(se(e.BLEND),g=!1);else if(g===!1&&(L(e.BLEND),g=!0),t!==5){if(t!==_||u!==E){if((v!==100||x!==100)&&(e.blendEquation(e.FUNC_ADD),v=100,x=100),u)switch(t){case 1:e.blendFuncSeparate(e.ONE,e.ONE_MINUS_SRC_ALPHA,e.ONE,e.ONE_MINUS_SRC_ALPHA);break;case 2:e.blendFunc(e.ONE,e.ONE);break;case 3:e.blendFuncSeparate(e.ZERO,e.ONE_MINUS_SRC_COLOR,e.ZERO,e.ONE);break;case 4:e.blendFuncSeparate(e.DST_COLOR,e.ONE_MINUS_SRC_ALPHA,e.ZERO,e.ONE);break;default:q(`WebGLState: Invalid blending: `,t)}else switch(t){case 1:e.blendFuncSeparate(e.SRC_ALPHA,e.ONE_MINUS_SRC_ALPHA,e.ONE,e.ONE_MINUS_SRC_ALPHA);break;case 2:e.blendFuncSeparate(e.SRC_ALPHA,e.ONE,e.ONE,e.ONE);break;case 3:q(`WebGLState: SubtractiveBlending requires material.premultipliedAlpha = true`);break;case 4:q(`WebGLState: MultiplyBlending requires material.premultipliedAlpha = true`);break;default:q(`WebGLState: Invalid blending: `,t)}y=null,b=null,S=null,C=null,w.set(0,0,0),T=0,_=t,E=u}}else a||=n,o||=r,s||=i,(n!==v||a!==x)&&(e.blendEquationSeparate(de[n],de[a]),v=n,x=a),(r!==y||i!==b||o!==S||s!==C)&&(e.blendFuncSeparate(fe[r],fe[i],fe[o],fe[s]),y=r,b=i,S=o,C=s),(c.equals(w)===!1||l!==T)&&(e.blendColor(c.r,c.g,c.b,l),w.copy(c),T=l),_=t,E=!1}function R(t,n){t.side===2?se(e.CULL_FACE):L(e.CULL_FACE);let r=t.side===1;n&&(r=!r),me(r),t.blending===1&&t.transparent===!1?pe(0):pe(t.blending,t.blendEquation,t.blendSrc,t.blendDst,t.blendEquationAlpha,t.blendSrcAlpha,t.blendDstAlpha,t.blendColor,t.blendAlpha,t.premultipliedAlpha),o.setFunc(t.depthFunc),o.setTest(t.depthTest),o.setMask(t.depthWrite),a.setMask(t.colorWrite);let i=t.stencilWrite;s.setTest(i),i&&(s.setMask(t.stencilWriteMask),s.setFunc(t.stencilFunc,t.stencilRef,t.stencilFuncMask),s.setOp(t.stencilFail,t.stencilZFail,t.stencilZPass)),ve(t.polygonOffset,t.polygonOffsetFactor,t.polygonOffsetUnits),t.alphaToCoverage===!0?L(e.SAMPLE_ALPHA_TO_COVERAGE):se(e.SAMPLE_ALPHA_TO_COVERAGE)}function me(t){D!==t&&(t?e.frontFace(e.CW):e.frontFace(e.CCW),D=t)}function he(t){t===0?se(e.CULL_FACE):(L(e.CULL_FACE),t!==O&&(t===1?e.cullFace(e.BACK):t===2?e.cullFace(e.FRONT):e.cullFace(e.FRONT_AND_BACK))),O=t}function ge(t){t!==k&&(ee&&e.lineWidth(t),k=t)}function ve(t,n,r){t?(L(e.POLYGON_OFFSET_FILL),(A!==n||j!==r)&&(A=n,j=r,o.getReversed()&&(n=-n,r=-r),e.polygonOffset(n,r))):se(e.POLYGON_OFFSET_FILL)}function ye(t){t?L(e.SCISSOR_TEST):se(e.SCISSOR_TEST)}function be(t){t===void 0&&(t=e.TEXTURE0+M-1),re!==t&&(e.activeTexture(t),re=t)}function xe(t,n,r){r===void 0&&(r=re===null?e.TEXTURE0+M-1:re);let i=N[r];i===void 0&&(i={type:void 0,texture:void 0},N[r]=i),(i.type!==t||i.texture!==n)&&(re!==r&&(e.activeTexture(r),re=r),e.bindTexture(t,n||oe[t]),i.type=t,i.texture=n)}function Se(){let t=N[re];t!==void 0&&t.type!==void 0&&(e.bindTexture(t.type,null),t.type=void 0,t.texture=void 0)}function Ce(){try{e.compressedTexImage2D(...arguments)}catch(e){q(`WebGLState:`,e)}}function we(){try{e.compressedTexImage3D(...arguments)}catch(e){q(`WebGLState:`,e)}}function Te(){try{e.texSubImage2D(...arguments)}catch(e){q(`WebGLState:`,e)}}function De(){try{e.texSubImage3D(...arguments)}catch(e){q(`WebGLState:`,e)}}function Oe(){try{e.compressedTexSubImage2D(...arguments)}catch(e){q(`WebGLState:`,e)}}function ke(){try{e.compressedTexSubImage3D(...arguments)}catch(e){q(`WebGLState:`,e)}}function Ae(){try{e.texStorage2D(...arguments)}catch(e){q(`WebGLState:`,e)}}function je(){try{e.texStorage3D(...arguments)}catch(e){q(`WebGLState:`,e)}}function z(){try{e.texImage2D(...arguments)}catch(e){q(`WebGLState:`,e)}}function Me(){try{e.texImage3D(...arguments)}catch(e){q(`WebGLState:`,e)}}function B(t){return d[t]===void 0?e.getParameter(t):d[t]}function V(t,n){d[t]!==n&&(e.pixelStorei(t,n),d[t]=n)}function H(t){ie.equals(t)===!1&&(e.scissor(t.x,t.y,t.z,t.w),ie.copy(t))}function Ne(t){I.equals(t)===!1&&(e.viewport(t.x,t.y,t.z,t.w),I.copy(t))}function U(t,n){let r=l.get(n);r===void 0&&(r=new WeakMap,l.set(n,r));let i=r.get(t);i===void 0&&(i=e.getUniformBlockIndex(n,t.name),e.uniformBlockBinding(n,i,i),r.set(t,i))}function W(t,n,r){let i=l.get(n).get(t);c[i]!==r&&(e.bindBufferBase(e.UNIFORM_BUFFER,i,r),c[i]=r)}function Pe(){e.disable(e.BLEND),e.disable(e.CULL_FACE),e.disable(e.DEPTH_TEST),e.disable(e.POLYGON_OFFSET_FILL),e.disable(e.SCISSOR_TEST),e.disable(e.STENCIL_TEST),e.disable(e.SAMPLE_ALPHA_TO_COVERAGE),e.blendEquation(e.FUNC_ADD),e.blendFunc(e.ONE,e.ZERO),e.blendFuncSeparate(e.ONE,e.ZERO,e.ONE,e.ZERO),e.blendColor(0,0,0,0),e.colorMask(!0,!0,!0,!0),e.clearColor(0,0,0,0),e.depthMask(!0),e.depthFunc(e.LESS),o.setReversed(!1),e.clearDepth(1),e.stencilMask(4294967295),e.stencilFunc(e.ALWAYS,0,4294967295),e.stencilOp(e.KEEP,e.KEEP,e.KEEP),e.clearStencil(0),e.cullFace(e.BACK),e.frontFace(e.CCW),e.polygonOffset(0,0),e.activeTexture(e.TEXTURE0),e.bindFramebuffer(e.FRAMEBUFFER,null),e.bindFramebuffer(e.DRAW_FRAMEBUFFER,null),e.bindFramebuffer(e.READ_FRAMEBUFFER,null),e.useProgram(null),e.lineWidth(1),e.scissor(0,0,e.canvas.width,e.canvas.height),e.viewport(0,0,e.canvas.width,e.canvas.height),e.pixelStorei(e.PACK_ALIGNMENT,4),e.pixelStorei(e.UNPACK_ALIGNMENT,4),e.pixelStorei(e.UNPACK_FLIP_Y_WEBGL,!1),e.pixelStorei(e.UNPACK_PREMULTIPLY_ALPHA_WEBGL,!1),e.pixelStorei(e.UNPACK_COLORSPACE_CONVERSION_WEBGL,e.BROWSER_DEFAULT_WEBGL),e.pixelStorei(e.PACK_ROW_LENGTH,0),e.pixelStorei(e.PACK_SKIP_PIXELS,0),e.pixelStorei(e.PACK_SKIP_ROWS,0),e.pixelStorei(e.UNPACK_ROW_LENGTH,0),e.pixelStorei(e.UNPACK_IMAGE_HEIGHT,0),e.pixelStorei(e.UNPACK_SKIP_PIXELS,0),e.pixelStorei(e.UNPACK_SKIP_ROWS,0),e.pixelStorei(e.UNPACK_SKIP_IMAGES,0),u={},d={},re=null,N={},f={},c={},p=new WeakMap,m=[],h=null,g=!1,_=null,v=null,y=null,b=null,x=null,S=null,C=null,w=new K(0,0,0),T=0,E=!1,D=null,O=null,k=null,A=null,j=null,ie.set(0,0,e.canvas.width,e.canvas.height),I.set(0,0,e.canvas.width,e.canvas.height),a.reset(),o.reset(),s.reset()}return{buffers:{color:a,depth:o,stencil:s},enable:L,disable:se,bindFramebuffer:ce,drawBuffers:le,useProgram:ue,setBlending:pe,setMaterial:R,setFlipSided:me,setCullFace:he,setLineWidth:ge,setPolygonOffset:ve,setScissorTest:ye,activeTexture:be,bindTexture:xe,unbindTexture:Se,compressedTexImage2D:Ce,compressedTexImage3D:we,texImage2D:z,texImage3D:Me,pixelStorei:V,getParameter:B,updateUBOMapping:U,uniformBlockBinding:W,texStorage2D:Ae,texStorage3D:je,texSubImage2D:Te,texSubImage3D:De,compressedTexSubImage2D:Oe,compressedTexSubImage3D:ke,scissor:H,viewport:Ne,reset:Pe}}function Ta(e,t,n,r,i,a,o){let s=t.has(`WEBGL_multisampled_render_to_texture`)?t.get(`WEBGL_multisampled_render_to_texture`):null,c=typeof navigator>`u`?!1:/OculusBrowser/g.test(navigator.userAgent),l=new V,u=new WeakMap,d=new Set,f,p=new WeakMap,m=new Set,h=new FinalizationRegistry(e=>m.delete(e)),g=!1;try{g=typeof OffscreenCanvas<`u`&&new OffscreenCanvas(1,1).getContext(`2d`)!==null}catch{}function _(e,t){return g?new OffscreenCanvas(e,t):fe(`canvas`)}function v(e,t,n){let r=1,i=W(e);if((i.width>n||i.height>n)&&(r=n/Math.max(i.width,i.height)),r<1){if(typeof HTMLImageElement<`u`&&e instanceof HTMLImageElement||typeof HTMLCanvasElement<`u`&&e instanceof HTMLCanvasElement||typeof ImageBitmap<`u`&&e instanceof ImageBitmap||typeof VideoFrame<`u`&&e instanceof VideoFrame){let n=Math.floor(r*i.width),a=Math.floor(r*i.height);f===void 0&&(f=_(n,a));let o=t?_(n,a):f;return o.width=n,o.height=a,o.getContext(`2d`).drawImage(e,0,0,n,a),P(`WebGLRenderer: Texture has been resized from (`+i.width+`x`+i.height+`) to (`+n+`x`+a+`).`),o}return`data`in e&&P(`WebGLRenderer: Image in DataTexture is too big (`+i.width+`x`+i.height+`).`),e}return e}function y(e){return e.generateMipmaps}function b(t){e.generateMipmap(t)}function x(t){return t.isWebGLCubeRenderTarget?e.TEXTURE_CUBE_MAP:t.isWebGL3DRenderTarget?e.TEXTURE_3D:t.isWebGLArrayRenderTarget||t.isCompressedArrayTexture?e.TEXTURE_2D_ARRAY:e.TEXTURE_2D}function C(n,r,i,a,o,s=!1){if(n!==null){if(e[n]!==void 0)return e[n];P(`WebGLRenderer: Attempt to use non-existing WebGL internal format '`+n+`'`)}let c;a&&(c=t.get(`EXT_texture_norm16`),c||P(`WebGLRenderer: Unable to use normalized textures without EXT_texture_norm16 extension`));let l=r;if(r===e.RED&&(i===e.FLOAT&&(l=e.R32F),i===e.HALF_FLOAT&&(l=e.R16F),i===e.UNSIGNED_BYTE&&(l=e.R8),i===e.UNSIGNED_SHORT&&c&&(l=c.R16_EXT),i===e.SHORT&&c&&(l=c.R16_SNORM_EXT)),r===e.RED_INTEGER&&(i===e.UNSIGNED_BYTE&&(l=e.R8UI),i===e.UNSIGNED_SHORT&&(l=e.R16UI),i===e.UNSIGNED_INT&&(l=e.R32UI),i===e.BYTE&&(l=e.R8I),i===e.SHORT&&(l=e.R16I),i===e.INT&&(l=e.R32I)),r===e.RG&&(i===e.FLOAT&&(l=e.RG32F),i===e.HALF_FLOAT&&(l=e.RG16F),i===e.UNSIGNED_BYTE&&(l=e.RG8),i===e.UNSIGNED_SHORT&&c&&(l=c.RG16_EXT),i===e.SHORT&&c&&(l=c.RG16_SNORM_EXT)),r===e.RG_INTEGER&&(i===e.UNSIGNED_BYTE&&(l=e.RG8UI),i===e.UNSIGNED_SHORT&&(l=e.RG16UI),i===e.UNSIGNED_INT&&(l=e.RG32UI),i===e.BYTE&&(l=e.RG8I),i===e.SHORT&&(l=e.RG16I),i===e.INT&&(l=e.RG32I)),r===e.RGB_INTEGER&&(i===e.UNSIGNED_BYTE&&(l=e.RGB8UI),i===e.UNSIGNED_SHORT&&(l=e.RGB16UI),i===e.UNSIGNED_INT&&(l=e.RGB32UI),i===e.BYTE&&(l=e.RGB8I),i===e.SHORT&&(l=e.RGB16I),i===e.INT&&(l=e.RGB32I)),r===e.RGBA_INTEGER&&(i===e.UNSIGNED_BYTE&&(l=e.RGBA8UI),i===e.UNSIGNED_SHORT&&(l=e.RGBA16UI),i===e.UNSIGNED_INT&&(l=e.RGBA32UI),i===e.BYTE&&(l=e.RGBA8I),i===e.SHORT&&(l=e.RGBA16I),i===e.INT&&(l=e.RGBA32I)),r===e.RGB&&(i===e.UNSIGNED_SHORT&&c&&(l=c.RGB16_EXT),i===e.SHORT&&c&&(l=c.RGB16_SNORM_EXT),i===e.UNSIGNED_INT_5_9_9_9_REV&&(l=e.RGB9_E5),i===e.UNSIGNED_INT_10F_11F_11F_REV&&(l=e.R11F_G11F_B10F)),r===e.RGBA){let t=s?be:G.getTransfer(o);i===e.FLOAT&&(l=e.RGBA32F),i===e.HALF_FLOAT&&(l=e.RGBA16F),i===e.UNSIGNED_BYTE&&(l=t===`srgb`?e.SRGB8_ALPHA8:e.RGBA8),i===e.UNSIGNED_SHORT&&c&&(l=c.RGBA16_EXT),i===e.SHORT&&c&&(l=c.RGBA16_SNORM_EXT),i===e.UNSIGNED_SHORT_4_4_4_4&&(l=e.RGBA4),i===e.UNSIGNED_SHORT_5_5_5_1&&(l=e.RGB5_A1)}return(l===e.R16F||l===e.R32F||l===e.RG16F||l===e.RG32F||l===e.RGBA16F||l===e.RGBA32F)&&t.get(`EXT_color_buffer_float`),l}function w(t,n){let r;return t?n===null||n===1014||n===1020?r=e.DEPTH24_STENCIL8:n===1015?r=e.DEPTH32F_STENCIL8:n===1012&&(r=e.DEPTH24_STENCIL8,P(`DepthTexture: 16 bit depth attachment is not supported with stencil. Using 24-bit attachment.`)):n===null||n===1014||n===1020?r=e.DEPTH_COMPONENT24:n===1015?r=e.DEPTH_COMPONENT32F:n===1012&&(r=e.DEPTH_COMPONENT16),r}function E(e,t){return y(e)===!0||e.isFramebufferTexture&&e.minFilter!==1003&&e.minFilter!==1006?Math.log2(Math.max(t.width,t.height))+1:e.mipmaps.length>0?e.mipmaps.length:e.isCompressedTexture&&Array.isArray(e.image)?t.mipmaps.length:1}function D(e){let t=new WeakRef(e);r.get(e).__ref=t,m.add(t),h.register(e,t,t)}function O(e){let t=r.get(e).__ref;t!==void 0&&(m.delete(t),h.unregister(t))}function k(e){j(e.target)}function A(e){M(e.target)}function j(e){e.removeEventListener(`dispose`,k),O(e),te(e),e.isVideoTexture&&u.delete(e),e.isHTMLTexture&&d.delete(e)}function M(e){e.removeEventListener(`dispose`,A),O(e),re(e)}function ee(){for(let e of m){let t=e.deref();t!==void 0&&(t.isRenderTarget===!0?M(t):j(t))}m.clear(),d.clear()}function te(e){let t=r.get(e);if(t.__webglInit===void 0)return;let n=e.source,i=p.get(n);if(i){let r=i[t.__cacheKey];r.usedTimes--,r.usedTimes===0&&ne(e),Object.keys(i).length===0&&p.delete(n)}r.remove(e)}function ne(t){let n=r.get(t);e.deleteTexture(n.__webglTexture);let i=t.source,a=p.get(i);delete a[n.__cacheKey],o.memory.textures--}function re(t){let n=r.get(t);n.__depthDisposeCallback&&n.__depthDisposeCallback();let i=t.depthTexture;if(i&&i.renderTarget===t&&j(i),t.isWebGLCubeRenderTarget)for(let t=0;t<6;t++){if(Array.isArray(n.__webglFramebuffer[t]))for(let r=0;r<n.__webglFramebuffer[t].length;r++)e.deleteFramebuffer(n.__webglFramebuffer[t][r]);else e.deleteFramebuffer(n.__webglFramebuffer[t]);n.__webglDepthbuffer&&e.deleteRenderbuffer(n.__webglDepthbuffer[t])}else{if(Array.isArray(n.__webglFramebuffer))for(let t=0;t<n.__webglFramebuffer.length;t++)e.deleteFramebuffer(n.__webglFramebuffer[t]);else e.deleteFramebuffer(n.__webglFramebuffer);if(n.__webglDepthbuffer&&e.deleteRenderbuffer(n.__webglDepthbuffer),n.__webglMultisampledFramebuffer&&e.deleteFramebuffer(n.__webglMultisampledFramebuffer),n.__webglColorRenderbuffer)for(let t=0;t<n.__webglColorRenderbuffer.length;t++)n.__webglColorRenderbuffer[t]&&e.deleteRenderbuffer(n.__webglColorRenderbuffer[t]);n.__webglDepthRenderbuffer&&e.deleteRenderbuffer(n.__webglDepthRenderbuffer)}let a=t.textures;for(let t=0,n=a.length;t<n;t++){let n=r.get(a[t]);n.__webglTexture&&(e.deleteTexture(n.__webglTexture),o.memory.textures--),r.remove(a[t])}r.remove(t)}let N=0;function F(){N=0}function ie(){return N}function I(e){N=e}function ae(){let e=N;return e>=i.maxTextures&&P(`WebGLTextures: Trying to use `+(e+1)+` texture units while this GPU supports only `+i.maxTextures),N+=1,e}function oe(e){let t=[];return t.push(e.wrapS),t.push(e.wrapT),t.push(e.wrapR||0),t.push(e.magFilter),t.push(e.minFilter),t.push(e.anisotropy),t.push(e.internalFormat),t.push(e.format),t.push(e.type),t.push(e.generateMipmaps),t.push(e.mipmapsAutoUpdate),t.push(e.premultiplyAlpha),t.push(e.flipY),t.push(e.unpackAlignment),t.push(e.colorSpace),t.join()}function L(t,i){let a=r.get(t);if(t.isVideoTexture&&Ne(t),t.isRenderTargetTexture===!1&&t.isExternalTexture!==!0&&t.version>0&&a.__version!==t.version){let e=t.image;if(e===null)P(`WebGLRenderer: Texture marked for update but no image data found.`);else if(e.complete===!1)P(`WebGLRenderer: Texture marked for update but image is incomplete`);else{ye(a,t,i);return}}else t.isExternalTexture&&(a.__webglTexture=t.sourceTexture?t.sourceTexture:null);n.bindTexture(e.TEXTURE_2D,a.__webglTexture,e.TEXTURE0+i)}function se(t,i){let a=r.get(t);t.isRenderTargetTexture===!1&&t.version>0&&a.__version!==t.version?ye(a,t,i):(t.isExternalTexture&&(a.__webglTexture=t.sourceTexture?t.sourceTexture:null),n.bindTexture(e.TEXTURE_2D_ARRAY,a.__webglTexture,e.TEXTURE0+i))}function ce(t,i){let a=r.get(t);t.isRenderTargetTexture===!1&&t.version>0&&a.__version!==t.version?ye(a,t,i):n.bindTexture(e.TEXTURE_3D,a.__webglTexture,e.TEXTURE0+i)}function le(t,i){let a=r.get(t);t.version>0&&a.__version!==t.version?xe(a,t,i):n.bindTexture(e.TEXTURE_CUBE_MAP,a.__webglTexture,e.TEXTURE0+i)}let ue={[Oe]:e.REPEAT,[qe]:e.CLAMP_TO_EDGE,[ke]:e.MIRRORED_REPEAT},de={[me]:e.NEAREST,[Pe]:e.NEAREST_MIPMAP_NEAREST,[S]:e.NEAREST_MIPMAP_LINEAR,[bt]:e.LINEAR,[Se]:e.LINEAR_MIPMAP_NEAREST,[T]:e.LINEAR_MIPMAP_LINEAR},pe={512:e.NEVER,519:e.ALWAYS,513:e.LESS,515:e.LEQUAL,514:e.EQUAL,518:e.GEQUAL,516:e.GREATER,517:e.NOTEQUAL};function R(n,a){if(a.type===1015&&t.has(`OES_texture_float_linear`)===!1&&(a.magFilter===1006||a.magFilter===1007||a.magFilter===1005||a.magFilter===1008||a.minFilter===1006||a.minFilter===1007||a.minFilter===1005||a.minFilter===1008)&&P(`WebGLRenderer: Unable to use linear filtering with floating point textures. OES_texture_float_linear not supported on this device.`),e.texParameteri(n,e.TEXTURE_WRAP_S,ue[a.wrapS]),e.texParameteri(n,e.TEXTURE_WRAP_T,ue[a.wrapT]),(n===e.TEXTURE_3D||n===e.TEXTURE_2D_ARRAY)&&e.texParameteri(n,e.TEXTURE_WRAP_R,ue[a.wrapR]),e.texParameteri(n,e.TEXTURE_MAG_FILTER,de[a.magFilter]),e.texParameteri(n,e.TEXTURE_MIN_FILTER,de[a.minFilter]),a.compareFunction&&(e.texParameteri(n,e.TEXTURE_COMPARE_MODE,e.COMPARE_REF_TO_TEXTURE),e.texParameteri(n,e.TEXTURE_COMPARE_FUNC,pe[a.compareFunction])),t.has(`EXT_texture_filter_anisotropic`)===!0){if(a.magFilter===1003||a.minFilter!==1005&&a.minFilter!==1008||a.type===1015&&t.has(`OES_texture_float_linear`)===!1)return;if(a.anisotropy>1||r.get(a).__currentAnisotropy){let o=t.get(`EXT_texture_filter_anisotropic`);e.texParameterf(n,o.TEXTURE_MAX_ANISOTROPY_EXT,Math.min(a.anisotropy,i.getMaxAnisotropy())),r.get(a).__currentAnisotropy=a.anisotropy}}}function he(t,n){let r=!1;t.__webglInit===void 0&&(t.__webglInit=!0,n.addEventListener(`dispose`,k),D(n));let i=n.source,a=p.get(i);a===void 0&&(a={},p.set(i,a));let s=oe(n);if(s!==t.__cacheKey){a[s]===void 0&&(a[s]={texture:e.createTexture(),usedTimes:0},o.memory.textures++,r=!0),a[s].usedTimes++;let i=a[t.__cacheKey];i!==void 0&&(a[t.__cacheKey].usedTimes--,i.usedTimes===0&&ne(n)),t.__cacheKey=s,t.__webglTexture=a[s].texture}return r}function ge(e,t,n){return Math.floor(Math.floor(e/n)/t)}function _e(t,r,i,a){let o=t.updateRanges;if(o.length===0)n.texSubImage2D(e.TEXTURE_2D,0,0,0,r.width,r.height,i,a,r.data);else{o.sort((e,t)=>e.start-t.start);let s=0;for(let e=1;e<o.length;e++){let t=o[s],n=o[e],i=t.start+t.count,a=ge(n.start,r.width,4),c=ge(t.start,r.width,4);n.start<=i+1&&a===c&&ge(n.start+n.count-1,r.width,4)===a?t.count=Math.max(t.count,n.start+n.count-t.start):(++s,o[s]=n)}o.length=s+1;let c=n.getParameter(e.UNPACK_ROW_LENGTH),l=n.getParameter(e.UNPACK_SKIP_PIXELS),u=n.getParameter(e.UNPACK_SKIP_ROWS);n.pixelStorei(e.UNPACK_ROW_LENGTH,r.width);for(let t=0,s=o.length;t<s;t++){let s=o[t],c=Math.floor(s.start/4),l=Math.ceil(s.count/4),u=c%r.width,d=Math.floor(c/r.width),f=l;n.pixelStorei(e.UNPACK_SKIP_PIXELS,u),n.pixelStorei(e.UNPACK_SKIP_ROWS,d),n.texSubImage2D(e.TEXTURE_2D,0,u,d,f,1,i,a,r.data)}t.clearUpdateRanges(),n.pixelStorei(e.UNPACK_ROW_LENGTH,c),n.pixelStorei(e.UNPACK_SKIP_PIXELS,l),n.pixelStorei(e.UNPACK_SKIP_ROWS,u)}}function ye(t,o,s){let c=e.TEXTURE_2D;(o.isDataArrayTexture||o.isCompressedArrayTexture)&&(c=e.TEXTURE_2D_ARRAY),o.isData3DTexture&&(c=e.TEXTURE_3D);let l=he(t,o),u=o.source;n.bindTexture(c,t.__webglTexture,e.TEXTURE0+s);let f=r.get(u);if(u.version!==f.__version||l===!0){if(n.activeTexture(e.TEXTURE0+s),!(typeof ImageBitmap<`u`&&o.image instanceof ImageBitmap)){let t=G.getPrimaries(G.workingColorSpace),r=o.colorSpace===``?null:G.getPrimaries(o.colorSpace),i=o.colorSpace===``||t===r?e.NONE:e.BROWSER_DEFAULT_WEBGL;n.pixelStorei(e.UNPACK_FLIP_Y_WEBGL,o.flipY),n.pixelStorei(e.UNPACK_PREMULTIPLY_ALPHA_WEBGL,o.premultiplyAlpha),n.pixelStorei(e.UNPACK_COLORSPACE_CONVERSION_WEBGL,i)}n.pixelStorei(e.UNPACK_ALIGNMENT,o.unpackAlignment);let t=v(o.image,!1,i.maxTextureSize);t=U(o,t);let r=a.convert(o.format,o.colorSpace),p=a.convert(o.type),m=C(o.internalFormat,r,p,o.normalized,o.colorSpace,o.isVideoTexture);R(c,o);let h,g=o.mipmaps,_=o.isVideoTexture!==!0,x=f.__version===void 0||l===!0,S=u.dataReady,T=E(o,t);if(o.isDepthTexture)m=w(o.format===ve,o.type),x&&(_?n.texStorage2D(e.TEXTURE_2D,1,m,t.width,t.height):n.texImage2D(e.TEXTURE_2D,0,m,t.width,t.height,0,r,p,null));else if(o.isDataTexture){if(g.length>0){_&&x&&n.texStorage2D(e.TEXTURE_2D,T,m,g[0].width,g[0].height);for(let t=0,i=g.length;t<i;t++)h=g[t],_?S&&n.texSubImage2D(e.TEXTURE_2D,t,0,0,h.width,h.height,r,p,h.data):n.texImage2D(e.TEXTURE_2D,t,m,h.width,h.height,0,r,p,h.data);o.generateMipmaps=!1}else _?(x&&n.texStorage2D(e.TEXTURE_2D,T,m,t.width,t.height),S&&_e(o,t,r,p)):n.texImage2D(e.TEXTURE_2D,0,m,t.width,t.height,0,r,p,t.data)}else if(o.isCompressedTexture){if(o.isCompressedArrayTexture){_&&x&&n.texStorage3D(e.TEXTURE_2D_ARRAY,T,m,g[0].width,g[0].height,t.depth);for(let i=0,a=g.length;i<a;i++)if(h=g[i],o.format!==1023){if(r!==null){if(_){if(S){if(o.layerUpdates.size>0){let t=Ue(h.width,h.height,o.format,o.type);for(let a of o.layerUpdates){let o=h.data.subarray(a*t/h.data.BYTES_PER_ELEMENT,(a+1)*t/h.data.BYTES_PER_ELEMENT);n.compressedTexSubImage3D(e.TEXTURE_2D_ARRAY,i,0,0,a,h.width,h.height,1,r,o)}}else n.compressedTexSubImage3D(e.TEXTURE_2D_ARRAY,i,0,0,0,h.width,h.height,t.depth,r,h.data)}}else n.compressedTexImage3D(e.TEXTURE_2D_ARRAY,i,m,h.width,h.height,t.depth,0,h.data,0,0)}else P(`WebGLRenderer: Attempt to load unsupported compressed texture format in .uploadTexture()`)}else _?S&&n.texSubImage3D(e.TEXTURE_2D_ARRAY,i,0,0,0,h.width,h.height,t.depth,r,p,h.data):n.texImage3D(e.TEXTURE_2D_ARRAY,i,m,h.width,h.height,t.depth,0,r,p,h.data);o.layerUpdates.size>0&&o.clearLayerUpdates()}else{_&&x&&n.texStorage2D(e.TEXTURE_2D,T,m,g[0].width,g[0].height);for(let t=0,i=g.length;t<i;t++)h=g[t],o.format===1023?_?S&&n.texSubImage2D(e.TEXTURE_2D,t,0,0,h.width,h.height,r,p,h.data):n.texImage2D(e.TEXTURE_2D,t,m,h.width,h.height,0,r,p,h.data):r===null?P(`WebGLRenderer: Attempt to load unsupported compressed texture format in .uploadTexture()`):_?S&&n.compressedTexSubImage2D(e.TEXTURE_2D,t,0,0,h.width,h.height,r,h.data):n.compressedTexImage2D(e.TEXTURE_2D,t,m,h.width,h.height,0,h.data)}}else if(o.isDataArrayTexture){if(_){if(x&&n.texStorage3D(e.TEXTURE_2D_ARRAY,T,m,t.width,t.height,t.depth),S){if(o.layerUpdates.size>0){let i=Ue(t.width,t.height,o.format,o.type);for(let a of o.layerUpdates){let o=t.data.subarray(a*i/t.data.BYTES_PER_ELEMENT,(a+1)*i/t.data.BYTES_PER_ELEMENT);n.texSubImage3D(e.TEXTURE_2D_ARRAY,0,0,0,a,t.width,t.height,1,r,p,o)}o.clearLayerUpdates()}else n.texSubImage3D(e.TEXTURE_2D_ARRAY,0,0,0,0,t.width,t.height,t.depth,r,p,t.data)}}else n.texImage3D(e.TEXTURE_2D_ARRAY,0,m,t.width,t.height,t.depth,0,r,p,t.data)}else if(o.isData3DTexture)_?(x&&n.texStorage3D(e.TEXTURE_3D,T,m,t.width,t.height,t.depth),S&&n.texSubImage3D(e.TEXTURE_3D,0,0,0,0,t.width,t.height,t.depth,r,p,t.data)):n.texImage3D(e.TEXTURE_3D,0,m,t.width,t.height,t.depth,0,r,p,t.data);else if(o.isFramebufferTexture){if(x){if(_)n.texStorage2D(e.TEXTURE_2D,T,m,t.width,t.height);else{let i=t.width,a=t.height;for(let t=0;t<T;t++)n.texImage2D(e.TEXTURE_2D,t,m,i,a,0,r,p,null),i>>=1,a>>=1}}}else if(o.isHTMLTexture){if(`texElementImage2D`in e){let n=e.canvas;if(n.hasAttribute(`layoutsubtree`)||n.setAttribute(`layoutsubtree`,`true`),t.parentNode!==n){n.appendChild(t),d.add(o),n.onpaint=e=>{let t=e.changedElements;for(let e of d)t.includes(e.image)&&(e.needsUpdate=!0)},n.requestPaint();return}if(e.texElementImage2D.length===3)e.texElementImage2D(e.TEXTURE_2D,e.RGBA8,t);else{let n=e.RGBA,r=e.RGBA,i=e.UNSIGNED_BYTE;e.texElementImage2D(e.TEXTURE_2D,0,n,r,i,t)}e.texParameteri(e.TEXTURE_2D,e.TEXTURE_MIN_FILTER,e.LINEAR),e.texParameteri(e.TEXTURE_2D,e.TEXTURE_WRAP_S,e.CLAMP_TO_EDGE),e.texParameteri(e.TEXTURE_2D,e.TEXTURE_WRAP_T,e.CLAMP_TO_EDGE)}}else if(g.length>0){if(_&&x){let t=W(g[0]);n.texStorage2D(e.TEXTURE_2D,T,m,t.width,t.height)}for(let t=0,i=g.length;t<i;t++)h=g[t],_?S&&n.texSubImage2D(e.TEXTURE_2D,t,0,0,r,p,h):n.texImage2D(e.TEXTURE_2D,t,m,r,p,h);o.generateMipmaps=!1}else if(_){if(x){let r=W(t);n.texStorage2D(e.TEXTURE_2D,T,m,r.width,r.height)}S&&n.texSubImage2D(e.TEXTURE_2D,0,0,0,r,p,t)}else n.texImage2D(e.TEXTURE_2D,0,m,r,p,t);y(o)&&o.mipmapsAutoUpdate===!0&&b(c),f.__version=u.version,o.onUpdate&&o.onUpdate(o)}t.__version=o.version}function xe(t,o,s){if(o.image.length!==6)return;let c=he(t,o),l=o.source;n.bindTexture(e.TEXTURE_CUBE_MAP,t.__webglTexture,e.TEXTURE0+s);let u=r.get(l);if(l.version!==u.__version||c===!0){n.activeTexture(e.TEXTURE0+s);let t=G.getPrimaries(G.workingColorSpace),r=o.colorSpace===``?null:G.getPrimaries(o.colorSpace),d=o.colorSpace===``||t===r?e.NONE:e.BROWSER_DEFAULT_WEBGL;n.pixelStorei(e.UNPACK_FLIP_Y_WEBGL,o.flipY),n.pixelStorei(e.UNPACK_PREMULTIPLY_ALPHA_WEBGL,o.premultiplyAlpha),n.pixelStorei(e.UNPACK_ALIGNMENT,o.unpackAlignment),n.pixelStorei(e.UNPACK_COLORSPACE_CONVERSION_WEBGL,d);let f=o.isCompressedTexture||o.image[0].isCompressedTexture,p=o.image[0]&&o.image[0].isDataTexture,m=[];for(let e=0;e<6;e++)!f&&!p?m[e]=v(o.image[e],!0,i.maxCubemapSize):m[e]=p?o.image[e].image:o.image[e],m[e]=U(o,m[e]);let h=m[0],g=a.convert(o.format,o.colorSpace),_=a.convert(o.type),x=C(o.internalFormat,g,_,o.normalized,o.colorSpace),S=o.isVideoTexture!==!0,T=u.__version===void 0||c===!0,D=l.dataReady,O=E(o,h);R(e.TEXTURE_CUBE_MAP,o);let k;if(o.isDepthTexture){if(x=w(o.format===ve,o.type),T){if(S)n.texStorage2D(e.TEXTURE_CUBE_MAP,1,x,h.width,h.height);else for(let t=0;t<6;t++)n.texImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,0,x,h.width,h.height,0,g,_,null)}}else if(f){S&&T&&n.texStorage2D(e.TEXTURE_CUBE_MAP,O,x,h.width,h.height);for(let t=0;t<6;t++){k=m[t].mipmaps;for(let r=0;r<k.length;r++){let i=k[r];o.format===1023?S?D&&n.texSubImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,r,0,0,i.width,i.height,g,_,i.data):n.texImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,r,x,i.width,i.height,0,g,_,i.data):g===null?P(`WebGLRenderer: Attempt to load unsupported compressed texture format in .setTextureCube()`):S?D&&n.compressedTexSubImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,r,0,0,i.width,i.height,g,i.data):n.compressedTexImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,r,x,i.width,i.height,0,i.data)}}}else{if(k=o.mipmaps,S&&T){k.length>0&&O++;let t=W(m[0]);n.texStorage2D(e.TEXTURE_CUBE_MAP,O,x,t.width,t.height)}for(let t=0;t<6;t++)if(p){S?D&&n.texSubImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,0,0,0,m[t].width,m[t].height,g,_,m[t].data):n.texImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,0,x,m[t].width,m[t].height,0,g,_,m[t].data);for(let r=0;r<k.length;r++){let i=k[r].image[t].image;S?D&&n.texSubImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,r+1,0,0,i.width,i.height,g,_,i.data):n.texImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,r+1,x,i.width,i.height,0,g,_,i.data)}}else{S?D&&n.texSubImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,0,0,0,g,_,m[t]):n.texImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,0,x,g,_,m[t]);for(let r=0;r<k.length;r++){let i=k[r];S?D&&n.texSubImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,r+1,0,0,g,_,i.image[t]):n.texImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,r+1,x,g,_,i.image[t])}}}y(o)&&o.mipmapsAutoUpdate===!0&&b(e.TEXTURE_CUBE_MAP),u.__version=l.version,o.onUpdate&&o.onUpdate(o)}t.__version=o.version}function Ce(t,i,o,c,l,u){let d=a.convert(o.format,o.colorSpace),f=a.convert(o.type),p=C(o.internalFormat,d,f,o.normalized,o.colorSpace),m=r.get(i),h=r.get(o);if(h.__renderTarget=i,!m.__hasExternalTextures){let t=Math.max(1,i.width>>u),r=Math.max(1,i.height>>u);l===e.TEXTURE_3D||l===e.TEXTURE_2D_ARRAY?n.texImage3D(l,u,p,t,r,i.depth,0,d,f,null):n.texImage2D(l,u,p,t,r,0,d,f,null)}n.bindFramebuffer(e.FRAMEBUFFER,t),H(i)?s.framebufferTexture2DMultisampleEXT(e.FRAMEBUFFER,c,l,h.__webglTexture,0,B(i)):(l===e.TEXTURE_2D||l>=e.TEXTURE_CUBE_MAP_POSITIVE_X&&l<=e.TEXTURE_CUBE_MAP_NEGATIVE_Z)&&e.framebufferTexture2D(e.FRAMEBUFFER,c,l,h.__webglTexture,u),n.bindFramebuffer(e.FRAMEBUFFER,null)}function we(t,n,r){if(e.bindRenderbuffer(e.RENDERBUFFER,t),n.depthBuffer){let i=n.depthTexture,a=i&&i.isDepthTexture?i.type:null,o=w(n.stencilBuffer,a),c=n.stencilBuffer?e.DEPTH_STENCIL_ATTACHMENT:e.DEPTH_ATTACHMENT;H(n)?s.renderbufferStorageMultisampleEXT(e.RENDERBUFFER,B(n),o,n.width,n.height):r?e.renderbufferStorageMultisample(e.RENDERBUFFER,B(n),o,n.width,n.height):e.renderbufferStorage(e.RENDERBUFFER,o,n.width,n.height),e.framebufferRenderbuffer(e.FRAMEBUFFER,c,e.RENDERBUFFER,t)}else{let t=n.textures;for(let i=0;i<t.length;i++){let o=t[i],c=a.convert(o.format,o.colorSpace),l=a.convert(o.type),u=C(o.internalFormat,c,l,o.normalized,o.colorSpace);H(n)?s.renderbufferStorageMultisampleEXT(e.RENDERBUFFER,B(n),u,n.width,n.height):r?e.renderbufferStorageMultisample(e.RENDERBUFFER,B(n),u,n.width,n.height):e.renderbufferStorage(e.RENDERBUFFER,u,n.width,n.height)}}e.bindRenderbuffer(e.RENDERBUFFER,null)}function Te(t,i,a){let o=i.isWebGLCubeRenderTarget===!0;if(n.bindFramebuffer(e.FRAMEBUFFER,t),!(i.depthTexture&&i.depthTexture.isDepthTexture))throw Error(`THREE.WebGLTextures: renderTarget.depthTexture must be an instance of THREE.DepthTexture.`);let c=r.get(i.depthTexture);c.__renderTarget=i;let l=o?i.depthTexture.image[0]:i.depthTexture.image;c.__webglTexture&&l.width===i.width&&l.height===i.height||(l.width=i.width,l.height=i.height,i.depthTexture.needsUpdate=!0),o?le(i.depthTexture,0):L(i.depthTexture,0);let u=c.__webglTexture,d=B(i),f=o?e.TEXTURE_CUBE_MAP_POSITIVE_X+a:e.TEXTURE_2D,p=i.depthTexture.format===1027?e.DEPTH_STENCIL_ATTACHMENT:e.DEPTH_ATTACHMENT;if(i.depthTexture.format===1026)H(i)?s.framebufferTexture2DMultisampleEXT(e.FRAMEBUFFER,p,f,u,0,d):e.framebufferTexture2D(e.FRAMEBUFFER,p,f,u,0);else if(i.depthTexture.format===1027)H(i)?s.framebufferTexture2DMultisampleEXT(e.FRAMEBUFFER,p,f,u,0,d):e.framebufferTexture2D(e.FRAMEBUFFER,p,f,u,0);else throw Error(`THREE.WebGLTextures: Unknown depthTexture format.`)}function Ee(t){let i=r.get(t),a=t.isWebGLCubeRenderTarget===!0;if(i.__boundDepthTexture!==t.depthTexture){let e=t.depthTexture;if(i.__depthDisposeCallback&&i.__depthDisposeCallback(),e){let t=()=>{delete i.__boundDepthTexture,delete i.__depthDisposeCallback,e.removeEventListener(`dispose`,t)};e.addEventListener(`dispose`,t),i.__depthDisposeCallback=t}i.__boundDepthTexture=e}if(t.depthTexture&&!i.__autoAllocateDepthBuffer){if(a)for(let e=0;e<6;e++)Te(i.__webglFramebuffer[e],t,e);else t.texture.mipmaps.length>0?Te(i.__webglFramebuffer[0],t,0):Te(i.__webglFramebuffer,t,0)}else if(a){i.__webglDepthbuffer=[];for(let r=0;r<6;r++)if(n.bindFramebuffer(e.FRAMEBUFFER,i.__webglFramebuffer[r]),i.__webglDepthbuffer[r]===void 0)i.__webglDepthbuffer[r]=e.createRenderbuffer(),we(i.__webglDepthbuffer[r],t,!1);else{let n=t.stencilBuffer?e.DEPTH_STENCIL_ATTACHMENT:e.DEPTH_ATTACHMENT,a=i.__webglDepthbuffer[r];e.bindRenderbuffer(e.RENDERBUFFER,a),e.framebufferRenderbuffer(e.FRAMEBUFFER,n,e.RENDERBUFFER,a)}}else if(t.texture.mipmaps.length>0?n.bindFramebuffer(e.FRAMEBUFFER,i.__webglFramebuffer[0]):n.bindFramebuffer(e.FRAMEBUFFER,i.__webglFramebuffer),i.__webglDepthbuffer===void 0)i.__webglDepthbuffer=e.createRenderbuffer(),we(i.__webglDepthbuffer,t,!1);else{let n=t.stencilBuffer?e.DEPTH_STENCIL_ATTACHMENT:e.DEPTH_ATTACHMENT,r=i.__webglDepthbuffer;e.bindRenderbuffer(e.RENDERBUFFER,r),e.framebufferRenderbuffer(e.FRAMEBUFFER,n,e.RENDERBUFFER,r)}n.bindFramebuffer(e.FRAMEBUFFER,null)}function De(t,n,i){let a=r.get(t);n!==void 0&&Ce(a.__webglFramebuffer,t,t.texture,e.COLOR_ATTACHMENT0,e.TEXTURE_2D,0),i!==void 0&&Ee(t)}function Ae(t){let i=t.texture,s=r.get(t),c=r.get(i);t.addEventListener(`dispose`,A),D(t);let l=t.textures,u=t.isWebGLCubeRenderTarget===!0,d=l.length>1;if(d||(c.__webglTexture===void 0&&(c.__webglTexture=e.createTexture()),c.__version=i.version,o.memory.textures++),u){s.__webglFramebuffer=[];for(let t=0;t<6;t++)if(i.mipmaps.length>0){s.__webglFramebuffer[t]=[];for(let n=0;n<i.mipmaps.length;n++)s.__webglFramebuffer[t][n]=e.createFramebuffer()}else s.__webglFramebuffer[t]=e.createFramebuffer()}else{if(i.mipmaps.length>0){s.__webglFramebuffer=[];for(let t=0;t<i.mipmaps.length;t++)s.__webglFramebuffer[t]=e.createFramebuffer()}else s.__webglFramebuffer=e.createFramebuffer();if(d)for(let t=0,n=l.length;t<n;t++){let n=r.get(l[t]);n.__webglTexture===void 0&&(n.__webglTexture=e.createTexture(),o.memory.textures++)}if(t.samples>0&&H(t)===!1){s.__webglMultisampledFramebuffer=e.createFramebuffer(),s.__webglColorRenderbuffer=[],n.bindFramebuffer(e.FRAMEBUFFER,s.__webglMultisampledFramebuffer);for(let n=0;n<l.length;n++){let r=l[n];s.__webglColorRenderbuffer[n]=e.createRenderbuffer(),e.bindRenderbuffer(e.RENDERBUFFER,s.__webglColorRenderbuffer[n]);let i=a.convert(r.format,r.colorSpace),o=a.convert(r.type),c=C(r.internalFormat,i,o,r.normalized,r.colorSpace,t.isXRRenderTarget===!0),u=B(t);e.renderbufferStorageMultisample(e.RENDERBUFFER,u,c,t.width,t.height),e.framebufferRenderbuffer(e.FRAMEBUFFER,e.COLOR_ATTACHMENT0+n,e.RENDERBUFFER,s.__webglColorRenderbuffer[n])}e.bindRenderbuffer(e.RENDERBUFFER,null),t.depthBuffer&&(s.__webglDepthRenderbuffer=e.createRenderbuffer(),we(s.__webglDepthRenderbuffer,t,!0)),n.bindFramebuffer(e.FRAMEBUFFER,null)}}if(u){n.bindTexture(e.TEXTURE_CUBE_MAP,c.__webglTexture),R(e.TEXTURE_CUBE_MAP,i);for(let n=0;n<6;n++)if(i.mipmaps.length>0)for(let r=0;r<i.mipmaps.length;r++)Ce(s.__webglFramebuffer[n][r],t,i,e.COLOR_ATTACHMENT0,e.TEXTURE_CUBE_MAP_POSITIVE_X+n,r);else Ce(s.__webglFramebuffer[n],t,i,e.COLOR_ATTACHMENT0,e.TEXTURE_CUBE_MAP_POSITIVE_X+n,0);y(i)?b(e.TEXTURE_CUBE_MAP):i.mipmaps.length>0&&e.texParameteri(e.TEXTURE_CUBE_MAP,e.TEXTURE_MAX_LEVEL,i.mipmaps.length-1),n.unbindTexture()}else if(d){for(let i=0,a=l.length;i<a;i++){let a=l[i],o=r.get(a),c=e.TEXTURE_2D;(t.isWebGL3DRenderTarget||t.isWebGLArrayRenderTarget)&&(c=t.isWebGL3DRenderTarget?e.TEXTURE_3D:e.TEXTURE_2D_ARRAY),n.bindTexture(c,o.__webglTexture),R(c,a),Ce(s.__webglFramebuffer,t,a,e.COLOR_ATTACHMENT0+i,c,0),y(a)&&b(c)}n.unbindTexture()}else{let r=e.TEXTURE_2D;if((t.isWebGL3DRenderTarget||t.isWebGLArrayRenderTarget)&&(r=t.isWebGL3DRenderTarget?e.TEXTURE_3D:e.TEXTURE_2D_ARRAY),n.bindTexture(r,c.__webglTexture),R(r,i),i.mipmaps.length>0)for(let n=0;n<i.mipmaps.length;n++)Ce(s.__webglFramebuffer[n],t,i,e.COLOR_ATTACHMENT0,r,n);else Ce(s.__webglFramebuffer,t,i,e.COLOR_ATTACHMENT0,r,0);y(i)?b(r):i.mipmaps.length>0&&e.texParameteri(r,e.TEXTURE_MAX_LEVEL,i.mipmaps.length-1),n.unbindTexture()}t.depthBuffer&&Ee(t)}function je(e){let t=e.textures;for(let i=0,a=t.length;i<a;i++){let a=t[i];if(y(a)&&a.mipmapsAutoUpdate===!0){let t=x(e),i=r.get(a).__webglTexture;n.bindTexture(t,i),b(t),n.unbindTexture()}}}let z=[];function Me(t){if(t.samples>0){if(H(t)===!1){let i=t.textures,a=t.width,o=t.height,s=e.COLOR_BUFFER_BIT,l=t.stencilBuffer?e.DEPTH_STENCIL_ATTACHMENT:e.DEPTH_ATTACHMENT,u=r.get(t),d=i.length>1;if(d)for(let t=0;t<i.length;t++)n.bindFramebuffer(e.FRAMEBUFFER,u.__webglMultisampledFramebuffer),e.framebufferRenderbuffer(e.FRAMEBUFFER,e.COLOR_ATTACHMENT0+t,e.RENDERBUFFER,null),n.bindFramebuffer(e.FRAMEBUFFER,u.__webglFramebuffer),e.framebufferTexture2D(e.DRAW_FRAMEBUFFER,e.COLOR_ATTACHMENT0+t,e.TEXTURE_2D,null,0);n.bindFramebuffer(e.READ_FRAMEBUFFER,u.__webglMultisampledFramebuffer),t.texture.mipmaps.length>0?n.bindFramebuffer(e.DRAW_FRAMEBUFFER,u.__webglFramebuffer[0]):n.bindFramebuffer(e.DRAW_FRAMEBUFFER,u.__webglFramebuffer);for(let n=0;n<i.length;n++){if(t.resolveDepthBuffer&&(t.depthBuffer&&(s|=e.DEPTH_BUFFER_BIT),t.stencilBuffer&&t.resolveStencilBuffer&&(s|=e.STENCIL_BUFFER_BIT)),d){e.framebufferRenderbuffer(e.READ_FRAMEBUFFER,e.COLOR_ATTACHMENT0,e.RENDERBUFFER,u.__webglColorRenderbuffer[n]);let t=r.get(i[n]).__webglTexture;e.framebufferTexture2D(e.DRAW_FRAMEBUFFER,e.COLOR_ATTACHMENT0,e.TEXTURE_2D,t,0)}e.blitFramebuffer(0,0,a,o,0,0,a,o,s,e.NEAREST),c===!0&&(z.length=0,z.push(e.COLOR_ATTACHMENT0+n),t.depthBuffer&&t.storeMultisampledDepthBuffer===!1&&z.push(l),e.invalidateFramebuffer(e.READ_FRAMEBUFFER,z))}if(n.bindFramebuffer(e.READ_FRAMEBUFFER,null),n.bindFramebuffer(e.DRAW_FRAMEBUFFER,null),d)for(let t=0;t<i.length;t++){n.bindFramebuffer(e.FRAMEBUFFER,u.__webglMultisampledFramebuffer),e.framebufferRenderbuffer(e.FRAMEBUFFER,e.COLOR_ATTACHMENT0+t,e.RENDERBUFFER,u.__webglColorRenderbuffer[t]);let a=r.get(i[t]).__webglTexture;n.bindFramebuffer(e.FRAMEBUFFER,u.__webglFramebuffer),e.framebufferTexture2D(e.DRAW_FRAMEBUFFER,e.COLOR_ATTACHMENT0+t,e.TEXTURE_2D,a,0)}n.bindFramebuffer(e.DRAW_FRAMEBUFFER,u.__webglMultisampledFramebuffer)}else if(t.depthBuffer&&t.storeMultisampledDepthBuffer===!1&&c){let n=t.stencilBuffer?e.DEPTH_STENCIL_ATTACHMENT:e.DEPTH_ATTACHMENT;e.invalidateFramebuffer(e.DRAW_FRAMEBUFFER,[n])}}}function B(e){return Math.min(i.maxSamples,e.samples)}function H(e){let n=r.get(e);return e.samples>0&&t.has(`WEBGL_multisampled_render_to_texture`)===!0&&n.__useRenderToTexture!==!1}function Ne(e){let t=o.render.frame;u.get(e)!==t&&(u.set(e,t),e.update())}function U(e,t){let n=e.colorSpace,r=e.format,i=e.type;return e.isCompressedTexture===!0||e.isVideoTexture===!0||n!==`srgb-linear`&&n!==``&&(G.getTransfer(n)===`srgb`?(r!==1023||i!==1009)&&P(`WebGLTextures: sRGB encoded textures have to use RGBAFormat and UnsignedByteType.`):q(`WebGLTextures: Unsupported texture color space:`,n)),t}function W(e){return typeof HTMLImageElement<`u`&&e instanceof HTMLImageElement?(l.width=e.naturalWidth||e.width,l.height=e.naturalHeight||e.height):typeof VideoFrame<`u`&&e instanceof VideoFrame?(l.width=e.displayWidth,l.height=e.displayHeight):(l.width=e.width,l.height=e.height),l}this.allocateTextureUnit=ae,this.resetTextureUnits=F,this.getTextureUnits=ie,this.setTextureUnits=I,this.setTexture2D=L,this.setTexture2DArray=se,this.setTexture3D=ce,this.setTextureCube=le,this.rebindTextures=De,this.setupRenderTarget=Ae,this.updateRenderTargetMipmap=je,this.updateMultisampleRenderTarget=Me,this.setupDepthRenderbuffer=Ee,this.setupFrameBufferTexture=Ce,this.useMultisampledRTT=H,this.dispose=ee}function Ea(e,t){function n(n,r=``){let i,a=G.getTransfer(r);if(n===1009)return e.UNSIGNED_BYTE;if(n===1017)return e.UNSIGNED_SHORT_4_4_4_4;if(n===1018)return e.UNSIGNED_SHORT_5_5_5_1;if(n===35902)return e.UNSIGNED_INT_5_9_9_9_REV;if(n===35899)return e.UNSIGNED_INT_10F_11F_11F_REV;if(n===1010)return e.BYTE;if(n===1011)return e.SHORT;if(n===1012)return e.UNSIGNED_SHORT;if(n===1013)return e.INT;if(n===1014)return e.UNSIGNED_INT;if(n===1015)return e.FLOAT;if(n===1016)return e.HALF_FLOAT;if(n===1021)return e.ALPHA;if(n===1022)return e.RGB;if(n===1023)return e.RGBA;if(n===1026)return e.DEPTH_COMPONENT;if(n===1027)return e.DEPTH_STENCIL;if(n===1028)return e.RED;if(n===1029)return e.RED_INTEGER;if(n===1030)return e.RG;if(n===1031)return e.RG_INTEGER;if(n===1033)return e.RGBA_INTEGER;if(n===33776||n===33777||n===33778||n===33779){if(a===`srgb`){if(i=t.get(`WEBGL_compressed_texture_s3tc_srgb`),i!==null){if(n===33776)return i.COMPRESSED_SRGB_S3TC_DXT1_EXT;if(n===33777)return i.COMPRESSED_SRGB_ALPHA_S3TC_DXT1_EXT;if(n===33778)return i.COMPRESSED_SRGB_ALPHA_S3TC_DXT3_EXT;if(n===33779)return i.COMPRESSED_SRGB_ALPHA_S3TC_DXT5_EXT}else return null}else if(i=t.get(`WEBGL_compressed_texture_s3tc`),i!==null){if(n===33776)return i.COMPRESSED_RGB_S3TC_DXT1_EXT;if(n===33777)return i.COMPRESSED_RGBA_S3TC_DXT1_EXT;if(n===33778)return i.COMPRESSED_RGBA_S3TC_DXT3_EXT;if(n===33779)return i.COMPRESSED_RGBA_S3TC_DXT5_EXT}else return null}if(n===35840||n===35841||n===35842||n===35843){if(i=t.get(`WEBGL_compressed_texture_pvrtc`),i!==null){if(n===35840)return i.COMPRESSED_RGB_PVRTC_4BPPV1_IMG;if(n===35841)return i.COMPRESSED_RGB_PVRTC_2BPPV1_IMG;if(n===35842)return i.COMPRESSED_RGBA_PVRTC_4BPPV1_IMG;if(n===35843)return i.COMPRESSED_RGBA_PVRTC_2BPPV1_IMG}else return null}if(n===36196||n===37492||n===37496||n===37488||n===37489||n===37490||n===37491){if(i=t.get(`WEBGL_compressed_texture_etc`),i!==null){if(n===36196||n===37492)return a===`srgb`?i.COMPRESSED_SRGB8_ETC2:i.COMPRESSED_RGB8_ETC2;if(n===37496)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ETC2_EAC:i.COMPRESSED_RGBA8_ETC2_EAC;if(n===37488)return i.COMPRESSED_R11_EAC;if(n===37489)return i.COMPRESSED_SIGNED_R11_EAC;if(n===37490)return i.COMPRESSED_RG11_EAC;if(n===37491)return i.COMPRESSED_SIGNED_RG11_EAC}else return null}if(n===37808||n===37809||n===37810||n===37811||n===37812||n===37813||n===37814||n===37815||n===37816||n===37817||n===37818||n===37819||n===37820||n===37821){if(i=t.get(`WEBGL_compressed_texture_astc`),i!==null){if(n===37808)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_4x4_KHR:i.COMPRESSED_RGBA_ASTC_4x4_KHR;if(n===37809)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_5x4_KHR:i.COMPRESSED_RGBA_ASTC_5x4_KHR;if(n===37810)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_5x5_KHR:i.COMPRESSED_RGBA_ASTC_5x5_KHR;if(n===37811)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_6x5_KHR:i.COMPRESSED_RGBA_ASTC_6x5_KHR;if(n===37812)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_6x6_KHR:i.COMPRESSED_RGBA_ASTC_6x6_KHR;if(n===37813)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_8x5_KHR:i.COMPRESSED_RGBA_ASTC_8x5_KHR;if(n===37814)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_8x6_KHR:i.COMPRESSED_RGBA_ASTC_8x6_KHR;if(n===37815)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_8x8_KHR:i.COMPRESSED_RGBA_ASTC_8x8_KHR;if(n===37816)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_10x5_KHR:i.COMPRESSED_RGBA_ASTC_10x5_KHR;if(n===37817)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_10x6_KHR:i.COMPRESSED_RGBA_ASTC_10x6_KHR;if(n===37818)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_10x8_KHR:i.COMPRESSED_RGBA_ASTC_10x8_KHR;if(n===37819)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_10x10_KHR:i.COMPRESSED_RGBA_ASTC_10x10_KHR;if(n===37820)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_12x10_KHR:i.COMPRESSED_RGBA_ASTC_12x10_KHR;if(n===37821)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_12x12_KHR:i.COMPRESSED_RGBA_ASTC_12x12_KHR}else return null}if(n===36492||n===36494||n===36495){if(i=t.get(`EXT_texture_compression_bptc`),i!==null){if(n===36492)return a===`srgb`?i.COMPRESSED_SRGB_ALPHA_BPTC_UNORM_EXT:i.COMPRESSED_RGBA_BPTC_UNORM_EXT;if(n===36494)return i.COMPRESSED_RGB_BPTC_SIGNED_FLOAT_EXT;if(n===36495)return i.COMPRESSED_RGB_BPTC_UNSIGNED_FLOAT_EXT}else return null}if(n===36283||n===36284||n===36285||n===36286){if(i=t.get(`EXT_texture_compression_rgtc`),i!==null){if(n===36283)return i.COMPRESSED_RED_RGTC1_EXT;if(n===36284)return i.COMPRESSED_SIGNED_RED_RGTC1_EXT;if(n===36285)return i.COMPRESSED_RED_GREEN_RGTC2_EXT;if(n===36286)return i.COMPRESSED_SIGNED_RED_GREEN_RGTC2_EXT}else return null}return n===1020?e.UNSIGNED_INT_24_8:e[n]===void 0?null:e[n]}return{convert:n}}var Da=`
void main() {

	gl_Position = vec4( position, 1.0 );

}`,Oa=`
uniform sampler2DArray depthColor;
uniform float depthWidth;
uniform float depthHeight;

void main() {

	vec2 coord = vec2( gl_FragCoord.x / depthWidth, gl_FragCoord.y / depthHeight );

	if ( coord.x >= 1.0 ) {

		gl_FragDepth = texture( depthColor, vec3( coord.x - 1.0, coord.y, 1 ) ).r;

	} else {

		gl_FragDepth = texture( depthColor, vec3( coord.x, coord.y, 0 ) ).r;

	}

}`,ka=class{constructor(){this.texture=null,this.mesh=null,this.depthNear=0,this.depthFar=0}init(e,t){if(this.texture===null){let n=new de(e.texture);(e.depthNear!==t.depthNear||e.depthFar!==t.depthFar)&&(this.depthNear=e.depthNear,this.depthFar=e.depthFar),this.texture=n}}getMesh(e){if(this.texture!==null&&this.mesh===null){let t=e.cameras[0].viewport,n=new Be({vertexShader:Da,fragmentShader:Oa,uniforms:{depthColor:{value:this.texture},depthWidth:{value:t.z},depthHeight:{value:t.w}}});this.mesh=new F(new Ve(20,20),n)}return this.mesh}reset(){this.texture=null,this.mesh=null}getDepthTexture(){return this.texture}},Aa=class extends O{constructor(e,t){super();let n=this,r=null,i=1,a=null,o=`local-floor`,s=1,c=null,l=null,u=null,d=null,f=null,p=null,m=typeof XRWebGLBinding<`u`,h=new ka,g={},_=t.getContextAttributes(),v=null,y=null,b=[],x=[],S=new V,C=null,w=null,T=new Ze;T.viewport=new _e;let E=new Ze;E.viewport=new _e;let D=[T,E],O=new Ge,k=null,j=null;this.cameraAutoUpdate=!0,this.enabled=!1,this.isPresenting=!1,this.getController=function(e){let t=b[e];return t===void 0&&(t=new ye,b[e]=t),t.getTargetRaySpace()},this.getControllerGrip=function(e){let t=b[e];return t===void 0&&(t=new ye,b[e]=t),t.getGripSpace()},this.getHand=function(e){let t=b[e];return t===void 0&&(t=new ye,b[e]=t),t.getHandSpace()};function M(e){let t=x.indexOf(e.inputSource);if(t===-1)return;let n=b[t];n!==void 0&&(n.update(e.inputSource,e.frame,c||a),n.dispatchEvent({type:e.type,data:e.inputSource}))}function ee(){r.removeEventListener(`select`,M),r.removeEventListener(`selectstart`,M),r.removeEventListener(`selectend`,M),r.removeEventListener(`squeeze`,M),r.removeEventListener(`squeezestart`,M),r.removeEventListener(`squeezeend`,M),r.removeEventListener(`end`,ee),r.removeEventListener(`inputsourceschange`,te);for(let e=0;e<b.length;e++){let t=x[e];t!==null&&(x[e]=null,b[e].disconnect(t))}k=null,j=null,h.reset();for(let e in g)delete g[e];if(e.setRenderTarget(v),f=null,d=null,u=null,r=null,y=null,ie.stop(),n.isPresenting=!1,e.setPixelRatio(C),e.setSize(S.width,S.height,!1),w!==null){let e=w.camera;e.fov=w.fov,e.zoom=w.zoom,e.updateProjectionMatrix(),w=null}n.dispatchEvent({type:`sessionend`})}this.setFramebufferScaleFactor=function(e){i=e,n.isPresenting===!0&&P(`WebXRManager: Cannot change framebuffer scale while presenting.`)},this.setReferenceSpaceType=function(e){o=e,n.isPresenting===!0&&P(`WebXRManager: Cannot change reference space type while presenting.`)},this.getReferenceSpace=function(){return c||a},this.setReferenceSpace=function(e){c=e},this.getBaseLayer=function(){return d===null?f:d},this.getBinding=function(){return u===null&&m&&(u=new XRWebGLBinding(r,t)),u},this.getFrame=function(){return p},this.getSession=function(){return r},this.setSession=async function(l){if(r=l,r!==null){if(v=e.getRenderTarget(),r.addEventListener(`select`,M),r.addEventListener(`selectstart`,M),r.addEventListener(`selectend`,M),r.addEventListener(`squeeze`,M),r.addEventListener(`squeezestart`,M),r.addEventListener(`squeezeend`,M),r.addEventListener(`end`,ee),r.addEventListener(`inputsourceschange`,te),_.xrCompatible!==!0&&await t.makeXRCompatible(),C=e.getPixelRatio(),e.getSize(S),m&&`createProjectionLayer`in XRWebGLBinding.prototype){let n=null,a=null,o=null;_.depth&&(o=_.stencil?t.DEPTH24_STENCIL8:t.DEPTH_COMPONENT24,n=_.stencil?ve:ht,a=_.stencil?Je:Re);let s={colorFormat:t.RGBA8,depthFormat:o,scaleFactor:i};u=this.getBinding(),d=u.createProjectionLayer(s),r.updateRenderState({layers:[d]}),e.setPixelRatio(1),e.setSize(d.textureWidth,d.textureHeight,!1),y=new gt(d.textureWidth,d.textureHeight,{format:Le,type:Ie,depthTexture:new A(d.textureWidth,d.textureHeight,a,void 0,void 0,void 0,void 0,void 0,void 0,n),stencilBuffer:_.stencil,colorSpace:e.outputColorSpace,samples:_.antialias?4:0,resolveDepthBuffer:d.ignoreDepthValues===!1,resolveStencilBuffer:d.ignoreDepthValues===!1,storeMultisampledDepthBuffer:d.ignoreDepthValues===!1,storeMultisampledStencilBuffer:d.ignoreDepthValues===!1})}else{let n={antialias:_.antialias,alpha:!0,depth:_.depth,stencil:_.stencil,framebufferScaleFactor:i};f=new XRWebGLLayer(r,t,n),r.updateRenderState({baseLayer:f}),e.setPixelRatio(1),e.setSize(f.framebufferWidth,f.framebufferHeight,!1),y=new gt(f.framebufferWidth,f.framebufferHeight,{format:Le,type:Ie,colorSpace:e.outputColorSpace,stencilBuffer:_.stencil,resolveDepthBuffer:f.ignoreDepthValues===!1,resolveStencilBuffer:f.ignoreDepthValues===!1,storeMultisampledDepthBuffer:f.ignoreDepthValues===!1,storeMultisampledStencilBuffer:f.ignoreDepthValues===!1})}y.isXRRenderTarget=!0,this.setFoveation(s),c=null,a=await r.requestReferenceSpace(o),ie.setContext(r),ie.start(),n.isPresenting=!0,n.dispatchEvent({type:`sessionstart`})}},this.getEnvironmentBlendMode=function(){if(r!==null)return r.environmentBlendMode},this.getDepthTexture=function(){return h.getDepthTexture()};function te(e){for(let t=0;t<e.removed.length;t++){let n=e.removed[t],r=x.indexOf(n);r>=0&&(x[r]=null,b[r].disconnect(n))}for(let t=0;t<e.added.length;t++){let n=e.added[t],r=x.indexOf(n);if(r===-1){for(let e=0;e<b.length;e++)if(e>=x.length){x.push(n),r=e;break}else if(x[e]===null){x[e]=n,r=e;break}if(r===-1)break}let i=b[r];i&&i.connect(n)}}function ne(e,t){t===null?e.matrixWorld.copy(e.matrix):e.matrixWorld.multiplyMatrices(t.matrixWorld,e.matrix),e.matrixWorldInverse.copy(e.matrixWorld).invert()}this.updateCamera=function(e){if(r===null)return;let t=e.near,n=e.far;h.texture!==null&&(h.depthNear>0&&(t=h.depthNear),h.depthFar>0&&(n=h.depthFar)),O.near=E.near=T.near=t,O.far=E.far=T.far=n,(k!==O.near||j!==O.far)&&(r.updateRenderState({depthNear:O.near,depthFar:O.far}),k=O.near,j=O.far),O.layers.mask=e.layers.mask|6,T.layers.mask=O.layers.mask&-5,E.layers.mask=O.layers.mask&-3;let i=e.parent,a=O.cameras;ne(O,i);for(let e=0;e<a.length;e++)ne(a[e],i);O.projectionMatrix.copy(T.projectionMatrix),O.projectionMatrixInverse.copy(T.projectionMatrixInverse),w===null&&e.isPerspectiveCamera&&(w={camera:e,fov:e.fov,zoom:e.zoom}),re(e,O,i)};function re(e,t,n){n===null?e.matrix.copy(t.matrixWorld):(e.matrix.copy(n.matrixWorld),e.matrix.invert(),e.matrix.multiply(t.matrixWorld)),e.matrix.decompose(e.position,e.quaternion,e.scale),e.updateMatrixWorld(!0),e.projectionMatrix.copy(t.projectionMatrix),e.projectionMatrixInverse.copy(t.projectionMatrixInverse),e.isPerspectiveCamera&&(e.fov=Ne*2*Math.atan(1/e.projectionMatrix.elements[5]),e.zoom=1)}this.getCamera=function(){return O},this.getFoveation=function(){if(d!==null||f!==null)return s},this.setFoveation=function(e){s=e,d!==null&&(d.fixedFoveation=e),f!==null&&f.fixedFoveation!==void 0&&(f.fixedFoveation=e)},this.hasDepthSensing=function(){return h.texture!==null},this.getDepthSensingMesh=function(){return h.getMesh(O)},this.getCameraTexture=function(e){return g[e]};let N=null;function F(t,i){if(l=i.getViewerPose(c||a),p=i,l!==null){let t=l.views;f!==null&&(e.setRenderTargetFramebuffer(y,f.framebuffer),e.setRenderTarget(y));let i=!1;t.length!==O.cameras.length&&(O.cameras.length=0,i=!0);for(let n=0;n<t.length;n++){let r=t[n],a=null;if(f!==null)a=f.getViewport(r);else{let t=u.getViewSubImage(d,r);a=t.viewport,n===0&&(e.setRenderTargetTextures(y,t.colorTexture,t.depthStencilTexture),e.setRenderTarget(y))}let o=D[n];o===void 0&&(o=new Ze,o.layers.enable(n),o.viewport=new _e,D[n]=o),o.matrix.fromArray(r.transform.matrix),o.matrix.decompose(o.position,o.quaternion,o.scale),o.projectionMatrix.fromArray(r.projectionMatrix),o.projectionMatrixInverse.copy(o.projectionMatrix).invert(),o.viewport.set(a.x,a.y,a.width,a.height),n===0&&(O.matrix.copy(o.matrix),O.matrix.decompose(O.position,O.quaternion,O.scale)),i===!0&&O.cameras.push(o)}let a=r.enabledFeatures;if(a&&a.includes(`depth-sensing`)&&r.depthUsage==`gpu-optimized`&&m){u=n.getBinding();let e=u.getDepthInformation(t[0]);e&&e.isValid&&e.texture&&h.init(e,r.renderState)}if(a&&a.includes(`camera-access`)&&m){e.state.unbindTexture(),u=n.getBinding();for(let e=0;e<t.length;e++){let n=t[e].camera;if(n){let e=g[n];e||(e=new de,g[n]=e);let t=u.getCameraImage(n);e.sourceTexture=t}}}}for(let e=0;e<b.length;e++){let t=x[e],n=b[e];t!==null&&n!==void 0&&n.update(t,i,c||a)}N&&N(t,i),i.detectedPlanes&&n.dispatchEvent({type:`planesdetected`,data:i}),p=null}let ie=new kn;ie.setAnimationLoop(F),this.setAnimationLoop=function(e){N=e},this.dispose=function(){}}},ja=new nt,Ma=new I;Ma.set(-1,0,0,0,1,0,0,0,1);function Na(e,t){function n(e,t){e.matrixAutoUpdate===!0&&e.updateMatrix(),t.value.copy(e.matrix)}function r(t,n){n.color.getRGB(t.fogColor.value,ce(e)),n.isFog?(t.fogNear.value=n.near,t.fogFar.value=n.far):n.isFogExp2&&(t.fogDensity.value=n.density)}function i(e,t,n,r,i){t.isNodeMaterial?t.uniformsNeedUpdate=!1:t.isMeshBasicMaterial?a(e,t):t.isMeshLambertMaterial?(a(e,t),t.envMap&&(e.envMapIntensity.value=t.envMapIntensity)):t.isMeshToonMaterial?(a(e,t),d(e,t)):t.isMeshPhongMaterial?(a(e,t),u(e,t),t.envMap&&(e.envMapIntensity.value=t.envMapIntensity)):t.isMeshStandardMaterial?(a(e,t),f(e,t),t.isMeshPhysicalMaterial&&p(e,t,i)):t.isMeshMatcapMaterial?(a(e,t),m(e,t)):t.isMeshDepthMaterial?a(e,t):t.isMeshDistanceMaterial?(a(e,t),h(e,t)):t.isMeshNormalMaterial?a(e,t):t.isLineBasicMaterial?(o(e,t),t.isLineDashedMaterial&&s(e,t)):t.isPointsMaterial?c(e,t,n,r):t.isSpriteMaterial?l(e,t):t.isShadowMaterial?(e.color.value.copy(t.color),e.opacity.value=t.opacity):t.isShaderMaterial&&(t.uniformsNeedUpdate=!1)}function a(e,r){e.opacity.value=r.opacity,r.color&&e.diffuse.value.copy(r.color),r.emissive&&e.emissive.value.copy(r.emissive).multiplyScalar(r.emissiveIntensity),r.map&&(e.map.value=r.map,n(r.map,e.mapTransform)),r.alphaMap&&(e.alphaMap.value=r.alphaMap,n(r.alphaMap,e.alphaMapTransform)),r.bumpMap&&(e.bumpMap.value=r.bumpMap,n(r.bumpMap,e.bumpMapTransform),e.bumpScale.value=r.bumpScale,r.side===1&&(e.bumpScale.value*=-1)),r.normalMap&&(e.normalMap.value=r.normalMap,n(r.normalMap,e.normalMapTransform),e.normalScale.value.copy(r.normalScale),r.side===1&&e.normalScale.value.negate()),r.displacementMap&&(e.displacementMap.value=r.displacementMap,n(r.displacementMap,e.displacementMapTransform),e.displacementScale.value=r.displacementScale,e.displacementBias.value=r.displacementBias),r.emissiveMap&&(e.emissiveMap.value=r.emissiveMap,n(r.emissiveMap,e.emissiveMapTransform)),r.specularMap&&(e.specularMap.value=r.specularMap,n(r.specularMap,e.specularMapTransform)),r.alphaTest>0&&(e.alphaTest.value=r.alphaTest);let i=t.get(r),a=i.envMap,o=i.envMapRotation;a&&(e.envMap.value=a,e.envMapRotation.value.setFromMatrix4(ja.makeRotationFromEuler(o)).transpose(),a.isCubeTexture&&a.isRenderTargetTexture===!1&&e.envMapRotation.value.premultiply(Ma),e.reflectivity.value=r.reflectivity,e.ior.value=r.ior,e.refractionRatio.value=r.refractionRatio),r.lightMap&&(e.lightMap.value=r.lightMap,e.lightMapIntensity.value=r.lightMapIntensity,n(r.lightMap,e.lightMapTransform)),r.aoMap&&(e.aoMap.value=r.aoMap,e.aoMapIntensity.value=r.aoMapIntensity,n(r.aoMap,e.aoMapTransform))}function o(e,t){e.diffuse.value.copy(t.color),e.opacity.value=t.opacity,t.map&&(e.map.value=t.map,n(t.map,e.mapTransform))}function s(e,t){e.dashSize.value=t.dashSize,e.totalSize.value=t.dashSize+t.gapSize,e.scale.value=t.scale}function c(e,t,r,i){e.diffuse.value.copy(t.color),e.opacity.value=t.opacity,e.size.value=t.size*r,e.scale.value=i*.5,t.map&&(e.map.value=t.map,n(t.map,e.uvTransform)),t.alphaMap&&(e.alphaMap.value=t.alphaMap,n(t.alphaMap,e.alphaMapTransform)),t.alphaTest>0&&(e.alphaTest.value=t.alphaTest)}function l(e,t){e.diffuse.value.copy(t.color),e.opacity.value=t.opacity,e.rotation.value=t.rotation,t.map&&(e.map.value=t.map,n(t.map,e.mapTransform)),t.alphaMap&&(e.alphaMap.value=t.alphaMap,n(t.alphaMap,e.alphaMapTransform)),t.alphaTest>0&&(e.alphaTest.value=t.alphaTest)}function u(e,t){e.specular.value.copy(t.specular),e.shininess.value=Math.max(t.shininess,1e-4)}function d(e,t){t.gradientMap&&(e.gradientMap.value=t.gradientMap)}function f(e,t){e.metalness.value=t.metalness,t.metalnessMap&&(e.metalnessMap.value=t.metalnessMap,n(t.metalnessMap,e.metalnessMapTransform)),e.roughness.value=t.roughness,t.roughnessMap&&(e.roughnessMap.value=t.roughnessMap,n(t.roughnessMap,e.roughnessMapTransform)),t.envMap&&(e.envMapIntensity.value=t.envMapIntensity)}function p(e,t,r){e.ior.value=t.ior,t.diffuseRoughness>0&&(e.diffuseRoughness.value=t.diffuseRoughness,t.diffuseRoughnessMap&&(e.diffuseRoughnessMap.value=t.diffuseRoughnessMap,n(t.diffuseRoughnessMap,e.diffuseRoughnessMapTransform))),t.sheen>0&&(e.sheenColor.value.copy(t.sheenColor).multiplyScalar(t.sheen),e.sheenRoughness.value=t.sheenRoughness,t.sheenColorMap&&(e.sheenColorMap.value=t.sheenColorMap,n(t.sheenColorMap,e.sheenColorMapTransform)),t.sheenRoughnessMap&&(e.sheenRoughnessMap.value=t.sheenRoughnessMap,n(t.sheenRoughnessMap,e.sheenRoughnessMapTransform))),t.clearcoat>0&&(e.clearcoat.value=t.clearcoat,e.clearcoatRoughness.value=t.clearcoatRoughness,t.clearcoatMap&&(e.clearcoatMap.value=t.clearcoatMap,n(t.clearcoatMap,e.clearcoatMapTransform)),t.clearcoatRoughnessMap&&(e.clearcoatRoughnessMap.value=t.clearcoatRoughnessMap,n(t.clearcoatRoughnessMap,e.clearcoatRoughnessMapTransform)),t.clearcoatNormalMap&&(e.clearcoatNormalMap.value=t.clearcoatNormalMap,n(t.clearcoatNormalMap,e.clearcoatNormalMapTransform),e.clearcoatNormalScale.value.copy(t.clearcoatNormalScale),t.side===1&&e.clearcoatNormalScale.value.negate())),t.dispersion>0&&(e.dispersion.value=t.dispersion),t.retroreflectivity>0&&(e.retroreflectivity.value=t.retroreflectivity),t.iridescence>0&&(e.iridescence.value=t.iridescence,e.iridescenceIOR.value=t.iridescenceIOR,e.iridescenceThicknessMinimum.value=t.iridescenceThicknessMinimum,e.iridescenceThicknessMaximum.value=t.iridescenceThicknessMaximum,t.iridescenceMap&&(e.iridescenceMap.value=t.iridescenceMap,n(t.iridescenceMap,e.iridescenceMapTransform)),t.iridescenceThicknessMap&&(e.iridescenceThicknessMap.value=t.iridescenceThicknessMap,n(t.iridescenceThicknessMap,e.iridescenceThicknessMapTransform))),t.transmission>0&&(e.transmission.value=t.transmission,e.transmissionSamplerMap.value=r.texture,e.transmissionSamplerSize.value.set(r.width,r.height),t.transmissionMap&&(e.transmissionMap.value=t.transmissionMap,n(t.transmissionMap,e.transmissionMapTransform)),e.thickness.value=t.thickness,t.thicknessMap&&(e.thicknessMap.value=t.thicknessMap,n(t.thicknessMap,e.thicknessMapTransform)),e.attenuationDistance.value=t.attenuationDistance,e.attenuationColor.value.copy(t.attenuationColor)),t.anisotropy>0&&(e.anisotropyVector.value.set(t.anisotropy*Math.cos(t.anisotropyRotation),t.anisotropy*Math.sin(t.anisotropyRotation)),t.anisotropyMap&&(e.anisotropyMap.value=t.anisotropyMap,n(t.anisotropyMap,e.anisotropyMapTransform))),e.specularIntensity.value=t.specularIntensity,e.specularColor.value.copy(t.specularColor),t.specularColorMap&&(e.specularColorMap.value=t.specularColorMap,n(t.specularColorMap,e.specularColorMapTransform)),t.specularIntensityMap&&(e.specularIntensityMap.value=t.specularIntensityMap,n(t.specularIntensityMap,e.specularIntensityMapTransform))}function m(e,t){t.matcap&&(e.matcap.value=t.matcap)}function h(e,n){let r=t.get(n).light;e.referencePosition.value.setFromMatrixPosition(r.matrixWorld),e.nearDistance.value=r.shadow.camera.near,e.farDistance.value=r.shadow.camera.far}return{refreshFogUniforms:r,refreshMaterialUniforms:i}}function Pa(e,t,n,r){let i={},a={};function o(e,t){let n=t.program;r.uniformBlockBinding(e,n,i[e.id])}function s(e,n){let o=i[e.id];o===void 0&&(m(e),o=c(e),i[e.id]=o,e.addEventListener(`dispose`,g));let s=n.program;r.updateUBOMapping(e,s);let u=t.render.frame;a[e.id]!==u&&(l(e),a[e.id]=u)}function c(t){let n=e.createBuffer(),r=t.__size,i=t.usage;return e.bindBuffer(e.UNIFORM_BUFFER,n),e.bufferData(e.UNIFORM_BUFFER,r,i),e.bindBuffer(e.UNIFORM_BUFFER,null),n}function l(t){let n=i[t.id],r=t.uniforms,a=t.__cache;e.bindBuffer(e.UNIFORM_BUFFER,n);for(let e=0,t=r.length;e<t;e++){let t=r[e];if(Array.isArray(t))for(let n=0,r=t.length;n<r;n++)u(t[n],e,n,a);else u(t,e,0,a)}e.bindBuffer(e.UNIFORM_BUFFER,null)}function u(t,n,r,i){if(f(t,n,r,i)===!0){let n=t.__offset,r=t.value;if(Array.isArray(r)){let e=0;for(let n=0;n<r.length;n++){let i=r[n],a=h(i,!0);d(i,t.__data,e),e+=a.storage/Float32Array.BYTES_PER_ELEMENT}}else d(r,t.__data,0);e.bufferSubData(e.UNIFORM_BUFFER,n,t.__data)}}function d(e,t,n){typeof e==`number`||typeof e==`boolean`?t[n]=e:e.isMatrix3?(t[n]=e.elements[0],t[n+1]=e.elements[1],t[n+2]=e.elements[2],t[n+3]=0,t[n+4]=e.elements[3],t[n+5]=e.elements[4],t[n+6]=e.elements[5],t[n+7]=0,t[n+8]=e.elements[6],t[n+9]=e.elements[7],t[n+10]=e.elements[8],t[n+11]=0):ArrayBuffer.isView(e)?t.set(e.subarray(0,t.length-n),n):e.toArray(t,n)}function f(e,t,n,r){let i=e.value,a=t+`_`+n;if(Array.isArray(i)){r[a]===void 0&&(r[a]=[]);let e=r[a],t=!1;for(let n=0;n<i.length;n++)p(i[n],e,n)===!0&&(t=!0);return t}return p(i,r,a)}function p(e,t,n){if(t[n]===void 0)return t[n]=typeof e==`number`||typeof e==`boolean`?e:ArrayBuffer.isView(e)?e.slice():e.clone(),!0;{let r=t[n];if(typeof e==`number`||typeof e==`boolean`){if(r!==e)return t[n]=e,!0}else if(ArrayBuffer.isView(e))return!0;else if(r.equals(e)===!1)return r.copy(e),!0}return!1}function m(e){let t=e.uniforms,n=0;for(let e=0,r=t.length;e<r;e++){let r=Array.isArray(t[e])?t[e]:[t[e]];for(let i=0,a=r.length;i<a;i++){let a=r[i],o=Array.isArray(a.value)?a.value:[a.value],s=Array.isArray(t[e])||Array.isArray(a.value),c=n;for(let e=0,t=o.length;e<t;e++){let t=o[e],r=h(t,s),i=n%16,a=i%r.boundary,l=i+a;n+=a,l!==0&&16-l<r.storage&&(n+=16-l),e===0&&(c=n),n+=r.storage}a.__data=new(a.type===`int`?Int32Array:a.type===`uint`?Uint32Array:Float32Array)((n-c)/Float32Array.BYTES_PER_ELEMENT),a.__offset=c}}let r=n%16;return r>0&&(n+=16-r),e.__size=n,e.__cache={},this}function h(e,t){let n={boundary:0,storage:0};return typeof e==`number`||typeof e==`boolean`?(n.boundary=4,n.storage=4):e.isVector2?(n.boundary=8,n.storage=8):e.isVector3||e.isColor?(n.boundary=16,n.storage=12):e.isVector4?(n.boundary=16,n.storage=16):e.isMatrix3?(n.boundary=16,n.storage=48):e.isMatrix4?(n.boundary=16,n.storage=64):e.isTexture?P(`WebGLRenderer: Texture samplers can not be part of an uniforms group.`):ArrayBuffer.isView(e)?(n.boundary=16,n.storage=e.byteLength):P(`WebGLRenderer: Unsupported uniform value type.`,e),t===!0&&(n.boundary=16,n.storage=Math.ceil(n.storage/16)*16),n}function g(t){let n=t.target;n.removeEventListener(`dispose`,g),e.deleteBuffer(i[n.id]),delete i[n.id],delete a[n.id]}function _(){for(let t in i)e.deleteBuffer(i[t]);i={},a={}}return{bind:o,update:s,dispose:_}}var Fa=new Uint16Array([12469,15057,12620,14925,13266,14620,13807,14376,14323,13990,14545,13625,14713,13328,14840,12882,14931,12528,14996,12233,15039,11829,15066,11525,15080,11295,15085,10976,15082,10705,15073,10495,13880,14564,13898,14542,13977,14430,14158,14124,14393,13732,14556,13410,14702,12996,14814,12596,14891,12291,14937,11834,14957,11489,14958,11194,14943,10803,14921,10506,14893,10278,14858,9960,14484,14039,14487,14025,14499,13941,14524,13740,14574,13468,14654,13106,14743,12678,14818,12344,14867,11893,14889,11509,14893,11180,14881,10751,14852,10428,14812,10128,14765,9754,14712,9466,14764,13480,14764,13475,14766,13440,14766,13347,14769,13070,14786,12713,14816,12387,14844,11957,14860,11549,14868,11215,14855,10751,14825,10403,14782,10044,14729,9651,14666,9352,14599,9029,14967,12835,14966,12831,14963,12804,14954,12723,14936,12564,14917,12347,14900,11958,14886,11569,14878,11247,14859,10765,14828,10401,14784,10011,14727,9600,14660,9289,14586,8893,14508,8533,15111,12234,15110,12234,15104,12216,15092,12156,15067,12010,15028,11776,14981,11500,14942,11205,14902,10752,14861,10393,14812,9991,14752,9570,14682,9252,14603,8808,14519,8445,14431,8145,15209,11449,15208,11451,15202,11451,15190,11438,15163,11384,15117,11274,15055,10979,14994,10648,14932,10343,14871,9936,14803,9532,14729,9218,14645,8742,14556,8381,14461,8020,14365,7603,15273,10603,15272,10607,15267,10619,15256,10631,15231,10614,15182,10535,15118,10389,15042,10167,14963,9787,14883,9447,14800,9115,14710,8665,14615,8318,14514,7911,14411,7507,14279,7198,15314,9675,15313,9683,15309,9712,15298,9759,15277,9797,15229,9773,15166,9668,15084,9487,14995,9274,14898,8910,14800,8539,14697,8234,14590,7790,14479,7409,14367,7067,14178,6621,15337,8619,15337,8631,15333,8677,15325,8769,15305,8871,15264,8940,15202,8909,15119,8775,15022,8565,14916,8328,14804,8009,14688,7614,14569,7287,14448,6888,14321,6483,14088,6171,15350,7402,15350,7419,15347,7480,15340,7613,15322,7804,15287,7973,15229,8057,15148,8012,15046,7846,14933,7611,14810,7357,14682,7069,14552,6656,14421,6316,14251,5948,14007,5528,15356,5942,15356,5977,15353,6119,15348,6294,15332,6551,15302,6824,15249,7044,15171,7122,15070,7050,14949,6861,14818,6611,14679,6349,14538,6067,14398,5651,14189,5311,13935,4958,15359,4123,15359,4153,15356,4296,15353,4646,15338,5160,15311,5508,15263,5829,15188,6042,15088,6094,14966,6001,14826,5796,14678,5543,14527,5287,14377,4985,14133,4586,13869,4257,15360,1563,15360,1642,15358,2076,15354,2636,15341,3350,15317,4019,15273,4429,15203,4732,15105,4911,14981,4932,14836,4818,14679,4621,14517,4386,14359,4156,14083,3795,13808,3437,15360,122,15360,137,15358,285,15355,636,15344,1274,15322,2177,15281,2765,15215,3223,15120,3451,14995,3569,14846,3567,14681,3466,14511,3305,14344,3121,14037,2800,13753,2467,15360,0,15360,1,15359,21,15355,89,15346,253,15325,479,15287,796,15225,1148,15133,1492,15008,1749,14856,1882,14685,1886,14506,1783,14324,1608,13996,1398,13702,1183]),Ia=null;function La(){return Ia===null&&(Ia=new E(Fa,16,16,xe,M),Ia.name=`DFG_LUT`,Ia.minFilter=bt,Ia.magFilter=bt,Ia.wrapS=qe,Ia.wrapT=qe,Ia.generateMipmaps=!1,Ia.needsUpdate=!0),Ia}var Ra=class{constructor(e={}){let{canvas:t=k(),context:n=null,depth:r=!0,stencil:i=!1,alpha:a=!1,antialias:o=!1,premultipliedAlpha:s=!0,preserveDrawingBuffer:c=!1,powerPreference:l=`default`,failIfMajorPerformanceCaveat:u=!1,reversedDepthBuffer:d=!1,outputBufferType:f=Ie}=e;this.isWebGLRenderer=!0;let p;if(n!==null){if(typeof WebGLRenderingContext<`u`&&n instanceof WebGLRenderingContext)throw Error(`THREE.WebGLRenderer: WebGL 1 is not supported since r163.`);p=n.getContextAttributes().alpha}else p=a;let m=f,h=new Set([tt,we,ie]),g=new Set([Ie,Re,yt,Je,je,mt]),_=new Uint32Array(4),v=new Int32Array(4),y={textures:[],min:[],max:[],resolution:[]},b=null,x=null,S=[],C=[],w=null;this.domElement=t,this.debug={checkShaderErrors:!0,diagnostics:{keywords:!1},onShaderError:null},this.autoClear=!0,this.autoClearColor=!0,this.autoClearDepth=!0,this.autoClearStencil=!0,this.sortObjects=!0,this.clippingPlanes=[],this.localClippingEnabled=!1,this.toneMapping=0,this.toneMappingExposure=1,this.transmissionResolutionScale=1;let E=this,O=!1,A=null,j=null,te=null,ne=null;this._outputColorSpace=lt;let re=0,N=0,F=null,I=-1,ae=null,oe=new _e,L=new _e,ce=null,le=new K(0),de=0,fe=t.width,pe=t.height,R=1,me=null,he=null,ge=new _e(0,0,fe,pe),ve=new _e(0,0,fe,pe),ye=!1,be=new He,xe=new se,Se=!1,Ce=!1,Te=new nt,Ee=new J,De=new _e,Oe={background:null,fog:null,environment:null,overrideMaterial:null,isScene:!0},ke=!1;function Ae(){return F===null?R:1}let z=n;function Me(e,n){return t.getContext(e,n)}let B,V,H,Ne,U,W,Pe,Fe,Le,ze,Be,Ve,Ue,We,Ge,Ke,qe,Ye,Xe,Ze,Qe,$e,et;try{let e={alpha:!0,depth:r,stencil:i,antialias:o,premultipliedAlpha:s,preserveDrawingBuffer:c,powerPreference:l,failIfMajorPerformanceCaveat:u};if(`setAttribute`in t&&t.setAttribute(`data-engine`,`three.js r187`),t.addEventListener(`webglcontextlost`,at,!1),t.addEventListener(`webglcontextrestored`,ot,!1),t.addEventListener(`webglcontextcreationerror`,st,!1),z===null){let t=`webgl2`;if(z=Me(t,e),z===null)throw Me(t)?Error(`THREE.WebGLRenderer: Error creating WebGL context with your selected attributes.`):Error(`THREE.WebGLRenderer: Error creating WebGL context.`)}rt()}catch(e){throw t.removeEventListener(`webglcontextlost`,at,!1),t.removeEventListener(`webglcontextrestored`,ot,!1),t.removeEventListener(`webglcontextcreationerror`,st,!1),q(`WebGLRenderer: `+e.message),e}function rt(){B=new ir(z),B.init(),Qe=new Ea(z,B),V=new Rn(z,B,e,Qe),H=new wa(z,B),V.reversedDepthBuffer&&d&&H.buffers.depth.setReversed(!0),j=z.createFramebuffer(),te=z.createFramebuffer(),ne=z.createFramebuffer(),Ne=new sr(z),U=new ia,W=new Ta(z,B,H,U,V,Qe,Ne),Pe=new rr(E),Fe=new An(z),$e=new In(z,Fe),Le=new ar(z,Fe,Ne,$e),ze=new lr(z,Le,Fe,$e,Ne),Ye=new cr(z,V,W),Ge=new zn(U),Be=new ra(E,Pe,B,V,$e,Ge),Ve=new Na(E,U),Ue=new ca,We=new ha(B),qe=new Fn(E,Pe,H,ze,p,s),Ke=new Ca(E,ze,V),et=new Pa(z,Ne,V,H),Xe=new Ln(z,B,Ne),Ze=new or(z,B,Ne),Ne.programs=Be.programs,E.capabilities=V,E.extensions=B,E.properties=U,E.renderLists=Ue,E.shadowMap=Ke,E.state=H,E.info=Ne}m!==1009&&(w=new dr(m,t.width,t.height,o,r,i));let it=new Aa(E,z);this.xr=it,this.getContext=function(){return z},this.getContextAttributes=function(){return z.getContextAttributes()},this.forceContextLoss=function(){let e=B.get(`WEBGL_lose_context`);e&&e.loseContext()},this.forceContextRestore=function(){let e=B.get(`WEBGL_lose_context`);e&&e.restoreContext()},this.getPixelRatio=function(){return R},this.setPixelRatio=function(e){e!==void 0&&(R=e,this.setSize(fe,pe,!1))},this.getSize=function(e){return e.set(fe,pe)},this.setSize=function(e,n,r=!0){it.isPresenting?P(`WebGLRenderer: Can't change size while VR device is presenting.`):(fe=e,pe=n,t.width=Math.floor(e*R),t.height=Math.floor(n*R),r===!0&&(t.style.width=e+`px`,t.style.height=n+`px`),w!==null&&w.setSize(t.width,t.height),this.setViewport(0,0,e,n))},this.getDrawingBufferSize=function(e){return e.set(fe*R,pe*R).floor()},this.setDrawingBufferSize=function(e,n,r){fe=e,pe=n,R=r,t.width=Math.floor(e*r),t.height=Math.floor(n*r),this.setViewport(0,0,e,n)},this.setEffects=function(e){if(m===1009)q(`WebGLRenderer: setEffects() requires outputBufferType set to HalfFloatType or FloatType.`);else{if(e){for(let t=0;t<e.length;t++)if(e[t].isOutputPass===!0){P(`WebGLRenderer: OutputPass is not needed in setEffects(). Tone mapping and color space conversion are applied automatically.`);break}}w.setEffects(e||[])}},this.getCurrentViewport=function(e){return e.copy(oe)},this.getViewport=function(e){return e.copy(ge)},this.setViewport=function(e,t,n,r){e.isVector4?ge.set(e.x,e.y,e.z,e.w):ge.set(e,t,n,r),H.viewport(oe.copy(ge).multiplyScalar(Ae()).round())},this.getScissor=function(e){return e.copy(ve)},this.setScissor=function(e,t,n,r){e.isVector4?ve.set(e.x,e.y,e.z,e.w):ve.set(e,t,n,r),H.scissor(L.copy(ve).multiplyScalar(Ae()).round())},this.getScissorTest=function(){return ye},this.setScissorTest=function(e){H.setScissorTest(ye=e)},this.setOpaqueSort=function(e){me=e},this.setTransparentSort=function(e){he=e},this.getClearColor=function(e){return e.copy(qe.getClearColor())},this.setClearColor=function(){qe.setClearColor(...arguments)},this.getClearAlpha=function(){return qe.getClearAlpha()},this.setClearAlpha=function(){qe.setClearAlpha(...arguments)},this.clear=function(e=!0,t=!0,n=!0){let r=0;if(e){let e=!1;if(F!==null){let t=F.texture.format;e=h.has(t)}if(e){let e=F.texture.type,t=g.has(e),n=qe.getClearColor(),r=qe.getClearAlpha(),i=n.r,a=n.g,o=n.b;t?(_[0]=i,_[1]=a,_[2]=o,_[3]=r,z.clearBufferuiv(z.COLOR,0,_)):(v[0]=i,v[1]=a,v[2]=o,v[3]=r,z.clearBufferiv(z.COLOR,0,v))}else r|=z.COLOR_BUFFER_BIT}t&&(r|=z.DEPTH_BUFFER_BIT,this.state.buffers.depth.setMask(!0)),n&&(r|=z.STENCIL_BUFFER_BIT,this.state.buffers.stencil.setMask(4294967295)),r!==0&&z.clear(r)},this.clearColor=function(){this.clear(!0,!1,!1)},this.clearDepth=function(){this.clear(!1,!0,!1)},this.clearStencil=function(){this.clear(!1,!1,!0)},this.setNodesHandler=function(e){e.setRenderer(this),A=e},this.dispose=function(){t.removeEventListener(`webglcontextlost`,at,!1),t.removeEventListener(`webglcontextrestored`,ot,!1),t.removeEventListener(`webglcontextcreationerror`,st,!1),qe.dispose(),Ue.dispose(),We.dispose(),W.dispose(),U.dispose(),Pe.dispose(),ze.dispose(),Le.dispose(),$e.dispose(),et.dispose(),Be.dispose(),it.dispose(),it.removeEventListener(`sessionstart`,_t),it.removeEventListener(`sessionend`,vt),bt.stop()};function at(e){e.preventDefault(),ue(`WebGLRenderer: Context Lost.`),O=!0}function ot(){ue(`WebGLRenderer: Context Restored.`),O=!1;let e=Ne.autoReset,t=Ke.enabled,n=Ke.autoUpdate,r=Ke.needsUpdate,i=Ke.type;rt(),Ne.autoReset=e,Ke.enabled=t,Ke.autoUpdate=n,Ke.needsUpdate=r,Ke.type=i}function st(e){q(`WebGLRenderer: A WebGL context could not be created. Reason: `,e.statusMessage)}function ct(e){let t=e.target;t.removeEventListener(`dispose`,ct),ut(t)}function ut(e){dt(e),U.remove(e)}function dt(e){let t=U.get(e).programs;t!==void 0&&(t.forEach(function(e){Be.releaseProgram(e)}),e.isShaderMaterial&&Be.releaseShaderCache(e))}this.renderBufferDirect=function(e,t,n,r,i,a){t===null&&(t=Oe);let o=i.isMesh&&i.matrixWorld.determinantAffine()<0,s=jt(e,t,n,r,i);H.setMaterial(r,o);let c=n.index,l=1;if(r.wireframe===!0){if(c=Le.getWireframeAttribute(n),c===void 0)return;l=2}let u=n.drawRange,d=n.attributes.position,f=u.start*l,p=(u.start+u.count)*l;a!==null&&(f=Math.max(f,a.start*l),p=Math.min(p,(a.start+a.count)*l)),c===null?d!=null&&(f=Math.max(f,0),p=Math.min(p,d.count)):(f=Math.max(f,0),p=Math.min(p,c.count));let m=p-f;if(m<0||m===1/0)return;$e.setup(i,r,s,n,c);let h,g=Xe;if(c!==null&&(h=Fe.get(c),g=Ze,g.setIndex(h)),i.isMesh)r.wireframe===!0?(H.setLineWidth(r.wireframeLinewidth*Ae()),g.setMode(z.LINES)):g.setMode(z.TRIANGLES);else if(i.isLine){let e=r.linewidth;e===void 0&&(e=1),H.setLineWidth(e*Ae()),i.isLineSegments?g.setMode(z.LINES):i.isLineLoop?g.setMode(z.LINE_LOOP):g.setMode(z.LINE_STRIP)}else i.isPoints?g.setMode(z.POINTS):i.isSprite&&g.setMode(z.TRIANGLES);if(i.isBatchedMesh){if(B.get(`WEBGL_multi_draw`))g.renderMultiDraw(i._multiDrawStarts,i._multiDrawCounts,i._multiDrawCount);else{let e=i._multiDrawStarts,t=i._multiDrawCounts,n=i._multiDrawCount,a=c?Fe.get(c).bytesPerElement:1,o=U.get(r).currentProgram.getUniforms();for(let r=0;r<n;r++)o.setValue(z,`_gl_DrawID`,r),g.render(e[r]/a,t[r])}}else if(i.isInstancedMesh)g.renderInstances(f,m,i.count);else if(n.isInstancedBufferGeometry){let e=n._maxInstanceCount===void 0?1/0:n._maxInstanceCount,t=Math.min(n.instanceCount,e);g.renderInstances(f,m,t)}else g.render(f,m)};function ft(e,t,n,r){A!==null&&e.isNodeMaterial&&A.setObject(r,e),Se===!0&&Ge.setState(e,n,!1),e.transparent===!0&&e.side===2&&e.forceSinglePass===!1?(e.side=1,e.needsUpdate=!0,Dt(e,t,r),e.side=0,e.needsUpdate=!0,Dt(e,t,r),e.side=2):Dt(e,t,r)}this.compile=function(e,t,n=null){n===null&&(n=e),A!==null&&A.renderStart(e,t,n),x=We.get(n),x.init(t),C.push(x),n.traverseVisible(function(e){e.isLight&&e.layers.test(t.layers)&&(x.pushLight(e),e.castShadow&&x.pushShadow(e))}),e!==n&&e.traverseVisible(function(e){e.isLight&&e.layers.test(t.layers)&&(x.pushLight(e),e.castShadow&&x.pushShadow(e))}),x.setupLights(),A!==null&&A.updateLights(x.state.lightsArray),Ce=this.localClippingEnabled,Se=Ge.init(this.clippingPlanes,Ce),Se===!0&&Ge.setGlobalState(this.clippingPlanes,t),A!==null&&Ke.render(x.state.shadowsArray,n,t);let r=new Set;return e.traverse(function(e){if(!(e.isMesh||e.isPoints||e.isLine||e.isSprite))return;let i=e.material;if(i){if(Array.isArray(i))for(let a=0;a<i.length;a++){let o=i[a];ft(o,n,t,e),r.add(o)}else ft(i,n,t,e),r.add(i)}}),x=C.pop(),A!==null&&A.renderEnd(),r},this.compileAsync=function(e,t,n=null){let r=this.compile(e,t,n);return new Promise(t=>{function n(){r.forEach(function(e){let t=U.get(e).currentProgram;(t===void 0||t.isReady())&&r.delete(e)}),r.size===0?t(e):setTimeout(n,10)}B.get(`KHR_parallel_shader_compile`)===null?setTimeout(n,10):n()})};let pt=null;function ht(e){pt&&pt(e)}function _t(){bt.stop()}function vt(){bt.start()}let bt=new kn;bt.setAnimationLoop(ht),typeof self<`u`&&bt.setContext(self),this.setAnimationLoop=function(e){pt=e,it.setAnimationLoop(e),e===null?bt.stop():bt.start()},it.addEventListener(`sessionstart`,_t),it.addEventListener(`sessionend`,vt),this.render=function(e,t){if(t!==void 0&&t.isCamera!==!0){q(`WebGLRenderer.render: camera is not an instance of THREE.Camera.`);return}if(O===!0)return;A!==null&&A.renderStart(e,t);let n=it.enabled===!0&&it.isPresenting===!0,r=w!==null&&(F===null||n)&&w.begin(E,F);if(e.matrixWorldAutoUpdate===!0&&e.updateMatrixWorld(),t.parent===null&&t.matrixWorldAutoUpdate===!0&&t.updateMatrixWorld(),it.enabled===!0&&it.isPresenting===!0&&(w===null||w.isCompositing()===!1)&&(it.cameraAutoUpdate===!0&&it.updateCamera(t),t=it.getCamera()),e.isScene===!0&&e.onBeforeRender(E,e,t,F),x=We.get(e,C.length),x.init(t),x.state.textureUnits=W.getTextureUnits(),C.push(x),Te.multiplyMatrices(t.projectionMatrix,t.matrixWorldInverse),t.isArrayCamera?xe.setFromArrayCamera(t):be.setFromProjectionMatrix(Te,D,t.reversedDepth),Ce=this.localClippingEnabled,Se=Ge.init(this.clippingPlanes,Ce),b=Ue.get(e,S.length),b.init(),S.push(b),this.info.render.frame++,it.enabled===!0&&it.isPresenting===!0){let e=E.xr.getDepthSensingMesh();e!==null&&xt(e,t,-1/0,E.sortObjects)}xt(e,t,0,E.sortObjects),b.finish(),A!==null&&A.updateLights(x.state.lightsArray),E.sortObjects===!0&&b.sort(me,he),ke=it.enabled===!1||it.isPresenting===!1||it.hasDepthSensing()===!1,ke&&qe.addToRenderList(b,e),this.info.autoReset===!0&&this.info.reset(),Se===!0&&Ge.beginShadows();let i=x.state.shadowsArray;if(Ke.render(i,e,t),Se===!0&&Ge.endShadows(),(r&&w.hasRenderPass())===!1){let n=b.opaque,r=b.transmissive;if(x.setupLights(),t.isArrayCamera){let i=t.cameras;if(r.length>0)for(let t=0,a=i.length;t<a;t++){let a=i[t];Ct(n,r,e,a)}ke&&qe.render(e);for(let t=0,n=i.length;t<n;t++){let n=i[t];St(b,e,n,n.viewport)}}else r.length>0&&Ct(n,r,e,t),ke&&qe.render(e),St(b,e,t)}F!==null&&N===0&&(W.updateMultisampleRenderTarget(F),W.updateRenderTargetMipmap(F)),r&&w.end(E),e.isScene===!0&&e.onAfterRender(E,e,t),$e.resetDefaultState(),I=-1,ae=null,C.pop(),C.length>0?(x=C[C.length-1],W.setTextureUnits(x.state.textureUnits),Se===!0&&Ge.setGlobalState(E.clippingPlanes,x.state.camera)):x=null,S.pop(),b=S.length>0?S[S.length-1]:null,A!==null&&A.renderEnd()};function xt(e,t,n,r){if(e.visible===!1)return;if(e.layers.test(t.layers)){if(e.isGroup)n=e.renderOrder;else if(e.isLOD)e.autoUpdate===!0&&e.update(t);else if(e.isLight)x.pushLight(e),e.castShadow&&x.pushShadow(e);else if(e.isSprite){let i=t.isArrayCamera?xe:be;if(!e.frustumCulled||e.intersectsFrustum(i)){r&&De.setFromMatrixPosition(e.matrixWorld).applyMatrix4(Te);let i=ze.update(e),a=e.material;a.visible&&b.push(e,i,a,n,De.z,null,t)}}else if(e.isMesh||e.isLine||e.isPoints){let i=t.isArrayCamera?xe:be;if(!e.frustumCulled||e.intersectsFrustum(i)){let i=ze.update(e),a=e.material;if(r&&(e.boundingSphere===void 0?(i.boundingSphere===null&&i.computeBoundingSphere(),De.copy(i.boundingSphere.center)):(e.boundingSphere===null&&e.computeBoundingSphere(),De.copy(e.boundingSphere.center)),De.applyMatrix4(e.matrixWorld).applyMatrix4(Te)),Array.isArray(a)){let r=i.groups;for(let o=0,s=r.length;o<s;o++){let s=r[o],c=a[s.materialIndex];c&&c.visible&&b.push(e,i,c,n,De.z,s,t)}}else a.visible&&b.push(e,i,a,n,De.z,null,t)}}}let i=e.children;for(let e=0,a=i.length;e<a;e++)xt(i[e],t,n,r)}function St(e,t,n,r){let{opaque:i,transmissive:a,transparent:o}=e;x.setupLightsView(n),Se===!0&&Ge.setGlobalState(E.clippingPlanes,n),r&&H.viewport(oe.copy(r)),i.length>0&&wt(i,t,n),a.length>0&&wt(a,t,n),o.length>0&&wt(o,t,n),H.buffers.depth.setTest(!0),H.buffers.depth.setMask(!0),H.buffers.color.setMask(!0),H.setPolygonOffset(!1)}function Ct(e,t,n,r){if((n.isScene===!0?n.overrideMaterial:null)!==null)return;if(x.state.transmissionRenderTarget[r.id]===void 0){let e=B.has(`EXT_color_buffer_half_float`)||B.has(`EXT_color_buffer_float`);x.state.transmissionRenderTarget[r.id]=new gt(1,1,{generateMipmaps:!0,type:e?M:Ie,minFilter:T,samples:Math.max(4,V.samples),stencilBuffer:i,resolveDepthBuffer:!1,resolveStencilBuffer:!1,storeMultisampledDepthBuffer:!1,storeMultisampledStencilBuffer:!1,colorSpace:G.workingColorSpace})}let a=x.state.transmissionRenderTarget[r.id],o=r.viewport||oe;a.setSize(o.z*E.transmissionResolutionScale,o.w*E.transmissionResolutionScale);let s=E.getRenderTarget(),c=E.getActiveCubeFace(),l=E.getActiveMipmapLevel();E.setRenderTarget(a),E.getClearColor(le),de=E.getClearAlpha(),de<1&&E.setClearColor(16777215,.5),E.clear(),ke&&qe.render(n);let u=E.toneMapping;E.toneMapping=0;let d=r.viewport;if(r.viewport!==void 0&&(r.viewport=void 0),x.setupLightsView(r),Se===!0&&Ge.setGlobalState(E.clippingPlanes,r),wt(e,n,r),W.updateMultisampleRenderTarget(a),W.updateRenderTargetMipmap(a),B.has(`WEBGL_multisampled_render_to_texture`)===!1){let e=!1;for(let i=0,a=t.length;i<a;i++){let{object:a,geometry:o,material:s,group:c}=t[i];if(s.side===2&&a.layers.test(r.layers)){let t=s.side;s.side=1,s.needsUpdate=!0,Tt(a,n,r,o,s,c),s.side=t,s.needsUpdate=!0,e=!0}}e===!0&&(W.updateMultisampleRenderTarget(a),W.updateRenderTargetMipmap(a))}E.setRenderTarget(s,c,l),E.setClearColor(le,de),d!==void 0&&(r.viewport=d),E.toneMapping=u}function wt(e,t,n){let r=t.isScene===!0?t.overrideMaterial:null;for(let i=0,a=e.length;i<a;i++){let a=e[i],{object:o,geometry:s,group:c}=a,l=a.material;l.allowOverride===!0&&r!==null&&(l=r),o.layers.test(n.layers)&&Tt(o,t,n,s,l,c)}}function Tt(e,t,n,r,i,a){A!==null&&i.isNodeMaterial&&A.setObject(e,i),e.onBeforeRender(E,t,n,r,i,a),e.modelViewMatrix.multiplyMatrices(n.matrixWorldInverse,e.matrixWorld),e.normalMatrix.getNormalMatrix(e.modelViewMatrix),i.onBeforeRender(E,t,n,r,e,a),i.transparent===!0&&i.side===2&&i.forceSinglePass===!1?(i.side=1,i.needsUpdate=!0,E.renderBufferDirect(n,t,r,i,e,a),i.side=0,i.needsUpdate=!0,E.renderBufferDirect(n,t,r,i,e,a),i.side=2):E.renderBufferDirect(n,t,r,i,e,a),e.onAfterRender(E,t,n,r,i,a)}function Et(e){let t=0;for(let n of e)n.texture!==null&&t++;return t}function Dt(e,t,n){t.isScene!==!0&&(t=Oe);let r=U.get(e),i=x.state.lights,a=x.state.shadowsArray,o=i.state.version,s=Be.getParameters(e,i.state,a,t,n,x.state.lightProbeGridArray),c=Be.getProgramCacheKey(s),l=r.programs;r.environment=e.isMeshStandardMaterial||e.isMeshLambertMaterial||e.isMeshPhongMaterial?t.environment:null,r.fog=t.fog;let u=e.isMeshStandardMaterial||e.isMeshLambertMaterial&&!e.envMap||e.isMeshPhongMaterial&&!e.envMap;r.envMap=Pe.get(e.envMap||r.environment,u),r.envMapRotation=r.environment!==null&&e.envMap===null?t.environmentRotation:e.envMapRotation,l===void 0&&(e.addEventListener(`dispose`,ct),l=new Map,r.programs=l,r.programVariants=new Map);let d=l.get(c);if(d!==void 0){if(r.currentProgram===d&&r.lightsStateVersion===o)return At(e,s),d}else s.uniforms=Be.getUniforms(e),A!==null&&e.isNodeMaterial&&A.build(e,n,s),e.onBeforeCompile(s,E),d=Be.acquireProgram(s,c),l.set(c,d),r.uniforms=s.uniforms;let f=r.uniforms;return(!e.isShaderMaterial&&!e.isRawShaderMaterial||e.clipping===!0)&&(f.clippingPlanes=Ge.uniform),At(e,s),r.needsLights=Nt(e),r.lightsStateVersion=o,r.needsLights&&(f.ambientLightColor.value=i.state.ambient,f.lightProbe.value=i.state.probe,f.sunLights.value=i.state.sun,f.sunLightShadows.value=i.state.sunShadow,f.directionalLights.value=i.state.directional,f.directionalLightShadows.value=i.state.directionalShadow,f.spotLights.value=i.state.spot,f.spotLightShadows.value=i.state.spotShadow,f.rectAreaLights.value=i.state.rectArea,f.ltc_1.value=i.state.rectAreaLTC1,f.ltc_2.value=i.state.rectAreaLTC2,f.pointLights.value=i.state.point,f.pointLightShadows.value=i.state.pointShadow,f.hemisphereLights.value=i.state.hemi,f.sunShadowMatrix.value=i.state.sunShadowMatrix,f.sunShadowCascade.value=i.state.sunShadowCascade,f.directionalShadowMatrix.value=i.state.directionalShadowMatrix,f.spotLightMatrix.value=i.state.spotLightMatrix,f.spotLightMap.value=i.state.spotLightMap,f.pointShadowMatrix.value=i.state.pointShadowMatrix),r.numLightProbeGrids=Et(x.state.lightProbeGridArray),r.currentProgram=d,r.uniformsList=null,d}function Ot(e,t,n,r,i){let a=U.get(e),o=a.currentProgram.id+`,`+r+`,`+i,s=a.programVariants.get(o);return s===void 0?(s=Dt(e,t,n),a.programVariants.set(o,s)):(a.currentProgram=s,a.uniformsList=null,a.outputColorSpace=r,a.toneMapping=i),s}function kt(e){if(e.uniformsList===null){let t=e.currentProgram.getUniforms();e.uniformsList=bi.seqWithValue(t.seq,e.uniforms)}return e.uniformsList}function At(e,t){let n=U.get(e);n.outputColorSpace=t.outputColorSpace,n.batching=t.batching,n.batchingColor=t.batchingColor,n.instancing=t.instancing,n.instancingColor=t.instancingColor,n.instancingMorph=t.instancingMorph,n.skinning=t.skinning,n.morphTargets=t.morphTargets,n.morphNormals=t.morphNormals,n.morphColors=t.morphColors,n.morphTargetsCount=t.morphTargetsCount,n.numClippingPlanes=t.numClippingPlanes,n.numIntersection=t.numClipIntersection,n.vertexAlphas=t.vertexAlphas,n.vertexTangents=t.vertexTangents,n.toneMapping=t.toneMapping}function jt(e,t,n,r,i){t.isScene!==!0&&(t=Oe),W.resetTextureUnits();let a=t.fog,o=r.isMeshStandardMaterial||r.isMeshLambertMaterial||r.isMeshPhongMaterial?t.environment:null,s=F===null?E.outputColorSpace:F.isXRRenderTarget===!0?F.texture.colorSpace:G.workingColorSpace,c=r.isMeshStandardMaterial||r.isMeshLambertMaterial&&!r.envMap||r.isMeshPhongMaterial&&!r.envMap,l=Pe.get(r.envMap||o,c),u=r.vertexColors===!0&&!!n.attributes.color&&n.attributes.color.itemSize===4,d=!!n.attributes.tangent&&(!!r.normalMap||r.anisotropy>0),f=!!n.morphAttributes.position,p=!!n.morphAttributes.normal,m=!!n.morphAttributes.color,h=0;r.toneMapped&&(F===null||F.isXRRenderTarget===!0)&&(h=E.toneMapping);let g=n.morphAttributes.position||n.morphAttributes.normal||n.morphAttributes.color,_=g===void 0?0:g.length,v=U.get(r),b=x.state.lights;if(Se===!0&&(Ce===!0||e!==ae)){let t=e===ae&&r.id===I;Ge.setState(r,e,t)}let S=!1,C=!1;r.version===v.__version?v.needsLights&&v.lightsStateVersion!==b.state.version||i.isBatchedMesh&&v.batching===!1||!i.isBatchedMesh&&v.batching===!0||i.isBatchedMesh&&v.batchingColor===!0&&i._colorsTexture===null||i.isBatchedMesh&&v.batchingColor===!1&&i._colorsTexture!==null||i.isInstancedMesh&&v.instancing===!1||!i.isInstancedMesh&&v.instancing===!0||i.isSkinnedMesh&&v.skinning===!1||!i.isSkinnedMesh&&v.skinning===!0||i.isInstancedMesh&&v.instancingColor===!0&&i.instanceColor===null||i.isInstancedMesh&&v.instancingColor===!1&&i.instanceColor!==null||i.isInstancedMesh&&v.instancingMorph===!0&&i.morphTexture===null||i.isInstancedMesh&&v.instancingMorph===!1&&i.morphTexture!==null?S=!0:v.envMap===l?r.fog===!0&&v.fog!==a||v.numClippingPlanes!==void 0&&(v.numClippingPlanes!==Ge.numPlanes||v.numIntersection!==Ge.numIntersection)?S=!0:v.vertexAlphas===u&&v.vertexTangents===d&&v.morphTargets===f&&v.morphNormals===p&&v.morphColors===m&&v.morphTargetsCount===_&&v.numLightProbeGrids===Et(x.state.lightProbeGridArray)?(v.outputColorSpace!==s||v.toneMapping!==h)&&(C=!0):S=!0:S=!0:(S=!0,v.__version=r.version);let w=v.currentProgram;(S===!0||C===!0)&&(w=C===!0?Ot(r,t,i,s,h):Dt(r,t,i),A&&r.isNodeMaterial&&A.onUpdateProgram(r,w,v));let T=!1,D=!1,O=!1,k=w.getUniforms(),j=v.uniforms;if(H.useProgram(w.program)&&(T=!0,D=!0,O=!0),r.id!==I&&(I=r.id,D=!0),T||ae!==e){H.buffers.depth.getReversed()&&e.reversedDepth!==!0&&(e._reversedDepth=!0,e.updateProjectionMatrix()),k.setValue(z,`projectionMatrix`,e.projectionMatrix),k.setValue(z,`viewMatrix`,e.matrixWorldInverse);let t=k.map.cameraPosition;t!==void 0&&t.setValue(z,Ee.setFromMatrixPosition(e.matrixWorld)),V.logarithmicDepthBuffer&&k.setValue(z,`logDepthBufFC`,2/(Math.log(e.far+1)/Math.LN2)),(r.isMeshPhongMaterial||r.isMeshToonMaterial||r.isMeshLambertMaterial||r.isMeshBasicMaterial||r.isMeshStandardMaterial||r.isShaderMaterial)&&k.setValue(z,`isOrthographic`,e.isOrthographicCamera===!0),ae!==e&&(ae=e,D=!0,O=!0)}if(v.needsLights&&(b.state.sunShadowMap.length>0&&k.setValue(z,`sunShadowMap`,b.state.sunShadowMap,W),b.state.directionalShadowMap.length>0&&k.setValue(z,`directionalShadowMap`,b.state.directionalShadowMap,W),b.state.spotShadowMap.length>0&&k.setValue(z,`spotShadowMap`,b.state.spotShadowMap,W),b.state.pointShadowMap.length>0&&k.setValue(z,`pointShadowMap`,b.state.pointShadowMap,W)),i.isSkinnedMesh){k.setOptional(z,i,`bindMatrix`),k.setOptional(z,i,`bindMatrixInverse`);let e=i.skeleton;e&&(e.boneTexture===null&&e.computeBoneTexture(),k.setValue(z,`boneTexture`,e.boneTexture,W))}i.isBatchedMesh&&(k.setOptional(z,i,`batchingTexture`),k.setValue(z,`batchingTexture`,i._matricesTexture,W),k.setOptional(z,i,`batchingIdTexture`),k.setValue(z,`batchingIdTexture`,i._indirectTexture,W),k.setOptional(z,i,`batchingColorTexture`),i._colorsTexture!==null&&k.setValue(z,`batchingColorTexture`,i._colorsTexture,W));let M=n.morphAttributes;if((M.position!==void 0||M.normal!==void 0||M.color!==void 0)&&Ye.update(i,n,w),(D||v.receiveShadow!==i.receiveShadow)&&(v.receiveShadow=i.receiveShadow,k.setValue(z,`receiveShadow`,i.receiveShadow)),(r.isMeshStandardMaterial||r.isMeshLambertMaterial||r.isMeshPhongMaterial)&&r.envMap===null&&t.environment!==null&&(j.envMapIntensity.value=t.environmentIntensity),j.dfgLUT!==void 0&&(j.dfgLUT.value=La()),D){if(k.setValue(z,`toneMappingExposure`,E.toneMappingExposure),v.needsLights&&Mt(j,O),a&&r.fog===!0&&Ve.refreshFogUniforms(j,a),Ve.refreshMaterialUniforms(j,r,R,pe,x.state.transmissionRenderTarget[e.id]),v.needsLights&&v.numLightProbeGrids>0){let e=y,t=0;for(let n of x.state.lightProbeGridArray)n.texture!==null&&(e.textures[t]=n.texture,e.min[t]=n.boundingBox.min,e.max[t]=n.boundingBox.max,e.resolution[t]=n.resolution,t++);for(let n in e)e[n].length=t;j.probesSH.value=e.textures,j.probesMin.value=e.min,j.probesMax.value=e.max,j.probesResolution.value=e.resolution}bi.upload(z,kt(v),j,W)}if(r.isShaderMaterial&&r.uniformsNeedUpdate===!0&&(bi.upload(z,kt(v),j,W),r.uniformsNeedUpdate=!1),r.isSpriteMaterial&&k.setValue(z,`center`,i.center),k.setValue(z,`modelViewMatrix`,i.modelViewMatrix),k.setValue(z,`normalMatrix`,i.normalMatrix),k.setValue(z,`modelMatrix`,i.matrixWorld),r.uniformsGroups!==void 0){let e=r.uniformsGroups;for(let t=0,n=e.length;t<n;t++){let n=e[t];et.update(n,w),et.bind(n,w)}}return w}function Mt(e,t){e.ambientLightColor.needsUpdate=t,e.lightProbe.needsUpdate=t,e.sunLights.needsUpdate=t,e.sunLightShadows.needsUpdate=t,e.directionalLights.needsUpdate=t,e.directionalLightShadows.needsUpdate=t,e.pointLights.needsUpdate=t,e.pointLightShadows.needsUpdate=t,e.spotLights.needsUpdate=t,e.spotLightShadows.needsUpdate=t,e.rectAreaLights.needsUpdate=t,e.hemisphereLights.needsUpdate=t}function Nt(e){return e.isMeshLambertMaterial||e.isMeshToonMaterial||e.isMeshPhongMaterial||e.isMeshStandardMaterial||e.isShadowMaterial||e.isShaderMaterial&&e.lights===!0}this.getActiveCubeFace=function(){return re},this.getActiveMipmapLevel=function(){return N},this.getRenderTarget=function(){return F},this.setRenderTargetTextures=function(e,t,n){let r=U.get(e);r.__autoAllocateDepthBuffer=e.resolveDepthBuffer===!1,r.__autoAllocateDepthBuffer===!1&&(r.__useRenderToTexture=!1),U.get(e.texture).__webglTexture=t,U.get(e.depthTexture).__webglTexture=r.__autoAllocateDepthBuffer?void 0:n,r.__hasExternalTextures=!0},this.setRenderTargetFramebuffer=function(e,t){let n=U.get(e);n.__webglFramebuffer=t,n.__useDefaultFramebuffer=t===void 0},this.setRenderTarget=function(e,t=0,n=0){F=e,re=t,N=n;let r=null,i=!1,a=!1;if(e){let o=U.get(e);if(o.__useDefaultFramebuffer!==void 0){H.bindFramebuffer(z.FRAMEBUFFER,o.__webglFramebuffer),oe.copy(e.viewport),L.copy(e.scissor),ce=e.scissorTest,H.viewport(oe),H.scissor(L),H.setScissorTest(ce),I=-1;return}if(o.__webglFramebuffer===void 0)W.setupRenderTarget(e);else if(o.__hasExternalTextures)W.rebindTextures(e,U.get(e.texture).__webglTexture,U.get(e.depthTexture).__webglTexture);else if(e.depthBuffer){let t=e.depthTexture;if(o.__boundDepthTexture!==t){if(t!==null&&U.has(t)&&(e.width!==t.image.width||e.height!==t.image.height))throw Error(`THREE.WebGLRenderer: Attached DepthTexture is initialized to the incorrect size.`);W.setupDepthRenderbuffer(e)}}let s=e.texture;(s.isData3DTexture||s.isDataArrayTexture||s.isCompressedArrayTexture)&&(a=!0);let c=U.get(e).__webglFramebuffer;e.isWebGLCubeRenderTarget?(r=Array.isArray(c[t])?c[t][n]:c[t],i=!0):r=e.samples>0&&W.useMultisampledRTT(e)===!1?U.get(e).__webglMultisampledFramebuffer:Array.isArray(c)?c[n]:c,oe.copy(e.viewport),L.copy(e.scissor),ce=e.scissorTest}else oe.copy(ge).multiplyScalar(R).floor(),L.copy(ve).multiplyScalar(R).floor(),ce=ye;if(n!==0&&(r=j),H.bindFramebuffer(z.FRAMEBUFFER,r)&&H.drawBuffers(e,r),H.viewport(oe),H.scissor(L),H.setScissorTest(ce),i){let r=U.get(e.texture);z.framebufferTexture2D(z.FRAMEBUFFER,z.COLOR_ATTACHMENT0,z.TEXTURE_CUBE_MAP_POSITIVE_X+t,r.__webglTexture,n)}else if(a){let r=t;for(let t=0;t<e.textures.length;t++){let i=U.get(e.textures[t]);z.framebufferTextureLayer(z.FRAMEBUFFER,z.COLOR_ATTACHMENT0+t,i.__webglTexture,n,r)}}else if(e!==null&&n!==0){let t=U.get(e.texture);z.framebufferTexture2D(z.FRAMEBUFFER,z.COLOR_ATTACHMENT0,z.TEXTURE_2D,t.__webglTexture,n)}I=-1};function Pt(e){let t=U.get(e);return(t.__readFormat!==e.format||t.__readType!==e.type)&&(t.__readFormat=e.format,t.__readType=e.type,t.__formatReadable=V.textureFormatReadable(e.format),t.__typeReadable=V.textureTypeReadable(e.type)),t}this.readRenderTargetPixels=function(e,t,n,r,i,a,o,s=0){if(!(e&&e.isWebGLRenderTarget)){q(`WebGLRenderer.readRenderTargetPixels: renderTarget is not THREE.WebGLRenderTarget.`);return}let c=U.get(e).__webglFramebuffer;if(e.isWebGLCubeRenderTarget&&o!==void 0&&(c=c[o],Array.isArray(c)&&(c=c[0])),c){H.bindFramebuffer(z.FRAMEBUFFER,c);try{let o=e.textures[s],c=o.format,l=o.type;e.textures.length>1&&z.readBuffer(z.COLOR_ATTACHMENT0+s);let u=Pt(o);if(u.__formatReadable===!1){q(`WebGLRenderer.readRenderTargetPixels: renderTarget is not in RGBA or implementation defined format.`);return}if(u.__typeReadable===!1){q(`WebGLRenderer.readRenderTargetPixels: renderTarget is not in UnsignedByteType or implementation defined type.`);return}t>=0&&t<=e.width-r&&n>=0&&n<=e.height-i&&z.readPixels(t,n,r,i,Qe.convert(c),Qe.convert(l),a)}finally{let e=F===null?null:U.get(F).__webglFramebuffer;H.bindFramebuffer(z.FRAMEBUFFER,e)}}},this.readRenderTargetPixelsAsync=async function(e,t,n,r,i,a,o,s=0){if(!(e&&e.isWebGLRenderTarget))throw Error(`THREE.WebGLRenderer.readRenderTargetPixels: renderTarget is not THREE.WebGLRenderTarget.`);let c=U.get(e).__webglFramebuffer;if(e.isWebGLCubeRenderTarget&&o!==void 0&&(c=c[o],Array.isArray(c)&&(c=c[0])),c){if(t>=0&&t<=e.width-r&&n>=0&&n<=e.height-i){H.bindFramebuffer(z.FRAMEBUFFER,c);let o=e.textures[s],l=o.format,u=o.type;e.textures.length>1&&z.readBuffer(z.COLOR_ATTACHMENT0+s);let d=Pt(o);if(d.__formatReadable===!1)throw Error(`THREE.WebGLRenderer.readRenderTargetPixelsAsync: renderTarget is not in RGBA or implementation defined format.`);if(d.__typeReadable===!1)throw Error(`THREE.WebGLRenderer.readRenderTargetPixelsAsync: renderTarget is not in UnsignedByteType or implementation defined type.`);let f=z.createBuffer();z.bindBuffer(z.PIXEL_PACK_BUFFER,f),z.bufferData(z.PIXEL_PACK_BUFFER,a.byteLength,z.STREAM_READ),z.readPixels(t,n,r,i,Qe.convert(l),Qe.convert(u),0),z.bindBuffer(z.PIXEL_PACK_BUFFER,null);let p=F===null?null:U.get(F).__webglFramebuffer;H.bindFramebuffer(z.FRAMEBUFFER,p);let m=z.fenceSync(z.SYNC_GPU_COMMANDS_COMPLETE,0);return z.flush(),await ee(z,m,4),z.bindBuffer(z.PIXEL_PACK_BUFFER,f),z.getBufferSubData(z.PIXEL_PACK_BUFFER,0,a),z.bindBuffer(z.PIXEL_PACK_BUFFER,null),z.deleteBuffer(f),z.deleteSync(m),a}throw Error(`THREE.WebGLRenderer.readRenderTargetPixelsAsync: requested read bounds are out of range.`)}},this.copyFramebufferToTexture=function(e,t=null,n=0){let r=2**-n,i=Math.floor(e.image.width*r),a=Math.floor(e.image.height*r),o=t===null?0:t.x,s=t===null?0:t.y;W.setTexture2D(e,0),z.copyTexSubImage2D(z.TEXTURE_2D,n,0,0,o,s,i,a),H.unbindTexture()},this.copyTextureToTexture=function(e,t,n=null,r=null,i=0,a=0){let o,s,c,l,u,d,f,p,m,h=e.isCompressedTexture?e.mipmaps[a]:e.image;if(n!==null)o=n.max.x-n.min.x,s=n.max.y-n.min.y,c=n.isBox3?n.max.z-n.min.z:1,l=n.min.x,u=n.min.y,d=n.isBox3?n.min.z:0;else{let t=2**-i;o=Math.floor(h.width*t),s=Math.floor(h.height*t),c=e.isDataArrayTexture?h.depth:e.isData3DTexture?Math.floor(h.depth*t):1,l=0,u=0,d=0}r===null?(f=0,p=0,m=0):(f=r.x,p=r.y,m=r.z);let g=Qe.convert(t.format),_=Qe.convert(t.type),v;t.isData3DTexture?(W.setTexture3D(t,0),v=z.TEXTURE_3D):t.isDataArrayTexture||t.isCompressedArrayTexture?(W.setTexture2DArray(t,0),v=z.TEXTURE_2D_ARRAY):(W.setTexture2D(t,0),v=z.TEXTURE_2D),H.activeTexture(z.TEXTURE0),H.pixelStorei(z.UNPACK_FLIP_Y_WEBGL,t.flipY),H.pixelStorei(z.UNPACK_PREMULTIPLY_ALPHA_WEBGL,t.premultiplyAlpha),H.pixelStorei(z.UNPACK_ALIGNMENT,t.unpackAlignment);let y=H.getParameter(z.UNPACK_ROW_LENGTH),b=H.getParameter(z.UNPACK_IMAGE_HEIGHT),x=H.getParameter(z.UNPACK_SKIP_PIXELS),S=H.getParameter(z.UNPACK_SKIP_ROWS),C=H.getParameter(z.UNPACK_SKIP_IMAGES);H.pixelStorei(z.UNPACK_ROW_LENGTH,h.width),H.pixelStorei(z.UNPACK_IMAGE_HEIGHT,h.height),H.pixelStorei(z.UNPACK_SKIP_PIXELS,l),H.pixelStorei(z.UNPACK_SKIP_ROWS,u),H.pixelStorei(z.UNPACK_SKIP_IMAGES,d);let w=e.isDataArrayTexture||e.isData3DTexture,T=t.isDataArrayTexture||t.isData3DTexture;if(e.isDepthTexture){let n=U.get(e),r=U.get(t),h=U.get(n.__renderTarget),g=U.get(r.__renderTarget);H.bindFramebuffer(z.READ_FRAMEBUFFER,h.__webglFramebuffer),H.bindFramebuffer(z.DRAW_FRAMEBUFFER,g.__webglFramebuffer);for(let n=0;n<c;n++)w&&(z.framebufferTextureLayer(z.READ_FRAMEBUFFER,z.COLOR_ATTACHMENT0,U.get(e).__webglTexture,i,d+n),z.framebufferTextureLayer(z.DRAW_FRAMEBUFFER,z.COLOR_ATTACHMENT0,U.get(t).__webglTexture,a,m+n)),z.blitFramebuffer(l,u,l+o,u+s,f,p,f+o,p+s,z.DEPTH_BUFFER_BIT,z.NEAREST);H.bindFramebuffer(z.READ_FRAMEBUFFER,null),H.bindFramebuffer(z.DRAW_FRAMEBUFFER,null)}else if(i!==0||e.isRenderTargetTexture||U.has(e)){let n=U.get(e),r=U.get(t);H.bindFramebuffer(z.READ_FRAMEBUFFER,te),H.bindFramebuffer(z.DRAW_FRAMEBUFFER,ne);for(let e=0;e<c;e++)w?z.framebufferTextureLayer(z.READ_FRAMEBUFFER,z.COLOR_ATTACHMENT0,n.__webglTexture,i,d+e):z.framebufferTexture2D(z.READ_FRAMEBUFFER,z.COLOR_ATTACHMENT0,z.TEXTURE_2D,n.__webglTexture,i),T?z.framebufferTextureLayer(z.DRAW_FRAMEBUFFER,z.COLOR_ATTACHMENT0,r.__webglTexture,a,m+e):z.framebufferTexture2D(z.DRAW_FRAMEBUFFER,z.COLOR_ATTACHMENT0,z.TEXTURE_2D,r.__webglTexture,a),i===0?T?z.copyTexSubImage3D(v,a,f,p,m+e,l,u,o,s):z.copyTexSubImage2D(v,a,f,p,l,u,o,s):z.blitFramebuffer(l,u,l+o,u+s,f,p,f+o,p+s,z.COLOR_BUFFER_BIT,z.NEAREST);H.bindFramebuffer(z.READ_FRAMEBUFFER,null),H.bindFramebuffer(z.DRAW_FRAMEBUFFER,null)}else T?e.isDataTexture||e.isData3DTexture?z.texSubImage3D(v,a,f,p,m,o,s,c,g,_,h.data):t.isCompressedArrayTexture?z.compressedTexSubImage3D(v,a,f,p,m,o,s,c,g,h.data):z.texSubImage3D(v,a,f,p,m,o,s,c,g,_,h):e.isDataTexture?z.texSubImage2D(z.TEXTURE_2D,a,f,p,o,s,g,_,h.data):e.isCompressedTexture?z.compressedTexSubImage2D(z.TEXTURE_2D,a,f,p,h.width,h.height,g,h.data):z.texSubImage2D(z.TEXTURE_2D,a,f,p,o,s,g,_,h);H.pixelStorei(z.UNPACK_ROW_LENGTH,y),H.pixelStorei(z.UNPACK_IMAGE_HEIGHT,b),H.pixelStorei(z.UNPACK_SKIP_PIXELS,x),H.pixelStorei(z.UNPACK_SKIP_ROWS,S),H.pixelStorei(z.UNPACK_SKIP_IMAGES,C),a===0&&t.generateMipmaps===!0&&t.mipmapsAutoUpdate===!0&&z.generateMipmap(v),H.unbindTexture()},this.initRenderTarget=function(e){U.get(e).__webglFramebuffer===void 0&&W.setupRenderTarget(e)},this.initTexture=function(e){e.isCubeTexture?W.setTextureCube(e,0):e.isData3DTexture?W.setTexture3D(e,0):e.isDataArrayTexture||e.isCompressedArrayTexture?W.setTexture2DArray(e,0):W.setTexture2D(e,0),H.unbindTexture()},this.resetState=function(){re=0,N=0,F=null,H.reset(),$e.reset()},typeof __THREE_DEVTOOLS__<`u`&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent(`observe`,{detail:this}))}get coordinateSystem(){return D}get outputColorSpace(){return this._outputColorSpace}set outputColorSpace(e){this._outputColorSpace=e;let t=this.getContext();t.drawingBufferColorSpace=G._getDrawingBufferColorSpace(e),t.unpackColorSpace=G._getUnpackColorSpace()}},za={type:`change`},Ba={type:`start`},Va={type:`end`},Ha=new ae,Ua=new at,Wa=Math.cos(70*te.DEG2RAD),Ga=new J,Ka=2*Math.PI,$={NONE:-1,ROTATE:0,DOLLY:1,PAN:2,TOUCH_ROTATE:3,TOUCH_PAN:4,TOUCH_DOLLY_PAN:5,TOUCH_DOLLY_ROTATE:6},qa=1e-6,Ja=class extends Ae{constructor(e,t=null){super(e,t),this.state=$.NONE,this.target=new J,this.cursor=new J,this.minDistance=0,this.maxDistance=1/0,this.minZoom=0,this.maxZoom=1/0,this.minTargetRadius=0,this.maxTargetRadius=1/0,this.minPolarAngle=0,this.maxPolarAngle=Math.PI,this.minAzimuthAngle=-1/0,this.maxAzimuthAngle=1/0,this.enableDamping=!1,this.dampingFactor=.05,this.enableZoom=!0,this.zoomSpeed=1,this.enableRotate=!0,this.rotateSpeed=1,this.keyRotateSpeed=1,this.enablePan=!0,this.panSpeed=1,this.screenSpacePanning=!0,this.keyPanSpeed=7,this.zoomToCursor=!1,this.autoRotate=!1,this.autoRotateSpeed=2,this.keys={LEFT:`ArrowLeft`,UP:`ArrowUp`,RIGHT:`ArrowRight`,BOTTOM:`ArrowDown`},this.mouseButtons={LEFT:Ce.ROTATE,MIDDLE:Ce.DOLLY,RIGHT:Ce.PAN},this.touches={ONE:st.ROTATE,TWO:st.DOLLY_PAN},this.target0=this.target.clone(),this.position0=this.object.position.clone(),this.zoom0=this.object.zoom,this._cursorStyle=`auto`,this._domElementKeyEvents=null,this._lastPosition=new J,this._lastQuaternion=new et,this._lastTargetPosition=new J,this._quat=new et().setFromUnitVectors(e.up,new J(0,1,0)),this._quatInverse=this._quat.clone().invert(),this._spherical=new $e,this._sphericalDelta=new $e,this._scale=1,this._panOffset=new J,this._rotateStart=new V,this._rotateEnd=new V,this._rotateDelta=new V,this._panStart=new V,this._panEnd=new V,this._panDelta=new V,this._dollyStart=new V,this._dollyEnd=new V,this._dollyDelta=new V,this._dollyDirection=new J,this._mouse=new V,this._performCursorZoom=!1,this._pointers=[],this._pointerPositions={},this._controlActive=!1,this._onPointerMove=Xa.bind(this),this._onPointerDown=Ya.bind(this),this._onPointerUp=Za.bind(this),this._onContextMenu=io.bind(this),this._onMouseWheel=eo.bind(this),this._onKeyDown=to.bind(this),this._onTouchStart=no.bind(this),this._onTouchMove=ro.bind(this),this._onMouseDown=Qa.bind(this),this._onMouseMove=$a.bind(this),this._interceptControlDown=ao.bind(this),this._interceptControlUp=oo.bind(this),this.domElement!==null&&this.connect(this.domElement),this.update()}set cursorStyle(e){this._cursorStyle=e,e===`grab`?this.domElement.style.cursor=`grab`:this.domElement.style.cursor=`auto`}get cursorStyle(){return this._cursorStyle}connect(e){super.connect(e),this.domElement.addEventListener(`pointerdown`,this._onPointerDown),this.domElement.addEventListener(`pointercancel`,this._onPointerUp),this.domElement.addEventListener(`contextmenu`,this._onContextMenu),this.domElement.addEventListener(`wheel`,this._onMouseWheel,{passive:!1}),this.domElement.ownerDocument.addEventListener(`keydown`,this._interceptControlDown,{passive:!0,capture:!0}),this.domElement.style.touchAction=`none`}disconnect(){this.state=$.NONE,this.domElement.removeEventListener(`pointerdown`,this._onPointerDown),this.domElement.ownerDocument.removeEventListener(`pointermove`,this._onPointerMove),this.domElement.ownerDocument.removeEventListener(`pointerup`,this._onPointerUp),this.domElement.removeEventListener(`pointercancel`,this._onPointerUp),this.domElement.removeEventListener(`wheel`,this._onMouseWheel),this.domElement.removeEventListener(`contextmenu`,this._onContextMenu),this.stopListenToKeyEvents(),this.domElement.ownerDocument.removeEventListener(`keydown`,this._interceptControlDown,{capture:!0}),this.domElement.ownerDocument.removeEventListener(`keyup`,this._interceptControlUp,{capture:!0}),this._controlActive=!1,this._pointers.length=0,this._pointerPositions={},this.domElement.style.touchAction=``,this.domElement.style.cursor=`auto`}dispose(){this.disconnect()}getPolarAngle(){return this._spherical.phi}getAzimuthalAngle(){return this._spherical.theta}getDistance(){return this.object.position.distanceTo(this.target)}listenToKeyEvents(e){e.addEventListener(`keydown`,this._onKeyDown),this._domElementKeyEvents=e}stopListenToKeyEvents(){this._domElementKeyEvents!==null&&(this._domElementKeyEvents.removeEventListener(`keydown`,this._onKeyDown),this._domElementKeyEvents=null)}saveState(){this.target0.copy(this.target),this.position0.copy(this.object.position),this.zoom0=this.object.zoom}reset(){this.target.copy(this.target0),this.object.position.copy(this.position0),this.object.zoom=this.zoom0,this.object.updateProjectionMatrix(),this.dispatchEvent(za),this.update(),this.state=$.NONE}pan(e,t){this._pan(e,t),this.update()}dollyIn(e){this._dollyIn(e),this.update()}dollyOut(e){this._dollyOut(e),this.update()}rotateLeft(e){this._rotateLeft(e),this.update()}rotateUp(e){this._rotateUp(e),this.update()}update(e=null){let t=this.object.position;Ga.copy(t).sub(this.target),Ga.applyQuaternion(this._quat),this._spherical.setFromVector3(Ga),this.autoRotate&&this.state===$.NONE&&this._rotateLeft(this._getAutoRotationAngle(e)),this.enableDamping?(this._spherical.theta+=this._sphericalDelta.theta*this.dampingFactor,this._spherical.phi+=this._sphericalDelta.phi*this.dampingFactor):(this._spherical.theta+=this._sphericalDelta.theta,this._spherical.phi+=this._sphericalDelta.phi);let n=this.minAzimuthAngle,r=this.maxAzimuthAngle;isFinite(n)&&isFinite(r)&&(n<-Math.PI?n+=Ka:n>Math.PI&&(n-=Ka),r<-Math.PI?r+=Ka:r>Math.PI&&(r-=Ka),n<=r?this._spherical.theta=Math.max(n,Math.min(r,this._spherical.theta)):this._spherical.theta=this._spherical.theta>(n+r)/2?Math.max(n,this._spherical.theta):Math.min(r,this._spherical.theta)),this._spherical.phi=Math.max(this.minPolarAngle,Math.min(this.maxPolarAngle,this._spherical.phi)),this._spherical.makeSafe(),this.enableDamping===!0?this.target.addScaledVector(this._panOffset,this.dampingFactor):this.target.add(this._panOffset),this.target.sub(this.cursor),this.target.clampLength(this.minTargetRadius,this.maxTargetRadius),this.target.add(this.cursor);let i=!1;if(this.zoomToCursor&&this._performCursorZoom||this.object.isOrthographicCamera)this._spherical.radius=this._clampDistance(this._spherical.radius);else{let e=this._spherical.radius;this._spherical.radius=this._clampDistance(this._spherical.radius*this._scale),i=e!=this._spherical.radius}if(Ga.setFromSpherical(this._spherical),Ga.applyQuaternion(this._quatInverse),t.copy(this.target).add(Ga),this.object.lookAt(this.target),this.enableDamping===!0?(this._sphericalDelta.theta*=1-this.dampingFactor,this._sphericalDelta.phi*=1-this.dampingFactor,this._panOffset.multiplyScalar(1-this.dampingFactor)):(this._sphericalDelta.set(0,0,0),this._panOffset.set(0,0,0)),this.zoomToCursor&&this._performCursorZoom){let e=null;if(this.object.isPerspectiveCamera){let t=Ga.length();e=this._clampDistance(t*this._scale);let n=t-e;this.object.position.addScaledVector(this._dollyDirection,n),this.object.updateMatrixWorld(),i=!!n}else if(this.object.isOrthographicCamera){let t=new J(this._mouse.x,this._mouse.y,0);t.unproject(this.object);let n=this.object.zoom;this.object.zoom=Math.max(this.minZoom,Math.min(this.maxZoom,this.object.zoom/this._scale)),this.object.updateProjectionMatrix(),i=n!==this.object.zoom;let r=new J(this._mouse.x,this._mouse.y,0);r.unproject(this.object),this.object.position.sub(r).add(t),this.object.updateMatrixWorld(),e=Ga.length()}else console.warn(`WARNING: OrbitControls.js encountered an unknown camera type - zoom to cursor disabled.`),this.zoomToCursor=!1;e!==null&&(this.screenSpacePanning?this.target.set(0,0,-1).transformDirection(this.object.matrix).multiplyScalar(e).add(this.object.position):(Ha.origin.copy(this.object.position),Ha.direction.set(0,0,-1).transformDirection(this.object.matrix),Math.abs(this.object.up.dot(Ha.direction))<Wa?this.object.lookAt(this.target):(Ua.setFromNormalAndCoplanarPoint(this.object.up,this.target),Ha.intersectPlane(Ua,this.target))))}else if(this.object.isOrthographicCamera){let e=this.object.zoom;this.object.zoom=Math.max(this.minZoom,Math.min(this.maxZoom,this.object.zoom/this._scale)),e!==this.object.zoom&&(this.object.updateProjectionMatrix(),i=!0)}return this._scale=1,this._performCursorZoom=!1,i||this._lastPosition.distanceToSquared(this.object.position)>qa||8*(1-this._lastQuaternion.dot(this.object.quaternion))>qa||this._lastTargetPosition.distanceToSquared(this.target)>qa?(this.dispatchEvent(za),this._lastPosition.copy(this.object.position),this._lastQuaternion.copy(this.object.quaternion),this._lastTargetPosition.copy(this.target),!0):!1}_getAutoRotationAngle(e){return e===null?Ka/60/60*this.autoRotateSpeed:Ka/60*this.autoRotateSpeed*e}_getZoomScale(e){let t=Math.abs(e*.01);return .95**(this.zoomSpeed*t)}_rotateLeft(e){this._sphericalDelta.theta-=e}_rotateUp(e){this._sphericalDelta.phi-=e}_panLeft(e,t){Ga.setFromMatrixColumn(t,0),Ga.multiplyScalar(-e),this._panOffset.add(Ga)}_panUp(e,t){this.screenSpacePanning===!0?Ga.setFromMatrixColumn(t,1):(Ga.setFromMatrixColumn(t,0),Ga.crossVectors(this.object.up,Ga)),Ga.multiplyScalar(e),this._panOffset.add(Ga)}_pan(e,t){let n=this.domElement;if(this.object.isPerspectiveCamera){let r=this.object.position;Ga.copy(r).sub(this.target);let i=Ga.length();i*=Math.tan(this.object.fov/2*Math.PI/180),this._panLeft(2*e*i/n.clientHeight,this.object.matrix),this._panUp(2*t*i/n.clientHeight,this.object.matrix)}else this.object.isOrthographicCamera?(this._panLeft(e*(this.object.right-this.object.left)/this.object.zoom/n.clientWidth,this.object.matrix),this._panUp(t*(this.object.top-this.object.bottom)/this.object.zoom/n.clientHeight,this.object.matrix)):(console.warn(`WARNING: OrbitControls.js encountered an unknown camera type - pan disabled.`),this.enablePan=!1)}_dollyOut(e){this.object.isPerspectiveCamera||this.object.isOrthographicCamera?this._scale/=e:(console.warn(`WARNING: OrbitControls.js encountered an unknown camera type - dolly/zoom disabled.`),this.enableZoom=!1)}_dollyIn(e){this.object.isPerspectiveCamera||this.object.isOrthographicCamera?this._scale*=e:(console.warn(`WARNING: OrbitControls.js encountered an unknown camera type - dolly/zoom disabled.`),this.enableZoom=!1)}_updateZoomParameters(e,t){if(!this.zoomToCursor)return;this._performCursorZoom=!0;let n=this.domElement.getBoundingClientRect(),r=e-n.left,i=t-n.top,a=n.width,o=n.height;this._mouse.x=r/a*2-1,this._mouse.y=-(i/o)*2+1,this._dollyDirection.set(this._mouse.x,this._mouse.y,1).unproject(this.object).sub(this.object.position).normalize()}_clampDistance(e){return Math.max(this.minDistance,Math.min(this.maxDistance,e))}_handleMouseDownRotate(e){this._rotateStart.set(e.clientX,e.clientY)}_handleMouseDownDolly(e){this._updateZoomParameters(e.clientX,e.clientY),this._dollyStart.set(e.clientX,e.clientY)}_handleMouseDownPan(e){this._panStart.set(e.clientX,e.clientY)}_handleMouseMoveRotate(e){this._rotateEnd.set(e.clientX,e.clientY),this._rotateDelta.subVectors(this._rotateEnd,this._rotateStart).multiplyScalar(this.rotateSpeed);let t=this.domElement;this._rotateLeft(Ka*this._rotateDelta.x/t.clientHeight),this._rotateUp(Ka*this._rotateDelta.y/t.clientHeight),this._rotateStart.copy(this._rotateEnd),this.update()}_handleMouseMoveDolly(e){this._dollyEnd.set(e.clientX,e.clientY),this._dollyDelta.subVectors(this._dollyEnd,this._dollyStart),this._dollyDelta.y>0?this._dollyOut(this._getZoomScale(this._dollyDelta.y)):this._dollyDelta.y<0&&this._dollyIn(this._getZoomScale(this._dollyDelta.y)),this._dollyStart.copy(this._dollyEnd),this.zoomToCursor&&(this._performCursorZoom=!0,this._dollyDirection.set(this._mouse.x,this._mouse.y,1).unproject(this.object).sub(this.object.position).normalize()),this.update()}_handleMouseMovePan(e){this._panEnd.set(e.clientX,e.clientY),this._panDelta.subVectors(this._panEnd,this._panStart).multiplyScalar(this.panSpeed),this._pan(this._panDelta.x,this._panDelta.y),this._panStart.copy(this._panEnd),this.update()}_handleMouseWheel(e){this._updateZoomParameters(e.clientX,e.clientY),e.deltaY<0?this._dollyIn(this._getZoomScale(e.deltaY)):e.deltaY>0&&this._dollyOut(this._getZoomScale(e.deltaY)),this.update()}_handleKeyDown(e){let t=!1;switch(e.code){case this.keys.UP:e.ctrlKey||e.metaKey||e.shiftKey?this.enableRotate&&this._rotateUp(Ka*this.keyRotateSpeed/this.domElement.clientHeight):this.enablePan&&this._pan(0,this.keyPanSpeed),t=!0;break;case this.keys.BOTTOM:e.ctrlKey||e.metaKey||e.shiftKey?this.enableRotate&&this._rotateUp(-Ka*this.keyRotateSpeed/this.domElement.clientHeight):this.enablePan&&this._pan(0,-this.keyPanSpeed),t=!0;break;case this.keys.LEFT:e.ctrlKey||e.metaKey||e.shiftKey?this.enableRotate&&this._rotateLeft(Ka*this.keyRotateSpeed/this.domElement.clientHeight):this.enablePan&&this._pan(this.keyPanSpeed,0),t=!0;break;case this.keys.RIGHT:e.ctrlKey||e.metaKey||e.shiftKey?this.enableRotate&&this._rotateLeft(-Ka*this.keyRotateSpeed/this.domElement.clientHeight):this.enablePan&&this._pan(-this.keyPanSpeed,0),t=!0}t&&(e.preventDefault(),this.update())}_handleTouchStartRotate(e){if(this._pointers.length===1)this._rotateStart.set(e.pageX,e.pageY);else{let t=this._getSecondPointerPosition(e),n=.5*(e.pageX+t.x),r=.5*(e.pageY+t.y);this._rotateStart.set(n,r)}}_handleTouchStartPan(e){if(this._pointers.length===1)this._panStart.set(e.pageX,e.pageY);else{let t=this._getSecondPointerPosition(e),n=.5*(e.pageX+t.x),r=.5*(e.pageY+t.y);this._panStart.set(n,r)}}_handleTouchStartDolly(e){let t=this._getSecondPointerPosition(e),n=e.pageX-t.x,r=e.pageY-t.y,i=Math.sqrt(n*n+r*r);this._dollyStart.set(0,i)}_handleTouchStartDollyPan(e){this.enableZoom&&this._handleTouchStartDolly(e),this.enablePan&&this._handleTouchStartPan(e)}_handleTouchStartDollyRotate(e){this.enableZoom&&this._handleTouchStartDolly(e),this.enableRotate&&this._handleTouchStartRotate(e)}_handleTouchMoveRotate(e){if(this._pointers.length==1)this._rotateEnd.set(e.pageX,e.pageY);else{let t=this._getSecondPointerPosition(e),n=.5*(e.pageX+t.x),r=.5*(e.pageY+t.y);this._rotateEnd.set(n,r)}this._rotateDelta.subVectors(this._rotateEnd,this._rotateStart).multiplyScalar(this.rotateSpeed);let t=this.domElement;this._rotateLeft(Ka*this._rotateDelta.x/t.clientHeight),this._rotateUp(Ka*this._rotateDelta.y/t.clientHeight),this._rotateStart.copy(this._rotateEnd)}_handleTouchMovePan(e){if(this._pointers.length===1)this._panEnd.set(e.pageX,e.pageY);else{let t=this._getSecondPointerPosition(e),n=.5*(e.pageX+t.x),r=.5*(e.pageY+t.y);this._panEnd.set(n,r)}this._panDelta.subVectors(this._panEnd,this._panStart).multiplyScalar(this.panSpeed),this._pan(this._panDelta.x,this._panDelta.y),this._panStart.copy(this._panEnd)}_handleTouchMoveDolly(e){let t=this._getSecondPointerPosition(e),n=e.pageX-t.x,r=e.pageY-t.y,i=Math.sqrt(n*n+r*r);this._dollyEnd.set(0,i),this._dollyDelta.set(0,(this._dollyEnd.y/this._dollyStart.y)**+this.zoomSpeed),this._dollyOut(this._dollyDelta.y),this._dollyStart.copy(this._dollyEnd);let a=(e.pageX+t.x)*.5,o=(e.pageY+t.y)*.5;this._updateZoomParameters(a,o)}_handleTouchMoveDollyPan(e){this.enableZoom&&this._handleTouchMoveDolly(e),this.enablePan&&this._handleTouchMovePan(e)}_handleTouchMoveDollyRotate(e){this.enableZoom&&this._handleTouchMoveDolly(e),this.enableRotate&&this._handleTouchMoveRotate(e)}_addPointer(e){this._pointers.push(e.pointerId)}_removePointer(e){delete this._pointerPositions[e.pointerId];for(let t=0;t<this._pointers.length;t++)if(this._pointers[t]==e.pointerId){this._pointers.splice(t,1);return}}_isTrackingPointer(e){for(let t=0;t<this._pointers.length;t++)if(this._pointers[t]==e.pointerId)return!0;return!1}_trackPointer(e){let t=this._pointerPositions[e.pointerId];t===void 0&&(t=new V,this._pointerPositions[e.pointerId]=t),t.set(e.pageX,e.pageY)}_getSecondPointerPosition(e){let t=e.pointerId===this._pointers[0]?this._pointers[1]:this._pointers[0];return this._pointerPositions[t]}_customWheelEvent(e){let t=e.deltaMode,n={clientX:e.clientX,clientY:e.clientY,deltaY:e.deltaY};switch(t){case 1:n.deltaY*=16;break;case 2:n.deltaY*=100}return e.ctrlKey&&!this._controlActive&&(n.deltaY*=10),n}};function Ya(e){this.enabled!==!1&&(this._pointers.length===0&&(this.domElement.setPointerCapture(e.pointerId),this.domElement.ownerDocument.addEventListener(`pointermove`,this._onPointerMove),this.domElement.ownerDocument.addEventListener(`pointerup`,this._onPointerUp)),this._isTrackingPointer(e)||(this._addPointer(e),e.pointerType===`touch`?this._onTouchStart(e):this._onMouseDown(e),this._cursorStyle===`grab`&&(this.domElement.style.cursor=`grabbing`)))}function Xa(e){this.enabled!==!1&&(e.pointerType===`touch`?this._onTouchMove(e):this._onMouseMove(e))}function Za(e){switch(this._removePointer(e),this._pointers.length){case 0:this.domElement.releasePointerCapture(e.pointerId),this.domElement.ownerDocument.removeEventListener(`pointermove`,this._onPointerMove),this.domElement.ownerDocument.removeEventListener(`pointerup`,this._onPointerUp),this.dispatchEvent(Va),this.state=$.NONE,this._cursorStyle===`grab`&&(this.domElement.style.cursor=`grab`);break;case 1:let t=this._pointers[0],n=this._pointerPositions[t];this._onTouchStart({pointerId:t,pageX:n.x,pageY:n.y})}}function Qa(e){let t;switch(e.button){case 0:t=this.mouseButtons.LEFT;break;case 1:t=this.mouseButtons.MIDDLE;break;case 2:t=this.mouseButtons.RIGHT;break;default:t=-1}switch(t){case Ce.DOLLY:if(this.enableZoom===!1)return;this._handleMouseDownDolly(e),this.state=$.DOLLY;break;case Ce.ROTATE:if(e.ctrlKey||e.metaKey||e.shiftKey){if(this.enablePan===!1)return;this._handleMouseDownPan(e),this.state=$.PAN}else{if(this.enableRotate===!1)return;this._handleMouseDownRotate(e),this.state=$.ROTATE}break;case Ce.PAN:if(e.ctrlKey||e.metaKey||e.shiftKey){if(this.enableRotate===!1)return;this._handleMouseDownRotate(e),this.state=$.ROTATE}else{if(this.enablePan===!1)return;this._handleMouseDownPan(e),this.state=$.PAN}break;default:this.state=$.NONE}this.state!==$.NONE&&this.dispatchEvent(Ba)}function $a(e){switch(this.state){case $.ROTATE:if(this.enableRotate===!1)return;this._handleMouseMoveRotate(e);break;case $.DOLLY:if(this.enableZoom===!1)return;this._handleMouseMoveDolly(e);break;case $.PAN:if(this.enablePan===!1)return;this._handleMouseMovePan(e)}}function eo(e){this.enabled!==!1&&this.enableZoom!==!1&&this.state===$.NONE&&(e.preventDefault(),this.dispatchEvent(Ba),this._handleMouseWheel(this._customWheelEvent(e)),this.dispatchEvent(Va))}function to(e){this.enabled!==!1&&this._handleKeyDown(e)}function no(e){switch(this._trackPointer(e),this._pointers.length){case 1:switch(this.touches.ONE){case st.ROTATE:if(this.enableRotate===!1){this.state=$.NONE;break}this._handleTouchStartRotate(e),this.state=$.TOUCH_ROTATE;break;case st.PAN:if(this.enablePan===!1){this.state=$.NONE;break}this._handleTouchStartPan(e),this.state=$.TOUCH_PAN;break;default:this.state=$.NONE}break;case 2:switch(this.touches.TWO){case st.DOLLY_PAN:if(this.enableZoom===!1&&this.enablePan===!1)return;this._handleTouchStartDollyPan(e),this.state=$.TOUCH_DOLLY_PAN;break;case st.DOLLY_ROTATE:if(this.enableZoom===!1&&this.enableRotate===!1)return;this._handleTouchStartDollyRotate(e),this.state=$.TOUCH_DOLLY_ROTATE;break;default:this.state=$.NONE}break;default:this.state=$.NONE}this.state!==$.NONE&&this.dispatchEvent(Ba)}function ro(e){switch(this._trackPointer(e),this.state){case $.TOUCH_ROTATE:if(this.enableRotate===!1)return;this._handleTouchMoveRotate(e),this.update();break;case $.TOUCH_PAN:if(this.enablePan===!1)return;this._handleTouchMovePan(e),this.update();break;case $.TOUCH_DOLLY_PAN:if(this.enableZoom===!1&&this.enablePan===!1)return;this._handleTouchMoveDollyPan(e),this.update();break;case $.TOUCH_DOLLY_ROTATE:if(this.enableZoom===!1&&this.enableRotate===!1)return;this._handleTouchMoveDollyRotate(e),this.update();break;default:this.state=$.NONE}}function io(e){this.enabled!==!1&&e.preventDefault()}function ao(e){e.key===`Control`&&(this._controlActive=!0,this.domElement.ownerDocument.addEventListener(`keyup`,this._interceptControlUp,{passive:!0,capture:!0}))}function oo(e){e.key===`Control`&&(this._controlActive=!1,this.domElement.ownerDocument.removeEventListener(`keyup`,this._interceptControlUp,{passive:!0,capture:!0}))}var so=40;function co(e,t,n,r,i,a){let{right:o,up:s,towards:c}=lo(r),l={right:-1/0,left:-1/0,top:-1/0,bottom:-1/0,near:-1/0,far:1/0};for(let r=0;r<t;r++){if(!n(r))continue;let[t,u,d]=[e[3*r],e[3*r+1],e[3*r+2]*a],f=o[0]*t+o[1]*u+o[2]*d,p=s[0]*t+s[1]*u+s[2]*d,m=c[0]*t+c[1]*u+c[2]*d;l.right=Math.max(l.right,f+i.x*m),l.left=Math.max(l.left,-f+i.x*m),l.top=Math.max(l.top,p+i.y*m),l.bottom=Math.max(l.bottom,-p+i.y*m),l.near=Math.max(l.near,m),l.far=Math.min(l.far,m)}if(l.near===-1/0)return null;let u=(l.near+l.far)/2,d={x:(l.right-l.left)/2,y:(l.top-l.bottom)/2,z:Math.max((l.right+l.left)/(2*i.x),(l.top+l.bottom)/(2*i.y),u+so)},f=e=>[0,1,2].map(t=>o[t]*d.x+s[t]*d.y+c[t]*e);return{position:f(d.z),target:f(u)}}function lo(e){let t=Math.hypot(...e)||1,n=[e[0]/t,e[1]/t,e[2]/t],r=Math.hypot(n[2],n[0]),i=r<1e-6?[1,0,0]:[n[2]/r,0,-n[0]/r];return{right:i,up:[n[1]*i[2]-n[2]*i[1],n[2]*i[0]-n[0]*i[2],n[0]*i[1]-n[1]*i[0]],towards:n}}var uo=2048;function fo(){return{uEffects:{value:ho(1)},uReplay:{value:-1},uReducedMotion:{value:!1}}}function po(e,t,n){let r=new Map;for(let n of t){let t=e.indexOf(n.id);if(t<0)continue;let i=r.get(t);i?i.push(n):r.set(t,[n])}let i=new Float32Array(4*e.count),a=1/0;for(let[t,o]of r){o.sort((e,t)=>e.at-t.at);let r=0;for(;r+1<o.length&&o[r+1].at<=n;)r++;let{kind:s,at:c,to:l}=o[r],u=o[r+1];u&&(a=Math.min(a,u.at)),i.set([ze.indexOf(s),c,l?e.indexOf(l):-1,u?o.slice(r+1).some(e=>e.kind===`ENGRAVE`)?2:1:0],4*t)}return{rows:i,next:a}}function mo(e,t){let n=ho(t?t.length/4:1);t&&n.image.data.set(t),e.uEffects.value.dispose(),e.uEffects.value=n}function ho(e){let t=Math.max(Math.ceil(e/uo),1),n=new E(new Float32Array(4*uo*t),uo,t,Le,C);return n.internalFormat=`RGBA32F`,n.needsUpdate=!0,n}var go=`uniform highp isampler2D uNodes;
uniform highp isampler2D uStates;
uniform highp isampler2D uUses;
uniform highp usampler2D uMarks;
uniform highp sampler2D uPositions;
uniform highp sampler2D uOldPositions;
uniform float uPositionMix;
uniform float uDepth;
uniform ivec2 uRecorded;
uniform ivec2 uValid;
uniform bool uHasValid;
uniform int uStatuses;
uniform highp sampler2D uEffects;
uniform float uReplay;
uniform bool uReducedMotion;const int ACTIVE = 0, EXPIRED = 4;
const uint PASSES = 1u, GHOST = 2u, HIT = 4u, NEAR = 8u, FRESH = 16u;
const int STRENGTHEN = 1, ARCHIVE = 2, MERGE = 3, RECEIVE = 4, PROMOTE = 5, ENGRAVE = 6, DREAM = 7, GIVE = 8, BORN = 9;
const float EFFECT_SECONDS = 1.6;
const float STEP_DAYS = 1048576.0 / 86400000.0;struct Node {
int stateStart, stateCount, useStart, useCount;
int type;
float importance;
ivec2 expires, validFrom, anchor, created, lastUse;
float k;
uint marks;
};struct State {
bool born;
ivec2 from;
int status, tier;
bool core;
ivec2 validTo;
};ivec2 cell(int i) { return ivec2(i & 2047, i >> 11); }bool notAfter(ivec2 a, ivec2 b) { return a.x < b.x || (a.x == b.x && a.y <= b.y); }Node readNode(int i) {
ivec4 a = texelFetch(uNodes, cell(4 * i), 0);
ivec4 b = texelFetch(uNodes, cell(4 * i + 1), 0);
ivec4 c = texelFetch(uNodes, cell(4 * i + 2), 0);
ivec4 d = texelFetch(uNodes, cell(4 * i + 3), 0);
return Node(a.x, a.y & 0xffff, a.z, a.w & 0xffff, a.y >> 16, float(a.w >> 16) / 255.0,
b.xy, b.zw, c.xy, c.zw, d.xy, intBitsToFloat(d.z), texelFetch(uMarks, cell(i), 0).r);
}State stateOf(Node n) {
for (int s = n.stateStart + n.stateCount - 1; s >= n.stateStart; s--) {
ivec4 t = texelFetch(uStates, cell(s), 0);
ivec2 from = ivec2(t.x, t.y & 0xfffff);
if (!notAfter(from, uRecorded)) continue;
int status = (t.y >> 20) & 7;
if (status == ACTIVE && notAfter(n.expires, uRecorded)) status = EXPIRED;
return State(true, from, status, (t.y >> 23) & 3, ((t.y >> 25) & 1) == 1, t.zw);
}
return State(false, ivec2(0), 0, 0, false, ivec2(0));
}bool isVisible(Node n, State s) {
if (!s.born || (n.marks & PASSES) == 0u || (uStatuses & (1 << s.status)) == 0) return false;
return !uHasValid || (notAfter(n.validFrom, uValid) && !notAfter(s.validTo, uValid));
}bool isGhost(Node n, State s) { return s.born && (n.marks & GHOST) != 0u && !isVisible(n, s); }struct Effect {
int kind;
float t;
int to;
bool more;
bool engraves;
};Effect effectOf(int i) {
if (uReplay < 0.0) return Effect(0, 0.0, -1, false, false);
vec4 a = texelFetch(uEffects, cell(i), 0);
return Effect(int(a.x), uReplay - a.y, int(a.z), a.w > 0.5, a.w > 1.5);
}bool isShown(Node n, State s, Effect a) {
bool shown = isVisible(n, s) || isGhost(n, s);
if (a.kind == 0) return shown;
if (a.kind == BORN) return shown && a.t >= 0.0;
bool passes = s.born && (n.marks & PASSES) != 0u;
if (a.kind == ARCHIVE || a.kind == MERGE) return passes && (uReducedMotion || a.t < EFFECT_SECONDS);
return shown || (passes && (a.more || a.t < 1.5 * EFFECT_SECONDS));
}float daysBetween(ivec2 from, ivec2 to) {
return float(to.x - from.x) * STEP_DAYS + float(to.y - from.y) / 86400000.0;
}float retentionOf(Node n, State s) {
if (s.core || s.tier == 3 || n.k == 0.0) return 1.0;
ivec2 anchor = n.created;
if (notAfter(n.anchor, uRecorded) && notAfter(anchor, n.anchor)) anchor = n.anchor;
if (notAfter(n.lastUse, uRecorded)) {
if (notAfter(anchor, n.lastUse)) anchor = n.lastUse;
} else {
for (int u = n.useStart + n.useCount - 1; u >= n.useStart; u--) {
ivec2 day = texelFetch(uUses, cell(u), 0).xy;
if (!notAfter(day, uRecorded)) continue;
if (notAfter(anchor, day)) anchor = day;
break;
}
}
return exp(-n.k * max(daysBetween(anchor, uRecorded), 0.0));
}vec3 positionOf(int i) {
vec3 p = texelFetch(uPositions, cell(i), 0).xyz;
if (uPositionMix < 1.0) p = mix(texelFetch(uOldPositions, cell(i), 0).xyz, p, uPositionMix);
return vec3(p.xy, p.z * uDepth);
}`,_o=`uniform mat4 uView, uProjection;
uniform highp usampler2D uRows;
uniform int uFirst;
uniform int uCurved;
uniform highp sampler2D uBends;
uniform float uBend;
uniform float uFogFrom, uFogTo;
uniform vec3 uEdgeColors[8];
uniform float uEdgeAlpha;
uniform int uRestRows;
uniform float uRestAlpha;
uniform bool uFocus;const int SUPERSEDES = 0, CONTRADICTS = 4, SAME_SESSION = 5, TEMPORAL_SEQ = 6, ENTITY_OVERLAP = 7;struct Edge {
bool shown;
int kind;
vec4 a, b;
vec3 placeA, placeB, bend;
float grown;
vec4 color;
};float farness(vec3 a, vec3 b) { return mix(1.0, 0.3, smoothstep(15.0, 80.0, distance(a, b))); }Edge readEdge(int row) {
uvec4 r = texelFetch(uRows, cell(uFirst + row), 0);
Edge e;
e.kind = int(r.z);
int a = int(e.kind == SUPERSEDES ? r.y : r.x), b = int(e.kind == SUPERSEDES ? r.x : r.y);
Effect effectA = effectOf(a), effectB = effectOf(b);
Node nodeA = readNode(a), nodeB = readNode(b);
e.shown = isShown(nodeA, stateOf(nodeA), effectA) && isShown(nodeB, stateOf(nodeB), effectB);
if (!e.shown) return e;
vec3 placeA = positionOf(a), placeB = positionOf(b);
e.placeA = placeA;
e.placeB = placeB;
vec3 bend = row < uCurved ? texelFetch(uBends, cell(uFirst + row), 0).xyz : vec3(0.0);
e.bend = uBend * vec3(bend.xy, bend.z * uDepth);
vec4 eyeA = uView * vec4(placeA, 1.0), eyeB = uView * vec4(placeB, 1.0);
e.a = uProjection * eyeA;
e.b = uProjection * eyeB;
e.grown = effectA.kind == BORN && !uReducedMotion ? smoothstep(0.0, 1.0, effectA.t) : 1.0;
float alpha = e.kind <= CONTRADICTS ? 0.85 : e.kind == ENTITY_OVERLAP ? float(r.w) / 300.0 : e.kind == TEMPORAL_SEQ ? 0.5 : 0.34;
if ((nodeA.marks & nodeB.marks & NEAR) == 0u) alpha = uFirst + row < uRestRows ? uRestAlpha * farness(placeA, placeB) * (uFocus ? 0.3 : 1.0) : alpha * uEdgeAlpha;
alpha *= mix(1.0, 0.4, smoothstep(uFogFrom, uFogTo, -0.5 * (eyeA.z + eyeB.z)));
e.color = vec4(uEdgeColors[e.kind], alpha);
return e;
}vec4 pointAt(Edge e, float t) {
t = mix(1.0 - e.grown, 1.0, t);
return uProjection * uView * vec4(mix(e.placeA, e.placeB, t) + 2.0 * t * (1.0 - t) * e.bend, 1.0);
}`,vo=`flat out vec4 vColor;void main() {
int straight = gl_VertexID - 2 * SEGMENTS * uCurved;
Edge e = readEdge(straight < 0 ? gl_VertexID / (2 * SEGMENTS) : uCurved + (straight >> 1));
vColor = e.color;
int part = gl_VertexID % (2 * SEGMENTS);
if (!e.shown) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
else if (straight < 0) gl_Position = pointAt(e, float((part >> 1) + (part & 1)) / float(SEGMENTS));
else gl_Position = (gl_VertexID & 1) == 0 ? mix(e.b, e.a, e.grown) : e.b;
}`,yo=`flat in vec4 vColor;
out vec4 color;void main() { color = vColor; }`,bo=`uniform vec2 uDrawingSize;
uniform float uPixelRatio;flat out vec4 vColor;
flat out float vWidth;
out vec2 vAt;const float HEAD = 9.0;void hide() { gl_Position = vec4(2.0, 2.0, 2.0, 1.0); }vec2 onPage(vec4 p) { return (p.xy / p.w) * 0.5 * uDrawingSize; }void curved(int row, int corner) {
Edge e = readEdge(row);
vColor = e.color;
if (!e.shown || e.a.w <= 0.1 || e.b.w <= 0.1) { hide(); return; }
vWidth = 0.55 * uPixelRatio;
float t = float(corner >> 1) / float(SEGMENTS);
vec4 p = pointAt(e, t);
vec2 along = onPage(pointAt(e, min(t + 0.05, 1.0))) - onPage(pointAt(e, max(t - 0.05, 0.0)));
float size = length(along);
vec2 side = size > 0.001 ? vec2(-along.y, along.x) / size : vec2(0.0, 1.0);
float across = (float(corner & 1) * 2.0 - 1.0) * (vWidth + 0.75 * uPixelRatio);
vAt = vec2(0.0, across);
gl_Position = vec4((onPage(p) + side * across) / (0.5 * uDrawingSize), p.z / p.w, 1.0);
}void main() {
const int CURVED_CORNERS = 2 * (SEGMENTS + 1);
int straight = gl_VertexID - CURVED_CORNERS * uCurved;
if (straight < 0) { curved(gl_VertexID / CURVED_CORNERS, gl_VertexID % CURVED_CORNERS); return; }
int corner = straight % 7;
Edge e = readEdge(uCurved + straight / 7);
vColor = e.color;
if (!e.shown || e.a.w <= 0.1 || e.b.w <= 0.1 || (corner > 3 && e.kind != SUPERSEDES)) { hide(); return; }vec2 pb = (e.b.xy / e.b.w) * 0.5 * uDrawingSize, pa = mix(pb, (e.a.xy / e.a.w) * 0.5 * uDrawingSize, e.grown);
vec2 along = pb - pa;
float size = length(along);
vec2 dir = size > 0.001 ? along / size : vec2(1.0, 0.0);
vec2 side = vec2(-dir.y, dir.x);
vWidth = (e.kind == SUPERSEDES ? 0.95 : e.kind <= CONTRADICTS ? 0.75 : 0.55) * uPixelRatio;float t, across;
if (corner < 4) {
t = float(corner >> 1);
across = (float(corner & 1) * 2.0 - 1.0) * (vWidth + 0.75 * uPixelRatio);
vAt = vec2(t * size, across);
} else {
float head = HEAD * uPixelRatio, soft = 2.0 * uPixelRatio;
if (size < 2.0 * head) { hide(); return; }
float back = corner == 4 ? -soft : head + soft;
across = corner == 4 ? 0.0 : (corner == 5 ? -1.0 : 1.0) * (head * 0.55 + 2.0 * soft);
t = 0.5 + (0.5 * head - back) / size;
vAt = vec2(back, across);
vWidth = -head;
}
vec2 at = mix(pa, pb, t) + side * across;
gl_Position = vec4(at / (0.5 * uDrawingSize), mix(e.a.z / e.a.w, e.b.z / e.b.w, t), 1.0);
}`,xo=`uniform float uPixelRatio;
flat in vec4 vColor;
flat in float vWidth;
in vec2 vAt;
out vec4 color;void main() {
float soft = 0.75 * uPixelRatio;
float a = vColor.a;
if (vWidth > 0.0) a *= 1.0 - smoothstep(vWidth - 0.5 * soft, vWidth + soft, abs(vAt.y));
else {
float half_ = 0.55 * vAt.x;
a *= (1.0 - smoothstep(half_ - soft, half_ + soft, abs(vAt.y))) * (1.0 - smoothstep(-vWidth - soft, -vWidth + soft, vAt.x));
}
color = vec4(vColor.rgb, a);
}`,So=2048;function Co(e,t,n,r,i){let a=wo(e.length/t)*t,o=e;e.length!==a&&(o=new e.constructor(a),o.set(e));let s=new E(o,So,a/t/So,n,r);return s.internalFormat=i,s.unpackAlignment=1,s.needsUpdate=!0,s}function wo(e){return Math.max(Math.ceil(e/So),1)*So}function To(e,t){e.value.dispose(),e.value=t}var Eo=3,Do=.15,Oo=5,ko=420,Ao=7.6,jo=18,Mo=18,No=24,Po=22,Fo=70;function Io(e,t,n,r){let i=Ct(e.name,jo),[a,o]=[Ao*xt(i),Po*i.length],s=e.cluster?Math.min(1.2*r,Fo)+o/2:0;return{x:t-a/2,y:n-s,width:a,height:o}}function Lo(e){let t=e.frame.regions??[],n=new Uint8Array(e.count).fill(255),r=e.frame.positions;for(let i=0;i<e.count;i++){let e=1/0;for(let a=0;a<t.length;a++){let[o,s,c]=t[a].position,l=(r[3*i]-o)**2+(r[3*i+1]-s)**2+(r[3*i+2]-c)**2;l<e&&(e=l,n[i]=a)}}return n}function Ro(e,t,n,r){let i={x:0,y:0,distance:0},a=[];return e.forEach((e,o)=>{if(a.length===r||t[o]<Eo||t[o]<Do*e.count||!Et(e.position,n,i))return;let s=e.radius*n.pixelsPerUnit/i.distance;if(s<Oo||s>ko||i.x<0||i.y<0||i.x>n.width||i.y>n.height)return;let c=Io(e,i.x,i.y,s),{left:l,right:u}=n.free??{left:0,right:n.width};c.x<l||c.x+c.width>u||a.some(e=>zo(e.box,c,No,Mo))||a.push({region:o,box:c})}),a}function zo(e,t,n,r){return Math.abs(e.y-t.y)<(e.height+t.height)/2+r&&e.x<t.x+t.width+n&&t.x<e.x+e.width+n}var Bo=class{element=document.createElement(`div`);pool=[];named=[];boxes=[];constructor(){this.element.className=`labels regions`,this.element.setAttribute(`aria-hidden`,`true`)}setRegions(e,t){for(this.named=t;this.pool.length<t.length;){let e=document.createElement(`span`);e.className=`region`,this.pool.push(e),this.element.append(e)}this.pool.forEach((n,r)=>{let i=t[r]===void 0?void 0:e[t[r]];n.hidden=!i,i&&St(n,Ct(i.name,jo))})}shown(){return this.pool.filter(e=>!e.hidden&&e.style.visibility!==`hidden`)}move(e,t){let n={x:0,y:0,distance:0};this.boxes=[],this.named.forEach((r,i)=>{let a=this.pool[i],o=e[r],s=o!==void 0&&Et(o.position,t,n)?Io(o,n.x,n.y,o.radius*t.pixelsPerUnit/n.distance):null,c=s!==null&&!this.boxes.some(e=>e&&zo(e,s,0,0));this.boxes.push(c?s:null),a.style.visibility=c?``:`hidden`,c&&(a.style.transform=`translate(${n.x.toFixed(1)}px, ${s.y.toFixed(1)}px) translate(-50%, -50%)`)})}regionAt(e,t){let n=this.boxes.findIndex((n,r)=>n!==null&&!this.pool[r].classList.contains(`collides`)&&Math.abs(t-n.y)<n.height/2&&e>=n.x&&e<=n.x+n.width);return n<0?-1:this.named[n]}},Vo=class extends Error{version;constructor(e){super(`The server sends maps of version ${e}; this page reads version 1.`),this.version=e}},Ho=[0,1,2,4,4,8],Uo=new TextDecoder;function Wo(e){if(e.byteLength<64)throw Error(`The server sent an empty map.`);let t=new DataView(e);if(Uo.decode(new Uint8Array(e,0,4))!==`SGVF`)throw Error(`The server sent something that is not a map.`);let n=t.getUint16(4,!0);if(n!==1)throw new Vo(n);if(t.getUint32(20,!0)!==e.byteLength)throw Error(`The map is incomplete.`);let r=Qo(e,t),i=t.getUint32(8,!0),a=t.getUint32(12,!0),o=(e,t)=>$o(r,e,1,t),s=(e,t)=>new Uint16Array(es(r,e,2,t)),c=(e,t)=>new Uint32Array(es(r,e,3,t)),l=(e,t)=>new Float32Array(es(r,e,4,t)),u=(e,t)=>new Float64Array(es(r,e,5,t)),d=u(`born`,i),f=e=>ns(u(e,i),d),p=ts(s(`states`,i)),m=p[i],h=ts(s(`uses`,i)),g=e=>({index:c(e,i),values:is(c(e+`.e`),o(e+`.b`))}),_=c(`label`,i),v={bytes:o(`label.b`),start:Uint32Array.from(_,(e,t)=>t===0?0:_[t-1]),end:_},y=r.get(`cut.kind`)?.count??0,b=e=>r.has(e)?o(e):new Uint8Array,x=r.has(`cl.id`)?Ko($o(r,`cl.id`,1),c(`cl`),o(`cl.b`),l(`cl.pos`),l(`cl.r`),c(`cl.n`)):[],S=e=>y>0?c(e,y):new Uint32Array;return{at:t.getFloat64(24,!0),cursor:String(t.getBigUint64(32,!0)),map:String(t.getBigUint64(56,!0)),total:t.getUint32(16,!0),count:i,edgeCount:a,ids:o(`id`,16*i),positions:as(s(`pos`,3*i),t),type:o(`type`,i),flags:o(`flags`,i),decayClass:o(`class`,i),importance:o(`import`,i),confidence:r.has(`conf`)?o(`conf`,i):new Uint8Array(i).fill(255),version:s(`version`,i),decayRate:l(`k`,i),born:d,created:f(`created`),anchor:f(`anchor`),validFrom:f(`valid`),expires:f(`expires`),lastUse:f(`lastuse`),stateStart:p,stateFrom:rs(u(`st.from`,m),d,p),stateValidTo:rs(u(`st.vto`,m),d,p),stateStatus:o(`st.stat`,m),stateTier:o(`st.tier`,m),stateCore:o(`st.core`,m),useStart:h,useDay:c(`us.day`,h[i]),namespace:g(`ns`),project:g(`proj`),user:g(`user`),session:g(`sess`),label:Zo(v),labels:v,regions:r.has(`rg`)?Go(c(`rg`),o(`rg.b`),l(`rg.pos`),l(`rg.r`),c(`rg.n`)):null,cluster:x.length>0?Int32Array.from(c(`cluster`,i),e=>e-1):new Int32Array(i).fill(-1),clusters:x,from:c(`from`,a),to:c(`to`,a),edgeKind:o(`ekind`,a),edgeWeight:o(`eweight`,a),tiles:r.has(`tl`)?qo(c(`tl`),c(`tl.n`),l(`tl.half`,1)[0]):null,refs:b(`ref`),removed:b(`gone`),cutFrom:S(`cut.from`),cutTo:S(`cut.to`),cutKind:b(`cut.kind`),removedClusters:Xo(b(`cl.gone`))}}function Go(e,t,n,r,i){return is(e,t).map((e,t)=>({name:e,position:[n[3*t],n[3*t+1],n[3*t+2]],radius:r[t],count:i[t]}))}function Ko(e,t,n,r,i,a){let o=is(t,n);return Xo(e).map((e,t)=>({id:e,label:o[t],position:[r[3*t],r[3*t+1],r[3*t+2]],radius:i[t],count:a[t]}))}function qo(e,t,n){return{half:n,counts:new Map(Array.from(e,(e,n)=>[e,t[n]]))}}function Jo(e,t){let n=``;for(let r=0;r<16;r++)n+=Yo[e[16*t+r]]+(r===3||r===5||r===7||r===9?`-`:``);return n}var Yo=Array.from({length:256},(e,t)=>t.toString(16).padStart(2,`0`));function Xo(e){return Array.from({length:e.length/16},(t,n)=>Jo(e,n))}function Zo(e){return t=>Uo.decode(e.bytes.subarray(e.start[t],e.end[t]))}function Qo(e,t){let n=new Map;for(let r=0;r<t.getUint16(6,!0);r++){let i=64+24*r,a=Uo.decode(new Uint8Array(e,i,8)).replace(/\0+$/,``),o=t.getUint8(i+8),s=t.getUint32(i+12,!0),c=t.getUint32(i+16,!0),l=t.getUint32(i+20,!0);if(c+l>e.byteLength||l!==s*(Ho[o]??-1))throw Error(`The map is corrupt at "${a}".`);n.set(a,{kind:o,count:s,bytes:new Uint8Array(e,c,l)})}return n}function $o(e,t,n,r){let i=e.get(t);if(!i||i.kind!==n||r!==void 0&&i.count!==r)throw Error(`The map has no column "${t}".`);return i.bytes}function es(e,t,n,r){let i=$o(e,t,n,r),a=Ho[n],o=i.length/a,s=new Uint8Array(i.length);for(let e=0;e<a;e++){let t=e*o;for(let n=0,r=e;n<o;n++,r+=a)s[r]=i[t+n]}return s.buffer}function ts(e){let t=new Uint32Array(e.length+1);for(let n=0;n<e.length;n++)t[n+1]=t[n]+e[n];return t}function ns(e,t){for(let n=0;n<e.length;n++)e[n]+=t[n];return e}function rs(e,t,n){for(let r=0;r<t.length;r++)for(let i=n[r];i<n[r+1];i++)e[i]+=t[r];return e}function is(e,t){return Array.from(e,(n,r)=>Uo.decode(t.subarray(r===0?0:e[r-1],n)))}function as(e,t){let n=t.getFloat32(52,!0),r=new Float32Array(e.length);for(let i=0;i<e.length;i++)r[i]=t.getFloat32(40+i%3*4,!0)+e[i]*n;return r}function os(e,t){let n=e.count,r=new Int32Array(n).fill(-1),i=new Int32Array(n).fill(-1),a=new Uint32Array(n+1);for(let t=0;t<e.edgeCount;t++){let n=e.from[t],o=e.to[t];a[n]++,o!==n&&a[o]++,_[e.edgeKind[t]]===`SUPERSEDES`&&(r[n]=o,i[o]=n)}let o=new Uint32Array(n+1);for(let e=0;e<n;e++)o[e+1]=o[e]+a[e];let s=o.slice(),c=new Uint32Array(o[n]);for(let t=0;t<e.edgeCount;t++){let n=e.from[t],r=e.to[t];c[s[n]++]=t,r!==n&&(c[s[r]++]=t)}let l=new Float64Array(n).fill(1/0);for(let t=0;t<n;t++)for(let n=e.stateStart[t];n<e.stateStart[t+1];n++)if(e.stateStatus[n]===1){l[t]=e.stateFrom[n];break}let u,d=()=>{if(u)return u;let e=t&&t.oldIndex.length>=t.parent.count&&t.oldIndex[t.parent.count-1]===t.parent.count-1;u=e?t.parent.idIndex():new Map;for(let r=e?t.parent.count:0;r<n;r++)u.set(f(r),r);return u},f=t=>Jo(e.ids,t);return{frame:e,count:n,previousVersion:r,nextVersion:i,edgeStart:o,edgesOf:c,firstBorn:us(e.born),firstValid:ds(e),supersededAt:l,idOf:f,indexOf(e){let t=d().get(e);return t===void 0||t>=n?-1:t},idIndex:d,indicesIn(e){return e===t?.parent?t.oldIndex:Int32Array.from({length:n},(t,n)=>e.indexOf(f(n)))}}}function ss(e,t){let n=t;for(let t=0;e.previousVersion[n]>=0&&t<e.count;t++)n=e.previousVersion[n];let r=[n];for(;e.nextVersion[r.at(-1)]>=0&&r.length<=e.count;)r.push(e.nextVersion[r.at(-1)]);return r}function cs(e,t,n){let r=e.frame;for(let i=e.edgeStart[t];i<e.edgeStart[t+1];i++){let a=e.edgesOf[i];if(_[r.edgeKind[a]]!==`TEMPORAL_SEQ`)continue;let o=r.from[a]===t?r.to[a]:r.from[a];if(Math.sign(r.validFrom[o]-r.validFrom[t]||r.born[o]-r.born[t])===n)return o}return-1}function ls(e,t){let n=e.frame,r=new Map;for(let i=e.edgeStart[t];i<e.edgeStart[t+1];i++){let a=e.edgesOf[i];if(_[n.edgeKind[a]]!==`CONTRADICTS`)continue;let o=n.from[a]===t?n.to[a]:n.from[a];o!==t&&r.set(o,Math.max(r.get(o)??0,n.edgeWeight[a]/255))}return[...r].map(([e,t])=>({node:e,score:t})).sort((e,t)=>t.score-e.score||e.node-t.node)}function us(e){let t=1/0;for(let n of e)n<t&&(t=n);return t}function ds(e){let t=e.validFrom.filter(Number.isFinite).sort();return t.length===0?us(e.born):t[Math.floor(t.length/50)]}var fs=2e4,ps=300,ms={SUPERSEDES:`supersedes`,DERIVED_FROM:`derivation`,CONSOLIDATED_INTO:`derivation`,EVIDENCE_FOR:`derivation`,CONTRADICTS:`derivation`,SAME_SESSION:`session`,TEMPORAL_SEQ:`sequence`,ENTITY_OVERLAP:`overlap`};function hs(e){return ms[_[e]]}function gs(e,t){let n=e.frame,r=new Set([t]);for(let t of r)for(let i=e.edgeStart[t];i<e.edgeStart[t+1]&&r.size<ps;i++){let a=e.edgesOf[i],o=hs(n.edgeKind[a]);(o===`session`||o===`sequence`)&&r.add(n.from[a]===t?n.to[a]:n.from[a])}return r}function _s(e,t,n,r){let i=e.frame,a=new Set,o=new Set;if(n>=0){o.add(n);let r=(n,r)=>{for(let s=e.edgeStart[n];s<e.edgeStart[n+1];s++){let n=e.edgesOf[s],c=hs(i.edgeKind[n]);t[c]!==`off`&&r(c)&&(a.add(n),o.add(i.from[n]).add(i.to[n]))}};r(n,()=>!0);for(let t of ss(e,n))r(t,e=>e===`supersedes`);for(let t of gs(e,n))r(t,e=>e===`session`||e===`sequence`)}if(Object.values(t).includes(`all`))for(let e=0;e<i.edgeCount;e++)t[hs(i.edgeKind[e])]===`all`&&r[i.from[e]]&&r[i.to[e]]&&a.add(e);let s=Uint32Array.from(a),c=Math.max(s.length-fs,0);return c>0&&(s=s.sort((e,t)=>i.edgeWeight[t]-i.edgeWeight[e]||e-t).slice(0,fs)),{edges:s.sort((e,t)=>i.edgeKind[t]-i.edgeKind[e]||e-t),near:o,omitted:c}}function vs(e,t=0){let n=e.length/4;if(n<=1500)return 0;let r=t=>[`supersedes`,`derivation`].includes(hs(e[4*t+2])),i=t;for(;i<n&&!r(i);)i++;return i}var ys=.14,bs=.75;function xs(e){return![`supersedes`,`derivation`].includes(hs(e))}function Ss(e,t){let n=e.length/4,r=t;for(;r<n&&e[4*r+2]<_.length&&xs(e[4*r+2]);)r++;return r<=6e3?r:0}function Cs(e){let{clusters:t,cluster:n,regions:r}=e.frame;return t.length>0?{of:n,middles:t.map(e=>e.position)}:{of:Lo(e),middles:(r??[]).map(e=>e.position)}}function ws(e,t,n,r){let i=e.frame.positions,a=new Float32Array(4*n);for(let e=0;e<n;e++){if(!xs(t[4*e+2]))continue;let[n,o]=[t[4*e],t[4*e+1]],[s,c]=[Ts(i,n),Ts(i,o)],[l,u]=[r.of[n],r.of[o]],[d,f]=[r.middles[l],r.middles[u]];if(!d||!f||l===u){a.set(Es(s,c),4*e);continue}let p=l<u?Es(d,f):Es(f,d);for(let t=0;t<3;t++)a[4*e+t]=bs*((d[t]+f[t])/2+p[t]-(s[t]+c[t])/2)}return a}function Ts(e,t){return[e[3*t],e[3*t+1],e[3*t+2]]}function Es(e,t){return[-.14*(t[1]-e[1]),ys*(t[0]-e[0]),0]}function Ds(e,t,n,r){let i=2*r*(1-r);return[0,1,2].map(a=>e[a]+r*(t[a]-e[a])+i*n[a])}var Os=`precision highp float;
precision highp int;
const int SEGMENTS = 6;
`,ks=600,As=.18,js=.26,Ms=.03,Ns=400,Ps=7,Fs=[0,1,2,2,1,3,4,5,6],Is=14,Ls=class{object=new pe;rows=new Uint32Array;restCount=0;bends=new Float32Array;groups={of:[],middles:[]};uBend={value:1};uBends={value:zs(new Float32Array(4))};uRows={value:Rs(new Uint32Array(4))};uEdgeAlpha={value:1};uRestRows={value:0};uRestAlpha={value:js};uEdgeColors={value:[]};hairlines;ribbons;constructor(e,t){let n=(n,r)=>new ne({glslVersion:le,uniforms:{...e,...t,uRows:this.uRows,uEdgeColors:this.uEdgeColors,uEdgeAlpha:this.uEdgeAlpha,uRestRows:this.uRestRows,uRestAlpha:this.uRestAlpha,uBends:this.uBends,uBend:this.uBend,uCurved:{value:0},uFirst:{value:0}},vertexShader:Os+go+_o+n,fragmentShader:Os+r,transparent:!0,depthWrite:!1,side:2});this.hairlines=new he(new Fe,n(vo,yo)),this.ribbons=new F(new Fe,n(bo,xo)),this.object.add(this.hairlines,this.ribbons);for(let e of[this.hairlines,this.ribbons])e.frustumCulled=!1;this.hairlines.renderOrder=0,this.ribbons.renderOrder=1,this.object.visible=!1}setWorld(e){this.groups=Cs(e),this.bends=new Float32Array,this.object.visible=!1,this.rows=new Uint32Array,this.restCount=0}setEdges(e,t,n=[],r=new Uint32Array){let i=e.frame,a=new Uint32Array(r.length+t.length);a.set(r),a.set(t,r.length);let o=a.length+n.length,s=new Uint32Array(4*o);for(let e=0,t=0;e<a.length;e++,t+=4){let n=a[e];s[t]=i.from[n],s[t+1]=i.to[n],s[t+2]=i.edgeKind[n],s[t+3]=i.edgeWeight[n]}if(n.forEach((e,t)=>s.set([e.from,e.to,_.indexOf(e.kind),255],4*(a.length+t))),this.rows=s,this.restCount=r.length,this.object.visible=o>0,o===0)return;To(this.uRows,Rs(s)),this.uEdgeAlpha.value=Math.min(1,Math.max(As,Math.sqrt(ks/Math.max(o-r.length,1)))),this.uRestRows.value=r.length,this.uRestAlpha.value=Math.min(js,Math.max(Ms,js*Math.sqrt(Ns/Math.max(r.length,1))));let c=vs(s,r.length),l=Ss(s,r.length);this.bends=ws(e,s,l,this.groups),To(this.uBends,zs(this.bends));let[u,d]=[Math.min(l,c),Math.max(l-c,0)];this.hairlines.visible=c>0,this.hairlines.geometry.dispose(),this.hairlines.geometry=new Fe,this.hairlines.geometry.setDrawRange(0,2*(6*u+c-u)),this.hairlines.material.uniforms.uCurved.value=u,this.ribbons.material.uniforms.uCurved.value=d,this.ribbons.visible=c<o,this.ribbons.material.uniforms.uFirst.value=c,this.ribbons.geometry.dispose(),this.ribbons.geometry=new Fe,this.ribbons.geometry.setIndex(new U(Bs(o-c,d),1))}setTheme(e){this.uEdgeColors.value=e.edges}dispose(){for(let e of[this.hairlines,this.ribbons])e.geometry.dispose(),e.material.dispose();this.uRows.value.dispose(),this.uBends.value.dispose()}};function Rs(e){return Co(e,4,tt,Re,`RGBA32UI`)}function zs(e){return Co(e,4,Le,C,`RGBA32F`)}function Bs(e,t){let n=new Uint32Array(36*t+Fs.length*(e-t)),r=0;for(let e=0;e<t;e++)for(let t=0;t<6;t++)for(let i of Fs.slice(0,6))n[r++]=Is*e+2*t+i;for(let i=0;i<e-t;i++)for(let e of Fs)n[r++]=Is*t+Ps*i+e;return n}var Vs=class{reducedMotion;requestFrame;running=new Map;constructor(e,t){this.reducedMotion=e,this.requestFrame=t}start(e,t,n){this.reducedMotion()||t<=0?(this.running.delete(e),n(1)):this.running.set(e,{start:-1,length:t,step:n}),this.requestFrame()}stop(e){this.running.delete(e)}advance(e){for(let[t,n]of this.running){n.start<0&&(n.start=e);let r=Math.min((e-n.start)/n.length,1);r===1&&this.running.delete(t),n.step(r)}return this.running.size>0}};function Hs(e){return e<.5?4*e**3:1-(-2*e+2)**3/2}var Us=2**20,Ws=2147483647,Gs=-2147483648;function Ks(e){return e===1/0?Ws:e===-1/0?Gs:Math.floor(e/Us)}function qs(e){return Number.isFinite(e)?e-Math.floor(e/Us)*Us:0}function Js(){let e=Co(new Int32Array(4),4,tt,N,`RGBA32I`),t=Co(new Float32Array(4),4,Le,C,`RGBA32F`);return{uNodes:{value:e},uStates:{value:e},uUses:{value:Co(new Int32Array(2),2,we,N,`RG32I`)},uMarks:{value:Co(new Uint8Array(1),1,ie,Ie,`R8UI`)},uPositions:{value:t},uOldPositions:{value:t},uPositionMix:{value:1},uDepth:{value:1},uRecorded:{value:new V},uValid:{value:new V},uHasValid:{value:!1},uStatuses:{value:1},...fo()}}function Ys(e,t,n){let r=t.frame,i=new Int32Array(4*wo(4*t.count)),a=new Int32Array(r.decayRate.buffer,r.decayRate.byteOffset,r.decayRate.length);for(let e=0,n=0;e<t.count;e++,n+=16)i[n]=r.stateStart[e],i[n+1]=r.stateStart[e+1]-r.stateStart[e]|r.type[e]<<16,i[n+2]=r.useStart[e],i[n+3]=r.useStart[e+1]-r.useStart[e]|r.importance[e]<<16,ec(i,n+4,r.expires[e]),ec(i,n+6,r.validFrom[e]),ec(i,n+8,$s(r.anchor[e])),ec(i,n+10,r.created[e]),ec(i,n+12,$s(r.lastUse[e])),i[n+14]=a[e];let o=new Int32Array(4*wo(r.stateFrom.length));for(let e=0,t=0;e<r.stateFrom.length;e++,t+=4)o[t]=Ks(r.stateFrom[e]),o[t+1]=qs(r.stateFrom[e])|r.stateStatus[e]<<20|r.stateTier[e]<<23|r.stateCore[e]<<25,ec(o,t+2,r.stateValidTo[e]);let s=new Int32Array(2*wo(r.useDay.length));for(let e=0;e<r.useDay.length;e++)ec(s,2*e,r.useDay[e]*an);To(e.uNodes,Co(i,4,tt,N,`RGBA32I`)),To(e.uStates,Co(o,4,tt,N,`RGBA32I`)),To(e.uUses,Co(s,2,we,N,`RG32I`)),Xs(e,r.positions,n)}function Xs(e,t,n){To(e.uPositions,tc(t)),To(e.uOldPositions,tc(n??new Float32Array(3)))}function Zs(e,t){To(e.uMarks,Co(t,1,ie,Ie,`R8UI`))}function Qs(e,t){e.uRecorded.value.set(Ks(t.recorded),qs(t.recorded)),e.uHasValid.value=t.valid!==null,t.valid!==null&&e.uValid.value.set(Ks(t.valid),qs(t.valid)),e.uStatuses.value=t.statuses}function $s(e){return e===-1/0?1/0:e}function ec(e,t,n){e[t]=Ks(n),e[t+1]=qs(n)}function tc(e){let t=new Float32Array(4*wo(e.length/3));for(let n=0,r=0;n<e.length;n+=3,r+=4)t[r]=e[n],t[r+1]=e[n+1],t[r+2]=e[n+2];return Co(t,4,Le,C,`RGBA32F`)}var nc=`uniform mat4 uView, uProjection;
uniform float uDepth;
uniform vec4 uCentres[24];
uniform vec4 uSpreads[48];
uniform vec3 uHullColors[31];
uniform bool uPlain;
uniform bool uFocus;
uniform float uSleepDim;out vec2 vPlace;
flat out vec4 vColor;const float REACH = 2.3;
const float NEAREST = 12.0, NEAR = 60.0;void main() {
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
}`,rc=`in vec2 vPlace;
flat in vec4 vColor;
uniform bool uLight;
out vec4 color;void main() {
float r = length(vPlace);
if (r >= 1.0) discard;
float fill = 1.0 - smoothstep(0.35, 1.0, r);
color = vec4(vColor.rgb, vColor.a * fill * (uLight ? 0.17 : 0.15));
}`,ic={cluster:`Cluster`,type:`Type`,namespace:`Namespace`,user:`User`,retention:`Retention`,age:`Age`,confidence:`Confidence`},ac=4,oc=400,sc=new WeakMap;function cc(e){return Zt.filter(t=>t!==`cluster`||e!==null&&e.clusters.length>0)}function lc(e,t){let n=cc(t);return e!==null&&n.includes(e)?e:n[0]}function uc(e){let t=2166136261;for(let n=0;n<e.length;n++)t=Math.imul(t^e.charCodeAt(n),16777619);return t>>>0}function dc(e){let t=sc.get(e);if(t)return t;let n=new Uint8Array(e.length);sc.set(e,n);let r=Array.from(e,(e,t)=>t).sort((t,n)=>e[t].id<e[n].id?-1:1),i=[],a=new Set;for(let t of r){let r=e.length>oc?[]:pc(e,i,e[t]).map(e=>(n[e]-1)%10),o=fc(uc(e[t].id)%10,a,r);a.add(o),n[t]=o+1,i.push(t)}return n}function fc(e,t,n){let r=Array.from({length:30},(t,n)=>n-n%10+(e+n)%10).filter(e=>!n.includes(e%10));return r.find(e=>!t.has(e))??r[0]??e}function pc(e,t,n){let r=t=>e[t].position.reduce((e,t,r)=>e+(t-n.position[r])**2,0),i=[];for(let e of t){let t=r(e);i.length===ac&&t>=i.at(-1).apart||(i.push({k:e,apart:t}),i.sort((e,t)=>e.apart-t.apart),i.length=Math.min(i.length,ac))}return i.map(e=>e.k)}function mc(e){let t=new Uint8Array(e.values.length),n=new Set,r=Array.from(e.values,(e,t)=>t).sort((t,n)=>e.values[t].localeCompare(e.values[n]));for(let i of r){if(e.values[i]===``)continue;let r=fc(uc(e.values[i])%10,n,[]);n.add(r),t[i]=r+1}return t}function hc(e,t){let n=e.frame;switch(t){case`cluster`:{let e=dc(n.clusters);return Uint8Array.from(n.cluster,t=>t<0?0:e[t])}case`namespace`:case`user`:{let e=mc(n[t]);return Uint8Array.from(n[t].index,t=>e[t])}case`type`:return n.type;case`confidence`:return n.confidence;default:return new Uint8Array(e.count)}}var gc=8,_c=2.5,vc=3;function yc(e,t=e.frame.positions){let{clusters:n,cluster:r}=e.frame,i=Math.min(n.length,24),a=Array.from({length:i},()=>({n:0,x:0,y:0,z:0,xx:0,xy:0,xz:0,yy:0,yz:0,zz:0}));for(let e=0;e<r.length;e++){let o=r[e];if(o<0||o>=i)continue;let s=n[o],c=t[3*e]-s.position[0],l=t[3*e+1]-s.position[1],u=t[3*e+2]-s.position[2];if(c*c+l*l+u*u>(_c*s.radius)**2)continue;let d=a[o];d.n++,d.x+=c,d.y+=l,d.z+=u,d.xx+=c*c,d.xy+=c*l,d.xz+=c*u,d.yy+=l*l,d.yz+=l*u,d.zz+=u*u}return a.flatMap((e,t)=>{let r=n[t];if(e.n===0||r.count<gc)return[];let[i,a,o]=[e.x/e.n,e.y/e.n,e.z/e.n],s=[e.xx/e.n-i*i+vc,e.xy/e.n-i*a,e.xz/e.n-i*o,e.yy/e.n-a*a+vc,e.yz/e.n-a*o,e.zz/e.n-o*o+vc];return[{cluster:t,centre:[r.position[0]+i,r.position[1]+a,r.position[2]+o],spread:s}]})}var bc=[.1,.35];function xc(e){let t=Math.min(1,Math.max(0,(e-bc[0])/(bc[1]-bc[0])));return t*t*(3-2*t)}function Sc(e,t){return e.map((n,r)=>1/e.reduce((e,i,a)=>e+(a===r?0:xc(t[a])*Cc(n,i)),1))}function Cc(e,t){let n=e.centre.reduce((e,n,r)=>e+(n-t.centre[r])**2,0),r=[e,t].reduce((e,{spread:[t,,,n,,r]})=>e+t+n+r,0);return Math.exp(-3*n/r)}var wc=`precision highp float;
precision highp int;
`,Tc=class{object;hulls=[];shown=!0;uniforms;constructor({uDepth:e},{uView:t,uProjection:n,uFocus:r,uSleepDim:i}){this.uniforms={uDepth:e,uView:t,uProjection:n,uFocus:r,uSleepDim:i,uCentres:{value:Array.from({length:24},()=>new _e)},uSpreads:{value:Array.from({length:48},()=>new _e)},uHullColors:{value:[]},uPlain:{value:!1},uLight:{value:!1}};let a=new Fe;a.setIndex(new U(Uint16Array.from({length:144},(e,t)=>4*Math.floor(t/6)+[0,1,2,2,1,3][t%6]),1));let o=new ne({glslVersion:le,uniforms:this.uniforms,vertexShader:wc+nc,fragmentShader:wc+rc,transparent:!0,depthTest:!1,depthWrite:!1,side:2});this.object=new F(a,o),this.object.frustumCulled=!1,this.object.renderOrder=-1,this.object.visible=!1}setWorld(e){this.setPositions(e,null)}setPositions(e,t){this.hulls=yc(e,t??void 0);let n=dc(e.frame.clusters);this.hulls.forEach((e,t)=>{let[r,i,a,o,s,c]=e.spread;this.uniforms.uCentres.value[t].set(...e.centre,this.uniforms.uCentres.value[t].w),this.uniforms.uSpreads.value[2*t].set(r,i,a,n[e.cluster]),this.uniforms.uSpreads.value[2*t+1].set(o,s,c,0)}),this.setStrengths(),this.object.geometry.setDrawRange(0,6*this.hulls.length),this.update()}setVisible(e,t){this.hulls.forEach((n,r)=>this.uniforms.uCentres.value[r].w=t[n.cluster]/e.frame.clusters[n.cluster].count),this.setStrengths()}setStrengths(){let e=this.hulls.map((e,t)=>this.uniforms.uCentres.value[t].w);Sc(this.hulls,e).forEach((e,t)=>this.uniforms.uSpreads.value[2*t+1].w=e)}setShown(e,t){this.shown=e,this.uniforms.uPlain.value=t,this.update()}update(){this.object.visible=this.shown&&this.hulls.length>0}setTheme(e){this.uniforms.uHullColors.value=e.hues,this.uniforms.uLight.value=e.light}dispose(){this.object.geometry.dispose(),this.object.material.dispose()}},Ec=`uniform mat4 uView, uProjection;
uniform float uPixelsPerUnit;
uniform float uScale;
uniform float uMaxRadius;
uniform float uPixelRatio;
uniform float uFogFrom, uFogTo;
uniform float uPulsePhase;
uniform float uFlash;
uniform float uGlowDays;
uniform bool uFocus;
uniform int uSelected, uHovered;
uniform bool uHalo;
uniform float uHaloStrength;
uniform bool uFocusGlow;
uniform int uColorBy;
uniform highp usampler2D uCategories;
uniform vec3 uPalette[31];
uniform vec3 uRamp[4];
uniform float uAgeSpan;
uniform vec3 uSuperseded, uAccent;
uniform vec3 uEffectColors[10];
uniform float uSleepDim;flat out vec4 vColor;
flat out vec4 vRing;
flat out float vCore;
flat out float vSoft;
flat out int vShape;
flat out int vHollow;
flat out float vPixels;
flat out float vEngraved;void hide() {
gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
gl_PointSize = 0.0;
}vec3 colorOf(int i, Node n, float left) {
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
}float pulseOf(Effect a) {
if (a.kind == 0 || a.t < 0.0) return 0.0;
return uReducedMotion ? 0.6 : smoothstep(0.0, 0.18, a.t) * exp(-0.75 * a.t);
}void main() {
int i = gl_VertexID;
Node n = readNode(i);
State s = stateOf(n);
Effect a = effectOf(i);
bool ghost = isGhost(n, s);
if (!isShown(n, s, a)) { hide(); return; }float run = uReducedMotion ? (a.t < 0.0 ? 0.0 : 1.0) : clamp(a.t / EFFECT_SECONDS, 0.0, 1.0);
vec3 place = positionOf(i);
if (!uReducedMotion) {
if (a.kind == MERGE && a.to >= 0) place = mix(place, positionOf(a.to), run * run * (3.0 - 2.0 * run)) + vec3(0.0, 5.0 * sin(3.14159 * run), 0.0);
if (a.kind == PROMOTE || a.kind == ENGRAVE) place.y += 5.0 * sin(3.14159 * run);
if (a.kind == ARCHIVE) place.y -= 5.0 * run * run;
}
vec4 eye = uView * vec4(place, 1.0);
gl_Position = uProjection * eye;
float far = -eye.z;
if (far <= 0.0) { hide(); return; }float left = retentionOf(n, s);
bool selected = i == uSelected, hovered = i == uHovered;
bool hit = (n.marks & HIT) != 0u, near = (n.marks & NEAR) != 0u;
float pulse = n.type == 2 && s.status == ACTIVE ? 0.5 + 0.5 * sin(uPulsePhase) : 0.0;
float age = daysBetween(s.from, uRecorded);
float glow = uGlowDays > 0.0 && age >= 0.0 ? max(1.0 - age / uGlowDays, 0.0) : 0.0;
if ((n.marks & FRESH) != 0u) glow = max(glow, uFlash);
float lit = pulseOf(a);float radius = mix(0.62, 2.1, n.importance * n.importance) * uScale;
radius *= 1.0 + 0.12 * pulse + 0.7 * glow + 0.75 * lit + (hovered ? 0.25 : 0.0);
if (!uReducedMotion && a.kind == MERGE) radius *= 1.0 - 0.55 * run;
if (!uReducedMotion && a.kind == BORN) radius *= smoothstep(0.0, 0.5, a.t);
float px = clamp(radius * uPixelsPerUnit / far, 1.3 * uPixelRatio, uMaxRadius * uPixelRatio);vec3 own = colorOf(i, n, left);
vec3 color = own;
float alpha = mix(0.2, 1.0, pow(left, 0.8));
int hollow = 0;
bool before = a.kind > 0 && (a.t < 0.0 || a.more);
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
}`,Dc=`flat in vec4 vColor;
flat in vec4 vRing;
flat in float vCore;
flat in float vSoft;
flat in int vShape;
flat in int vHollow;
flat in float vPixels;
flat in float vEngraved;
uniform bool uLight;
uniform float uPixelRatio;
out vec4 color;float shape(vec2 p) {
if (vShape == 1) { p = abs(p); return (p.x + p.y - 1.18) * 0.7071; }
if (vShape == 3) { vec2 q = abs(p) - 0.66; return length(max(q, 0.0)) + min(max(q.x, q.y), 0.0) - 0.16; }
if (vShape == 4) {
p.y += 0.14;
p.x = abs(p.x);
return max(p.x * 0.866 + p.y * 0.5, -p.y) - 0.52 - 0.05;
}
if (vShape == 2) return max(length(p) - 1.0, 0.42 - length(p));
return length(p) - 0.94;
}void main() {
vec2 p = gl_PointCoord * 2.0 - 1.0;
p.y = -p.y;
vec2 q = p / vCore;
float d = shape(q);
float fill = 1.0 - smoothstep(-vSoft, vSoft, d);
float ring = 0.0;
if (vRing.a > 0.0) ring = vRing.a * (1.0 - smoothstep(0.6, 1.4, abs(length(p) * vPixels - (vPixels - 2.0 * uPixelRatio)) / uPixelRatio));
if (vHollow == 1) fill *= smoothstep(-0.34 - vSoft, -0.34 + vSoft, d) * 0.85 + 0.15;
if (vShape == 2) {
float far = length(q);
if (far < 0.24) fill = max(fill, 1.0 - smoothstep(0.2 - vSoft, 0.2 + vSoft, far));
}
float a = fill * vColor.a;
if (max(a, ring) < 0.01) discard;
vec3 tone = vColor.rgb;
if (vSoft < 0.35) {
float lit = uLight ? 0.12 : 0.30;
float off = length(q - vec2(-0.35, 0.4));
tone *= 1.0 - 0.28 * smoothstep(0.1, 1.3, off) + lit * (1.0 - smoothstep(0.0, 0.8, off));
if (vEngraved > 0.0) {
float cut = vEngraved * (1.0 - smoothstep(0.09, 0.09 + 1.4 * vSoft, abs(d + 0.3)));
tone = mix(tone, uLight ? vec3(1.0) : mix(vColor.rgb, vec3(1.0), 0.85), cut);
}
}
color = vec4(mix(tone, vRing.rgb, ring), max(a, ring));
}`,Oc=`flat in vec4 vColor;
flat in vec4 vRing;
flat in float vCore;
flat in float vSoft;
flat in int vShape;
flat in int vHollow;
flat in float vPixels;
flat in float vEngraved;
out vec4 color;void main() {
float r = length(gl_PointCoord * 2.0 - 1.0);
if (r >= 1.0) discard;
float fall = 1.0 - r;
color = vec4(vColor.rgb, vColor.a * fall * fall * fall * 0.8);
}`,kc=2e4;function Ac(e,t,n,r){let i=new Float32Array(r.length);for(let r=0;r<i.length;r++)i[r]=n[0]*e[3*r]+n[1]*e[3*r+1]+n[2]*e[3*r+2]*t;r.sort((e,t)=>i[e]-i[t]||e-t)}var jc=`precision highp float;
precision highp int;
`,Mc=31,Nc=3e4,Pc=1500,Fc=class{object=new pe;geometry=new Fe;core;halo;halos;uniforms;by=`type`;theme=null;order=null;sortKey=``;sortedPositions=null;constructor(e,t){this.uniforms={...e,...t,uScale:{value:1},uMaxRadius:{value:24},uHaloStrength:{value:1},uFocusGlow:{value:!1},uPalette:{value:[]},uRamp:{value:[]},uCategories:{value:Ic(new Uint8Array(1))},uColorBy:{value:0},uAgeSpan:{value:1},uSuperseded:{value:null},uAccent:{value:null},uLight:{value:!1},uEffectColors:{value:[]}},this.core=new ne({glslVersion:le,uniforms:{...this.uniforms,uHalo:{value:!1}},vertexShader:jc+go+Ec,fragmentShader:jc+Dc,transparent:!0,depthWrite:!0}),this.halo=new ne({glslVersion:le,uniforms:{...this.uniforms,uHalo:{value:!0}},vertexShader:jc+go+Ec,fragmentShader:jc+Oc,transparent:!0,depthWrite:!1,blending:2});let n=new Me(this.geometry,this.core);this.halos=new Me(this.geometry,this.halo),n.renderOrder=2,this.halos.renderOrder=3;for(let e of[n,this.halos])e.frustumCulled=!1,this.object.add(e)}setWorld(e){let t=e.count<=kc;this.order=t?new U(Uint32Array.from({length:e.count},(e,t)=>t),1):null,this.geometry.dispose(),this.geometry.setIndex(this.order),this.geometry.setDrawRange(0,e.count),this.core.depthWrite=!t,this.sortKey=``,this.uniforms.uScale.value=Tt(e.count),this.uniforms.uMaxRadius.value=Ot(this.uniforms.uScale.value),this.setGlow(e.count),this.uniforms.uHaloStrength.value=Math.min(1,Math.sqrt(Pc/Math.max(e.count,1))),this.halos.visible=e.count<=Nc,this.object.visible=e.count>0}sortForView(e,t,n){let r=[...t,n].map(e=>e.toFixed(3)).join();!this.order||r===this.sortKey&&e===this.sortedPositions||(this.sortKey=r,this.sortedPositions=e,Ac(e,n,t,this.order.array),this.order.needsUpdate=!0)}setColoring(e,t,n){this.by=e,this.uniforms.uColorBy.value=e===`retention`?1:e===`age`?2:e===`confidence`?3:0,this.uniforms.uAgeSpan.value=Math.max(n,1),To(this.uniforms.uCategories,Ic(t)),this.setPalette()}setPalette(){let{theme:e}=this;if(!e)return;let t=this.by===`type`?e.types:e.hues;this.uniforms.uPalette.value=Array.from({length:Mc},(e,n)=>t[Math.min(n,t.length-1)]),this.uniforms.uRamp.value=e.ramp}setGlow(e){let t=e>wt;t!==this.uniforms.uFocusGlow.value&&(this.uniforms.uFocusGlow.value=t,this.setBlending())}setBlending(){let e=this.uniforms.uFocusGlow.value||this.theme?.light===!0;this.halo.blending=e?1:2,this.halo.needsUpdate=!0}setTheme(e){this.theme=e,this.setPalette(),this.uniforms.uSuperseded.value=e.superseded,this.uniforms.uAccent.value=e.accent,this.uniforms.uLight.value=e.light,this.uniforms.uEffectColors.value=e.effects,this.setBlending()}dispose(){this.uniforms.uCategories.value.dispose(),this.geometry.dispose(),this.core.dispose(),this.halo.dispose()}};function Ic(e){return Co(e,1,ie,Ie,`R8UI`)}function Lc(){return{uView:{value:new nt},uProjection:{value:new nt},uPixelsPerUnit:{value:1},uPixelRatio:{value:1},uDrawingSize:{value:new V(1,1)},uFogFrom:{value:200},uFogTo:{value:500},uPulsePhase:{value:0},uFlash:{value:0},uGlowDays:{value:0},uFocus:{value:!1},uSelected:{value:-1},uHovered:{value:-1},uSleepDim:{value:0}}}var Rc=42,zc=108,Bc=150,Vc=90,Hc=3,Uc=50,Wc=850,Gc=28,Kc=.035,qc=.25,Jc=[`left`,`right`,`top`,`bottom`],Yc=class{canvas;events;reducedMotion;renderer;nodes=Js();uniforms=Lc();camera=new Ze(Rc,1,1,4e3);edges;points;hulls;scene=new it;controls;animations;world=null;positions=null;frameRequest=0;pulsing=!1;pulseTimer=0;replayStart=-1;size={width:1,height:1};inset={left:0,right:0,top:0,bottom:0};insetGoal={...this.inset};fitted=!1;shown=()=>!0;constructor(e,t,n){this.canvas=e,this.events=t,this.reducedMotion=n,this.renderer=new Ra({canvas:e,antialias:!1,alpha:!0,powerPreference:`high-performance`}),this.renderer.setClearColor(0,0),this.renderer.info.autoReset=!1,this.animations=new Vs(n,()=>this.invalidate()),this.points=new Fc(this.nodes,this.uniforms),this.edges=new Ls(this.nodes,this.uniforms),this.hulls=new Tc(this.nodes,this.uniforms),this.scene.add(this.hulls.object,this.edges.object,this.points.object),this.scene.matrixWorldAutoUpdate=!0,this.controls=new Ja(this.camera,e),this.controls.enableDamping=!n(),this.controls.dampingFactor=.12,this.controls.rotateSpeed=.7,this.controls.minDistance=6,this.controls.maxDistance=1200,this.controls.zoomToCursor=!0,this.controls.addEventListener(`change`,()=>{this.invalidate(),this.events.onCamera()}),this.controls.addEventListener(`start`,()=>{this.animations.stop(`camera`),this.fitted=!1,this.events.onCameraStart()}),this.camera.position.set(...this.obliqueView(300)),this.controls.update(),new ResizeObserver(()=>this.resize()).observe(e.parentElement)}setWorld(e,t){let n=t&&this.positions?Xc(e,t,this.positions):null,r=t?Zc(e,t,this.positions??t.frame.positions):null;this.world=e,this.positions=n,Ys(this.nodes,e,r),n&&Xs(this.nodes,n,r),this.points.setWorld(e),this.edges.setWorld(e),this.edges.uBend.value=+!n,this.hulls.setWorld(e),r?this.animations.start(`map`,900,e=>this.nodes.uPositionMix.value=Hs(e)):this.nodes.uPositionMix.value=1,this.invalidate()}setPositions(e,t){let{world:n}=this;if(!n||(e??this.positions)===null||e&&e.length!==n.frame.positions.length)return;let r=this.positions??n.frame.positions;this.positions=e,this.hulls.setPositions(n,e),Xs(this.nodes,e??n.frame.positions,r);let[i,a]=[this.edges.uBend.value,this.edges.uBend];this.animations.start(`map`,700,t=>{this.nodes.uPositionMix.value=Hs(t),a.value=i+(+!e-i)*Hs(t)}),this.fitted||t?this.showWholeMap():this.events.onCamera()}setTheme(e){this.points.setTheme(e),this.edges.setTheme(e),this.hulls.setTheme(e),this.invalidate()}setColoring(e,t,n){this.points.setColoring(e,t,n),this.invalidate()}setAreas(e,t){this.hulls.setShown(e,t),this.invalidate()}setVisibleMembers(e){this.world&&this.world.frame.clusters.length!==0&&(this.hulls.setVisible(this.world,e),this.invalidate())}setVisibleCount(e){this.points.setGlow(e),this.invalidate()}setMarks(e){Zs(this.nodes,e),this.invalidate()}setMoment(e){Qs(this.nodes,e),this.invalidate()}flashNew(){this.animations.start(`flash`,4500,e=>this.uniforms.uFlash.value=(1-e)**1.5)}setEffects(e){mo(this.nodes,e),this.invalidate()}setSleepReplay(e){if((e??-1)===this.replayStart)return;let t=e!==null;this.replayStart=e??-1,this.nodes.uReducedMotion.value=this.reducedMotion(),t||(this.nodes.uReplay.value=-1);let n=this.uniforms.uSleepDim.value;this.animations.start(`night`,700,e=>this.uniforms.uSleepDim.value=n+(+!!t-n)*Hs(e))}setPulsing(e){this.pulsing=e,e&&!this.pulseTimer&&this.pulse()}pulse=()=>{this.pulseTimer=0,!this.pulsing||document.hidden?this.pulsing&&(this.pulseTimer=window.setTimeout(this.pulse,1e3)):(this.uniforms.uPulsePhase.value=performance.now()/1e3*3.2,this.invalidate(),this.pulseTimer=window.setTimeout(this.pulse,Uc))};setInset(e){if(Jc.every(t=>this.insetGoal[t]===e[t]))return;let t={...this.inset};this.insetGoal={...e},this.animations.start(`inset`,350,n=>{let r=Hs(n);for(let n of Jc)this.inset[n]=t[n]+(e[n]-t[n])*r;this.applyInset()}),this.fitted&&this.showWholeMap(350)}setFlat(e,t){this.controls.enableRotate=!e,this.controls.mouseButtons.LEFT=e?Ce.PAN:Ce.ROTATE,this.controls.touches.ONE=e?st.PAN:st.ROTATE;let n=this.nodes.uDepth.value,r=+!e;if(n!==r&&this.animations.start(`depth`,700,e=>this.nodes.uDepth.value=n+(r-n)*Hs(e)),!t){if(this.fitted)this.showWholeMap();else if(e){let e=this.controls.target,t=this.camera.position.distanceTo(e);this.animateCamera([e.x,e.y,t],[e.x,e.y,0])}else n!==r&&this.showWholeMap()}}cameraState(){return{position:this.camera.position.toArray(),target:this.controls.target.toArray()}}setCamera(e){this.fitted=!1,this.animations.stop(`camera`),this.camera.position.fromArray(e.position),this.controls.target.fromArray(e.target),this.controls.update(),this.invalidate()}setShown(e){this.shown=e}showWholeMap(e=Wc){let t=!this.controls.enableRotate,{left:n,right:r,top:i,bottom:a}=this.insetGoal,{width:o,height:s}=this.size,c=2*this.pixelsPerUnit(s),l=Math.min(Gc,Kc*o),u=(e,t)=>Math.max(e-2*l,t*qc)/c,d={x:u(o-n-r,o),y:u(s-i-a,s)},f=t||this.positions?[0,0,1]:this.obliqueView(1),{world:p}=this,m=this.positions??p?.frame.positions??[],h=+!t,g=p&&(co(m,p.count,this.shown,f,d,h)??co(m,p.count,()=>!0,f,d,h));g?this.animateCamera(g.position,g.target,e):this.animateCamera(this.obliqueView(zc/Math.min(d.x,d.y)),[0,0,0],e),this.fitted=!0}obliqueView(e){return[.36*e,.3*e,.88*e]}flyTo(e){if(!this.world)return;let t=this.positions??this.world.frame.positions,n=!this.controls.enableRotate,r=new J(t[3*e],t[3*e+1],n?0:t[3*e+2]),i=this.camera.position.clone().sub(this.controls.target),a=Math.min(i.length(),Bc);n&&i.set(0,0,1);let o=r.clone().add(i.normalize().multiplyScalar(a));this.animateCamera(o.toArray(),r.toArray())}flyToArea(e,t){let n=!this.controls.enableRotate,r=new J(e[0],e[1],n?0:e[2]),i=n?new J(0,0,1):this.camera.position.clone().sub(this.controls.target).normalize(),a=Math.max(Vc,Hc*t/Math.tan(Rc*Math.PI/360)),o=r.clone().add(i.multiplyScalar(a));this.animateCamera(o.toArray(),r.toArray())}animateCamera(e,t,n=Wc){this.fitted=!1;let r=this.camera.position.clone(),i=this.controls.target.clone(),a=new J(...e),o=new J(...t);this.animations.start(`camera`,n,e=>{let t=Hs(e);this.camera.position.lerpVectors(r,a,t),this.controls.target.lerpVectors(i,o,t),this.controls.update(),this.events.onCamera()})}projection(){let{width:e,height:t}=this.size;return{matrix:this.camera.projectionMatrix.clone().multiply(this.camera.matrixWorldInverse).elements,width:e,height:t,pixelsPerUnit:this.pixelsPerUnit(t),depth:this.nodes.uDepth.value,free:{left:this.inset.left,right:e-this.inset.right},positions:this.positions}}invalidate=()=>{this.frameRequest||=requestAnimationFrame(this.draw)};draw=e=>{this.frameRequest=0;let t=this.animations.advance(e),n=this.replayStart>=0;n&&(this.nodes.uReplay.value=Math.max(e-this.replayStart,0)/1e3);let r=t||n&&!this.reducedMotion(),i=this.controls.update();this.renderNow(),this.events.onFrame(this.projection()),(r||i)&&this.invalidate()};renderNow(){this.camera.updateMatrixWorld();let e=this.uniforms;e.uView.value.copy(this.camera.matrixWorldInverse),e.uProjection.value.copy(this.camera.projectionMatrix);let t=this.camera.position.distanceTo(this.controls.target);e.uFogFrom.value=t*.85,e.uFogTo.value=t+190;let n=this.camera.matrixWorld.elements;this.world&&this.points.sortForView(this.positions??this.world.frame.positions,[n[8],n[9],n[10]],this.nodes.uDepth.value),this.renderer.info.reset(),this.renderer.render(this.scene,this.camera)}pixelsPerUnit(e){return e/2/Math.tan(Rc*Math.PI/360)}resize(){let e=this.canvas.parentElement.getBoundingClientRect();this.size={width:Math.max(e.width,1),height:Math.max(e.height,1)};let{width:t,height:n}=this.size,r=Math.min(window.devicePixelRatio,2);this.renderer.setPixelRatio(r),this.renderer.setSize(t,n,!1),this.camera.aspect=t/n,this.uniforms.uPixelRatio.value=r,this.uniforms.uDrawingSize.value.set(t*r,n*r),this.uniforms.uPixelsPerUnit.value=this.pixelsPerUnit(n)*r,this.applyInset(),this.fitted&&this.showWholeMap(0)}applyInset(){let{width:e,height:t}=this.size,{left:n,right:r,top:i,bottom:a}=this.inset;this.camera.setViewOffset(e,t,(r-n)/2,(a-i)/2,e,t),this.camera.updateProjectionMatrix(),this.invalidate()}};function Xc(e,t,n){let r=e.frame.positions.slice(),i=e.indicesIn(t);for(let t=0;t<e.count;t++){let e=i[t];e>=0&&r.set(n.subarray(3*e,3*e+3),3*t)}return r}function Zc(e,t,n){let r=e.frame.positions.slice(),i=e.indicesIn(t),a=!1;for(let t=0;t<e.count;t++){let e=i[t];if(!(e<0))for(let i=0;i<3;i++){let o=n[3*e+i];a||=Math.abs(o-r[3*t+i])>.05,r[3*t+i]=o}}return a?r:null}var Qc=pn({actionsFor:()=>tl,choicesFor:()=>nl,grants:()=>$c,mayWrite:()=>el,memoriesText:()=>il,rememberInput:()=>rl});function $c(e,t){return e.includes(t)||(t===`MEMORY_SHARE`||t===`MEMORY_CURATE`)&&e.includes(`MEMORY_ADMIN`)}function el(e,t){return $c(e,`MEMORY_WRITE`)&&(t!==null||$c(e,`MEMORY_SHARE`))}function tl(e,t,n){if(n||t.status===`FORGOTTEN`)return[];let r=t.status===`ACTIVE`,i=el(e,t.user),a=$c(e,`MEMORY_CURATE`),o=[];return r&&i&&t.content!==null&&t.pattern===null&&o.push(`correct`),r&&a&&o.push(t.core?`unpin`:`pin`),r&&a&&t.revised&&t.pattern===null&&o.push(`undoRevision`),i&&o.push(`forget`),o}function nl(e,t){return e.pattern===null&&t.pattern===null?[`earlier`,`later`,`both`]:e.pattern!==null&&t.pattern!==null?[`earlier`,`later`]:[e.pattern===null?`later`:`earlier`]}function rl(e){let t={content:e.content.trim(),consent:`EXPLICIT`};for(let n of[`type`,`namespace`,`user`,`project`])e[n].trim()!==``&&(t[n]=e[n].trim());return e.important&&(t.important=!0),t}function il(e){return`${e.toLocaleString(`en`)} ${e===1?`memory`:`memories`}`}function al(e,t,n){let r=e.frame,i=new Uint8Array(e.count).fill(1);if(t.types.length>0){let e=new Set(t.types.map(e=>b.indexOf(e)));for(let t=0;t<i.length;t++)e.has(r.type[t])||(i[t]=0)}if(t.decays.length>0){let e=new Set(t.decays.map(e=>x.indexOf(e)));for(let t=0;t<i.length;t++)e.has(r.decayClass[t])||(i[t]=0)}if(t.learned.length===2){let[e,n]=t.learned;for(let t=0;t<i.length;t++)(r.born[t]<e||r.born[t]>n)&&(i[t]=0)}if(t.tiers.length>0){let a=new Set(t.tiers.map(e=>v.indexOf(e)));for(let t=0;t<i.length;t++){let o=Nt(e,t,n);(o<0||!a.has(r.stateTier[o]))&&(i[t]=0)}}return sl(i,r.project,t.projects),sl(i,r.namespace,t.namespaces),sl(i,r.user,t.users),ol(i,r,t.clusters),i}function ol(e,t,n){let r=new Set(t.clusters.flatMap((e,t)=>n.includes(e.id)?[t]:[]));if(n.includes(`none`)&&t.clusters.length>0&&r.add(-1),r.size!==0)for(let n=0;n<e.length;n++)r.has(t.cluster[n])||(e[n]=0)}function sl(e,t,n){if(n.length===0)return;let r=t.values.map(e=>n.includes(e));for(let n=0;n<e.length;n++)r[t.index[n]]||(e[n]=0)}function cl(e,t){let n=new Uint32Array(e.values.length),r=new Uint32Array(e.values.length);return e.index.forEach((e,i)=>{n[e]++,t[i]&&r[e]++}),e.values.map((e,t)=>({word:e,count:r[t],all:n[t]})).filter(e=>e.all>0).sort((e,t)=>t.all-e.all||e.word.localeCompare(t.word)).map(({word:e,count:t})=>({word:e,count:t}))}function ll(e,t){return e.length>0?[...e]:g.filter((e,n)=>!!(Pt(t)&1<<n))}function ul(e,t){let n=ll([],t);return e.length===n.length&&n.every(t=>e.includes(t))?[]:[...e]}function dl(e,t){let n=g.flatMap((n,r)=>e[r]>0&&!t.includes(n)?[{status:n,count:e[r]}]:[]).sort((e,t)=>t.count-e.count),r=n.reduce((e,t)=>e+t.count,0);return r===0?``:`${r.toLocaleString(`en`)} hidden: ${n.map(e=>h(e.status).toLowerCase()).join(`, `)}`}function fl(e,t,n,r,i){if(n>0||i===0)return null;let a=e.recorded!==null||e.valid!==null;return e.recorded!==null&&e.recorded<r?{text:`Nothing was known yet at this time.`,clear:!1,now:!0}:e.learned.length>0&&e.recorded!==null&&e.learned[0]>e.recorded?{text:`The span of time begins after the instant shown.`,clear:!0,now:!0}:t&&a?{text:`No memory of this time matches the filters.`,clear:!0,now:!0}:t?{text:`No memory matches the filters.`,clear:!0,now:!1}:e.valid===null?a?{text:`No memory was active at this time.`,clear:!1,now:!0}:{text:`No memory is active. Corrected and archived ones are under Status in the legend.`,clear:!1,now:!1}:{text:`No memory was true at this time.`,clear:!1,now:!0}}function pl(e,t,n){let r=864e5;return e-t<r&&e-n>7*r}var ml=8;function hl(e,t,n){let r={left:0,right:0,top:t.top.bottom+ml,bottom:e.height-t.bottom.top+ml};for(let t of n){if(t.right<=t.left||t.bottom<=t.top)continue;let[n,i]=[t.left,e.width-t.right];t.right-t.left>e.width*.6?t.top-r.top>e.height-r.bottom-t.bottom?r.bottom=Math.max(r.bottom,e.height-t.top+ml):r.top=Math.max(r.top,t.bottom+ml):n<=i?r.left=Math.max(r.left,t.right+ml):r.right=Math.max(r.right,e.width-t.left+ml)}return r}function gl(e,t){return e.left<t.right&&t.left<e.right&&e.top<t.bottom&&t.top<e.bottom}function _l(e,t,n){let r=[...t];return e.map(e=>{let t=e.left>=n.left&&e.right<=n.right&&e.top>=n.top&&e.bottom<=n.bottom&&!r.some(t=>gl(e,t));return t&&r.push(e),t})}var vl=20,yl=30.44*an,bl=[0,1,2,5,20];function xl(e){return e===0?`All in ${vl} s`:`${e} s a month`}function Sl(e,t){return t===0?e/vl:yl/t}var Cl=[`selected`,`panel`,`report`,`entity`,`cluster`,`pattern`,`about`],wl={project:`projects`,ns:`namespaces`,user:`users`},Tl=[[`ask`,`query`],[`session`,`session`],[`for`,`user`],[`in`,`project`],[`budget`,`budget`],[`as`,`format`]],El=[`MARKDOWN`,`XML`,`JSON`],Dl=/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;function Ol(e){let t=new URLSearchParams;e.recorded!==null&&t.set(`t`,Pl(e.recorded)),e.valid!==null&&t.set(`v`,Pl(e.valid)),e.clock===`valid`&&t.set(`clock`,`valid`),e.types.length>0&&t.set(`type`,e.types.join(`,`)),e.statuses.length>0&&t.set(`status`,e.statuses.join(`,`)),e.tiers.length>0&&t.set(`tier`,e.tiers.join(`,`)),e.decays.length>0&&t.set(`decay`,e.decays.join(`,`)),e.learned.length>0&&t.set(`learned`,e.learned.map(Pl).join(`,`));for(let[n,r]of Object.entries(wl))for(let i of e[r])t.append(n,i);let n=Yt.filter(t=>e.edges[t]!==Rt.edges[t]).map(t=>`${t}:${e.edges[t]}`);n.length>0&&t.set(`edges`,n.join(`,`)),e.query&&t.set(`q`,e.query),e.searchMode!==`both`&&t.set(`by`,e.searchMode),e.selected&&t.set(`sel`,e.selected),e.panel&&t.set(`panel`,e.panel),e.report&&t.set(`report`,e.report),e.entity&&t.set(`entity`,e.entity),e.cluster&&t.set(`cluster`,e.cluster),e.pattern&&t.set(`pattern`,e.pattern),e.clusters.length>0&&t.set(`within`,e.clusters.join(`,`)),e.color&&t.set(`color`,e.color),e.areas||t.set(`areas`,`0`),e.about&&t.set(`about`,e.about),e.compare.length>0&&t.set(`between`,e.compare.map(Pl).join(`,`));for(let[n,r]of Tl)e.prompt[r]!==Kt[r]&&t.set(n,String(e.prompt[r]));return e.flat&&t.set(`flat`,`1`),e.wide&&e.panel&&t.set(`wide`,`1`),e.layout!==Rt.layout&&t.set(`layout`,e.layout),e.hubs&&t.set(`hubs`,`1`),e.camera&&t.set(`c`,[...e.camera.position,...e.camera.target].map(e=>e.toFixed(3)).join(`,`)),t.toString().replaceAll(`%2C`,`,`).replaceAll(`%3A`,`:`)}function kl(e,t){return Cl.some(n=>e[n]!==t[n])||e.query===``!=(t.query===``)}function Al(e){let t=new URLSearchParams(e.replace(/^#/,``)),n={...Rt,edges:{...Rt.edges}};n.recorded=Fl(t.get(`t`)),n.valid=Fl(t.get(`v`)),t.get(`clock`)===`valid`&&(n.clock=`valid`),n.types=b.filter(e=>Il(t,`type`).includes(e)),n.statuses=g.filter(e=>Il(t,`status`).includes(e)),n.tiers=v.filter(e=>Il(t,`tier`).includes(e)),n.learned=Ml(Il(t,`learned`)),n.decays=x.filter(e=>Il(t,`decay`).includes(e));for(let[e,r]of Object.entries(wl))n[r]=[...new Set(t.getAll(e))];for(let e of Il(t,`edges`)){let[t,r]=e.split(`:`),i=Yt.find(e=>e===t);i&&(r===`focus`||r===`all`||r===`off`)&&(n.edges[i]=r)}n.query=t.get(`q`)??``;let r=t.get(`by`);return n.searchMode=r===`meaning`||r===`words`?r:`both`,n.selected=Nl(t.get(`sel`)),n.panel=Qt.find(e=>e===t.get(`panel`))??null,n.report=Nl(t.get(`report`)),n.entity=Nl(t.get(`entity`)),n.cluster=Nl(t.get(`cluster`)),n.pattern=Nl(t.get(`pattern`)),n.clusters=Il(t,`within`).filter(e=>e===`none`||Dl.test(e)),n.color=Zt.find(e=>e===t.get(`color`))??null,n.areas=t.get(`areas`)!==`0`,n.about=(t.get(`about`)??``).slice(0,512),n.compare=Ml(Il(t,`between`)),n.prompt=jl(t),n.flat=t.get(`flat`)===`1`,n.layout=t.get(`springs`)===`1`?`links`:qt.find(e=>e===t.get(`layout`))??Rt.layout,n.hubs=t.get(`hubs`)===`1`,n.wide=t.get(`wide`)===`1`&&n.panel!==null,n.camera=Ll(t.get(`c`)),n}function jl(e){let t=(t,n)=>(e.get(t)??n).slice(0,512),n=Math.round(Number(e.get(`budget`)??NaN));return{query:t(`ask`,Kt.query),session:t(`session`,Kt.session)||Kt.session,user:t(`for`,Kt.user),project:t(`in`,Kt.project),budget:n>=Vt.min&&n<=Vt.max?n:Kt.budget,format:El.find(t=>t===e.get(`as`))??Kt.format}}function Ml(e){let[t,n]=e.map(Date.parse);return e.length===2&&Number.isFinite(t)&&Number.isFinite(n)&&t<n?[t,n]:[]}function Nl(e){return e!==null&&Dl.test(e)?e:null}function Pl(e){return new Date(e).toISOString()}function Fl(e){let t=e?Date.parse(e):NaN;return Number.isFinite(t)?t:null}function Il(e,t){return(e.get(t)??``).split(`,`).filter(Boolean)}function Ll(e){let t=(e??``).split(`,`).map(Number);return t.length!==6||!t.every(Number.isFinite)?null:{position:[t[0],t[1],t[2]],target:[t[3],t[4],t[5]]}}var Rl=`somnograph.filters`;function zl(e){return Object.fromEntries(Ut.map(t=>[t,e[t]]))}function Bl(e,t){if(t.replace(/^#/,``)!==``)return Al(t);let n=e.getItem(Rl);return n===null?{...Rt}:{...Rt,...zl(Al(n))}}function Vl(e,t){Gt(t)?e.setItem(Rl,Ol({...Rt,...Wt,...zl(t)})):e.removeItem(Rl)}var Hl=28,Ul=210,Wl=76,Gl=34,Kl=40,ql=24,Jl=6.3,Yl=18,Xl=2,Zl=11;function Ql(e){return Ct(ru(e,Kl),ql)}function $l(e,t,n,r=Hl,i=[]){let a=new Map,o={x:0,y:0,distance:0};for(let r=0;r<e.count;r++){let i=n(r);if(i<=0||!kt(e,r,t,o)||o.x<0||o.y<0||o.x>t.width||o.y>t.height)continue;let s=Math.floor(o.y/Wl)*1e3+Math.floor(o.x/Ul),c=a.get(s),l=i/o.distance;(!c||l>c.weight)&&a.set(s,{node:r,weight:l,x:o.x,y:o.y})}let s=[...i],c=[];for(let n of[...a.values()].sort((e,t)=>t.weight-e.weight||e.node-t.node)){if(c.length===r)break;let i=Ql(e.frame.label(n.node)),a=eu(i),o={x:tu(n.x,a,t)?n.x-a:n.x,y:n.y,width:a,height:Yl*i.length};s.some(e=>Math.abs(e.y-o.y)<(e.height+o.height)/2+Xl&&e.x<o.x+o.width&&o.x<e.x+e.width)||(s.push(o),c.push(n.node))}return c}function eu(e){return 30+Jl*xt(e)}function tu(e,t,n){let{left:r,right:i}=n.free??{left:0,right:n.width};return e+t>i&&e-t>r}var nu=class{ringed;element=document.createElement(`div`);pool=[];nodes=[];widths=[];constructor(e){this.ringed=e,this.element.className=`labels`,this.element.setAttribute(`aria-hidden`,`true`)}setNodes(e,t){for(this.nodes=t.filter(t=>e.frame.label(t)!==``);this.pool.length<this.nodes.length;){let e=document.createElement(`span`);e.className=`label`,this.pool.push(e),this.element.append(e)}let n=this.nodes.map(t=>Ql(e.frame.label(t)));this.widths=n.map(eu),this.pool.forEach((e,t)=>{e.hidden=n[t]===void 0,n[t]&&St(e,n[t])})}shown(){return this.pool.filter(e=>!e.hidden&&e.style.visibility!==`hidden`)}move(e,t){let n={x:0,y:0,distance:0},r=Tt(e.count);for(let i=0;i<this.nodes.length;i++){let a=this.pool[i],o=kt(e,this.nodes[i],t,n);if(a.style.visibility=o?``:`hidden`,!o)continue;let s=this.nodes[i],c=At(e.frame.importance[s]/255,r,t.pixelsPerUnit,n.distance)+(this.ringed(s)?Zl:6),l=tu(n.x,this.widths[i],t);a.classList.toggle(`left`,l),a.style.transform=`translate(${(l?n.x-c:n.x+c).toFixed(1)}px, ${n.y.toFixed(1)}px) translate(${l?`-100%`:`0`}, -50%)`}}};function ru(e,t=Gl){let n=e.replace(/\s+/g,` `).trim();if(n.length<=t)return n;let r=n.lastIndexOf(` `,t);return n.slice(0,r>t/2?r:t).replace(/[\s.,;:…–-]+$/,``)+`…`}var iu=60;function au(e){return e.clusters.length>0?e.clusters.slice(0,iu).map(e=>({position:e.position,radius:e.radius,count:e.count,name:e.label,cluster:e.id})):(e.regions??[]).map(e=>({...e,name:e.name.charAt(0).toUpperCase()+e.name.slice(1),cluster:null}))}function ou(e,t){let n=e?.indexOf(t)??-1;return n>=0&&e?.frame.clusters[e.frame.cluster[n]]||null}function su(e,t){return e?.frame.clusters.find(e=>e.id===t)??null}function cu(e,t=``){return/^clusters?\b/i.test(e)?e:`Cluster${t} ${e}`}function lu(e,t){let n=e.frame.clusters.findIndex(e=>e.id===t),r=[];return n>=0&&e.frame.cluster.forEach((e,t)=>e===n&&r.push(t)),r}function uu(e){return e>.7?`Very close: its memories are about one matter`:e>.45?`Close: most of its memories are about one matter`:e>.2?`Loose: its memories are about related matters`:`Very loose: its memories have little in common`}function du(e,t,n){let r=e=>n(e)??`a cluster that is gone now`,i=t.from.filter(t=>t!==e).map(r).join(`, `),a=`${t.size.toLocaleString(`en`)} ${t.size===1?`memory`:`memories`}`;if(t.cluster!==e)return t.change===`SPLIT`?`was split: ${r(t.cluster)} left with ${a}`:`was merged into ${r(t.cluster)}`;switch(t.change){case`BORN`:return`was found, with ${a}`;case`MERGED`:return`took in ${i||`another cluster`}; ${a} then`;case`SPLIT`:return`was split off from ${i||`another cluster`}, with ${a}`;default:return`was dissolved: its memories no longer belong together`}}var fu=class{s;element=X(`div`,{class:`empty-map panel`,role:`status`,hidden:!0});said=``;constructor(e){this.s=e}update(e){let{world:t,status:n}=this.s.live.get(),r=this.s.view.get(),i=t&&n===`ready`?fl(r,Gt(r),e,t.firstBorn,t.count):null;if(this.element.hidden=i===null,(i?.text??``)===this.said||(this.said=i?.text??``,!i))return;let a=X(`button`,{type:`button`,class:`link`,onclick:()=>this.s.view.set({...Wt})},`Clear the filters`),o=X(`button`,{type:`button`,class:`link`,onclick:()=>this.s.view.set({recorded:null,valid:null})},`Back to now`);this.element.replaceChildren(X(`span`,{},i.text),...i.clear?[a]:[],...i.now?[o]:[])}},pu=120,mu=80,hu=90,gu=`#app .panel:not(.tooltip, .toast, .menu), #app .brand`,_u=class{s;sceneState;labels=new nu(e=>{let{stage:t,marks:n}=this.sceneState();return!!(n[e]&4)||e===t.uniforms.uSelected.value});regions=new Bo;emptyMap;counter=X(`p`,{class:`counter`});projection=null;labelTimer=0;countTimer=0;settled=[];named=[];regionOf=[];regionCounts=new Uint32Array(256);constructor(e,t){this.s=e,this.sceneState=t,this.emptyMap=new fu(e),e.live.on([`status`,`connected`],()=>this.updateSoon()),e.view.on([`layout`,`hubs`],()=>this.updateSoon()),document.fonts.ready.then(()=>this.updateLabelsSoon()),e.live.on([`world`],({world:e})=>{if(!e)return;let{clusters:t,cluster:n}=e.frame;this.named=au(e.frame),this.regionOf=t.length>0?n:Lo(e);let r=Math.max(t.length,256);this.regionCounts.length!==r&&(this.regionCounts=new Uint32Array(r))})}updateSoon(){this.updateLabelsSoon(),this.countTimer||=window.setTimeout(()=>{this.countTimer=0,this.updateCounter()},mu)}updateLabelsSoon(){this.labelTimer||=window.setTimeout(()=>{this.labelTimer=0,this.updateLabels()},pu)}onFrame(e){this.projection=e;let{world:t}=this.s.live.get();t&&(this.labels.move(t,e),this.regions.move(this.named,e),this.settled.some((t,n)=>t!==e.matrix[n])&&this.updateLabelsSoon())}clusterAt(e,t){return this.named[this.regions.regionAt(e,t)]?.cluster??null}updateLabels(){let{world:e}=this.s.live.get();if(!e||!this.projection)return;let{stage:t,marks:n,focused:r}=this.sceneState(),i=this.s.moment(),a=e.frame,o=t.uniforms.uSelected.value,s=t=>{let s=n[t],c=t===o?9:s&4?4:s&8?2.5:0;return(r?c===0:a.importance[t]<hu)||!this.s.isDrawn(t)?0:(.2+a.importance[t]/255)*(.35+.65*It(e,t,i.recorded))+c},c=r||this.s.view.get().layout===`links`?[]:Ro(this.named,this.regionCounts,this.projection,window.innerWidth>900?14:8);this.regions.setRegions(this.named,c.map(e=>e.region)),this.regions.move(this.named,this.projection);let l=this.sceneState().names.length>0?5:r?18:window.innerWidth>900?14:c.length>0?4:6;this.labels.setNodes(e,$l(e,this.projection,s,l,c.map(e=>e.box))),this.labels.move(e,this.projection),this.settled=Array.from(this.projection.matrix),this.hideCollisions()}hideCollisions(){let{names:e,dots:t}=this.sceneState(),n=[...e,...this.regions.shown(),...this.labels.shown()],r=this.labels.element.getBoundingClientRect(),i=[...document.querySelectorAll(gu)].filter(e=>getComputedStyle(e).visibility!==`hidden`).map(e=>e.getBoundingClientRect()).filter(e=>e.width>0),a=_l(n.map(e=>e.getBoundingClientRect()),[...i,...t],r);n.forEach((e,t)=>e.classList.toggle(`collides`,!a[t]))}updateCounter(){let{world:e,connected:t,status:n}=this.s.live.get();if(!e)return;let{stage:r,marks:i,omittedEdges:a,pulses:o}=this.sceneState(),s=this.s.moment(),c=0,l=!1;this.regionCounts.fill(0);for(let t=0;t<e.count;t++)i[t]&1&&Ft(e,t,s)&&(c++,this.regionOf[t]>=0&&this.regionCounts[this.regionOf[t]]++,l||=b[e.frame.type[t]]===`WORKING`&&It(e,t,s.recorded)>.02);this.updateLabelsSoon(),this.emptyMap.update(c),r.setVisibleMembers(this.regionCounts),r.setVisibleCount(c),r.setPulsing(o&&l);let u=Math.max(e.frame.total,e.count);this.counter.replaceChildren(X(`i`,{class:t&&n!==`error`?`live on`:`live`,title:t?`Live`:`Not connected`}),`${e.frame.tiles?`showing `:``}${c===u?``:`${c.toLocaleString(`en`)} of `}${il(u)}`,this.s.view.get().layout===`links`?` · by links`:``,a>0?` · ${a.toLocaleString(`en`)} weaker edges hidden`:``)}};function vu(t){return t instanceof e&&(t.code===`UNAVAILABLE`||t.code===`INVALID_REQUEST`&&/Cannot query field|Unknown type|Unknown argument/.test(t.message))}async function yu(e,n,r){return t((await d(i(`SleepReports`),{first:e,after:n},r)).sleepReports)}async function bu(e,n){return t((await d(i(`SleepReport`),{id:e},n)).sleepReport)}async function xu(e,n){return t((await d(i(`SleepSteps`),{id:e},n)).sleepReport).steps}async function Su(e){return t((await d(i(`SleepStatus`),{},e)).sleepStatus)}async function Cu(e){return t((await d(i(`Sleep`),{input:e})).sleep).report}async function wu(e){return t((await d(i(`DryRun`),{input:{...e,dryRun:!0,wait:!0}})).sleep).report}async function Tu(e){return t(t((await d(i(`Rollback`),{id:e})).rollback).report)}async function Eu(e,n,r){return t((await d(i(`Plasticity`),{id:e,asOf:n},r)).memory)}async function Du(e,n){let r=await Promise.all(e.map(async e=>t((await d(i(`Decisions`),{memory:e},n)).reconsolidations).nodes));return[...new Map(r.flat().map(e=>[e.id,e])).values()].sort((e,t)=>t.at.localeCompare(e.at))}async function Ou(e,n){return t((await d(i(`Forecast`),e,n)).decayForecast)}async function ku(e,n){return t((await d(i(`Conflicts`),{namespaces:e},n)).conflicts)}async function Au(e){await d(i(`ResolveConflict`),{input:e})}async function ju(e,n){return t((await d(i(`Policy`),{namespace:e},n)).namespacePolicy)}async function Mu(e){return t((await d(i(`SetPolicy`),{input:e})).setNamespacePolicy)}var Nu=new Set;function Pu(){for(let e of[...Nu])e.load(!0)}var Fu=class{into;fetch;show;name;running=null;filled=!1;constructor(e,t,n,r){this.into=e,this.fetch=t,this.show=n,this.name=r}async load(e=!1){this.stop();let t=this.running=new AbortController;(e||!this.filled)&&(this.filled=!1,this.into.replaceChildren(X(`div`,{class:`skeleton`,role:`status`,"aria-label":`Loading`},X(`i`),X(`i`),X(`i`))));try{let e=await this.fetch(t.signal);if(t.signal.aborted)return;this.into.replaceChildren(...this.show(e)),this.filled=!0}catch(e){if(t.signal.aborted)return;this.filled=!1,this.into.replaceChildren(this.failed(e)),vu(e)||Nu.add(this)}}stop(){Nu.delete(this),this.running?.abort()}failed(e){let t=X(`button`,{type:`button`,class:`button`,onclick:()=>void this.load(!0)},`Try again`);return vu(e)?X(`div`,{class:`dock-note`,role:`status`},X(`p`,{},`Not available from this server: ${this.name}.`),X(`p`,{class:`muted small`},Iu(e)),t):X(`div`,{class:`dock-note`,role:`alert`},X(`p`,{},Iu(e)),t)}};function Iu(t){return t instanceof e?t.code===`SLEEP_RUNNING`?`A sleep is running. Try again when it has finished.`:t.code===`FORBIDDEN`?`Not allowed: ${t.message}`:t.message:`Could not be loaded.`}function Lu(e){return Object.keys(m).flatMap(t=>{let n=e[t];if(!n)return[];let r=m[t];return[[t,`${n.toLocaleString(`en`)} ${typeof r==`string`?r:r[n===1?0:1]}`]]})}function Ru(e){return Lu(e).map(([,e])=>e).join(`, `)}function zu(e,t){return[...e,...Lu(t).map(([e])=>e).filter(t=>!e.includes(t))]}var Bu=14e3,Vu=class{s;sleepFollower;element=X(`div`,{class:`caption panel`,hidden:!0});dots=X(`span`,{class:`caption-dots`,"aria-hidden":`true`},...y.map(()=>X(`i`)));title=X(`b`);counts=X(`span`,{class:`caption-counts`});button=X(`button`,{type:`button`,class:`link`});timer=0;phase=``;seen=[];announcedReport=``;constructor(e,t){this.s=e,this.sleepFollower=t,this.element.append(this.dots,this.title,this.counts,this.button),this.button.addEventListener(`click`,()=>this.onButton()),t.store.on([`replay`,`report`],()=>this.update())}onButton(){let{replay:e,report:t}=this.sleepFollower.store.get();e?this.sleepFollower.skip():t&&(this.element.hidden=!0,this.s.view.set({panel:`mornings`,report:t.id}))}update(){let{replay:e,report:t}=this.sleepFollower.store.get();if(e){clearTimeout(this.timer);let[t,n,r]=y[e.index];this.phase.startsWith(e.report)||(this.seen=[]),this.phase!==`${e.report} ${t}`&&(this.phase=`${e.report} ${t}`,this.title.textContent=`${t} · ${n}`,this.s.announce(`Sleep, ${t}: ${n}`)),this.seen=zu(this.seen,e.tally);let i=Lu(e.tally).filter(([e])=>this.seen.slice(-4).includes(e));this.counts.replaceChildren(...i.length>0?i.map(([e,t])=>X(`span`,{},X(`i`,{class:`effect-${e.toLowerCase()}`}),t)):[r]),this.button.textContent=`Skip`,this.button.title=`Skip the replay; the sleep itself goes on`,this.element.classList.remove(`morning`),[...this.dots.children].forEach((t,n)=>t.className=n<e.index?`done`:n===e.index?`at`:``),this.element.hidden=!1}else t&&!t.dryRun&&this.announcedReport!==t.id?(this.announcedReport=t.id,this.phase=``,this.title.textContent=`Good morning`,this.counts.textContent=Hu(t),this.button.textContent=`Read report`,this.button.title=``,this.element.classList.add(`morning`),this.element.hidden=!1,this.s.announce(`Sleep finished: ${this.counts.textContent}`),this.timer=window.setTimeout(()=>this.element.hidden=!0,Bu)):this.element.classList.contains(`morning`)||(this.element.hidden=!0)}};function Hu(e){return Ru({STRENGTHEN:e.reinforced,ARCHIVE:e.pruned,MERGE:e.deduplicated,PROMOTE:e.promoted,ENGRAVE:e.engraved,DISTIL:e.derived})||`nothing changed`}var Uu=.2,Wu={alpha:1,beta:.3,gamma:.5,lambda:.7,delta:.4};function Gu(e,t){let n=e=>e.toFixed(2);return[{symbol:`S`,name:`Salience`,formula:`${t.alpha} × ${n(e.salience)} × ${n(e.retention)} retention`,value:t.alpha*e.salience*e.retention},{symbol:`U`,name:`Usage`,formula:`${t.beta} × ln(1 + ${e.usage})`,value:t.beta*Math.log1p(e.usage)},{symbol:`A`,name:`Authority`,formula:`${t.gamma} × ${n(e.authority)}`,value:t.gamma*e.authority},{symbol:`C`,name:`Conflict`,formula:`−${t.lambda} × ${n(e.conflict)}`,value:0-t.lambda*e.conflict},{symbol:`Δ`,name:`Surprise`,formula:`${t.delta} × ${n(e.surprise)}`,value:t.delta*e.surprise}]}function Ku(e){if(e.promotesAt!==null){let t={name:`Plasticity`,progress:Xu(e.score/e.promotesAt),met:e.score>e.promotesAt,have:e.score.toFixed(2),need:`above ${e.promotesAt.toFixed(2)}`};return{to:`L2`,criteria:[t],met:t.met}}let t=e.engraveGates;return t?{to:`L3`,criteria:[{name:`Days of use`,progress:Xu(t.days/t.neededDays),met:t.days>=t.neededDays,have:String(t.days),need:`${t.neededDays} days`},{name:`Confidence`,progress:Xu(t.confidence/t.neededConfidence),met:t.confidence>=t.neededConfidence,have:t.confidence.toFixed(2),need:`at least ${t.neededConfidence.toFixed(2)}`},{name:`Conflict`,progress:t.conflict<t.maxConflict?1:Xu(t.maxConflict/t.conflict),met:t.conflict<t.maxConflict,have:t.conflict.toFixed(2),need:`below ${t.maxConflict.toFixed(2)}`}],met:t.open}:null}function qu(e,t,n){let r=e.frame,i=Nt(e,t,n),a=r.decayRate[t];return a<=0||i>=0&&(r.stateCore[i]===1||r.stateTier[i]===3)?1/0:Lt(e,t,n)+Math.log(1/Uu)/a*an}function Ju(e,t,n){let r=e.frame,i=[];for(let e=r.stateStart[t];e<r.stateStart[t+1]&&r.stateFrom[e]<=n;e++){let t={from:r.stateFrom[e],status:g[r.stateStatus[e]],tier:v[r.stateTier[e]],core:r.stateCore[e]===1},n=i.at(-1),a=[];n?(n.tier!==t.tier&&a.push(`${n.tier} → ${t.tier}`),n.status!==t.status&&a.push(t.status===`ACTIVE`?`active again`:t.status.toLowerCase()),n.core!==t.core&&a.push(t.core?`made core`:`no longer core`)):a.push(`written to ${t.tier}`),a.length>0&&i.push({...t,change:a.join(`, `)})}return r.expires[t]<=n&&i.at(-1)?.status===`ACTIVE`&&i.push({...i.at(-1),from:r.expires[t],status:`EXPIRED`,change:`expired`}),i}function Yu(e,t,n,r){let i=Math.min(r,n),a=n*an/i,o=Array.from({length:i},(e,n)=>({from:t+n*a,count:0}));for(let n of e)o[Math.min(Math.max(Math.floor((n-t)/a),0),i-1)].count++;return o}function Xu(e){return Number.isFinite(e)?Math.min(Math.max(e,0),1):0}var Zu=344,Qu=96,$u=14,ed=1.5;function td(e,t,n,r){let i=e.frame,a=i.born[t],o=qu(e,t,n),s=r+Math.max((r-a)*.3,14*an),c=r+Math.max((r-a)*ed,60*an),l=o>r?Math.min(Math.max(s,o+(o-a)*.06),c):s,u=e=>(e-a)/(l-a)*Zu,d=e=>$u+(1-e)*68,f=(n,r)=>{let i=[];for(let a=0;a<=120;a++){let o=n+(r-n)*a/120;i.push(`${u(o).toFixed(1)},${d(It(e,t,o)).toFixed(1)}`)}return i},p=f(a,r),m=f(r,l),h=[];for(let e=i.useStart[t];e<i.useStart[t+1];e++){let t=Math.max(i.useDay[e]*an,a);t<=l&&h.push(cn(`line`,{class:`use`,x1:u(t),x2:u(t),y1:87,y2:95}))}let g=It(e,t,n),_=o>a&&o<=l?[cn(`line`,{class:`fades`,x1:u(o),x2:u(o),y1:d(Uu)-7,y2:d(0)}),cn(`circle`,{class:`fades-dot`,cx:u(o),cy:d(Uu),r:3})]:[];return cn(`svg`,{class:`curve`,viewBox:`0 0 ${Zu} ${Qu}`,role:`img`,"aria-label":`Retention ${Math.round(g*100)} % on ${Y(n)}${Number.isFinite(o)?`; below 20 % on ${Y(o)}`:``}`},cn(`path`,{class:`fill`,d:`M${u(a)},${d(0)}L${p.join(`L`)}L${u(r)},${d(0)}Z`}),cn(`line`,{class:`base`,x1:0,x2:Zu,y1:d(0),y2:d(0)}),cn(`line`,{class:`base faint`,x1:0,x2:Zu,y1:d(Uu),y2:d(Uu)}),cn(`polyline`,{class:`past`,points:p.join(` `)}),cn(`polyline`,{class:`future`,points:m.join(` `)}),...h,..._,cn(`line`,{class:`at`,x1:u(n),x2:u(n),y1:6,y2:d(0)}),cn(`circle`,{class:`at-dot`,cx:u(n),cy:d(g),r:3.6}))}var nd={S:`Salience: how much the memory stood out when it was written; it counts less as retention falls`,U:`Usage: how often searches and prompts used it`,A:`Authority: how much its source is trusted, fixed when it was written`,C:`Conflict: the strongest contradiction with another active memory`,Δ:`Surprise: how unexpected it was, given what was known`};function rd(e){let t=[[`S`,`Salience`,e.salience,e.salience.toFixed(2)],[`U`,`Usage`,Math.min(Math.log1p(e.usage)/Math.log1p(30),1),`${e.usage}×, ${e.usageDays} ${e.usageDays===1?`day`:`days`}`],[`A`,`Authority`,e.authority,e.authority.toFixed(2)],[`C`,`Conflict`,e.conflict,e.conflict.toFixed(2)],[`Δ`,`Surprise`,e.surprise,e.surprise.toFixed(2)]];return X(`dl`,{class:`signals`},...t.flatMap(([e,t,n,r])=>{let i=X(`i`);return i.style.width=`${Math.round(100*n)}%`,[X(`dt`,{title:nd[e]},X(`b`,{class:`sign sign-${e===`Δ`?`D`:e}`},e),t),X(`dd`,{title:nd[e]},X(`span`,{class:`bar`},i),X(`span`,{class:`value`},r),X(`span`,{class:`quiet`},nd[e]))]}))}var id=class{s;element=X(`div`,{class:`growth`});running=null;shown=``;scoreSection=X(`section`);decisionSection=X(`section`);policies=new Map;constructor(e){this.s=e}show(e,t,n){this.running?.abort();let r=this.running=new AbortController,i=this.shown===e.id;this.shown=e.id,i||(this.scoreSection=X(`section`,{class:`plasticity`},X(`div`,{class:`skeleton small-skeleton`},X(`i`),X(`i`))),this.decisionSection=X(`section`,{class:`decisions`,hidden:!0}));let[a,o]=[this.scoreSection,this.decisionSection];return this.element.replaceChildren(a,...[this.lifeSection(e)].filter(e=>e!==null),o),this.loadScore(e,t,a,r.signal),this.loadDecisions(e,n,o,r.signal),this.element}stop(){this.running?.abort()}async loadScore(e,t,n,r){try{let[i,a]=await Promise.all([Eu(e.id,t,r),this.policy(e.namespace,r)]);r.aborted||n.replaceChildren(...this.score(e,i,a))}catch(e){if(r.aborted)return;vu(e)?n.remove():n.replaceChildren(X(`p`,{class:`muted small`},`Plasticity could not be loaded.`))}}async policy(e,t){let n=this.policies.get(e);if(n)return n;try{let n=await ju(e,t);return this.policies.set(e,n),n}catch(e){if(vu(e))return null;throw e}}score(e,t,n){let r=Gu(e,n??Wu),i=r.reduce((e,t)=>e+t.value,0),a=Math.max(t.score,t.promotesAt??0,r.reduce((e,t)=>e+Math.max(t.value,0),0),.5),o=r.map(e=>{let t=X(`i`,{class:`sign-${e.symbol===`Δ`?`D`:e.symbol}`});return t.style.width=`${100*Math.abs(e.value)/a}%`,X(`li`,{title:e.formula},X(`span`,{},e.name),X(`span`,{class:`bar`},t),X(`b`,{},ad(e.value)),X(`small`,{},e.formula))}),s=Math.abs(i-t.score)<.02;return[X(`h3`,{},`Plasticity`),X(`div`,{class:`score-line`},X(`b`,{},t.score.toFixed(2)),X(`span`,{class:`muted`},`score from the five signals`)),s?X(`ul`,{class:`terms`},...o):X(`p`,{class:`muted small`},`This namespace uses its own weights.`),...this.promotion(e,t)]}promotion(e,t){let n=Ku(t);if(!n)return e.tier===`L3`?[X(`p`,{class:`engraved-note`},ln(`check`),`Permanent: an engram in the recess, which never changes.`)]:e.status===`ACTIVE`?[]:[X(`p`,{class:`muted small`},`${h(e.status)} memories are not promoted.`)];let r={L2:`schema (L2)`,L3:`recess (L3)`}[n.to],i=n.criteria.map(e=>{let t=X(`i`);return t.style.width=`${Math.round(100*e.progress)}%`,X(`li`,{class:e.met?`open`:`shut`},X(`span`,{},e.name),X(`span`,{class:`bar`},t),X(`b`,{},e.have),X(`small`,{},e.met?`met`:`needs ${e.need}`))});return[X(`h3`,{},`Next tier: ${r}`),X(`ul`,{class:`gates`},...i),X(`p`,{class:`muted small`},n.met?`All criteria are met: the next sleep promotes it.`:n.to===`L3`?`All three criteria must be met at the same time. Memories in the recess never change.`:`Checked at every write and every sleep.`)]}lifeSection(e){let{world:t}=this.s.live.get(),n=t?.indexOf(e.id)??-1;if(!t||n<0)return null;let r=Ju(t,n,this.s.moment().recorded);if(r.length===0)return null;let i=this.s.moment().recorded;return X(`section`,{class:`life`},X(`h3`,{},`Stages`),X(`ol`,{},...r.map((e,t)=>X(`li`,{class:`life-stage life-${e.tier.toLowerCase()} life-${e.status.toLowerCase()}`},X(`span`,{class:`what`},e.change),X(`span`,{class:`when`,title:`${$t(e.from)} UTC`},Y(e.from)),X(`small`,{},t+1<r.length?`for ${rn(r[t+1].from-e.from)}`:`for ${rn(i-e.from)}`)))))}async loadDecisions(e,t,n,r){let i;try{i=await Du([...new Set([e.id,...t.slice(-6)])],r)}catch{return}r.aborted||i.length===0||(n.hidden=!1,n.replaceChildren(X(`h3`,{},`Gate decisions · ${i.length}`),X(`ul`,{},...i.slice(0,8).map(e=>this.decision(e)))))}decision(e){let t=Y(Date.parse(e.at));if(e.erased||!e.decision)return X(`li`,{},X(`p`,{class:`muted small`},`${t}: erased with its memory`));let n=e.evidence.map(e=>e.source).join(`, `),r=e.quorum!==null&&e.required!==null&&e.decision!==`STORED`&&e.decision!==`MERGED`?`quorum ${e.quorum.toFixed(2)} of ${e.required.toFixed(2)}`:``;return X(`li`,{},X(`p`,{class:`decision-head`},X(`span`,{class:`tag decision-${e.decision.toLowerCase()}`},h(e.decision)),t),e.fact&&X(`p`,{class:`decision-fact`},e.fact),X(`p`,{class:`muted small`},[r,e.conflict===null?``:`conflict ${e.conflict.toFixed(2)}`,n&&`sources: ${n}`].filter(Boolean).join(` · `)))}};function ad(e){return`${e<0?`−`:`+`}${Math.abs(e).toFixed(2)}`}function od({recorded:e,valid:t}){return e===null&&t===null?null:{...e===null?{}:{recorded:new Date(e).toISOString()},...t===null?{}:{valid:new Date(t).toISOString()}}}async function sd(e,n){return t((await d(i(`Entities`),e,n)).entities)}async function cd(e,n,r){return t((await d(i(`Relations`),{entity:e,asOf:n},r)).relations)}async function ld(e,n,r,a){return t((await d(i(`Mentions`),{entity:e,asOf:n,after:r},a)).memories)}async function ud(e,n,r,a){return t((await d(i(`Path`),{from:e,to:n,asOf:r},a)).path)}async function dd(e,n,r,a,o){let s=[],c=null;for(let l=0;l<a;l++){let a=await d(i(`EntityRelations`),{entity:e,namespaces:n,asOf:r,after:c},o),{nodes:l,pageInfo:u}=t(a.relations);if(s.push(...l),!u.hasNextPage)break;c=u.endCursor??null}return s}async function fd(e,n){return t((await d(i(`EntityMembers`),{entity:e},n)).memories).nodes.map(e=>e.id)}var pd={SUPERSEDES:[`replaces`,`replaced by`],DERIVED_FROM:[`derived from`,`source of`],CONSOLIDATED_INTO:[`merged into`,`merged from`],EVIDENCE_FOR:[`evidence for`,`supported by`],CONTRADICTS:[`contradicts`,`contradicts`],SAME_SESSION:[`same session`,`same session`],TEMPORAL_SEQ:[`followed by`,`preceded by`],ENTITY_OVERLAP:[`shares entities with`,`shares entities with`],RELATION:[`related to`,`related to`]};function md(e,t){return e.map((n,r)=>{let i=e[r-1]?.id,a=t.find(e=>e.from===i&&e.to===n.id),o=t.find(e=>e.to===i&&e.from===n.id);return{memory:n,relation:i===void 0?``:a?pd[a.kind][0]:o?pd[o.kind][1]:`linked`}})}var hd=class{s;running=null;highlighting=!1;constructor(e){this.s=e}section(e){this.stop();let t=this.startFor(e);if(!t)return null;let{world:n}=this.s.live.get(),r=n?.indexOf(t)??-1,i=r>=0&&n.frame.label(r)||`the previous memory`,a=X(`div`,{role:`status`}),o=X(`button`,{type:`button`,class:`path-find`},ln(`link`),X(`span`,{},`Path from `,X(`q`,{},i)));return o.addEventListener(`click`,()=>{o.disabled=!0,this.find(t,e,a).finally(()=>o.disabled=!1)}),X(`section`,{class:`path`},X(`h3`,{},`Path`),o,a)}stop(){this.running?.abort(),this.highlighting&&this.s.live.set({highlighted:[]}),this.highlighting=!1}startFor(e){let{previousSelection:t}=this.s;return t&&t!==e?t:this.s.live.get().hits.find(t=>t!==e)??null}async find(e,t,n){let r=this.running=new AbortController,{recorded:i}=this.s.view.get();try{let a=await ud(e,t,i===null?null:{recorded:new Date(i).toISOString()},r.signal);if(r.signal.aborted)return;n.replaceChildren(this.steps(a))}catch(e){r.signal.aborted||n.replaceChildren(X(`p`,{class:`bad small`},Iu(e)))}}steps(e){let t=md(e.memories,e.edges);return t.length===0?X(`p`,{class:`muted small`},e.truncated?`No path was found among the nearest memories.`:`There is no path of six steps or fewer.`):(this.highlighting=!0,this.s.live.set({highlighted:t.map(e=>e.memory.id)}),X(`ol`,{class:`links path-steps`},...t.map(({memory:e,relation:t})=>X(`li`,{},t!==``&&X(`span`,{class:`path-relation`},t),X(`button`,{type:`button`,onclick:()=>this.s.open(e.id,!0),title:h(e.type)},dn(e.type),X(`span`,{class:`name`},(e.content??e.unavailable?.message??``).slice(0,160)))))))}},gd=[`semantic`,`keyword`,`recency`,`importance`,`project`,`entity`,`task`],_d=.002,vd={semantic:`similar meaning`,keyword:`same words`,recency:`used or happened recently`,importance:`important`,project:`current project`,entity:`mentions the same entities`,task:`linked to an open task`};function yd({hit:e,weights:t,rank:n,query:r}){let i=gd.map(n=>({part:n,share:e.parts[n]*t[n]})).filter(e=>e.share>_d),a=Math.max(...i.map(e=>e.share),.001);return X(`section`,{class:`why`},X(`h3`,{},`Why it was found`),X(`p`,{class:`muted small`},`Rank ${n} for `,X(`q`,{},r),`, score ${e.score.toFixed(2)}`),X(`ul`,{class:`why-parts`},...i.map(({part:n,share:r})=>{let i=X(`i`,{class:`part-${n}`});return i.style.width=`${100*r/a}%`,X(`li`,{title:vd[n]},X(`span`,{},n),X(`span`,{class:`bar`},i),X(`b`,{},`+${r.toFixed(2)}`),X(`small`,{},`${vd[n]} (${e.parts[n].toFixed(2)} × ${t[n].toFixed(2)})`))})))}var bd=/\s+|[\p{L}\p{N}]+(?:[.,:'’-][\p{L}\p{N}]+)*|[^\s]/gu;function xd(e,t){let n=e.match(bd)??[],r=t.match(bd)??[];if(n.length*r.length>4e6)return[Td(`gone`,e),Td(`new`,t)];let i=r.length+1,a=new Uint32Array((n.length+1)*i);for(let e=n.length-1;e>=0;e--)for(let t=r.length-1;t>=0;t--)a[e*i+t]=n[e]===r[t]?a[(e+1)*i+t+1]+1:Math.max(a[(e+1)*i+t],a[e*i+t+1]);let o=[],s=(e,t)=>{let n=o.at(-1);n?.kind===e?n.text+=t:o.push(Td(e,t))},c=0,l=0;for(;c<n.length||l<r.length;)c<n.length&&l<r.length&&n[c]===r[l]?(s(`same`,n[c]),c++,l++):c<n.length&&(l===r.length||a[(c+1)*i+l]>=a[c*i+l+1])?s(`gone`,n[c++]):s(`new`,r[l++]);return Sd(o)}function Sd(e){let t=[];for(let n=0;n<e.length;n++){let r=e[n];r.kind===`same`&&/^\s+$/.test(r.text)&&n>0&&n<e.length-1?(wd(t,`gone`,r.text),wd(t,`new`,r.text)):r.kind===`same`?t.push(r):wd(t,r.kind,r.text)}return Cd(t)}function Cd(e){let t=[];for(let n=0;n<e.length;n++){let[r,i]=[e[n],e[n+1]],a=/\s+$/.exec(r.text)?.[0];if(r.kind===`same`||!i||i.kind===`same`||!a||!i.text.endsWith(a)){t.push(r);continue}for(let e of[r,i])e.text.length>a.length&&t.push(Td(e.kind,e.text.slice(0,-a.length)));let o=e[n+2];o?.kind===`same`?o.text=a+o.text:t.push(Td(`same`,a)),n++}return t}function wd(e,t,n){for(let r=e.length-1;r>=0&&e[r].kind!==`same`;r--)if(e[r].kind===t){e[r].text+=n;return}e.push(Td(t,n))}function Td(e,t){return{kind:e,text:t}}function Ed(e,t,n){let r=n.map((r,i)=>{let a=n[i-1]?.memory.content,o=r.memory.content,s=X(`p`,{class:`version-text`});if(o===null)s.append(r.memory.unavailable?.message??`Erased`);else if(a)for(let e of xd(a,o))e.kind===`same`?s.append(e.text):s.append(X(`span`,{class:`quiet`},e.kind===`gone`?` was `:` now `),X(e.kind===`gone`?`del`:`ins`,{},e.text));else s.append(o);return X(`li`,{class:r.memory.id===t.id?`version at`:`version`},X(`button`,{type:`button`,"aria-current":r.memory.id===t.id?`true`:null,onclick:()=>e.open(r.memory.id,!0)},X(`span`,{class:`version-head`},X(`b`,{},`v${r.version}`),Y(Date.parse(r.recordedAt)),r.supersededAt?X(`span`,{class:`muted`},`until ${Y(Date.parse(r.supersededAt))}`):X(`span`,{class:`tag current`},`Current`)),s,r.reason?X(`span`,{class:`reason`},`“${r.reason}”`):null,X(`span`,{class:`by muted small`},`by ${r.memory.source||h(r.memory.sourceKind).toLowerCase()}`)))});return X(`section`,{class:`history`},X(`h3`,{},`History · ${n.length} versions`),X(`ol`,{},...r))}function Dd(e,t){return X(`section`,{},X(`h3`,{},`Entities`),X(`div`,{class:`chips`},...t.entities.map(t=>X(`button`,{type:`button`,class:`chip`,title:`${h(t.type)}, mentioned ${t.mentionCount} times`,onclick:()=>e.view.set({panel:`entities`,report:null,entity:t.id})},t.name,X(`small`,{},h(t.type).toLowerCase())))))}function Od(e,t){let{world:n}=e.live.get(),r=n?.indexOf(t.id)??-1;if(!n||r<0)return null;let i=n.frame,a=e.moment().recorded,o=[];for(let e=n.edgeStart[r];e<n.edgeStart[r+1];e++){let t=n.edgesOf[e],s=_[i.edgeKind[t]],c=i.from[t]===r,l=c?i.to[t]:i.from[t];if(s===`SUPERSEDES`||i.born[l]>a)continue;let u={SAME_SESSION:`same session`,TEMPORAL_SEQ:c?`next`:`previous`,ENTITY_OVERLAP:`shares ${Math.round(i.edgeWeight[t]/255*100)} % of entities`,DERIVED_FROM:c?`derived from`:`source of`,CONSOLIDATED_INTO:c?`merged into`:`merged from`,EVIDENCE_FOR:c?`evidence for`:`supported by`,CONTRADICTS:`contradicts`};o.push({node:l,name:u[s]??s,kind:s,weight:i.edgeWeight[t]})}if(o.length===0)return null;let s=[`CONTRADICTS`,`DERIVED_FROM`,`CONSOLIDATED_INTO`,`EVIDENCE_FOR`,`TEMPORAL_SEQ`,`ENTITY_OVERLAP`,`SAME_SESSION`];o.sort((e,t)=>s.indexOf(e.kind)-s.indexOf(t.kind)||t.weight-e.weight);let c=new Set,l=o.filter(e=>!c.has(e.node)&&c.add(e.node)).slice(0,12);return X(`section`,{},X(`h3`,{},`Linked memories`),X(`ul`,{class:`links`},...l.map(t=>X(`li`,{},X(`button`,{type:`button`,onclick:()=>e.open(n.idOf(t.node),!0)},dn(b[i.type[t.node]]),X(`span`,{class:`name`},ru(i.label(t.node))||`untitled memory`),X(`span`,{class:`edge-name edge-${t.kind.toLowerCase()}`},t.name))))))}async function kd(e,n,r){return t((await d(i(`Documents`),{namespaces:e,after:n},r)).documents)}async function Ad(e,t,n,r){return(await d(i(`DocumentPart`),{id:e,from:t,first:n},r)).document?.memories??[]}async function jd(e,t){return(await d(i(`ChunkPlace`),{id:e},t)).memory??null}async function Md(t,r,i,a){let o=new FormData;for(let[e,t]of Object.entries(r))t!==``&&o.append(e,t);for(let e of t)o.append(`file`,e.file,e.path);let s;try{s=await fetch(`documents`,{method:`POST`,headers:{accept:`application/x-ndjson`},body:o,...a?{signal:a}:{}})}catch(t){throw t instanceof DOMException&&t.name===`AbortError`?t:new e(`The server does not answer.`,`OFFLINE`)}if(n(s.status),!s.ok||!s.body)throw new e((await s.text()).trim()||`The server answered with status ${s.status}.`,`INVALID_REQUEST`);let c=s.body.pipeThrough(new TextDecoderStream).getReader(),l=``;for(;;){let{value:e,done:t}=await c.read();l+=e??``;let n=l.split(`
`);l=n.pop();for(let e of n){let t=JSON.parse(e);t.phase&&i(t)}if(t)return}}function Nd(e,t){if(t.chunkIndex===null||t.chunkIndex===void 0)return null;let n=X(`div`,{class:`place`});return Pd(e,t,n).catch(e=>n.replaceChildren(X(`p`,{role:`alert`},Iu(e)))),X(`section`,{class:`place-section`},X(`h3`,{},`In its document`),n)}async function Pd(e,t,n){let r=await jd(t.id),i=r?.chunkIndex;if(!r?.document||i==null){n.replaceChildren(X(`p`,{class:`muted`},`The document is not known any more.`));return}let a=Math.max(0,i-1),o=t.status===`ACTIVE`?await Ad(r.document.id,a,3):[];n.replaceChildren(X(`p`,{class:`small document-path`},r.document.path),X(`p`,{class:`muted small`},[`chunk ${i+1} of ${r.document.chunks}`,`version ${r.document.version}`,r.line?`line ${r.line}`:``].filter(Boolean).join(` · `)),r.headings.length>0?X(`p`,{class:`small headings`},r.headings.join(` › `)):``,o.length>0?X(`ul`,{class:`links`},...o.map(n=>{let r=n.id===t.id,a=(n.content??``).split(`

`).slice(+(n.headings.length>0)).join(` `);return X(`li`,r?{"aria-current":`true`}:{},X(`button`,{type:`button`,disabled:r,onclick:()=>e.open(n.id,!0)},dn(`DOCUMENT`),X(`span`,{class:`name`},ru(a)),X(`span`,{class:`edge-name`},r?`this`:n.chunkIndex<i?`before`:`after`)))})):X(`p`,{class:`muted small`},`This is a text of an earlier version.`))}async function Fd(e){let t=await crypto.subtle.digest(`SHA-256`,new TextEncoder().encode(e));return Array.from(new Uint8Array(t),e=>e.toString(16).padStart(2,`0`)).join(``)}var Id=()=>globalThis.crypto?.subtle!==void 0;function Ld(e){return Fd([...e].sort().join(`
`))}function Rd(e){return Fd(`${e.content}\0${new Date(e.createdAt).toISOString()}\0${e.sourceKind}:${e.source??``}`)}function zd(e,t){let n=[[`Source`,[h(t.sourceKind),t.source].filter(Boolean).join(` · `)],[`Consent`,h(t.consent)],[`Belief`,t.subject?[t.subject,t.predicate,t.object].filter(Boolean).join(` → `):null],[`Tier`,t.tier],[`Recorded`,`${$t(Date.parse(t.recordedAt))} UTC`],[`Happened`,t.occurredAt===t.recordedAt?null:`${$t(Date.parse(t.occurredAt))} UTC`],[`Valid`,`from ${Y(Date.parse(t.validFrom))}${t.validTo?` until ${Y(Date.parse(t.validTo))}`:``}`],[`Expires`,t.expiresAt?`${$t(Date.parse(t.expiresAt))} UTC`:null],[`Session`,t.session],[`Tags`,t.tags.length>0?t.tags.join(`, `):null],[`Meta`,t.meta===null||t.meta===void 0?null:JSON.stringify(t.meta)],[`Id`,t.id],[`Checksum`,t.checksum]],r=X(`dl`,{class:`provenance`});for(let[e,t]of n)t&&r.append(X(`dt`,{},e),X(`dd`,{class:e===`Id`||e===`Checksum`?`mono`:null,title:t},t));let i=[...t.derivedFrom.map(e=>[e,`derived from`]),...t.consolidatedInto?[[t.consolidatedInto,`merged into`]]:[]];return X(`section`,{},X(`h3`,{},`Provenance`),r,Bd(t),i.length>0&&X(`ul`,{class:`links`},...i.map(([t,n])=>X(`li`,{},X(`button`,{type:`button`,onclick:()=>e.open(t.id,!0)},dn(t.type),X(`span`,{class:`name`},ru(t.content??``)),X(`span`,{class:`edge-name`},n))))),X(`button`,{type:`button`,class:`link copy`,onclick:()=>void navigator.clipboard?.writeText(location.href).then(()=>e.announce(`Link copied`))},ln(`target`),`Copy link to this view`))}function Bd(e){if(e.content===null||e.checksum===null||!Id())return null;let[t,n]=[e.content,X(`span`,{role:`status`})],r=async()=>{let r=await Rd({...e,content:t})===e.checksum;n.replaceChildren(r?ln(`check`):``,r?` Checksum matches.`:`Checksum does not match!`),n.className=r?`proof good`:`proof bad`};return X(`p`,{class:`small proof-line`},X(`button`,{type:`button`,class:`link`,onclick:()=>void r()},`Verify checksum`),` `,n)}var Vd=new Map;async function Hd(e,t=[],n=location.href){return await Promise.all(t.map(e=>Ud(new URL(e,n).href))),e()}function Ud(e){let t=Vd.get(e)??(/\.css$/.test(e)?Gd(e):Wd(e));return Vd.set(e,t),t.catch(()=>Vd.delete(e)),t}async function Wd(e){let t=await fetch(e);if(!t.ok)throw Error(`${e}: ${t.status} ${t.statusText}`);await t.arrayBuffer()}function Gd(e){return[...document.styleSheets].some(t=>t.href===e)?Promise.resolve():new Promise((t,n)=>{let r=Object.assign(document.createElement(`link`),{rel:`stylesheet`,crossOrigin:``,href:e});r.onload=()=>t(),r.onerror=()=>{r.remove(),n(Error(`${e} could not be loaded`))},document.head.append(r)})}var Kd=[[`confidence`,`Confidence`,`how certain it is`],[`importance`,`Importance`,`given or computed`]],qd=24,Jd=class{s;element;body=X(`div`,{class:`panel-body`});title=X(`div`,{class:`kind`});previous;next;running=null;question=``;retention=null;plasticity;pathFinder;timer=0;tabs=X(`nav`,{class:`detail-tabs`,"aria-label":`Parts of the memory`});numbersBody=X(`div`);numbers=X(`details`,{class:`detail-part detail-numbers`,id:`part-numbers`},X(`summary`,{},`Numbers`,X(`small`,{},`retention, signals, tiers, provenance`)),this.numbersBody);parts=[];jump=null;constructor(e){this.s=e,this.plasticity=new id(e),this.pathFinder=new hd(e),this.previous=sn(`left`,`Previous version`,()=>e.stepVersion(-1),`[`),this.next=sn(`right`,`Next version`,()=>e.stepVersion(1),`]`),this.element=X(`aside`,{class:`detail panel`,"aria-label":`Memory`,hidden:!0},X(`header`,{class:`panel-head`},this.title,this.previous,this.next,sn(`target`,`Centre on the map`,()=>this.centre(),`f`),sn(`close`,`Close`,()=>e.close(),`Esc`)),this.tabs,this.body),this.numbers.addEventListener(`toggle`,()=>this.markTab()),this.body.addEventListener(`scroll`,()=>this.markTab()),e.live.on([`scopes`],()=>this.load(!0)),e.view.on([`selected`],()=>this.load()),e.view.on([`recorded`,`valid`],()=>{this.updateCurve(),clearTimeout(this.timer),this.timer=window.setTimeout(()=>this.load(),300)}),e.live.on([`world`],()=>this.load(!0)),this.load()}centre(){let e=this.s.view.get().selected;e&&this.s.open(e,!0)}async load(e=!1){let t=this.s.view.get();if(this.element.hidden=t.selected===null,t.selected===null){this.question=``,this.running?.abort(),this.plasticity.stop(),this.pathFinder.stop(),this.s.live.get().relations.length>0&&this.s.live.set({relations:[]});return}let n=t.recorded===null?null:{recorded:new Date(t.recorded).toISOString()},r=`${t.selected} ${n?.recorded??``}`;if(r===this.question&&!e)return;let i=this.question.slice(0,36)!==t.selected;this.question=r,this.running?.abort(),this.running=new AbortController;let{signal:a}=this.running;i&&(this.s.live.get().relations.length>0&&this.s.live.set({relations:[]}),this.title.replaceChildren(),this.tabs.replaceChildren(),this.body.replaceChildren(X(`div`,{class:`skeleton`,"aria-label":`Loading`},X(`i`),X(`i`),X(`i`),X(`i`))),this.element.scrollTop=0);try{let e=await f(t.selected,n,a);if(a.aborted)return;this.show(e,i,n)}catch(e){if(a.aborted)return;this.fail(e)}}fail(t){let n=t instanceof e&&t.code===`MEMORY_NOT_FOUND`,r=this.s.view.get().recorded!==null,i=n?r?`This memory did not exist at the time shown.`:`This memory doesn’t exist or was forgotten.`:t instanceof e?t.message:`The memory could not be loaded.`,a=X(`button`,{type:`button`,class:`button`,onclick:()=>void this.load(!0)},`Try again`);this.title.replaceChildren(),this.tabs.replaceChildren(),this.body.replaceChildren(X(`div`,{class:`notice`},X(`p`,{},i),n?null:a))}show(t,n,r){let i=t.memory;if(!i){this.fail(new e(``,`MEMORY_NOT_FOUND`));return}let a=t.lineage??[];this.s.versions=a;let o=[...i.derivedFrom.map(e=>({from:i.id,to:e.id,kind:`DERIVED_FROM`})),...i.consolidatedInto?[{from:i.id,to:i.consolidatedInto.id,kind:`CONSOLIDATED_INTO`}]:[]];o.length+this.s.live.get().relations.length>0&&this.s.live.set({relations:o});let s=a.findIndex(e=>e.memory.id===i.id);this.previous.disabled=s<=0,this.next.disabled=s<0||s>=a.length-1,this.title.replaceChildren(dn(i.type),X(`span`,{},h(i.type))),i.status!==`ACTIVE`&&this.title.append(X(`span`,{class:`tag status-${i.status.toLowerCase()}`},h(i.status))),i.core&&this.title.append(X(`span`,{class:`tag core`},`Core`));let{recorded:c,valid:l}=this.s.view.get(),u=c!==null||l!==null,d=a[s]?.reason,f=tl(this.s.live.get().scopes,{...i,revised:i.supersedes!==null&&(d===`REVISED`||d===`CORRECTED`)},u),p=X(`div`),m=X(`div`,{class:`detail-part`});this.fill(p,i,a.map(e=>e.memory.id),f),this.fillConflicts(m,i);let g=Yd(`text`,X(`p`,{class:i.content===null?`content gone`:`content`},i.content??i.unavailable?.message??`The content was erased.`),this.facts(i),p,m,Nd(this.s,i)),_=a.length>1?Yd(`history`,Ed(this.s,i,a)):null,v=this.explanation(i),y=Od(this.s,i),b=Yd(`links`,i.entities.length>0&&Dd(this.s,i),y,this.pathFinder.section(i.id));this.numbersBody.replaceChildren(this.strength(i),this.plasticity.show(i,r,a.map(e=>e.memory.id)),zd(this.s,i)),this.body.replaceChildren(...[g,_,v,b,this.numbers].filter(e=>e!==null)),this.showTabs([[`Text`,null,g],[`History`,a.length>1?a.length:null,_],[`Links`,b.querySelectorAll(`.links > li, .chips > .chip`).length,b],[`Numbers`,null,this.numbers]]),n&&(this.element.scrollTop=0,this.body.scrollTop=0,this.jump=null,this.markTab(),this.s.announce(`${h(i.type)} memory, ${h(i.status)}: ${i.content??`erased`}`))}fill(e,t,n,r){e.hidden=r.length===0,r.length>0&&Hd(async()=>{let{actionBar:e}=await import(`./bar-lKCdu18J.js`);return{actionBar:e}},__vite__mapDeps([0,1,2,3,4,5,6]),import.meta.url).then(({actionBar:i})=>e.replaceChildren(i(this.s,t,n,r,()=>void this.load(!0))),Xd)}fillConflicts(e,t){t.conflict>0&&Hd(async()=>{let{contested:e}=await import(`./contested-CdJo2iml.js`);return{contested:e}},__vite__mapDeps([7,1,2,8,9,10,11,12,3,13]),import.meta.url).then(({contested:e})=>e(this.s,t,()=>void this.load(!0))).then(t=>t&&e.replaceChildren(t),Xd)}showTabs(e){let t=this.parts.findIndex(e=>e.button===document.activeElement);this.parts=e.flatMap(([e,t,n])=>!n||t===0&&e===`Links`&&n.childElementCount===0?[]:[{button:X(`button`,{type:`button`,onclick:()=>this.goTo(n)},e,t!==null&&X(`small`,{},String(t))),element:n}]),this.tabs.replaceChildren(...this.parts.map(e=>e.button)),t>=0&&this.parts[Math.min(t,this.parts.length-1)]?.button.focus({preventScroll:!0}),this.markTab()}goTo(e){e===this.numbers&&(this.numbers.open=!0),e.scrollIntoView({block:`start`,behavior:`instant`}),this.jump={element:e,top:this.body.scrollTop},this.markTab()}markTab(){let{scrollTop:e}=this.body;this.jump&&Math.abs(this.jump.top-e)>1&&(this.jump=null);let t=this.jump?.element??(this.parts.filter(t=>t.element.offsetTop<=e+qd).at(-1)??this.parts[0])?.element;for(let e of this.parts)e.element===t?e.button.setAttribute(`aria-current`,`true`):e.button.removeAttribute(`aria-current`)}explanation(e){let t=this.s.explain(e.id);return t&&yd(t)}facts(e){let t=this.s.clock.now(),n=Date.parse(e.recordedAt),r=[[`Project`,e.project],[`Namespace`,e.namespace==="default"?null:e.namespace],[`User`,e.user],[`Agent`,e.agent]];return X(`div`,{class:`facts`},X(`p`,{class:`muted`,title:`${$t(n)} UTC`},`Learned ${Y(n)}, ${rn(t-n)} ago`,e.version>1?` · version ${e.version}`:``),X(`div`,{class:`chips`},this.cluster(e.id),...r.map(([e,t])=>t&&X(`span`,{class:`chip`,title:e},t))))}cluster(e){let t=ou(this.s.live.get().world,e);return t&&X(`button`,{type:`button`,class:`chip`,title:`Show this cluster`,onclick:()=>this.s.openCluster(t.id)},cu(t.label,`:`))}strength(e){this.retention=X(`div`,{class:`retention`}),this.updateCurve();let t=Kd.map(([t,n,r])=>{let i=e[t],a=X(`i`);return a.style.width=`${Math.round(i*100)}%`,X(`div`,{class:`meter meter-${t}`,title:r},X(`span`,{},n),X(`b`,{},i.toFixed(2)),X(`div`,{class:`bar`},a))});return X(`section`,{},X(`h3`,{},`Retention`),this.retention,X(`h3`,{},`Five signals`),rd(e),X(`div`,{class:`meters`},...t))}updateCurve(){let{world:e}=this.s.live.get(),t=this.s.view.get().selected,n=e&&t?e.indexOf(t):-1;if(!this.retention||!e||n<0)return;let r=this.s.moment().recorded;if(r<e.frame.born[n]){this.retention.replaceChildren(X(`p`,{class:`muted small`},`Not learned yet at this time.`));return}let i=It(e,n,r);this.retention.replaceChildren(X(`div`,{class:`big`},X(`b`,{},`${Math.round(i*100)}`),X(`span`,{},`%`)),td(e,n,r,this.s.clock.now()),X(`p`,{class:`muted small fade-note`},this.forecast(e,n,r)))}forecast(e,t,n){let r=`(${h(x[e.frame.decayClass[t]]).toLowerCase()} decay)`,i=qu(e,t,n);return Number.isFinite(i)?i>this.s.clock.now()?`Drops below 20 % on ${Y(i)} if unused ${r}`:`Below 20 % since ${Y(i)} ${r}`:`Never fades`}};function Yd(e,...t){return X(`div`,{class:`detail-part`,id:`part-${e}`},...t)}function Xd(){}var Zd={SUPERSEDES:`supersedes`,DERIVED_FROM:`was derived from`,CONSOLIDATED_INTO:`was merged into`,EVIDENCE_FOR:`is evidence for`,CONTRADICTS:`contradicts`,SAME_SESSION:`is from the same session as`,TEMPORAL_SEQ:`came right before`,ENTITY_OVERLAP:`mentions the same entities as`};function Qd(e,t){let n=`${Math.round(t/255*100)} %`;return e===`ENTITY_OVERLAP`?`${n} of the entities in common`:e===`CONTRADICTS`?`conflict ${(t/255).toFixed(2)}`:`strength ${n}`}var $d=class{s;element=X(`div`,{class:`tooltip edge-card panel`,role:`group`,"aria-label":`Edge`,hidden:!0});constructor(e){this.s=e,e.view.on([`selected`,`recorded`,`valid`,`edges`],()=>this.hide()),e.live.on([`world`],()=>this.hide())}show(e,t,n){let{world:r}=this.s.live.get();if(!r)return;let[i,a,o,s]=[e[0],e[1],e[2],e[3]],c=_[o],l=e=>X(`button`,{type:`button`,class:`edge-end`,onclick:()=>this.s.open(r.idOf(e),!0)},ru(r.frame.label(e))||`untitled memory`);this.element.replaceChildren(l(i),X(`p`,{class:`edge-name edge-${c.toLowerCase()}`},Zd[c]),l(a),X(`div`,{class:`tooltip-foot`},X(`span`,{},Qd(c,s)))),this.element.hidden=!1;let u=this.element.getBoundingClientRect(),d=Math.min(Math.max(t+12,8),window.innerWidth-u.width-8),f=n+14+u.height>window.innerHeight-8?n-u.height-12:n+14;this.element.style.transform=`translate(${d}px, ${f}px)`,this.s.announce(`${r.frame.label(i)||`Untitled memory`} ${Zd[c]} ${r.frame.label(a)||`untitled memory`}, ${Qd(c,s)}`)}hide(){this.element.hidden=!0}},ef=`somnograph.theme`,tf=matchMedia(`(prefers-color-scheme: light)`);function nf(){let e=localStorage.getItem(ef);return e===null||matchMedia(`(forced-colors: active)`).matches?tf.matches:e===`light`}var rf=class{s;constructor(e){this.s=e}toggleFlat(){this.s.view.set({flat:!this.s.view.get().flat,camera:null})}toggleLayout(){let e=this.s.view.get().layout===`links`?`meaning`:`links`;this.s.view.set({layout:e}),this.s.announce(e===`links`?`Placed by links`:`Placed by meaning`)}toggleHubs(){let e=!this.s.view.get().hubs;this.s.view.set({hubs:e}),this.s.announce(e?`Entities shown`:`Entities hidden`)}toggleAreas(){let e=!this.s.view.get().areas;this.s.view.set({areas:e}),this.s.announce(e?`Cluster areas shown`:`Cluster areas hidden`)}toggleTheme(){let e=!this.s.live.get().light;localStorage.setItem(ef,e?`light`:`dark`),this.s.live.set({light:e})}},af={memories:`List`,clusters:`Clusters and patterns`,sleep:`Sleep`,dashboards:`Health`,agent:`Prompt preview`},of={list:`List`,entities:`Entities`,known:`About you`,documents:`Documents`,changes:`Changes`,clusters:`Clusters`,patterns:`Patterns`,sleep:`Sleep`,mornings:`Reports`,fading:`Forecast`,conflicts:`Conflicts`,policy:`Policy`,health:`Health`,boards:`Boards`,quality:`Quality`,gate:`Gate`,privacy:`Privacy`,speed:`Speed`,prompt:`Prompt`,tasks:`Tasks`},sf={memories:()=>Hd(()=>import(`./tabs-enVtmRnK.js`),__vite__mapDeps([14,10,8,3,2,9,15,16,17]),import.meta.url),clusters:()=>Hd(()=>import(`./tabs-BkoM-bv6.js`),__vite__mapDeps([18,12,2,8,10,15,19,3,20,21,16,17]),import.meta.url),sleep:()=>Hd(()=>import(`./tabs-TyNTw8LS.js`),__vite__mapDeps([22,11,12,2,8,10,3,13,9,19,23,16]),import.meta.url),dashboards:()=>Hd(()=>import(`./tabs-oSJcIkCm.js`),__vite__mapDeps([24,10,9,8,19,3,2,25,16]),import.meta.url),agent:()=>Hd(()=>import(`./tabs-D8x4yfTm.js`),__vite__mapDeps([26,2,8,10,15,19,3,27,16]),import.meta.url)},cf=class{s;element;body=X(`div`,{class:`panel-body dock-body`,id:`dock-body`,role:`tabpanel`,tabindex:0});list=X(`div`,{class:`dock-tabs`,role:`tablist`});wideButton;tabs=new Map;created=new Map;lastPanels=Object.fromEntries(Object.entries(Bt).map(([e,t])=>[e,t[0]]));current=null;failed=!1;constructor(e){this.s=e;for(let e of Qt)this.tabs.set(e,X(`button`,{type:`button`,role:`tab`,id:`tab-${e}`,"aria-controls":`dock-body`,onclick:()=>this.openPanel(e)},of[e]));this.list.addEventListener(`keydown`,e=>this.onTabKey(e)),this.wideButton=sn(`expand`,`Full width`,()=>e.view.set({wide:!e.view.get().wide})),this.element=X(`aside`,{class:`dock panel`,hidden:!0},X(`header`,{class:`panel-head`},this.list,this.wideButton,sn(`close`,`Close`,()=>this.close(),`Esc`)),this.body),e.view.on([`panel`,`report`,`entity`,`cluster`,`pattern`],()=>void this.show()),e.live.on([`world`],(e,t)=>{t.world||(this.current&&this.created.get(this.current)?.open(),(window.requestIdleCallback??(e=>setTimeout(e,1e3)))(()=>void Promise.allSettled(Object.values(sf).map(e=>e()))))}),e.live.on([`connected`],({connected:e})=>e&&this.failed&&void this.show()),e.view.on([`wide`,`panel`],()=>this.updateWidth()),this.updateWidth(),this.show()}updateWidth(){let{wide:e,panel:t}=this.s.view.get();document.body.classList.toggle(`wide-dock`,e&&t!==null),this.wideButton.setAttribute(`aria-pressed`,String(e))}toggle(e){let{panel:t}=this.s.view.get();t&&Ht(t)===e?this.close():(this.openPanel(this.lastPanels[e]),this.tabs.get(this.lastPanels[e]).focus())}close(){this.s.view.set({panel:null,...Xt})}openPanel(e){this.s.view.set({panel:e,...Xt})}onTabKey(e){let t={ArrowRight:1,ArrowDown:1,ArrowLeft:-1,ArrowUp:-1}[e.key],{panel:n}=this.s.view.get();if(!t||!n)return;e.preventDefault(),e.stopPropagation();let r=Bt[Ht(n)],i=r[(r.indexOf(n)+t+r.length)%r.length];this.openPanel(i),this.tabs.get(i).focus()}async show(){let{panel:e}=this.s.view.get();if(this.element.hidden=e===null,document.body.classList.toggle(`docked`,e!==null),this.current!==e&&this.current&&this.created.get(this.current)?.close?.(),e!==this.current&&this.s.live.get().highlighted.length>0&&this.s.live.set({highlighted:[],ghosts:[]}),e===null){this.current=null;return}let t=this.current;this.current=e,this.updateTabs(e);let n=this.created.get(e)??await this.create(e);n&&this.s.view.get().panel===e&&(this.body.firstElementChild!==n.element&&this.body.replaceChildren(n.element),t!==e&&(this.body.scrollTop=0),n.open())}updateTabs(e){let t=Ht(e);this.lastPanels[t]=e;let n=Bt[t].map(e=>this.tabs.get(e));this.list.firstElementChild!==n[0]&&this.list.replaceChildren(...n),this.list.setAttribute(`aria-label`,af[t]),this.element.setAttribute(`aria-label`,af[t]),this.body.setAttribute(`aria-labelledby`,`tab-${e}`);for(let n of Bt[t])this.tabs.get(n).setAttribute(`aria-selected`,String(n===e)),this.tabs.get(n).tabIndex=n===e?0:-1}async create(e){this.failed=!1,this.body.replaceChildren(X(`div`,{class:`skeleton`,role:`status`,"aria-label":`Loading`},X(`i`),X(`i`),X(`i`)));try{let{makeTab:t}=await sf[Ht(e)](),n=this.created.get(e)??t(e,this.s);return this.created.set(e,n),n}catch{if(this.current!==e)return null;this.failed=!0;let t=this.s.live.get().connected?[X(`p`,{},`This panel could not be loaded.`),X(`button`,{type:`button`,class:`button`,onclick:()=>location.reload()},`Reload the page`)]:[X(`p`,{},`The server does not answer. The panel is loaded when it is back.`),X(`button`,{type:`button`,class:`button`,onclick:()=>void this.show()},`Try again`)];return this.body.replaceChildren(X(`div`,{class:`dock-note`,role:`alert`},...t)),null}}},lf=5e3,uf=.35;function df(e,t,n){let r=e.frame,i=e.count>lf?1:2,a=ff(e),o=r.edgeKind.map(e=>{let n=hs(e);return n===`supersedes`||t[n]!==`focus`?0:n===`session`||n===`sequence`?1:2}),s=new Set;for(let t=0;t<e.count;t++){if(!n[t])continue;let[c,l]=[-1,-1],[u,d]=[-1,-1];for(let i=e.edgeStart[t];i<e.edgeStart[t+1];i++){let s=e.edgesOf[i],f=r.from[s]===t?r.to[s]:r.from[s];if(!o[s]||f===t||!n[f])continue;let p=r.edgeWeight[s]*(o[s]===1?uf:1)+(a[f]===a[t]?256:0);p>u?([l,d]=[c,u],[c,u]=[s,p]):p>d&&([l,d]=[s,p])}c>=0&&s.add(c),l>=0&&i>1&&s.add(l)}let c=Uint32Array.from(s);return c.length>2e4&&(c=c.sort((e,t)=>r.edgeWeight[t]-r.edgeWeight[e]||e-t).slice(0,fs)),c.sort((e,t)=>r.edgeKind[t]-r.edgeKind[e]||e-t)}function ff(e){let t=e.frame;return Uint8Array.from({length:e.count},(e,n)=>+(t.stateStatus[t.stateStart[n+1]-1]===0))}function pf(e,t,n,r){let i=e.frame,a=[],o=new Set;for(let r=e.edgeStart[n];r<e.edgeStart[n+1];r++){let n=e.edgesOf[r];t[hs(i.edgeKind[n])]!==`off`&&a.push(n)}a.length>r&&(a.sort((e,t)=>i.edgeWeight[t]-i.edgeWeight[e]||e-t).length=r);for(let e of a)o.add(i.from[e]).add(i.to[e]);return{edges:a,near:o}}var mf=400,hf=class{s;stage;marks=new Uint8Array;omittedEdges=0;newIds=new Set;focused=!1;lit=-1;litNodes=[];rest=null;constructor(e,t){this.s=e,this.stage=t}recordNew(e,t){let n=new Set;if(t&&t.count>0){let r=e.indicesIn(t);for(let t=0;t<e.count;t++)r[t]<0&&n.add(e.idOf(t))}this.newIds=n}isDrawn(e){let{world:t}=this.s.live.get();if(!t)return!1;let n=this.marks[e],r=this.s.moment();return!!(n&1)&&Ft(t,e,r)||!!(n&2)&&Nt(t,e,r.recorded)>=0}light(e){return e!==this.lit&&(this.lit=e,this.update(),!0)}lightNodes(e){(e.length!==0||this.litNodes.length!==0)&&(this.litNodes=e,this.update())}restOf(e,t,n){return(this.rest?.world!==e||this.rest.modes!==t||this.rest.shown!==n)&&(this.rest={world:e,modes:t,shown:n,edges:df(e,t,n)}),this.rest.edges}update(){let{world:e,filterMask:t,hits:n,highlighted:r,ghosts:i,relations:a}=this.s.live.get();if(!e)return;let o=this.s.view.get(),s=o.selected?e.indexOf(o.selected):-1,c=new Uint8Array(e.count);for(let e=0;e<c.length;e++)t[e]&&(c[e]=1);let l=_s(e,o.edges,s,t);this.lit>=e.count&&(this.lit=-1);let u=this.lit>=0?pf(e,o.edges,this.lit,mf):{edges:[],near:new Set};for(let t of this.litNodes)t<e.count&&u.near.add(t);for(let e of u.near)c[e]|=8;let d=new Set([...l.edges,...u.edges]);if(s>=0){for(let t of ss(e,s))c[t]|=10;for(let e of l.near)c[e]|=8}let f=this.s.sleepFollower.replayEdges(e);for(let{from:t,to:n,kind:r}of s>=0&&o.edges.derivation!==`off`?a:[]){let i={from:e.indexOf(t),to:e.indexOf(n),kind:r};if(!(i.from<0||i.to<0)){f.push(i);for(let e of[i.from,i.to])c[e]|=10}}let p=(t,n)=>{for(let r of t){let t=e.indexOf(r);t>=0&&(c[t]|=n)}},m=o.panel===`clusters`&&o.cluster?lu(e,o.cluster):[];for(let e of m)c[e]|=8;p(n,4),p(r,4),p(i,10),p(this.newIds,16),this.marks=c,this.omittedEdges=l.omitted;let h=this.stage();this.focused=s>=0||n.length+r.length+i.length+m.length>0,h.uniforms.uFocus.value=this.focused||u.near.size>0,h.uniforms.uSelected.value=s,h.setMarks(c);let g=e.frame,_=u.edges.length>0?Uint32Array.from(d).sort((e,t)=>g.edgeKind[t]-g.edgeKind[e]||e-t):l.edges,v=this.restOf(e,o.edges,t);h.edges.setEdges(e,_,f,d.size>0?v.filter(e=>!d.has(e)):v)}},gf={meaning:[`Meaning`,`memories with similar meaning are near each other`],links:[`Links`,`memories that share entities, sessions or versions are near each other`]};function _f(e){let t=qt.map(t=>{let[n,r]=gf[t];return X(`button`,{type:`button`,role:`radio`,title:r,"data-layout":t,onclick:()=>e.view.set({layout:t})},n)}),n=n=>{if(![`ArrowLeft`,`ArrowRight`,`ArrowUp`,`ArrowDown`].includes(n.key))return;n.preventDefault(),n.stopPropagation();let r=e.view.get().layout===`links`?`meaning`:`links`;e.view.set({layout:r}),t[qt.indexOf(r)].focus()},r=X(`button`,{type:`button`,class:`chip entities-toggle`,title:`entities that most memories mention, and their relations (e)`,onclick:()=>e.view.set({hubs:!e.view.get().hubs})},`Entities`),i=()=>{let{layout:n,hubs:i}=e.view.get();t.forEach((e,t)=>{e.setAttribute(`aria-checked`,String(qt[t]===n)),e.tabIndex=qt[t]===n?0:-1}),r.setAttribute(`aria-pressed`,String(i)),r.classList.toggle(`on`,i)};return e.view.on([`layout`,`hubs`],i),i(),X(`div`,{class:`color-by layout-by`},X(`span`,{id:`layout-by`},`Place by`),X(`div`,{class:`segmented small`,role:`radiogroup`,"aria-labelledby":`layout-by`,onkeydown:n},...t),r)}var vf={EPISODIC:`events`,SEMANTIC:`facts`,WORKING:`current context; expires`,DOCUMENT:`reference material`,PROCEDURAL:`instructions`},yf={supersedes:[`Superseded by`,`from a version to the one that replaced it`],derivation:[`Derivation`,`sources, evidence and conflicts`],session:[`Same session`,`recorded in the same session`],sequence:[`Next in session`,`the next memory of the session`],overlap:[`Shared entities`,`the more they share, the stronger the line`]},bf={L0:[`Buffer`,`L0: the current conversation`],L1:[`Index`,`L1: where every memory starts`],L2:[`Schema`,`L2: memories that proved important`],L3:[`Recess`,`L3: engrams, which never change`]},xf={NONE:[`Never`,`does not fade`],SLOW:[`Slow`,`facts and instructions`],MEDIUM:[`Medium`,`events`],FAST:[`Fast`,`current context`]},Sf=[`off`,`focus`,`all`],Cf=5,wf=8,Tf=100,Ef={byType:new Uint32Array(b.length),byStatus:new Uint32Array(g.length),byTier:new Uint32Array(v.length),byDecay:new Uint32Array(x.length),byCluster:new Uint32Array(1),visible:new Uint8Array},Df=class{s;element;body=X(`div`,{class:`panel-body`});hiddenNote=X(`p`,{class:`hidden-note`,hidden:!0});expanded=new Set;colorBy=X(`select`,{id:`color-by`});offered=``;constructor(e){this.s=e,this.colorBy.addEventListener(`change`,()=>this.s.view.set({color:Zt.find(e=>e===this.colorBy.value)??null}));let t=X(`button`,{type:`button`,class:`link reset`,onclick:()=>this.reset()},`Reset`);this.element=X(`aside`,{class:`filters panel`,"aria-label":`Legend and filters`},X(`header`,{class:`panel-head`},X(`h2`,{},`Memories`),t,sn(`close`,`Hide filters`,()=>document.body.classList.remove(`show-filters`))),this.hiddenNote,X(`div`,{class:`color-by`},X(`label`,{for:`color-by`},`Colour by`),this.colorBy),_f(e),this.body),e.live.on([`world`,`light`],()=>this.update()),e.view.on([...Ut,`edges`,`color`,`recorded`,`valid`],(e,t)=>{e.edges===t.edges&&e.color===t.color&&Ut.every(n=>e[n]===t[n])?this.updateSoon():this.update()}),this.update()}timer=0;updateSoon(){this.timer||=window.setTimeout(()=>{this.timer=0,this.update()},160)}reset(){this.s.view.set({...Wt})}update(){let{world:e}=this.s.live.get(),t=this.s.view.get(),n=lc(t.color,e?.frame??null);this.updateColorBy(n);let r=document.activeElement instanceof HTMLElement&&this.body.contains(document.activeElement)?document.activeElement.dataset.key:void 0,i=e?this.count(e):Ef;this.hiddenNote.textContent=dl(i.byStatus,ll(t.statuses,t.valid)),this.hiddenNote.hidden=this.hiddenNote.textContent===``;let a=b.map((e,n)=>this.toggle(t.types,e,dn(e),h(e),i.byType[n],vf[e],e=>this.s.view.set({types:e}))),o=[[`type`,this.group(`Type`,a)],[``,this.group(`Edges`,Yt.map(e=>this.edge(e,t.edges[e])))]];if(e){let r=g.filter((e,n)=>i.byStatus[n]>0||t.statuses.includes(e)).filter(e=>e!==`FORGOTTEN`);(n===`cluster`||t.clusters.length>0)&&o.push([`cluster`,this.clusterGroup(e,i.byCluster,n===`cluster`)]),(n===`retention`||n===`age`||n===`confidence`)&&o.push([n,this.scale(e,n)]),r.length>0&&o.push([``,this.group(`Status`,r.map(e=>this.status(e,i.byStatus[g.indexOf(e)])))]),o.push([``,this.valueGroup(t,`projects`,`Project`,`none`,e.frame.project,i.visible,!1)]),o.push([`namespace`,this.valueGroup(t,`namespaces`,`Namespace`,`default`,e.frame.namespace,i.visible,n===`namespace`)]),o.push([`user`,this.valueGroup(t,`users`,`User`,`no user`,e.frame.user,i.visible,n===`user`)]),o.push([``,this.codeGroup(v,i.byTier,t.tiers,`Tier`,bf,e=>this.s.view.set({tiers:e}))]),o.push([``,this.codeGroup(x,i.byDecay,t.decays,`Decay`,xf,e=>this.s.view.set({decays:e}))])}o.sort(([e],[t])=>Number(t===n)-Number(e===n)),this.body.replaceChildren(...o.flatMap(([,e])=>e??[])),this.element.classList.toggle(`plain-types`,n!==`type`),r&&this.body.querySelector(`[data-key="${CSS.escape(r)}"]`)?.focus(),this.element.classList.toggle(`narrowed`,Gt(t))}updateColorBy(e){let t=cc(this.s.live.get().world?.frame??null);t.join()!==this.offered&&this.colorBy.replaceChildren(...t.map(e=>X(`option`,{value:e},ic[e]))),this.offered=t.join(),this.colorBy.value=e}count(e){let t=e.frame,n={byType:new Uint32Array(b.length),byStatus:new Uint32Array(g.length),byTier:new Uint32Array(v.length),byDecay:new Uint32Array(x.length),byCluster:new Uint32Array(t.clusters.length+1),visible:new Uint8Array(e.count)},r=this.s.moment();for(let i=0;i<e.count;i++){Ft(e,i,r)&&(n.byType[t.type[i]]++,n.byTier[t.stateTier[Nt(e,i,r.recorded)]]++,n.byDecay[t.decayClass[i]]++,n.byCluster[t.cluster[i]+1]++,n.visible[i]=1);let a=Mt(e,i,r.recorded);a>=0&&n.byStatus[a]++}return n}palette(){return this.s.live.get().light?Ye:ct}clusterGroup(e,t,n){let{clusters:r}=e.frame,i=this.s.view.get().clusters,{hues:a}=this.palette(),o=e=>n?un(a[e]):X(`i`,{class:`tick-box`}),s=dc(r),c=this.expanded.has(`clusters`),l=r.map((e,t)=>({c:e,k:t})).filter(({c:e,k:t})=>c?t<Tf:t<wf||i.includes(e.id)).map(({c:e,k:n})=>{let r=this.toggle(i,e.id,o(s[n]),e.label,t[n+1],e.label,t=>{t.includes(e.id)&&this.s.showArea(e.position,e.radius),this.s.view.set({clusters:t})}),a=sn(`right`,`About the cluster ${e.label}`,()=>this.s.openCluster(e.id));return a.dataset.key=`about:${e.id}`,X(`div`,{class:`row-pair`},r,a)});return r.length>wf&&l.push(this.more(`clusters`,c,`${Math.min(r.length,Tf)-wf} more`)),l.push(this.toggle(i,zt,o(0),`In no cluster`,t[0],`Memories that are in no cluster`,e=>this.s.view.set({clusters:e}))),this.group(`Cluster`,l)}scale(e,t){let{ramp:n}=this.palette(),r=X(`i`,{class:`ramp`});r.style.background=`linear-gradient(to right, ${n.join(`, `)})`;let i=rn(this.s.clock.now()-e.firstBorn),[a,o]=t===`retention`?[`faded`,`as new`]:t===`confidence`?[`doubtful`,`certain`]:[`${i} old`,`new`];return this.group(ic[t],[X(`div`,{class:`scale`},r,X(`span`,{},a),X(`span`,{},o))])}codeGroup(e,t,n,r,i,a){let o=e.filter((e,r)=>t[r]>0||n.includes(e));return o.length<2&&n.length===0?null:this.group(r,o.map(r=>this.toggle(n,r,X(`i`,{class:`tick-box`}),i[r][0],t[e.indexOf(r)],i[r][1],a)))}group(e,t){return X(`section`,{class:`group group-${e.toLowerCase()}`,role:`group`,"aria-label":e},X(`h3`,{},e),...t)}valueGroup(e,t,n,r,i,a,o){let s=cl(i,a);if(s.length<2&&e[t].length===0&&!o)return null;let c=this.expanded.has(t),l=o?mc(i):null,u=e=>l?un(this.palette().hues[l[i.values.indexOf(e)]]):X(`i`,{class:`tick-box`}),d=(c?s:s.slice(0,Cf)).map(({word:n,count:i})=>this.toggle(e[t],n,u(n),n||r,i,``,e=>this.s.view.set({[t]:e})));return s.length>Cf&&d.push(this.more(t,c,`${s.length-Cf} more`)),this.group(n,d)}more(e,t,n){let r=X(`button`,{type:`button`,class:`link more`,"data-key":`more:${e}`,"aria-expanded":String(t)},t?`Show less`:n);return r.addEventListener(`click`,()=>{t?this.expanded.delete(e):this.expanded.add(e),this.update()}),r}toggle(e,t,n,r,i,a,o){let s=e.includes(t),c=X(`button`,{type:`button`,class:`row`,"aria-pressed":String(s),title:a||null,"data-key":`${r}:${t}`},n,X(`span`,{class:`name`},r),X(`span`,{class:`count`},i.toLocaleString(`en`)));return c.classList.toggle(`off`,e.length>0&&!s),c.classList.toggle(`on`,s),c.addEventListener(`click`,n=>o(n.altKey?[t]:s?e.filter(e=>e!==t):[...e,t])),c}status(e,t){let{statuses:n,valid:r}=this.s.view.get(),i=X(`i`,{class:`status-dot status-${e.toLowerCase()}`});return this.toggle(ll(n,r),e,i,h(e),t,``,e=>this.s.view.set({statuses:ul(e,r)}))}edge(e,t){let[n,r]=yf[e],i=Sf.map(n=>X(`button`,{type:`button`,role:`radio`,"aria-checked":String(n===t),tabindex:n===t?0:-1,"data-key":`edge:${e}:${n}`,onclick:()=>this.s.view.set({edges:{...this.s.view.get().edges,[e]:n}})},n));return X(`div`,{class:`row edge-row`,title:r},X(`i`,{class:`line line-${e}`}),X(`span`,{class:`name`},n),X(`div`,{class:`segmented small`,role:`radiogroup`,"aria-label":`${n}: edges shown`,onkeydown:t=>this.stepMode(t,e)},...i))}stepMode(e,t){let n={ArrowRight:1,ArrowDown:1,ArrowLeft:-1,ArrowUp:-1}[e.key];if(!n)return;e.preventDefault(),e.stopPropagation();let{edges:r}=this.s.view.get(),i=Sf[(Sf.indexOf(r[t])+n+Sf.length)%Sf.length];this.s.view.set({edges:{...r,[t]:i}}),this.element.querySelector(`[data-key="edge:${t}:${i}"]`)?.focus()}},Of={hubs:!1,layout:`meaning`,panel:null,wide:!1,...Xt,selected:null,query:``,recorded:null,valid:null},kf=7;function Af(e){let t=[];for(let n=0;n<e.count;n++){if(e.nextVersion[n]>=0||e.previousVersion[n]<0||e.frame.label(n)===``)continue;let r=ss(e,n);(r.length>t.length||r.length===t.length&&e.frame.born[n]>e.frame.born[t.at(-1)])&&(t=r)}return t}var jf=/^(?:(The|An?|Our|My|This|These) )?([^.,;:!?…]{2,60}?) (may|must|can|should|is|are|was|were)(?: (not|never|only|always))? ([a-z]+)/;function Mf(e){let t=jf.exec(e.trim());if(t){let[,e,n,r,,i]=t,a=e?`${e.toLowerCase()} ${n}`:n;return/^(?:may|must|can|should)$/.test(r)?`How ${r} ${a} ${i}?`:`What about ${a}?`}let n=e.replace(/[.,;:!?…]+(\s|$)/g,` `).trim().split(/\s+/),r=n.slice(0,kf);for(;n.length>r.length&&r.length>1&&/^[a-z]{1,3}$/.test(r.at(-1));)r.pop();return r.join(` `)}function Nf(e,t){let n=e.frame,r=Af(e),i=r.at(-1),a=Array.from(n.importance).reduce((e,t,r)=>n.label(r)!==``&&t>n.importance[e]?r:e,0),o=Mf(n.label(i??a)),s=[{title:`Every point is a memory`,text:`The shape shows the type, the size the importance; the legend says what the colour shows. Faint points have faded. Memories with similar meaning are close together. Drag to rotate, scroll to zoom.`,target:`.filters`,view:Of,home:!0,bright:!0},{title:`Search by words and meaning`,text:`The coloured bar under each hit shows how its score is made up. Hits are highlighted on the map.`,target:`.search`,view:{...Of,query:o},bright:!0},{title:`See what is connected`,text:`The named circles are the people and things that most memories mention, and the lines are their relations. Click one to expand it or to find the path to another. “Place by” moves linked memories together.`,target:`.layout-by`,view:{...Of,hubs:!0,layout:`links`},home:!0,bright:!0}];if(i!==void 0){let a=n.born[i]-Math.max((n.born[i]-n.born[r.at(-2)])/2,1);s.push({title:`Nothing is overwritten`,text:`This belief was corrected ${r.length-1} ${r.length===2?`time`:`times`}. Every version is kept, with its changes and the reason. Red arrows connect the versions on the map.`,target:`.detail`,view:{...Of},open:e.idOf(i),scroll:`.version`},{title:`Go back in time`,text:`Drag the timeline to see what was known at any time. Now it is set to a day before the last correction: map, search and answers are those of that day.`,target:`.timeline`,view:{...Of,recorded:Math.min(a,t)},open:e.idOf(r.at(-2))})}return s.push({title:`Sleep`,text:`During sleep, used memories get stronger, faded ones are archived, and related ones are merged. Every sleep writes a report. You can replay it and roll it back.`,target:`.dock`,view:{...Of,panel:`mornings`},home:!0},{title:`What the agent sees`,text:`The prompt that an agent would get, by layer and against its token budget. Its memories are highlighted on the map. Change the query or the budget and watch.`,target:`.dock`,view:{...Of,panel:`prompt`,prompt:{...Kt,query:o}}},{title:`Connect your agent`,text:`That was the tour. Give your own agent this memory: copy one of these, and what it remembers appears here at once. Everything else is in the toolbar; ? shows the keys.`,target:`.tools`,view:{...Of,prompt:Kt},home:!0,bright:!0,connect:!0}),s}function Pf(e){return[{key:`agent`,name:`Agent (MCP)`,about:`Adds memory to Claude Code. Others: claude-desktop, cursor, vscode, codex.`,code:`somnograph init claude-code --addr ${e}`},{key:`python`,name:`Python`,about:`pip install somnograph`,code:`from somnograph import Memory\n\nmemory = Memory("${e}", user="ana", consent="EXPLICIT")\nmemory.add("I am allergic to peanuts.")\nprint(memory.context("What must I not eat?").text)`},{key:`typescript`,name:`TypeScript`,about:`npm install somnograph`,code:`import { Memory } from 'somnograph'\n\nconst memory = new Memory('${e}', { user: 'ana', consent: 'EXPLICIT' })\nawait memory.add('I am allergic to peanuts.')\nconsole.log((await memory.context('What must I not eat?')).text)`},{key:`curl`,name:`curl`,about:`Any language that can send a request.`,code:`curl ${e}/graphql -H 'content-type: application/json' -d '{"query": "mutation { remember(input: {content: \\"Releases go out on Tuesdays\\", consent: EXPLICIT}) { memory { id } } }"}'`}]}function Ff(){let e=Pf(location.origin),t=X(`code`),n=X(`p`,{class:`muted small`}),r=X(`button`,{type:`button`,class:`quiet-button`},`Copy`),i=X(`div`,{class:`connect-panel`,role:`tabpanel`,id:`connect-panel`},n,X(`pre`,{tabindex:0,"aria-label":`Example`},t),r),a=(a,s=!1)=>{let c=e[a];t.textContent=c.code,n.textContent=c.about,r.textContent=`Copy`,o.forEach((e,t)=>{e.setAttribute(`aria-selected`,String(t===a)),e.tabIndex=t===a?0:-1}),i.setAttribute(`aria-labelledby`,`connect-${c.key}`),s&&o[a].focus()},o=e.map((e,t)=>X(`button`,{type:`button`,role:`tab`,id:`connect-${e.key}`,"aria-controls":`connect-panel`,onclick:()=>a(t)},e.name));r.addEventListener(`click`,()=>{navigator.clipboard.writeText(t.textContent).then(()=>r.textContent=`Copied`,()=>r.textContent=`Select the text to copy it`)});let s=X(`div`,{class:`connect`},X(`div`,{class:`connect-tabs`,role:`tablist`,"aria-label":`Connect with`,onkeydown:e=>{let t={ArrowRight:1,ArrowLeft:-1}[e.key];if(!t)return;e.preventDefault(),e.stopPropagation();let n=o.findIndex(e=>e.tabIndex===0);a((n+t+o.length)%o.length,!0)}},...o),i);return a(0),s}var If=`somnograph.guided`,Lf=20,Rf=5,zf=420,Bf=760,Vf=class{s;element;card=X(`div`,{class:`tour panel`,role:`dialog`,"aria-label":`Tour`,tabindex:-1});ring=X(`div`,{class:`tour-ring`,"aria-hidden":`true`});steps=[];index=-1;timer=0;grown=new ResizeObserver(()=>this.index>=0&&this.place());constructor(e){this.s=e,this.element=X(`div`,{class:`tour-wrap`,hidden:!0},this.ring,this.card),this.card.addEventListener(`keydown`,e=>{e.key===`Escape`&&(e.stopPropagation(),this.end())}),window.addEventListener(`resize`,()=>this.index>=0&&this.place())}offerOnFirstVisit(){localStorage.getItem(If)===null&&location.hash===``&&this.s.live.on([`world`],({world:e},t)=>!t.world&&e&&e.count>=Lf&&this.offer())}start(){let{world:e}=this.s.live.get();e&&e.count!==0&&(this.steps=Nf(e,this.s.clock.now()),this.showStep(0))}offer(){let e=X(`button`,{type:`button`,class:`quiet-button`,onclick:()=>this.end()},`Not now`),t=X(`button`,{type:`button`,class:`button`,onclick:()=>this.start()},`Take the tour`);this.ring.hidden=!0,this.card.classList.add(`offer`),this.card.replaceChildren(X(`h2`,{},`Your first time here?`),X(`p`,{},`A two-minute tour shows the memories, how they changed, and what an agent would see.`),X(`div`,{class:`buttons`},t,e)),this.element.hidden=!1,this.s.announce(`A two-minute tour is available at the end of the page`)}decline(){return this.element.hidden||this.index>=0?!1:(this.end(),!0)}showStep(e){let t=this.steps[e];if(!t){this.end();return}this.index=e,this.card.classList.remove(`offer`),this.ring.classList.toggle(`bright`,t.bright===!0),this.s.live.set({playing:!1}),this.s.view.set(t.view),t.open&&this.s.open(t.open,!0),t.home&&this.s.showWholeMap();let n=e===this.steps.length-1,r=X(`button`,{type:`button`,class:`button`,onclick:()=>this.showStep(e+1)},n?`Done`:`Next`),i=X(`button`,{type:`button`,class:`quiet-button`,disabled:e===0,onclick:()=>this.showStep(e-1)},`Back`),a=X(`button`,{type:`button`,class:`link`,onclick:()=>this.end()},`Skip`);this.card.replaceChildren(X(`p`,{class:`tour-at`},`${e+1} of ${this.steps.length}`,Hf(e,this.steps.length)),X(`h2`,{},t.title),X(`p`,{},t.text),...t.connect?[Ff()]:[],X(`div`,{class:`buttons`},r,i,...n?[]:[a])),this.element.hidden=!1,this.place(),this.grown.disconnect();let o=document.querySelector(t.target);o&&this.grown.observe(o),clearTimeout(this.timer),this.timer=window.setTimeout(()=>this.place(),zf),r.focus({preventScroll:!0}),this.s.announce(`${t.title}. ${t.text}`)}place(){let e=document.querySelector(this.steps[this.index]?.target??`none`);e&&this.placeCard(e.getBoundingClientRect());let t=this.steps[this.index]?.scroll;t&&e?.querySelector(t)?.scrollIntoView({block:`nearest`});let n=e?.getBoundingClientRect(),r=n&&n.width>0&&getComputedStyle(e).visibility!==`hidden`;if(this.ring.hidden=!r,!r)return;let[i,a]=[Math.max(n.left-Rf,2),Math.max(n.top-Rf,2)],[o,s]=[Math.min(n.right+Rf,window.innerWidth-2),Math.min(n.bottom+Rf,window.innerHeight-2)];Object.assign(this.ring.style,{left:`${i}px`,top:`${a}px`,width:`${o-i}px`,height:`${s-a}px`})}placeCard(e){let{innerWidth:t,innerHeight:n}=window,r=t<Bf;this.card.classList.toggle(`at-top`,r?e.top+e.height/2>n/2:e.bottom>n*.8&&e.top>n/2);let i=r&&this.card.classList.contains(`at-top`)?this.card.getBoundingClientRect().bottom:0;document.documentElement.style.setProperty(`--tour-below`,`${i}px`);let a=e.height>n/3&&e.left+e.width/2>t*.6,o=document.querySelector(`.detail`),s=e.top>n/2&&o!==null&&o.offsetWidth>0&&getComputedStyle(o).visibility!==`hidden`;this.card.classList.toggle(`at-left`,!r&&(a||s))}end(){clearTimeout(this.timer),this.grown.disconnect(),document.documentElement.style.removeProperty(`--tour-below`),localStorage.setItem(If,`1`),this.element.hidden=!0,this.index>=0&&(this.s.view.set({panel:null,selected:null,query:``,recorded:null,hubs:!1,layout:`meaning`}),this.s.showWholeMap()),this.index=-1,document.querySelector(`canvas.scene`)?.focus({preventScroll:!0})}};function Hf(e,t){return cn(`svg`,{class:`tour-dots`,viewBox:`0 0 ${t*10} 8`,width:t*10,height:8,"aria-hidden":`true`},...Array.from({length:t},(t,n)=>cn(`circle`,{cx:n*10+4,cy:4,r:n===e?3.4:2.2,class:n<=e?`past`:``})))}var Uf=[[[`Ctrl`,`K`],`commands, memories, entities, and days such as 18 August`],[[`/`],`search`],[[`←`,`↑`,`→`,`↓`],`move to the next memory in that direction`],[[`Enter`],`open the current memory, or the best hit`],[[`[`,`]`],`previous and next version, or memory of the session`],[[`Space`],`play and pause`],[[`,`,`.`],`step through time`],[[`t`],`back to now (today)`],[[`n`],`add a memory`],[[`r`],`filter by time learned`],[[`f`],`centre the open memory`],[[`Shift`,`drag`],`select memories on the map, to export or forget them`],[[`h`],`show the whole map`],[[`m`],`list of memories, and entities`],[[`k`],`clusters and patterns`],[[`s`],`sleep, reports, forecast, conflicts, policies`],[[`d`],`dashboards: health, quality, gate, privacy, speed`],[[`c`],`prompt preview, and tasks`],[[`u`],`what is known about a user`],[[`p`,`j`],`save an image, export shown memories as JSON`],[[`2`],`toggle flat map`],[[`g`],`place memories by meaning or by links`],[[`e`],`show or hide entities and their relations`],[[`a`],`show or hide cluster areas`],[[`l`],`toggle light theme`],[[`Esc`],`close the topmost panel`],[[`?`],`this help`]],Wf=[[`L0`,`Prefrontal cortex`,`working buffer: the current conversation`],[`L1`,`Hippocampus`,`index: where every memory starts`],[`L2`,`Neocortex`,`schema: memories that proved important`],[`L3`,`Thalamus and basal ganglia`,`recess: engrams, which never change`],[`Salience`,`Dopamine`,`how much a memory stands out`],[`Surprise`,`Noradrenaline`,`how unexpected a memory was`],[`REM`,`Dream replay`,`consolidation during sleep`],[`NREM`,`Pruning`,`unneeded memories fade`],[`Reinforcement`,`Long-term potentiation`,`use makes a memory last`]],Gf={EPISODIC:`an event`,SEMANTIC:`a fact`,WORKING:`current context; pulses, and expires`,DOCUMENT:`reference material`,PROCEDURAL:`an instruction`},Kf=class{element;constructor(){this.element=X(`dialog`,{class:`help panel`,"aria-label":`Help`},X(`header`,{class:`panel-head`},X(`h2`,{},`Reading the map`),sn(`close`,`Close`,()=>this.element.close(),`Esc`)),X(`div`,{class:`panel-body help-body`},X(`p`,{class:`lead`},`Every point is a memory. Memories with similar meaning are close together. Colours show clusters, which are groups that a sleep finds; “Colour by” in the legend shows types, namespaces, users, retention or age instead. Larger points are more important, fainter ones have faded. Drag the timeline to see what was known at any time, exactly as the API answers as of that time.`),X(`div`,{class:`help-columns`},X(`section`,{},X(`h3`,{},`Symbols`),X(`ul`,{class:`help-signs`},...b.map(e=>X(`li`,{},dn(e),X(`b`,{},h(e)),Gf[e])),X(`li`,{},X(`i`,{class:`engram`}),X(`b`,{},`Engram`),`a bright line inside: never changes`),X(`li`,{},X(`i`,{class:`line line-supersedes`}),X(`b`,{},`Red arrow`),`a version and its replacement`),X(`li`,{},X(`i`,{class:`line line-overlap`}),X(`b`,{},`Grey`),`shared entities`),X(`li`,{},X(`i`,{class:`line line-session`}),X(`b`,{},`Blue`),`same session`),X(`li`,{},X(`i`,{class:`line line-sequence`}),X(`b`,{},`Green`),`next in the session`))),X(`section`,{},X(`h3`,{},`Keys`),X(`dl`,{class:`help-keys`},...Uf.flatMap(([e,t])=>[X(`dt`,{},...e.map(e=>X(`kbd`,{},e))),X(`dd`,{},t)])))),X(`section`,{},X(`h3`,{},`Terms from neuroscience`),X(`dl`,{class:`help-brain`},...Wf.flatMap(([e,t,n])=>[X(`dt`,{},e),X(`dd`,{},X(`b`,{},t),` ${n}`)]))),X(`p`,{class:`muted small`},`Two clocks: “Known by” is the time a memory was recorded, “True on” the time it was true in the world. Use counts and confidence are always today’s; retention at a past time is computed from the days of use.`))),this.element.addEventListener(`click`,e=>e.target===this.element&&this.element.close())}toggle(){this.element.open?this.element.close():this.element.showModal()}},qf=class{s;parts;constructor(e,t){this.s=e,this.parts=t}open(e,t=!1){let{selected:n}=this.s.view.get();n&&n!==e&&(this.s.previousSelection=n),this.s.view.set({selected:e}),this.showMemory(e,t)}async showMemory(e,t){let n=()=>{let n=this.s.live.get().world?.indexOf(e)??-1;return this.s.live.set({cursor:n}),n>=0&&t&&this.parts.stage().flyTo(n),n>=0},r=n();try{let t=await this.parts.sceneLoader.loadMemory(e);!r&&t&&this.s.view.get().selected===e&&n()}catch(e){this.s.announce(e instanceof Error?e.message:`This part of the map could not be loaded.`)}}close(){if(this.parts.tour.decline())return;let e=this.parts.dock.element.contains(document.activeElement);this.s.view.get().panel&&(e||!this.s.view.get().selected)?e&&this.hasOpen()?this.s.view.set(Xt):(this.parts.dock.close(),this.parts.canvas.focus({preventScroll:!0})):this.s.view.get().selected?(this.s.view.set({selected:null}),this.parts.canvas.focus({preventScroll:!0})):this.parts.search.clear()||this.s.live.set({cursor:-1})}hasOpen(){let e=this.s.view.get();return Object.keys(Xt).some(t=>e[t]!==null)}showArea(e,t){this.parts.stage().flyToArea(e,t)}openCluster(e){this.s.view.set({...Xt,panel:`clusters`,cluster:e});let t=su(this.s.live.get().world,e);t&&requestAnimationFrame(()=>this.showArea(t.position,t.radius))}stepVersion(e){let{world:t}=this.s.live.get(),n=this.s.view.get().selected,r=t&&n?t.indexOf(n):-1;if(!t||r<0)return;let i=ss(t,r),a=i.length>1?i[i.indexOf(r)+e]:cs(t,r,e);a===void 0&&(a=-1);let o=this.s.moment().recorded;a<0||t.frame.born[a]>o?this.s.announce(i.length>1?e<0?`This is the first version`:`This is the last version`:`No more memories in this session`):this.open(t.idOf(a),!0)}moveCursor(e){let{world:t,cursor:n}=this.s.live.get();if(!t)return;let r=this.s.view.get().selected,i=n>=0?n:r?t.indexOf(r):-1,a=jt(t,e=>this.s.isDrawn(e),this.parts.stage().projection(),i,e);a<0||(this.s.live.set({cursor:a}),this.s.announce(`${h(b[t.frame.type[a]])}: ${t.frame.label(a)||`untitled memory`}`))}openAtCursor(){let{world:e,cursor:t,hits:n}=this.s.live.get();e&&t>=0?this.open(e.idOf(t),!1):n[0]&&this.open(n[0],!0)}};function Jf(e){return e===null?`null`:Array.isArray(e)?`array`:typeof e}function Yf(e){return Jf(e)===`object`}function Xf(e){return Array.isArray(e)&&e.length>0&&e.every(e=>`message`in e)}function Zf(e,t){return e.length<124?e:t}var Qf=(e=>(e[e.InternalServerError=4500]=`InternalServerError`,e[e.InternalClientError=4005]=`InternalClientError`,e[e.BadRequest=4400]=`BadRequest`,e[e.BadResponse=4004]=`BadResponse`,e[e.Unauthorized=4401]=`Unauthorized`,e[e.Forbidden=4403]=`Forbidden`,e[e.SubprotocolNotAcceptable=4406]=`SubprotocolNotAcceptable`,e[e.ConnectionInitialisationTimeout=4408]=`ConnectionInitialisationTimeout`,e[e.ConnectionAcknowledgementTimeout=4504]=`ConnectionAcknowledgementTimeout`,e[e.SubscriberAlreadyExists=4409]=`SubscriberAlreadyExists`,e[e.TooManyInitialisationRequests=4429]=`TooManyInitialisationRequests`,e))(Qf||{}),$f=(e=>(e.ConnectionInit=`connection_init`,e.ConnectionAck=`connection_ack`,e.Ping=`ping`,e.Pong=`pong`,e.Subscribe=`subscribe`,e.Next=`next`,e.Error=`error`,e.Complete=`complete`,e))($f||{});function ep(e){if(!Yf(e))throw Error(`Message is expected to be an object, but got ${Jf(e)}`);if(!e.type)throw Error(`Message is missing the 'type' property`);if(typeof e.type!=`string`)throw Error(`Message is expects the 'type' property to be a string, but got ${Jf(e.type)}`);switch(e.type){case`connection_init`:case`connection_ack`:case`ping`:case`pong`:if(e.payload!=null&&!Yf(e.payload))throw Error(`"${e.type}" message expects the 'payload' property to be an object or nullish or missing, but got "${e.payload}"`);break;case`subscribe`:if(typeof e.id!=`string`)throw Error(`"${e.type}" message expects the 'id' property to be a string, but got ${Jf(e.id)}`);if(!e.id)throw Error(`"${e.type}" message requires a non-empty 'id' property`);if(!Yf(e.payload))throw Error(`"${e.type}" message expects the 'payload' property to be an object, but got ${Jf(e.payload)}`);if(typeof e.payload.query!=`string`)throw Error(`"${e.type}" message payload expects the 'query' property to be a string, but got ${Jf(e.payload.query)}`);if(e.payload.variables!=null&&!Yf(e.payload.variables))throw Error(`"${e.type}" message payload expects the 'variables' property to be a an object or nullish or missing, but got ${Jf(e.payload.variables)}`);if(e.payload.operationName!=null&&Jf(e.payload.operationName)!==`string`)throw Error(`"${e.type}" message payload expects the 'operationName' property to be a string or nullish or missing, but got ${Jf(e.payload.operationName)}`);if(e.payload.extensions!=null&&!Yf(e.payload.extensions))throw Error(`"${e.type}" message payload expects the 'extensions' property to be a an object or nullish or missing, but got ${Jf(e.payload.extensions)}`);break;case`next`:if(typeof e.id!=`string`)throw Error(`"${e.type}" message expects the 'id' property to be a string, but got ${Jf(e.id)}`);if(!e.id)throw Error(`"${e.type}" message requires a non-empty 'id' property`);if(!Yf(e.payload))throw Error(`"${e.type}" message expects the 'payload' property to be an object, but got ${Jf(e.payload)}`);break;case`error`:if(typeof e.id!=`string`)throw Error(`"${e.type}" message expects the 'id' property to be a string, but got ${Jf(e.id)}`);if(!e.id)throw Error(`"${e.type}" message requires a non-empty 'id' property`);if(!Xf(e.payload))throw Error(`"${e.type}" message expects the 'payload' property to be an array of GraphQL errors, but got ${JSON.stringify(e.payload)}`);break;case`complete`:if(typeof e.id!=`string`)throw Error(`"${e.type}" message expects the 'id' property to be a string, but got ${Jf(e.id)}`);if(!e.id)throw Error(`"${e.type}" message requires a non-empty 'id' property`);break;default:throw Error(`Invalid message 'type' property "${e.type}"`)}return e}function tp(e,t){return ep(typeof e==`string`?JSON.parse(e,t):e)}function np(e,t){return ep(e),JSON.stringify(e,t)}function rp(e){let{url:t,connectionParams:n,lazy:r=!0,onNonLazyError:i=console.error,lazyCloseTimeout:a=0,keepAlive:o=0,disablePong:s,connectionAckWaitTimeout:c=0,retryAttempts:l=5,retryWait:u=async function(e){let t=2**e;await new Promise(e=>setTimeout(e,t*1e3+Math.floor(Math.random()*2700+300)))},shouldRetry:d=ap,on:f,webSocketImpl:p,generateID:m=function(){return`xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx`.replace(/[xy]/g,e=>{let t=Math.random()*16|0;return(e==`x`?t:t&3|8).toString(16)})},jsonMessageReplacer:h,jsonMessageReviver:g}=e,_;if(p){if(!sp(p))throw Error(`Invalid WebSocket implementation provided`);_=p}else typeof WebSocket<`u`?_=WebSocket:typeof global<`u`?_=global.WebSocket||global.MozWebSocket:typeof window<`u`&&(_=window.WebSocket||window.MozWebSocket);if(!_)throw Error("WebSocket implementation missing; on Node you can `import WebSocket from 'ws';` and pass `webSocketImpl: WebSocket` to `createClient`");let v=_,y=(()=>{let e=(()=>{let e={};return{on(t,n){return e[t]=n,()=>{delete e[t]}},emit(t){`id`in t&&e[t.id]?.(t)}}})(),t={connecting:f?.connecting?[f.connecting]:[],opened:f?.opened?[f.opened]:[],connected:f?.connected?[f.connected]:[],ping:f?.ping?[f.ping]:[],pong:f?.pong?[f.pong]:[],message:f?.message?[e.emit,f.message]:[e.emit],closed:f?.closed?[f.closed]:[],error:f?.error?[f.error]:[]};return{onMessage:e.on,on(e,n){let r=t[e];return r.push(n),()=>{let e=r.indexOf(n);e>-1&&r.splice(e,1)}},emit(e,...n){for(let r of[...t[e]])r(...n)}}})();function b(e){let t=[y.on(`error`,n=>{t.forEach(e=>e()),e(n)}),y.on(`closed`,n=>{t.forEach(e=>e()),e(n)})];return()=>t.forEach(e=>e())}let x,S=0,C,w=!1,T=0,E=!1;async function D(){clearTimeout(C);let[e,r]=await(x??=new Promise((e,r)=>(async()=>{if(w){if(await u(T),!S)return x=void 0,r({code:1e3,reason:`All Subscriptions Gone`});T++}y.emit(`connecting`,w);let i=new v(typeof t==`function`?await t():t,`graphql-transport-ws`),a,l;function d(){isFinite(o)&&o>0&&(clearTimeout(l),l=setTimeout(()=>{i.readyState===v.OPEN&&(i.send(np({type:$f.Ping})),y.emit(`ping`,!1,void 0))},o))}b(e=>{x=void 0,clearTimeout(a),clearTimeout(l),r(e),e instanceof ip&&(i.close(4499,`Terminated`),i.onerror=null,i.onclose=null)}),i.onerror=e=>y.emit(`error`,e),i.onclose=e=>y.emit(`closed`,e),i.onopen=async()=>{try{y.emit(`opened`,i);let e=typeof n==`function`?await n():n;if(i.readyState!==v.OPEN)return;i.send(np(e?{type:$f.ConnectionInit,payload:e}:{type:$f.ConnectionInit},h)),isFinite(c)&&c>0&&(a=setTimeout(()=>{i.close(Qf.ConnectionAcknowledgementTimeout,`Connection acknowledgement timeout`)},c)),d()}catch(e){y.emit(`error`,e),i.close(Qf.InternalClientError,Zf(e instanceof Error?e.message:String(e),`Internal client error`))}};let f=!1;i.onmessage=({data:t})=>{try{let n=tp(t,g);if(y.emit(`message`,n),n.type===`ping`||n.type===`pong`){y.emit(n.type,!0,n.payload),n.type===`pong`?d():s||(i.send(np(n.payload?{type:$f.Pong,payload:n.payload}:{type:$f.Pong},h)),y.emit(`pong`,!1,n.payload));return}if(f)return;if(n.type!==$f.ConnectionAck)throw Error(`First message cannot be of type ${n.type}`);clearTimeout(a),f=!0,y.emit(`connected`,i,n.payload,w),w=!1,T=0;let r=new Promise((e,t)=>b(t));r.catch(()=>{}),e([i,r])}catch(e){i.onmessage=null,y.emit(`error`,e),i.close(Qf.BadResponse,Zf(e instanceof Error?e.message:String(e),`Bad response`))}}})()));e.readyState===v.CLOSING&&await r;let i=()=>{},l=new Promise(e=>i=e);return[e,i,new Promise((t,n)=>{let i=b(n);e.readyState!==v.OPEN&&r.catch(n),l.then(()=>{if(i(),!S){let t=()=>e.close(1e3,`Normal Closure`);isFinite(a)&&a>0?(clearTimeout(C),C=setTimeout(()=>{!S&&e.readyState===v.OPEN&&t()},a)):t()}t()})})]}function O(e){if(ap(e)&&(op(e.code)||[Qf.InternalServerError,Qf.InternalClientError,Qf.BadRequest,Qf.BadResponse,Qf.Unauthorized,Qf.SubprotocolNotAcceptable,Qf.SubscriberAlreadyExists,Qf.TooManyInitialisationRequests].includes(e.code)))throw e;if(E)return!1;if(ap(e)&&e.code===1e3)return S>0;if(!l||T>=l||!d(e))throw e;return w=!0}r||(async()=>{for(S++;;)try{let[,,e]=await D();await e}catch(e){try{if(!O(e))return}catch(e){return i?.(e)}}})();function k(e,t){let n=m(e),r=!1,i=!1,a=()=>{S--,r=!0};return(async()=>{for(S++;;)try{let[o,s,c]=await D();if(r)return c.catch(()=>{}),s();let l=y.onMessage(n,e=>{switch(e.type){case $f.Next:t.next(e.payload);return;case $f.Error:i=!0,r=!0,t.error(e.payload),a();return;case $f.Complete:r=!0,a();return}});o.send(np({id:n,type:$f.Subscribe,payload:e},h)),a=()=>{!r&&o.readyState===v.OPEN&&o.send(np({id:n,type:$f.Complete},h)),S--,r=!0,s()},await c.finally(l);return}catch(e){if(!O(e))return}})().then(()=>{i||t.complete()}).catch(e=>{t.error(e)}),()=>{r||a()}}return{on:y.on,subscribe:k,iterate(e){let t=[],n={done:!1,error:null,resolve:()=>{}},r=k(e,{next(e){t.push(e),n.resolve()},error(e){n.done=!0,n.error=e,n.resolve()},complete(){n.done=!0,n.resolve()}}),i=async function*(){for(;;){for(t.length||await new Promise(e=>n.resolve=e);t.length;)yield t.shift();if(n.error)throw n.error;if(n.done)return}}();return i.throw=async e=>(n.done||(n.done=!0,n.error=e,n.resolve()),{done:!0,value:void 0}),i.return=async()=>(r(),{done:!0,value:void 0}),i},async dispose(){if(E=!0,x){let[e]=await x;e.close(1e3,`Normal Closure`)}},terminate(){x&&y.emit(`closed`,new ip)}}}var ip=class extends Error{name=`TerminatedCloseEvent`;message=`4499: Terminated`;code=4499;reason=`Terminated`;wasClean=!1};function ap(e){return Yf(e)&&`code`in e&&`reason`in e}function op(e){return![1e3,1001,1006,1005,1012,1013,1014].includes(e)&&e>=1e3&&e<=1999}function sp(e){return typeof e==`function`&&`constructor`in e&&`CLOSED`in e&&`CLOSING`in e&&`CONNECTING`in e&&`OPEN`in e}function cp(e){let t=new URL(c,location.href);t.protocol=t.protocol===`https:`?`wss:`:`ws:`;let n=rp({url:t.href,retryAttempts:1/0,shouldRetry:e=>!p(e),retryWait:e=>new Promise(t=>setTimeout(t,Math.min(500*2**e,15e3))),keepAlive:2e4,on:{connected:e.onConnected,closed:t=>{p(t),e.onDisconnected()}}}),r=()=>{};n.subscribe({query:i(`Events`)},{next:t=>t.data&&e.onEvent(t.data.memoryEvents),error:e.onDisconnected,complete:e.onDisconnected}),n.subscribe({query:i(`Progress`)},{next:t=>t.data&&e.onProgress(t.data.sleepProgress),error:r,complete:r}),n.subscribe({query:i(`MorningReports`)},{next:t=>t.data&&e.onReport(t.data.sleepReports),error:r,complete:r});let a=r;return{followScene(e,t){a();let r=!1,o=e=>{r||e(),r=!0},s={after:e.cursor,map:e.map},c=n.subscribe({query:i(`Changes`),variables:s},{next:e=>{if(r)return;let n=e.data?.vizChanges.part;if(e.errors||!e.data)return o(t.onRefused);if(!n)return o(t.onReload);let i=Wo(Uint8Array.from(atob(n),e=>e.charCodeAt(0)).buffer);s.after=i.cursor,t.onPart(i)},error:()=>o(t.onRefused),complete:()=>o(t.onReload)});a=()=>{r=!0,c()}}}}async function lp(t){let r;try{r=await fetch(`viz/graph`,t?{headers:{"if-none-match":t}}:{})}catch{throw new e(`The server does not answer.`,`OFFLINE`)}n(r.status);let i=Number(r.headers.get(`somnograph-now`)??NaN);if(r.status===304)return{frame:null,now:i};if(!r.ok)throw new e(`The server could not send the map (${r.status}).`,`UNAVAILABLE`);let a=Wo(await r.arrayBuffer());return{frame:a,now:Number.isFinite(i)?i:a.at,tag:r.headers.get(`etag`)}}async function up(t,r){let i=`key`in t?`tile=${t.key}`:`memory=${encodeURIComponent(t.memory)}`,a;try{a=await fetch(`viz/graph?${i}&map=${r}`)}catch{throw new e(`The server does not answer.`,`OFFLINE`)}if(n(a.status),a.status===410||a.status===404)return null;if(!a.ok)throw new e(`The server could not send this part of the map (${a.status}).`,`UNAVAILABLE`);let o=`key`in t?t.key:Number(a.headers.get(`somnograph-tile`)??NaN);return Number.isNaN(o)?null:{key:o,part:Wo(await a.arrayBuffer())}}var dp=/<script[^>]*\bsrc="([^"]+)"/;async function fp(){let e=document.querySelector(`script[type=module][src]`)?.getAttribute(`src`);if(!e)return null;try{let t=await fetch(`./`,{cache:`no-cache`,headers:{accept:`text/html`}});if(!t.ok)return null;let n=pp(await t.text());return n===null?null:n===e}catch{return null}}function pp(e){return dp.exec(e)?.[1]??null}function mp(e,t){let n=gp(e,t);return os(_p(e.frame,t,n),{parent:e,oldIndex:n.oldIndex})}function hp(e,t){let n=e.frame,r=e=>e.slice(0,0),i=Object.fromEntries(Object.entries(n).map(([e,t])=>[e,ArrayBuffer.isView(t)?r(t):t])),a=e=>({index:r(e.index),values:[]});return mp(e,{...i,count:0,edgeCount:0,stateStart:Uint32Array.of(0),useStart:Uint32Array.of(0),useDay:new Uint32Array,namespace:a(n.namespace),project:a(n.project),user:a(n.user),session:a(n.session),labels:{bytes:new Uint8Array,start:new Uint32Array,end:new Uint32Array},refs:new Uint8Array,removed:t,cutFrom:new Uint32Array,cutTo:new Uint32Array,cutKind:new Uint8Array,clusters:[],removedClusters:[]})}function gp(e,t){let n=new Uint8Array(e.count);for(let r=0;r<t.removed.length/16;r++){let i=e.indexOf(Jo(t.removed,r));i>=0&&(n[i]=1)}let r=new Int32Array(e.count),i=0;for(let t=0;t<e.count;t++)r[t]=n[t]?-1:i++;let a=new Int32Array(t.count);for(let n=0;n<t.count;n++){let o=e.indexOf(Jo(t.ids,n));a[n]=o>=0&&r[o]>=0?r[o]:i++}let o=new Int32Array(i).fill(-1);r.forEach((e,t)=>e>=0&&(o[e]=t));let s=new Int32Array(i).fill(-1);a.forEach((e,t)=>s[e]=t);let c=Int32Array.from({length:t.refs.length/16},(n,i)=>{let a=e.indexOf(Jo(t.refs,i));return a<0?-1:r[a]});return{count:i,newIndex:r,partIndex:a,refs:c,oldIndex:o,partNode:s}}function _p(e,t,n){let r=(e,t,r=1)=>{let i=new e.constructor(n.count*r);for(let a=0;a<n.count;a++){let o=n.partNode[a]>=0?t:e,s=r*(n.partNode[a]>=0?n.partNode[a]:n.oldIndex[a]);for(let e=0;e<r;e++)i[r*a+e]=o[s+e]}return i},i=vp(e.stateStart,t.stateStart,n),a=vp(e.useStart,t.useStart,n),o=xp(e,t,n);return{at:t.at,cursor:t.cursor,map:t.map,total:t.total,count:n.count,ids:r(e.ids,t.ids,16),positions:r(e.positions,t.positions,3),type:r(e.type,t.type),flags:r(e.flags,t.flags),decayClass:r(e.decayClass,t.decayClass),importance:r(e.importance,t.importance),confidence:r(e.confidence,t.confidence),version:r(e.version,t.version),decayRate:r(e.decayRate,t.decayRate),born:r(e.born,t.born),created:r(e.created,t.created),anchor:r(e.anchor,t.anchor),validFrom:r(e.validFrom,t.validFrom),expires:r(e.expires,t.expires),lastUse:r(e.lastUse,t.lastUse),stateStart:i.start,stateFrom:i.gather(new Float64Array(i.total),e.stateFrom,t.stateFrom),stateValidTo:i.gather(new Float64Array(i.total),e.stateValidTo,t.stateValidTo),stateStatus:i.gather(new Uint8Array(i.total),e.stateStatus,t.stateStatus),stateTier:i.gather(new Uint8Array(i.total),e.stateTier,t.stateTier),stateCore:i.gather(new Uint8Array(i.total),e.stateCore,t.stateCore),useStart:a.start,useDay:a.gather(new Uint32Array(a.total),e.useDay,t.useDay),namespace:yp(e.namespace,t.namespace,r),project:yp(e.project,t.project,r),user:yp(e.user,t.user,r),session:yp(e.session,t.session,r),label:Zo(o),labels:o,regions:t.regions??e.regions,tiles:e.tiles,...bp(e,t,r),...Sp(e,t,n)}}function vp(e,t,n){let r=new Uint32Array(n.count+1),i=new Uint32Array(n.count);for(let a=0;a<n.count;a++){let o=n.partNode[a],[s,c]=o>=0?[t,o]:[e,n.oldIndex[a]];i[a]=s[c],r[a+1]=r[a]+s[c+1]-s[c]}return{start:r,total:r[n.count],gather:(e,t,a)=>{for(let o=0;o<n.count;o++){let s=n.partNode[o]>=0?a:t;for(let t=r[o],n=i[o];t<r[o+1];t++,n++)e[t]=s[n]}return e}}}function yp(e,t,n){let r=[...e.values],i=new Map(r.map((e,t)=>[e,t])),a=t.index.map(e=>{let n=t.values[e],a=i.get(n);return a===void 0&&(a=r.push(n)-1,i.set(n,a)),a});return{index:n(e.index,a),values:r}}function bp(e,t,n){let r=new Map(e.clusters.map(e=>[e.id,e]));for(let e of t.removedClusters)r.delete(e);for(let e of t.clusters)r.set(e.id,e);let i=[...r.values()].sort((e,t)=>t.count-e.count||(e.id<t.id?-1:1)),a=new Map(i.map((e,t)=>[e.id,t])),o=(e,t)=>{let n=t.map(e=>a.get(e.id)??-1);return e.map(e=>e<0?-1:n[e])};return{clusters:i,cluster:n(o(e.cluster,e.clusters),o(t.cluster,t.clusters))}}function xp(e,t,n){let r=new Uint8Array(e.labels.bytes.length+t.labels.bytes.length);r.set(e.labels.bytes),r.set(t.labels.bytes,e.labels.bytes.length);let i=new Uint32Array(n.count),a=new Uint32Array(n.count);for(let r=0;r<n.count;r++){let o=n.partNode[r],[s,c,l]=o>=0?[t.labels,o,e.labels.bytes.length]:[e.labels,n.oldIndex[r],0];i[r]=s.start[c]+l,a[r]=s.end[c]+l}return{bytes:r,start:i,end:a}}function Sp(e,t,n){let r=e=>e<t.count?n.partIndex[e]:n.refs[e-t.count],i=(e,t,r)=>(e*n.count+t)*16+r,a=new Set;t.cutKind.forEach((e,n)=>a.add(i(r(t.cutFrom[n]),r(t.cutTo[n]),e)));let o=e.edgeCount+t.edgeCount,s={edgeCount:0,from:new Uint32Array(o),to:new Uint32Array(o),edgeKind:new Uint8Array(o),edgeWeight:new Uint8Array(o)},c=(e,t,n,r)=>{s.from[s.edgeCount]=e,s.to[s.edgeCount]=t,s.edgeKind[s.edgeCount]=n,s.edgeWeight[s.edgeCount++]=r},l=new Set;for(let t=0;t<e.edgeCount;t++){let r=n.newIndex[e.from[t]],o=n.newIndex[e.to[t]];r>=0&&o>=0&&!(a.size>0&&a.has(i(r,o,e.edgeKind[t])))&&(c(r,o,e.edgeKind[t],e.edgeWeight[t]),e.tiles&&l.add(i(r,o,e.edgeKind[t])))}for(let e=0;e<t.edgeCount;e++){let n=r(t.from[e]),a=r(t.to[e]);n>=0&&a>=0&&!l.has(i(n,a,t.edgeKind[e]))&&c(n,a,t.edgeKind[e],t.edgeWeight[e])}return s}var Cp=3e5,wp=.75;function Tp(e,t){let n={x:0,y:0,z:0,half:t},r=[];for(let t=e;t>1;t=Math.floor(t/8))r.unshift(t%8);for(let e of r)n.half/=2,n.x+=e&1?n.half:-n.half,n.y+=e&2?n.half:-n.half,n.z+=e&4?n.half:-n.half;return n}function Ep(e,t){let n=t.matrix,r=e.z*t.depth,i=n[3]*e.x+n[7]*e.y+n[11]*r+n[15],a=e.half*Math.sqrt(3);if(i<-a)return{height:0,aside:0};let o=Math.max(i,e.half),s=Math.abs(n[0]*e.x+n[4]*e.y+n[8]*r+n[12])/o,c=Math.abs(n[1]*e.x+n[5]*e.y+n[9]*r+n[13])/o,l=2*a*t.pixelsPerUnit/o;return i>a&&(s>1+l/t.width||c>1+l/t.height)?{height:0,aside:0}:{height:2*e.half*t.pixelsPerUnit/o/t.height,aside:Math.hypot(s,c)}}function Dp(e,t,n,r=Cp,i=1){let a=[],o=t=>{for(let r=0;r<8;r++){let i=8*t+r;if(!e.counts.has(i))continue;let{height:s,aside:c}=Ep(Tp(i,e.half),n);s<wp||(a.push({key:i,rank:s/(1+c)}),o(i))}};o(1),a.sort((e,t)=>t.rank-e.rank||e.key-t.key);let s=new Set([1]),c=r-e.counts.get(1);i!==1&&(c-=e.counts.get(i)??0);let l=null;for(let{key:n}of a){let r=e.counts.get(n);r>c&&n!==i||!s.has(Math.floor(n/8))||(n!==i&&(c-=r),s.add(n),l===null&&!t.has(n)&&(l=n))}return l===null?{load:l,drop:[]}:{load:l,drop:Op(e,l,t,new Set([...s,i]),r)}}function Op(e,t,n,r,i=Cp){let a=e.counts.get(t)??0;for(let t of n)a+=e.counts.get(t)??0;let o=[];for(let t of[...n].sort((e,t)=>t-e)){if(a<=i)break;r.has(t)||(o.push(t),a-=e.counts.get(t)??0)}return o}var kp=300,Ap=250,jp=class{s;onWorld;sleepFollower;tag=null;loading=!1;reloadRequested=!1;timer=0;loadMs=0;connection=null;following=!1;changesRefused=!1;connectedBefore=!1;tiles=new Map;tileTimer=0;wantedMemory=null;pinnedTile=1;constructor(e,t,n){this.s=e,this.onWorld=t,this.sleepFollower=n}start(){this.load(),this.connection=cp({onConnected:()=>{this.s.live.set({connected:!0}),this.sleepFollower.onConnected(),this.following||this.load(),this.connectedBefore&&this.checkVersion(),this.connectedBefore=!0},onDisconnected:()=>this.s.live.set({connected:!1}),onProgress:e=>this.sleepFollower.onProgress(e),onReport:e=>{this.sleepFollower.onReport(e),this.following||this.scheduleLoad()},onEvent:e=>{this.s.clock.atLeast(Date.parse(e.at)),this.following||this.scheduleLoad()}})}followChanges(e){if(this.changesRefused)return;this.following=!0;let t=()=>{this.following=!1,this.scheduleLoad()};this.connection?.followScene(e,{onPart:e=>this.applyPart(e),onReload:t,onRefused:()=>{this.changesRefused=!0,t()}})}applyPart(e){let{world:t}=this.s.live.get();t&&(this.s.clock.atLeast(e.at),this.tag=null,this.onWorld(mp(t,e),!0))}async load(){if(this.loading){this.reloadRequested=!0;return}this.loading=!0;let{live:t,clock:n}=this.s,r=performance.now();try{let e=await lp(this.tag);if(n.set(e.now),e.frame){this.tag=e.tag,this.tiles.clear(),this.pinnedTile=1;let{wantedMemory:t}=this;this.onWorld(os(e.frame),!0),this.followChanges(e.frame),t&&await this.loadMemory(t)}else{let{world:e}=t.get();e&&!this.following&&this.followChanges(e.frame),t.set({status:(t.get().world?.count??0)>0?`ready`:`empty`,problem:``})}}catch(n){let r=n instanceof e||n instanceof Vo?n.message:`The map could not be loaded.`;t.set({status:`error`,problem:n instanceof Vo?`${r} Reload the page.`:r}),n instanceof Vo&&t.set({outdated:!0})}this.loadMs=performance.now()-r,this.loading=!1,this.reloadRequested&&(this.reloadRequested=!1,this.scheduleLoad())}async checkVersion(){await fp()===!1&&this.s.live.set({outdated:!0})}loadTilesInView(e){this.s.live.get().world?.frame.tiles&&(this.tileTimer||=window.setTimeout(()=>{this.loadNextTile(e()).then(t=>{this.tileTimer=0,t&&this.loadTilesInView(e)},()=>this.tileTimer=0)},Ap))}async loadNextTile(e){let t=this.s.live.get().world,n=t?.frame.tiles;if(!t||!n)return!1;let{load:r,drop:i}=Dp(n,this.heldTiles(),e,Cp,this.pinnedTile);if(r===null)return!1;let{map:a}=t.frame,o=await up({key:r},a);return o===null&&this.scheduleLoad(),this.addTile(o,a,i)}async loadMemory(e){this.wantedMemory=e;let{world:t}=this.s.live.get();if(!t)return!1;if(t.indexOf(e)>=0)return!0;let n=t.frame.tiles;if(!n)return!1;let{map:r}=t.frame,i=await up({memory:e},r);return i===null||this.wantedMemory!==e?!1:(this.pinnedTile=i.key,this.addTile(i,r,Op(n,i.key,this.heldTiles(),new Set([1,i.key]))))}heldTiles(){return new Set([1,...this.tiles.keys()])}addTile(e,t,n){let{world:r}=this.s.live.get();if(!e||!r||r.frame.map!==t)return!1;for(let e of n){let t=this.tiles.get(e);t&&(r=hp(r,t)),this.tiles.delete(e)}return this.tiles.set(e.key,e.part.ids),this.onWorld(mp(r,{...e.part,cursor:r.frame.cursor,at:r.frame.at,total:r.frame.total}),!1),!0}scheduleLoad(){this.timer||=window.setTimeout(()=>{this.timer=0,this.load()},Math.max(kp,5*this.loadMs))}},Mp=6e3,Np=1e4,Pp=class{s;retry;element=X(`div`,{class:`notice-wrap`});toast=X(`div`,{class:`toast panel`,hidden:!0,role:`status`});timer=0;offering=!1;constructor(e,t){this.s=e,this.retry=t,e.live.on([`status`,`problem`,`outdated`,`signedOut`,`scopes`],()=>this.update()),this.update()}showNewMemories(e,t){let n=e.indexOf(t[0]),r=t.length===1?e.frame.label(n)||`New memory`:`${t.length} new memories`;this.s.announce(`New: ${r}`),this.offering||(this.toast.replaceChildren(X(`span`,{class:`pip type-${b[e.frame.type[n]].toLowerCase()}`}),X(`button`,{type:`button`,onclick:()=>this.s.open(t[0],!0)},r)),this.toast.hidden=!1,clearTimeout(this.timer),this.timer=window.setTimeout(()=>this.hide(),Mp))}showMessage(e,t,n=Np){let r=t&&X(`button`,{type:`button`,class:`link`},t.name);r?.addEventListener(`click`,()=>{this.hide(),Promise.resolve(t.act()).catch(e=>this.showMessage(Iu(e)))}),this.toast.replaceChildren(X(`span`,{},e),...r?[r]:[]),this.toast.hidden=!1,this.offering=r!==void 0,clearTimeout(this.timer),this.timer=window.setTimeout(()=>this.hide(),n)}hide(){this.toast.hidden=!0,this.offering=!1}update(){let{status:e,problem:t,world:n,outdated:r,signedOut:i}=this.s.live.get();if(i)return this.element.replaceChildren(Fp(n!==null));let a=e=>X(`button`,{type:`button`,class:e,onclick:()=>this.retry()},`Try again`),o={ready:()=>null,loading:()=>X(`div`,{class:`breath`,"aria-label":`Loading`},Ip()),empty:()=>this.emptyStore(),error:()=>n?X(`div`,{class:`strip panel`,role:`alert`},t,` Showing what was loaded before.`,a(`link`)):X(`div`,{class:`notice panel`,role:`alert`},X(`h2`,{},`The memories could not be loaded`),X(`p`,{},t),a(`button`))}[e]();this.element.replaceChildren(...o?[o]:[],...r?[this.outdatedNotice()]:[])}emptyStore(){let e=el(this.s.live.get().scopes,null);return X(`div`,{class:`notice panel`},Ip(),X(`h2`,{},`No memories yet`),e&&X(`p`,{},`Write the first one here:`),e&&this.firstMemory(),X(`p`,{},`${e?`Or connect`:`Connect`} an agent or a program. What it remembers appears here at once:`),Ff(),X(`div`,{class:`buttons`},e&&X(`button`,{type:`button`,class:`quiet-button`,onclick:()=>this.s.view.set({panel:`documents`})},`Store files…`),X(`a`,{class:`quiet-button`,href:`graphiql`},`API console`)),X(`p`,{class:`muted small`},`To look around in half a year of memories first, start the server with `,X(`code`,{},`somnograph serve --demo`),` on an empty directory.`))}firstMemory(){let e=X(`input`,{type:`text`,required:!0,"aria-label":`Memory`,placeholder:`Releases go out on Tuesdays`,autocomplete:`off`}),t=X(`p`,{class:`bad small`,role:`alert`}),n=async()=>{let[{remember:t},{rememberInput:n}]=await Promise.all([Hd(()=>import(`./acting-DSJ1Vulp.js`),__vite__mapDeps([1,2]),import.meta.url),Hd(()=>Promise.resolve().then(()=>Qc),void 0,import.meta.url)]);await t(n({content:e.value,type:``,namespace:``,user:``,project:``,important:!1}))},r=e=>{e.preventDefault(),t.textContent=``,n().catch(e=>t.textContent=Iu(e))},i=X(`button`,{type:`button`,class:`quiet-button`,onclick:()=>this.s.addMemory()},`More fields…`);return X(`form`,{class:`first-memory`,onsubmit:r},e,t,X(`div`,{class:`buttons`},X(`button`,{type:`submit`,class:`button`},`Remember`),i))}outdatedNotice(){return X(`div`,{class:`strip panel renewal`,role:`status`},`The server now runs another version than this page. Some features may not work until you reload.`,X(`button`,{type:`button`,class:`link`,onclick:()=>location.reload()},`Reload the page`),X(`button`,{type:`button`,class:`link`,onclick:()=>this.s.live.set({outdated:!1})},`Not now`))}};function Fp(e){let t=e=>X(`a`,{class:e,href:l(),onclick:e=>e.currentTarget.href=l()},`Sign in again`);return e?X(`div`,{class:`strip panel`,role:`alert`},`Your sign-in has ended. Showing what was loaded before.`,t(`link`)):X(`div`,{class:`notice panel`,role:`alert`},X(`h2`,{},`Your sign-in has ended`),t(`button`))}function Ip(){return cn(`svg`,{class:`mark`,viewBox:`0 0 32 32`,"aria-hidden":`true`},cn(`path`,{d:`M5 21.5c4.2 0 4.800-12 10.500-12s6 12 11.500 12`}),cn(`circle`,{class:`type-semantic`,cx:5.8,cy:21.5,r:3}),cn(`circle`,{class:`type-episodic`,cx:15.6,cy:9.6,r:3.8}),cn(`circle`,{class:`type-procedural`,cx:26.2,cy:21.5,r:3}))}var Lp=200,Rp=class{s;camera;cameraMoved=!1;timer=0;entry;constructor(e,t,n){this.s=e,this.camera=t,this.entry=e.view.get(),e.view.on(Object.keys(e.view.get()),()=>this.save()),window.addEventListener(`popstate`,()=>{let t=this.entry=Al(location.hash);e.view.set(t),n(t)})}save(){clearTimeout(this.timer),this.timer=window.setTimeout(()=>{if(!this.s.live.get().world)return;let e=this.s.view.get(),t=Ol({...e,camera:this.cameraMoved?this.camera():e.camera});if(`#${t}`===location.hash||t===``&&location.hash===``)return;let n=t?`#${t}`:location.pathname+location.search;kl(this.entry,e)?history.pushState(null,``,n):history.replaceState(null,``,n),this.entry=e},Lp)}};function zp(e,{rows:t,bends:n},r,i){let a=i.positions??e.frame.positions,[o,s]=[t[4*r],t[4*r+1]].map(e=>[a[3*e],a[3*e+1],a[3*e+2]]),c=[n[4*r]??0,n[4*r+1]??0,n[4*r+2]??0];return i.positions||c.every(e=>e===0)?[o,s]:Array.from({length:7},(e,t)=>Ds(o,s,c,t/6))}function Bp(e,t,n,r,i,a,o=5){let{rows:s}=t,c={x:0,y:0,distance:0},l={x:0,y:0,distance:0},u=-1,d=o;for(let o=0;o<s.length/4;o++){let f=s[4*o],p=s[4*o+1];if(!kt(e,f,r,c)||!kt(e,p,r,l))continue;let m=4*o<t.bends.length&&!r.positions?Vp(e,t,o,r,i,a):Hp(i,a,c,l);m<=d&&n(f)&&n(p)&&(d=m,u=o)}return u}function Vp(e,t,n,r,i,a){let o=1/0,s=null;for(let c of zp(e,t,n,r)){let e={x:0,y:0,distance:0};if(!Et(c,r,e))return 1/0;s&&(o=Math.min(o,Hp(i,a,s,e))),s=e}return o}function Hp(e,t,n,r){let i=r.x-n.x,a=r.y-n.y,o=((e-n.x)*i+(t-n.y)*a)/(i*i+a*a||1),s=Math.min(Math.max(o,0),1);return Math.hypot(e-n.x-s*i,t-n.y-s*a)}var Up=5,Wp=class{s;stage;tooltip;card;clusterAt;frameRequest=0;down=[0,0];constructor(e,t,n,r,i){this.s=e,this.stage=t,this.tooltip=n,this.card=r,this.clusterAt=i;let{canvas:a}=t;a.addEventListener(`pointermove`,e=>this.hover(e)),a.addEventListener(`pointerleave`,()=>this.leave()),a.addEventListener(`pointerdown`,e=>{this.down=[e.clientX,e.clientY],document.body.classList.remove(`show-filters`),this.card.hide()}),a.addEventListener(`click`,e=>{Math.hypot(e.clientX-this.down[0],e.clientY-this.down[1])<Up&&this.click(e)}),a.addEventListener(`dblclick`,e=>{let n=this.nodeUnder(e);n>=0&&t.flyTo(n)})}nodeUnder(e,t){let{world:n}=this.s.live.get();if(!n)return-1;let r=this.stage.canvas.getBoundingClientRect();return Dt(n,e=>this.s.isDrawn(e),this.stage.projection(),e.clientX-r.left,e.clientY-r.top,t)}edgeUnder(e){let{world:t}=this.s.live.get();if(!t)return-1;let n=this.stage.canvas.getBoundingClientRect();return Bp(t,this.stage.edges,e=>this.s.isDrawn(e),this.stage.projection(),e.clientX-n.left,e.clientY-n.top)}clusterUnder(e){let t=this.stage.canvas.getBoundingClientRect(),n=this.clusterAt(e.clientX-t.left,e.clientY-t.top);return n!==null&&this.nodeUnder(e,0)<0?n:null}hover(e){e.buttons!==0||e.pointerType===`touch`?this.leave():this.frameRequest||=requestAnimationFrame(()=>{this.frameRequest=0;let t=this.clusterUnder(e),n=t===null?this.nodeUnder(e):-1;this.s.live.set({hovered:n}),this.tooltip.show(n,e.clientX,e.clientY),this.stage.canvas.classList.toggle(`over`,n>=0||t!==null||this.edgeUnder(e)>=0)})}leave(){cancelAnimationFrame(this.frameRequest),this.frameRequest=0,this.s.live.get().hovered<0||(this.s.live.set({hovered:-1}),this.tooltip.show(-1,0,0))}click(e){let{world:t}=this.s.live.get(),n=this.clusterUnder(e),r=n===null?this.nodeUnder(e):-1;if(t){if(this.leave(),r>=0)this.s.open(t.idOf(r));else if(n!==null)this.s.openCluster(n);else{let t=this.edgeUnder(e);t>=0?this.card.show(this.stage.edges.rows.subarray(4*t,4*t+4),e.clientX,e.clientY):this.s.view.get().selected&&this.s.close()}}}},Gp={semantic:0,keyword:0,recency:0,importance:0,project:0,entity:0,task:0};function Kp(e){switch(e){case`both`:return{};case`meaning`:return{weights:{...Gp,semantic:1}};case`words`:return{weights:{...Gp,keyword:1}}}}var qp=3;function Jp(e,t){let n=[...new Set(t.toLowerCase().match(/[\p{L}\p{N}]+/gu)??[])].filter(e=>e.length>=qp).map(Yp),r=[];for(let t of e.split(/([\p{L}\p{N}]+)/u)){if(t===``)continue;let e=t.toLowerCase(),i=n.some(t=>e.startsWith(t)&&e.length<=t.length+4),a=r.at(-1);a?.hit===i?a.text+=t:r.push({text:t,hit:i})}return r}function Yp(e){let t=e.replace(/(ing|ed|es|s)$/,``);return t.length>=qp?t:e}var Xp=30,Zp=[[`both`,`Both`,`by meaning and by words`],[`meaning`,`Meaning`,`similar meaning, whatever the words`],[`words`,`Words`,`same words`]],Qp=()=>window.innerWidth<=1100,$p=class{s;element;input;list=X(`ul`,{class:`hits`,role:`listbox`,id:`hits`,"aria-label":`Hits`});note=X(`p`,{class:`search-note`,role:`status`});results;modeButtons;partLegend=X(`ul`,{class:`part-key`,"aria-label":`Parts of the score`});hits=[];answer=null;active=-1;running=null;timer=0;failed=!1;onResize=()=>{};constructor(e){this.s=e,this.input=X(`input`,{type:`search`,placeholder:`Search memory`,"aria-label":`Search memory`,role:`combobox`,"aria-controls":`hits`,"aria-expanded":`false`,autocomplete:`off`,spellcheck:`false`,maxlength:400}),this.input.addEventListener(`input`,()=>this.s.view.set({query:this.input.value})),this.input.addEventListener(`keydown`,e=>this.key(e)),this.input.addEventListener(`focus`,()=>this.setOpen(!0)),this.modeButtons=Zp.map(([e,t,n])=>X(`button`,{type:`button`,role:`radio`,title:n,onclick:()=>this.s.view.set({searchMode:e})},t)),this.results=X(`div`,{class:`results panel`,hidden:!0},X(`div`,{class:`results-head`},this.note,sn(`close`,`Hide hits`,()=>this.setOpen(!1))),X(`div`,{class:`results-kind`},X(`div`,{class:`segmented small`,role:`radiogroup`,"aria-label":`Search by`},...this.modeButtons),this.partLegend),this.list),this.element=X(`div`,{class:`search`,role:`search`},X(`label`,{class:`search-box panel`},ln(`search`),this.input,X(`kbd`,{"aria-hidden":`true`},`/`)),this.results),this.element.append(sn(`close`,`Clear search`,()=>this.clear())),this.element.lastElementChild.classList.add(`search-clear`),e.view.on([`query`,`searchMode`,...Ut,`recorded`,`valid`],(e,t)=>{this.input.value!==e.query&&(this.input.value=e.query),this.updateMode(),this.runSoon(e.query===t.query?400:180)}),this.updateMode(),e.view.on([`selected`],()=>this.markRows()),e.live.on([`connected`],({connected:e})=>e&&this.failed&&this.runSoon(0)),document.addEventListener(`pointerdown`,e=>{Qp()&&!this.element.contains(e.target)&&this.setOpen(!1)}),this.input.value=e.view.get().query,this.input.value&&this.runSoon(0),this.element.classList.toggle(`filled`,this.input.value!==``)}updateMode(){let{searchMode:e}=this.s.view.get();this.modeButtons.forEach((t,n)=>t.setAttribute(`aria-checked`,String(Zp[n][0]===e)))}focus(){this.input.focus(),this.input.select()}clear(){let e=this.s.view.get().query!==``||this.element.contains(document.activeElement);return this.s.view.set({query:``}),this.input.blur(),this.setOpen(!1),e}runSoon(e){this.element.classList.toggle(`filled`,this.s.view.get().query!==``),clearTimeout(this.timer),this.timer=window.setTimeout(()=>void this.run(),e)}async run(){this.running?.abort();let t=this.s.view.get().query.trim();if(t===``){this.show(null);return}this.running=new AbortController;let{signal:n}=this.running;this.element.classList.add(`busy`);try{let e=await u(this.searchInput(t),n);if(n.aborted)return;this.show(e)}catch(t){if(n.aborted)return;this.show(null),this.failed=!0,this.note.textContent=t instanceof e?t.message:`Search failed.`,this.note.classList.add(`bad`),this.setOpen(!0)}finally{n.aborted||this.element.classList.remove(`busy`)}}searchInput(e){let t=this.s.view.get(),n={...t.recorded===null?{}:{recorded:new Date(t.recorded).toISOString()},...t.valid===null?{}:{valid:new Date(t.valid).toISOString()}};return{query:e,topK:Xp,track:!1,...Kp(t.searchMode),...t.types.length>0?{types:t.types}:{},...t.statuses.length>0?{statuses:t.statuses}:{},...t.namespaces.length>0?{namespaces:t.namespaces}:{},...t.projects.length===1&&t.projects[0]!==``?{project:t.projects[0]}:{},...t.users.length===1&&t.users[0]!==``?{user:t.users[0]}:{},...t.recorded!==null||t.valid!==null?{asOf:n}:{}}}show(e){let{world:t,filterMask:n}=this.s.live.get();this.note.classList.remove(`bad`),this.failed=!1,this.hits=(e?.hits??[]).filter(e=>{let r=t?.indexOf(e.memory.id)??-1;return r<0||n[r]===1}),this.active=-1,this.answer=e;let r=gd.filter(t=>this.hits.some(n=>n.parts[t]*e.weights[t]>_d));this.partLegend.replaceChildren(...r.map(e=>X(`li`,{},X(`i`,{class:`part-${e}`}),e)));let i=Math.max(...this.hits.map(e=>e.score),.001);if(this.list.replaceChildren(...this.hits.map((t,n)=>this.row(t,n,i,e))),e){let t=this.hits.length;this.note.textContent=e.noMatch?`No good match.`:t===0?`No matching memories at this time.`:`${t===Xp?`Best `:``}${t} of ${e.consideredCount.toLocaleString(`en`)} candidates, ${e.latencyMs.toFixed(1)} ms`,e.unsure&&t>0&&(this.note.textContent+=` · perhaps none of them answers`),e.degraded.length>0&&(this.note.textContent+=` · without ${e.degraded.join(`, `).toLowerCase()}`)}else this.note.textContent=``;this.hits.length+this.s.live.get().hits.length>0&&this.s.live.set({hits:this.hits.map(e=>e.memory.id)}),this.setOpen(!Qp()||document.activeElement===this.input),this.markRows()}row(e,t,n,r){let i=e.memory,a=X(`div`,{class:`parts`});for(let t of gd){let i=e.parts[t]*r.weights[t];if(i<=.002)continue;let o=X(`i`,{class:`part-${t}`,title:`${t} ${e.parts[t].toFixed(2)} × ${r.weights[t].toFixed(2)}`});o.style.width=`${100*i/n}%`,a.append(o)}let o=gd.filter(t=>e.parts[t]*r.weights[t]>_d).map(t=>`${t} ${e.parts[t].toFixed(2)}`).join(`, `);return X(`li`,{role:`option`,id:`hit-${t}`,"aria-selected":`false`,"data-id":i.id,onclick:()=>this.choose(t)},dn(i.type),X(`div`,{class:`hit-body`},X(`p`,{class:`hit-text`},...i.content===null?[i.unavailable?.message??``]:Jp(i.content,this.s.view.get().query).map(e=>e.hit?X(`mark`,{},e.text):e.text)),X(`div`,{class:`hit-foot`},a,X(`span`,{class:`score`,title:o},e.score.toFixed(2)),X(`span`,{class:`quiet`},`Score from ${o}`),e.label!==`CURRENT`&&X(`span`,{class:`tag ${e.label.toLowerCase()}`},h(e.label)))))}key(e){if(e.key===`ArrowDown`||e.key===`ArrowUp`){if(e.preventDefault(),this.hits.length===0)return;this.setOpen(!0),this.active=(this.active+(e.key===`ArrowDown`?1:-1)+this.hits.length)%this.hits.length,this.markRows(),this.list.children[this.active]?.scrollIntoView({block:`nearest`})}else e.key===`Enter`?(e.preventDefault(),this.hits.length>0&&this.choose(Math.max(this.active,0))):e.key===`Escape`&&(e.preventDefault(),e.stopPropagation(),this.input.value===``||!Qp()?this.clear():(this.setOpen(!1),this.input.blur()))}choose(e){let t=this.hits[e];t&&(this.active=e,this.s.open(t.memory.id,!0),this.input.blur(),this.setOpen(!Qp()))}markRows(){let e=this.s.view.get().selected;[...this.list.children].forEach((t,n)=>{t.classList.toggle(`at`,n===this.active),t.setAttribute(`aria-selected`,String(t.getAttribute(`data-id`)===e))}),this.active>=0?this.input.setAttribute(`aria-activedescendant`,`hit-${this.active}`):this.input.removeAttribute(`aria-activedescendant`)}explain(e){let t=this.hits.findIndex(t=>t.memory.id===e);return t<0||!this.answer||this.s.view.get().query===``?null:{hit:this.hits[t],weights:this.answer.weights,rank:t+1,query:this.s.view.get().query}}besideMap(){return this.results.hidden||Qp()?[]:[this.results.getBoundingClientRect()]}setOpen(e){let t=e&&this.note.textContent!==``&&this.s.view.get().query!==``;this.results.hidden!==!t&&(this.results.hidden=!t,this.onResize(),this.input.setAttribute(`aria-expanded`,String(t)))}},em=150,tm=5e3,nm=class{s;stage;changed;store=new Jt({running:null,replay:null,report:null,revision:0});sleepReplay=null;startedAt=0;timer=0;effectCount=0;nextChange=1/0;skippedReport=``;constructor(e,t,n){this.s=e,this.stage=t,this.changed=n}onProgress(e){let t=Qe(e);if(this.store.set({running:t?null:e.reportId}),e.reportId!==this.skippedReport){if(this.sleepReplay?.report!==e.reportId||this.sleepReplay.past){if(t)return;this.start(new z(e.reportId))}this.sleepReplay.add(e,this.now()),this.tick()}}onReport(e){this.sleepReplay?.report===e.id&&this.sleepReplay.finish(this.now()),this.store.set({running:null,report:e,revision:this.store.get().revision+1}),this.tick()}onConnected(){this.store.set({revision:this.store.get().revision+1,running:null}),this.sleepReplay?.finish(this.now())}async replay(e){let[t,n]=await Promise.all([bu(e),xu(e)]);this.start(ot(e,t.phases,n,0)),this.tick()}skip(){this.sleepReplay&&!this.sleepReplay.past&&(this.skippedReport=this.sleepReplay.report),clearInterval(this.timer),this.timer=0,this.sleepReplay=null,this.effectCount=0,this.stage().setSleepReplay(null),this.stage().setEffects(null),this.store.set({replay:null}),this.changed()}replayEdges(e){let t=[];for(let n of this.sleepReplay?.effects??[]){if(!n.to||n.kind!==`GIVE`&&n.kind!==`MERGE`)continue;let[r,i]=[e.indexOf(n.id),e.indexOf(n.to)];r<0||i<0||t.length===tm||t.push(n.kind===`GIVE`?{from:i,to:r,kind:`DERIVED_FROM`}:{from:r,to:i,kind:`CONSOLIDATED_INTO`})}return t}refresh(){this.sleepReplay&&(this.effectCount=-1,this.tick())}now(){return(performance.now()-this.startedAt)/1e3}start(e){this.sleepReplay=e,this.startedAt=performance.now(),this.effectCount=-1,this.timer||=window.setInterval(()=>this.tick(),em)}tick(){let{sleepReplay:e}=this;if(!e)return;let t=this.now();if(e.isOver(t)){this.skip();return}let{recorded:n,valid:r}=this.s.view.get(),{world:i}=this.s.live.get();if(this.stage().setSleepReplay(n===null&&r===null?this.startedAt:null),i&&(this.effectCount!==e.effects.length||t>=this.nextChange)){let{rows:n,next:r}=po(i,e.effects,t);this.nextChange=r,this.stage().setEffects(n),this.effectCount!==e.effects.length&&this.changed(),this.effectCount=e.effects.length}this.stage().invalidate(),this.store.set({replay:{...e.stateAt(t),report:e.report,past:e.past,finished:e.finished}})}};async function rm(e,t){let n=e.view.get().recorded;im(await am(t,e.live.get().light),`somnograph ${Y(n??e.clock.now())}.png`),e.announce(`Image saved`)}function im(e,t){let n=document.createElement(`a`);n.href=URL.createObjectURL(e),n.download=t,n.click(),URL.revokeObjectURL(n.href)}function am(e,t){let n=e.canvas,r=document.createElement(`canvas`);r.width=n.width,r.height=n.height;let i=r.getContext(`2d`);if(!i)return Promise.reject(Error(`no canvas`));let{palette:a}=rt(t),o=i.createRadialGradient(r.width/2,r.height*.45,0,r.width/2,r.height*.45,r.width*.75);return o.addColorStop(0,a.background[0]),o.addColorStop(1,a.background[1]),i.fillStyle=o,i.fillRect(0,0,r.width,r.height),e.renderNow(),i.drawImage(n,0,0),new Promise((e,t)=>r.toBlob(n=>n?e(n):t(Error(`no picture`)),`image/png`))}var om=e=>Number.isFinite(e)?new Date(e).toISOString():null,sm=e=>Math.round(e*1e3)/1e3;function cm(e,t,n,r,i){let a=e.frame,o=Array.from({length:e.count},(e,t)=>t).filter(t),s=new Set(o),c=[];for(let t=0;t<a.edgeCount;t++)s.has(a.from[t])&&s.has(a.to[t])&&c.push({from:e.idOf(a.from[t]),to:e.idOf(a.to[t]),kind:_[a.edgeKind[t]],weight:sm(a.edgeWeight[t]/255)});return{format:`somnograph-view`,version:1,savedAt:om(i.now),link:i.link,asOf:{recorded:om(n.recorded),valid:n.valid===null?null:om(n.valid)},view:Ol(r),memories:o.map(t=>{let r=Nt(e,t,n.recorded);return{id:e.idOf(t),label:a.label(t),type:b[a.type[t]],status:g[Mt(e,t,n.recorded)],tier:v[a.stateTier[r]],decayClass:x[a.decayClass[t]],core:a.stateCore[r]===1,version:a.version[t],importance:sm(a.importance[t]/255),retention:sm(It(e,t,n.recorded)),recordedAt:om(a.born[t]),validFrom:om(a.validFrom[t]),expiresAt:om(a.expires[t]),namespace:a.namespace.values[a.namespace.index[t]],project:a.project.values[a.project.index[t]]||null,user:a.user.values[a.user.index[t]]||null,session:a.session.values[a.session.index[t]]||null,place:[sm(a.positions[3*t]),sm(a.positions[3*t+1]),sm(a.positions[3*t+2])]}}),edges:c}}async function lm(e){try{await navigator.clipboard.writeText(location.href),e.announce(`Link copied`)}catch{e.announce(`The link could not be copied. Copy it from the address bar.`)}}function um(e){let{world:t}=e.live.get();if(!t)return;let n=cm(t,t=>e.isDrawn(t),e.moment(),e.view.get(),{now:e.clock.now(),link:location.href});im(new Blob([JSON.stringify(n,null,1)],{type:`application/json`}),`somnograph ${Y(e.moment().recorded)}.json`),e.announce(`${n.memories.length} memories exported`)}function dm(e,t){X(`a`,{href:`viz/graph?format=arrow&table=${t}`,download:`somnograph ${t} ${Y(e.clock.now())}.arrows`}).click(),e.announce(`Exporting all ${t}`)}var fm=2e4;function pm(e,t,n,r,i){let a=e.frame,o=[];for(let n=0;n<e.count;n++)t[n]&&o.push(n);if(o.length>2e4)return null;for(let t=0;t<r;t++)o.push(e.count+t);let s=[],c=[],l=[];for(let e=0;e<a.edgeCount;e++){let[r,i]=[a.from[e],a.to[e]];r!==i&&t[r]&&t[i]&&a.edgeWeight[e]!==0&&n(a.edgeKind[e])&&(s.push(r,i),c.push(a.edgeWeight[e]/255),l.push(7))}for(let n of i)n.from<e.count&&!t[n.from]||n.to<e.count&&!t[n.to]||(s.push(n.from,n.to),c.push(n.weight),l.push(7*n.length));return{positions:a.positions,nodes:Uint32Array.from(o),hubs:r,ends:Uint32Array.from(s),weights:Float32Array.from(c),lengths:Float32Array.from(l)}}var mm=350,hm=class{s;stage;hubs;worker=null;requestId=0;timer=0;turned=!1;constructor(e,t,n){this.s=e,this.stage=t,this.hubs=n,e.view.on([`layout`],({layout:e})=>{this.turned=!0,e===`links`?this.start():this.stop()}),e.view.on([`edges`,`types`,`projects`,`namespaces`,`users`,`clusters`,`tiers`,`decays`,`learned`],()=>this.restart()),e.live.on([`world`],()=>this.restart())}restart(){this.s.view.get().layout===`links`&&(clearTimeout(this.timer),this.timer=window.setTimeout(()=>this.start(),mm))}stop(){clearTimeout(this.timer),this.requestId++,this.stage.setPositions(null,!0),this.hubs.place(null)}start(){let{world:e,filterMask:t}=this.s.live.get(),{layout:n,edges:r}=this.s.view.get();if(!e||n!==`links`)return;let{count:i,ends:a}=this.hubs.links(),o=pm(e,t,e=>r[hs(e)]!==`off`,i,a);o?(this.worker??=this.startWorker(),this.worker.postMessage({requestId:++this.requestId,input:o})):(this.s.view.set({layout:`meaning`}),this.s.notify(`Places by links need ${fm.toLocaleString(`en`)} memories or fewer. Filter the map first.`))}startWorker(){let e=new Worker(new URL(new URL(`layout.worker-ydMMGSZV.js`,import.meta.url).href,``+import.meta.url),{type:`module`});return e.onmessage=e=>{let{world:t}=this.s.live.get();if(e.data.requestId!==this.requestId||!t)return;let n=3*t.count;this.stage.setPositions(e.data.positions.slice(0,n),this.turned),this.turned=!1,this.hubs.place(e.data.positions.slice(n))},e}};function gm(e,t,n){let r=!1;for(let i=0,a=e.length-1;i<e.length;a=i++){let[o,s]=[e[i],e[a]];o.y>n!=s.y>n&&t<o.x+(n-o.y)/(s.y-o.y)*(s.x-o.x)&&(r=!r)}return r}function _m(e,t,n,r){let i={x:0,y:0,distance:0},[a,o]=[Math.min(...r.map(e=>e.x)),Math.max(...r.map(e=>e.x))],s=[];for(let c=0;c<e.count;c++)!kt(e,c,n,i)||i.x<a||i.x>o||gm(r,i.x,i.y)&&t(c)&&s.push(c);return s}var vm=1e3,ym=200,bm=20,xm=200,Sm=class{s;element=X(`div`,{class:`lasso-bar panel`,role:`group`,"aria-label":`Selection`,hidden:!0});ids=[];constructor(e){this.s=e,e.live.on([`highlighted`],({highlighted:e})=>e!==this.ids&&this.forget()),e.live.on([`scopes`],()=>this.ids.length>0&&this.show()),e.view.on([`recorded`,`valid`],()=>this.ids.length>0&&this.show())}select(e){this.ids=e,this.s.live.set({highlighted:e}),this.element.hidden=e.length===0,this.s.announce(e.length===0?`No memory is selected`:`${il(e.length)} selected`),e.length>0&&this.show()}selectShown(){let{world:e}=this.s.live.get();e&&(this.select(Array.from({length:e.count},(e,t)=>t).filter(e=>this.s.isDrawn(e)).map(t=>e.idOf(t))),this.element.querySelector(`button`)?.focus())}show(){let{ids:e}=this,{recorded:t,valid:n}=this.s.view.get(),{scopes:r}=this.s.live.get(),i=t===null&&n===null,a=(e,t)=>X(`button`,{type:`button`,class:`quiet-button`,onclick:t},e),o=(t,n,r)=>{let i=a(t,r);return i.disabled=e.length>n,i.disabled&&(i.title=`Select at most ${il(n)}`),i},s=X(`ul`,{class:`links lasso-list`,hidden:!0}),c=a(`List`,()=>{s.hidden=!s.hidden,c.setAttribute(`aria-expanded`,String(!s.hidden)),s.hidden||s.replaceChildren(...this.rows())});c.setAttribute(`aria-expanded`,`false`);let l=()=>Hd(()=>import(`./several-BzuqHeIg.js`),__vite__mapDeps([28,1,2,3,4,5]),import.meta.url);this.element.replaceChildren(X(`b`,{},`${il(e.length)} selected`),c,a(`Export JSON`,()=>this.export()),...i&&$c(r,`MEMORY_CURATE`)?[o(`Tag…`,ym,()=>void l().then(t=>t.tagSeveral(this.s,e))),o(`Pin`,bm,()=>void l().then(t=>t.pinSeveral(this.s,e)))]:[],...i&&$c(r,`MEMORY_WRITE`)?[o(`Forget…`,vm,()=>void Hd(()=>import(`./forget-KEatlcpC.js`).then(t=>t.forgetSeveral(this.s,e,()=>this.clear())),__vite__mapDeps([6,1,2,3,4,5]),import.meta.url))]:[],a(`Clear`,()=>this.clear()),s)}rows(){let{world:e}=this.s.live.get();if(!e)return[];let t=this.ids.map(t=>e.indexOf(t)).filter(e=>e>=0),n=t.slice(0,xm).map(t=>{let n=e.idOf(t);return X(`li`,{},X(`button`,{type:`button`,"data-id":n,onclick:()=>this.s.open(n,!0)},dn(b[e.frame.type[t]]),X(`span`,{class:`name`},ru(e.frame.label(t))||n)))});return t.length>xm?[...n,X(`li`,{class:`muted`},`and ${(t.length-xm).toLocaleString(`en`)} more`)]:n}export(){let{world:e}=this.s.live.get();if(!e)return;let t=new Set(this.ids.map(t=>e.indexOf(t))),n=cm(e,e=>t.has(e),this.s.moment(),this.s.view.get(),{now:this.s.clock.now(),link:location.href});im(new Blob([JSON.stringify(n,null,1)],{type:`application/json`}),`somnograph selection ${Y(this.s.moment().recorded)}.json`),this.s.announce(`${n.memories.length} memories exported`)}clear(){this.forget(),this.s.live.set({highlighted:[]})}forget(){this.ids=[],this.element.hidden=!0}},Cm=4,wm=class{s;stage;element;path=cn(`path`,{class:`lasso-line`});line=[];drawing=!1;selection;constructor(e,t){this.s=e,this.stage=t,this.selection=new Sm(e),this.element=X(`div`,{class:`lasso`},cn(`svg`,{"aria-hidden":`true`},this.path),this.selection.element);let{canvas:n}=t;n.addEventListener(`pointerdown`,e=>this.start(e),{capture:!0}),n.addEventListener(`pointermove`,e=>this.move(e),{capture:!0});for(let e of[`pointerup`,`pointercancel`])n.addEventListener(e,e=>this.end(e),{capture:!0})}start(e){e.shiftKey&&e.button===0&&e.pointerType!==`touch`&&(e.stopImmediatePropagation(),e.preventDefault(),this.drawing=!0,this.line=[],this.stage.canvas.setPointerCapture(e.pointerId),this.add(e))}move(e){this.drawing&&(e.stopImmediatePropagation(),this.add(e))}add(e){let t=this.stage.canvas.getBoundingClientRect(),n={x:e.clientX-t.left,y:e.clientY-t.top},r=this.line.at(-1);r&&Math.hypot(n.x-r.x,n.y-r.y)<Cm||(this.line.push(n),this.path.setAttribute(`d`,`M${this.line.map(e=>`${e.x.toFixed(0)} ${e.y.toFixed(0)}`).join(`L`)}Z`))}end(e){if(!this.drawing)return;e.stopImmediatePropagation(),this.drawing=!1,this.path.setAttribute(`d`,``);let{world:t}=this.s.live.get();!t||this.line.length<3||this.selection.select(_m(t,e=>this.s.isDrawn(e),this.stage.projection(),this.line).map(e=>t.idOf(e)))}},Tm=class{s;host;element=X(`div`,{class:`hubs-wrap`});hubs=null;asked=!1;constructor(e,t){this.s=e,this.host=t,e.view.on([`hubs`],()=>this.show())}show(){this.hubs?this.hubs.show():this.s.view.get().hubs&&!this.asked&&(this.asked=!0,Hd(async()=>{let{EntityHubs:e}=await import(`./hubs-DMwpAUJ4.js`);return{EntityHubs:e}},__vite__mapDeps([29,30,3,8,31]),import.meta.url).then(({EntityHubs:e})=>{this.hubs=new e(this.s,this.host),this.element.append(this.hubs.element),this.hubs.show()}))}links(){return this.hubs?.links()??{count:0,ends:[]}}place(e){this.hubs?.place(e)}onFrame(e){this.hubs?.onFrame(e)}dots(){return this.hubs?.dots()??[]}names(){return this.hubs?.names()??[]}};function Em(e,t,n,r,i,a){let o=new Uint32Array(a),s=new Uint32Array(a),c=Math.max(i-r,1)/a,l=e=>Math.min(Math.max(Math.floor((e-r)/c),0),a-1),u=e.frame;for(let a=0;a<e.count;a++){if(!t[a])continue;let c=n===`recorded`?u.born[a]:u.validFrom[a],d=n===`recorded`?e.supersededAt[a]:u.stateValidTo[u.stateStart[a+1]-1];o[l(Number.isFinite(c)?c:r)]++,d<=i&&s[l(d)]++}return{from:r,to:i,born:o,ended:s}}var Dm=new Set([g.indexOf(`ARCHIVED`),g.indexOf(`EXPIRED`)]);function Om(e,t,n,r,i,a){let o=n.map(e=>({kind:`sleep`,at:e,node:-1})),s=e.frame;for(let n=0;n<e.count;n++)if(t[n])for(let e=s.stateStart[n];e<s.stateStart[n+1];e++){let t=s.stateStatus[e]===1?`correction`:Dm.has(s.stateStatus[e])?`loss`:null;t&&o.push({kind:t,at:s.stateFrom[e],node:n})}let c=o.filter(e=>e.at>=r&&e.at<=i).sort((e,t)=>e.at-t.at||e.node-t.node),l=[],u=new Map;for(let{kind:e,at:t,node:n}of c){let r=u.get(e);if(r&&t-r.at<a)r.count++,r.last=t;else{let r={kind:e,at:t,last:t,count:1,node:n};u.set(e,r),l.push(r)}}return l}function km(e,t,n){let r=e.frame,i=Math.floor(n/an)*an,a=-1;for(let o=0;o<e.count;o++){let e=r.born[o];!t[o]||e<i||e>n||(a<0||r.importance[o]>r.importance[a]||r.importance[o]===r.importance[a]&&e>r.born[a])&&(a=o)}return a}function Am(e,t,n,r){let i=t=>n=>Mt(e,n,t)===0,[a,o]=[i(n),i(r)],s={added:[],changed:[],gone:[]},c=Array.from({length:e.count},(e,t)=>t).filter(e=>t[e]).sort((t,n)=>e.frame.born[t]-e.frame.born[n]||t-n);for(let t of c)if(o(t)&&!a(t)){let n=e.previousVersion[t];for(let t=0;n>=0&&!a(n)&&t<e.count;t++)n=e.previousVersion[n];n>=0?s.changed.push([n,t]):s.added.push(t)}let l=new Set(s.changed.map(([e])=>e));for(let e of c)a(e)&&!o(e)&&!l.has(e)&&s.gone.push(e);return s}var jm=6e4,Mm=[1,2,5,10,15,30,60,120,180,360,720,1440,2880,5760,11520].map(e=>e*jm),Nm=[1,2,3,6,12,24,60,120],Pm=30.4*an,Fm=.03;function Im(e,t,n){let r=t-(t-e)*Fm,i=Mm.find(r=>(t-e)/r<=n);if(i===void 0)return Lm(e,r,Nm.find(r=>(t-e)/(r*Pm)<=n)??240);let a=[];for(let t=Math.ceil(e/i)*i;t<=r;t+=i){let e=t%an===0;a.push({at:t,text:e?`${new Date(t).getUTCDate()} ${nn(t)}`:new Date(t).toISOString().slice(11,16),major:e&&i<864e5})}return a}function Lm(e,t,n){let r=[],i=new Date(e);for(let e=Math.ceil((i.getUTCMonth()+1)/n)*n;;e+=n){let a=Date.UTC(i.getUTCFullYear(),e,1);if(a>t)return r;let o=new Date(a).getUTCMonth()===0||n>=12;r.push({at:a,text:o?String(new Date(a).getUTCFullYear()):nn(a),major:o})}}function Rm([e,t],n,r,[i,a],o){switch(n){case`from`:return[Math.min(Math.max(e+r,i),t-o),t];case`to`:return[e,Math.max(Math.min(t+r,a),e+o)];case`both`:{let n=Math.min(Math.max(r,i-e),a-t);return[e+n,t+n]}}}var zm=.25,Bm=1/500,Vm={ArrowLeft:-.01,ArrowDown:-.01,ArrowRight:.01,ArrowUp:.01,PageDown:-.1,PageUp:.1,Home:-2,End:2},Hm=class{s;span;element;button;handles;constructor(e,t){this.s=e,this.span=t;let n=(e,t)=>{let n=X(`div`,{class:`grip grip-${e}`,role:`slider`,tabindex:0,"aria-label":t,"aria-valuemin":0,"aria-valuemax":1e3});return n.addEventListener(`pointerdown`,t=>this.onPointerDown(t,e)),n.addEventListener(`keydown`,t=>this.onKey(t,e)),n};this.handles={both:n(`both`,`Time span`),from:n(`from`,`Learned from`),to:n(`to`,`Learned until`)},this.element=X(`div`,{class:`brush`,hidden:!0},...Object.values(this.handles)),this.button=sn(`range`,`Filter by time learned`,()=>this.toggle(),`r`),e.view.on([`learned`,`clock`],()=>this.update()),this.update()}toggle(){if(this.s.view.get().learned.length>0){this.s.view.set({learned:[]}),this.s.announce(`Time filter off`);return}this.s.view.set({clock:`recorded`});let[e,t]=this.span(),n=Math.max(this.s.view.get().recorded??t,e+(t-e)*Bm);this.s.view.set({learned:[Math.round(Math.max(n-(t-e)*zm,e)),Math.round(n)]}),this.handles.from.focus()}update(){let{learned:e,clock:t}=this.s.view.get();if(this.button.setAttribute(`aria-pressed`,String(e.length>0)),this.element.hidden=e.length===0||t!==`recorded`,e.length===0)return;let[n,r]=this.span(),i=e=>Math.min(Math.max((e-n)/(r-n),0),1),[a,o]=[i(e[0]),i(e[1])];this.handles.from.style.left=`${100*a}%`,this.handles.to.style.left=`${100*o}%`,this.handles.both.style.left=`${100*a}%`,this.handles.both.style.width=`${100*(o-a)}%`;let s={from:Y(e[0]),to:Y(e[1]),both:`${Y(e[0])} to ${Y(e[1])}, ${rn(e[1]-e[0])}`};for(let e of[`from`,`to`,`both`])this.handles[e].setAttribute(`aria-valuenow`,String(Math.round(1e3*(e===`to`?o:a)))),this.handles[e].setAttribute(`aria-valuetext`,s[e]),this.handles[e].title=s[e]}move(e,t,n){let r=this.span(),[i,a]=Rm(e,t,n,r,(r[1]-r[0])*Bm);this.s.view.set({learned:[Math.round(i),Math.round(a)]})}onPointerDown(e,t){let{learned:n}=this.s.view.get();if(e.button!==0||n.length===0)return;let r=n,i=this.handles[t];i.setPointerCapture(e.pointerId);let a=()=>(this.span()[1]-this.span()[0])/this.element.getBoundingClientRect().width,o=n=>this.move(r,t,(n.clientX-e.clientX)*a());i.addEventListener(`pointermove`,o);let s=()=>i.removeEventListener(`pointermove`,o);i.addEventListener(`pointerup`,s,{once:!0}),i.addEventListener(`pointercancel`,s,{once:!0})}onKey(e,t){let{learned:n}=this.s.view.get(),r=Vm[e.key];if(e.key===`Escape`)this.toggle(),this.button.focus();else if(r!==void 0&&n.length===2)this.move(n,t,r*(this.span()[1]-this.span()[0]));else return;e.preventDefault(),e.stopPropagation()}},Um=100,Wm=12,Gm={correction:[`correction`,`corrections`],loss:[`loss`,`losses`],sleep:[`sleep`,`sleeps`]},Km=class{s;goTo;repaint;element=X(`div`,{class:`time-events`,role:`toolbar`,"aria-label":`Events`});sleeps=[];marks=[];at=0;constructor(e,t,n){this.s=e,this.goTo=t,this.repaint=n,this.element.addEventListener(`keydown`,e=>this.onKey(e)),e.live.on([`world`],({world:t},n)=>{t&&!n.world&&(this.loadSleeps(),e.sleepFollower.store.on([`revision`],()=>void this.loadSleeps()))})}async loadSleeps(){try{let{nodes:e}=await yu(Um,null);this.sleeps=e.filter(e=>!e.dryRun).map(e=>Date.parse(e.startedAt)),this.repaint()}catch{this.sleeps=[]}}paint(e,t,n){let{world:r,filterMask:i}=this.s.live.get(),a=this.element.contains(document.activeElement);this.marks=r&&this.s.view.get().clock===`recorded`&&n>0?Om(r,i,this.sleeps,e,t,(t-e)*Wm/n):[],this.at=Math.min(this.at,Math.max(this.marks.length-1,0)),this.element.replaceChildren(...this.marks.map((n,r)=>{let i=this.text(n),a=X(`button`,{type:`button`,class:`time-event event-${n.kind}`,title:i,"aria-label":i,tabindex:r===this.at?0:-1,onclick:()=>this.goTo(n.last)});return a.style.left=`${(100*(n.at-e)/(t-e)).toFixed(3)}%`,a.addEventListener(`pointerdown`,e=>e.stopPropagation()),a})),a&&this.element.children[this.at]?.focus({preventScroll:!0})}text(e){let{world:t}=this.s.live.get(),n=e.node>=0?t?.frame.label(e.node):``,r=Y(e.at)===Y(e.last)?Y(e.at):`${Y(e.at)} to ${Y(e.last)}`;return`${e.count===1?`1 ${Gm[e.kind][0]}`:`${e.count} ${Gm[e.kind][1]}`}, ${r}${n?`: “${n}”`:``}`}onKey(e){let t=this.marks.length,n={ArrowRight:this.at+1,ArrowLeft:this.at-1,Home:0,End:t-1}[e.key];if((e.key===` `||e.key===`Enter`)&&e.stopPropagation(),n===void 0||t===0)return;e.preventDefault(),e.stopPropagation();let r=this.element.children[this.at];this.at=Math.min(Math.max(n,0),t-1);let i=this.element.children[this.at];r.tabIndex=-1,i.tabIndex=0,i.focus({preventScroll:!0})}},qm=180,Jm=90,Ym=class{s;element;bars=X(`canvas`,{class:`bars`,"aria-hidden":`true`});handle=X(`div`,{class:`handle`,"aria-hidden":`true`});ticks=X(`div`,{class:`ticks`,"aria-hidden":`true`});track;day=X(`span`,{class:`day`});minute=X(`span`,{class:`minute`});playButton;speed;events;caption=X(`button`,{type:`button`,class:`day-caption`,hidden:!0});captionKey=``;nowButton;clocks;otherClock;brush;lastTick=0;constructor(e){this.s=e,this.playButton=sn(`play`,`Play`,()=>this.toggle(),`Space`),this.playButton.classList.add(`play`),this.speed=X(`select`,{class:`speed`,"aria-label":`Speed`,title:`Speed`},...bl.map(e=>X(`option`,{value:e},xl(e)))),this.speed.addEventListener(`change`,()=>this.s.live.set({speed:Number(this.speed.value)})),this.events=new Km(e,e=>this.moveTo(e),()=>this.paint()),this.nowButton=X(`button`,{type:`button`,class:`now`,title:`Back to now (t)`,onclick:()=>this.backToNow()});let t=(e,t,n)=>X(`button`,{type:`button`,role:`radio`,title:n,onclick:()=>this.s.view.set({clock:e})},t);this.clocks={recorded:t(`recorded`,`Known by`,`Recorded time: what was known at this time`),valid:t(`valid`,`True on`,`Valid time: what was true at this time`)},this.otherClock=X(`button`,{type:`button`,class:`other-clock`,hidden:!0,title:`Clear this time`}),this.otherClock.addEventListener(`click`,()=>{let{clock:e}=this.s.view.get();this.s.view.set(e===`recorded`?{valid:null}:{recorded:null})}),this.track=X(`div`,{class:`track`,role:`slider`,tabindex:0,"aria-label":`Time shown`},this.bars,this.ticks,this.handle),this.brush=new Hm(e,()=>this.span()),this.element=X(`section`,{class:`timeline panel`,"aria-label":`Timeline`},X(`div`,{class:`time-head`},X(`div`,{class:`transport`},this.playButton,this.speed),X(`div`,{class:`readout`,"aria-live":`off`},this.day,this.minute,this.caption),X(`div`,{class:`segmented`,role:`radiogroup`,"aria-label":`Clock`},this.clocks.recorded,this.clocks.valid),this.otherClock,this.brush.button,X(`div`,{class:`time-key`,"aria-hidden":`true`},X(`i`,{class:`key-born`}),`learned`,X(`i`,{class:`key-gone`}),`corrected`,X(`i`,{class:`key-loss`}),`lost`,X(`i`,{class:`key-sleep`}),`sleep`),this.nowButton),X(`div`,{class:`track-wrap`},this.track,this.events.element,this.brush.element)),this.caption.addEventListener(`click`,()=>this.caption.dataset.id&&this.s.open(this.caption.dataset.id,!0)),this.track.addEventListener(`pointerdown`,e=>this.onPointerDown(e)),this.track.addEventListener(`keydown`,e=>this.onKey(e)),new ResizeObserver(()=>this.paint()).observe(this.track),e.view.on([`recorded`,`valid`,`clock`],()=>this.update()),e.view.on([`clock`,`selected`,`learned`],()=>this.paint()),e.live.on([`world`,`filterMask`,`light`],()=>this.paint()),e.live.on([`playing`,`speed`,`newWhileInPast`],()=>this.update()),e.live.on([`playing`],e=>e.playing&&requestAnimationFrame(this.tick)),this.update()}span(){let e=this.s.live.get().world,t=this.s.clock.now(),n=this.s.view.get().clock===`recorded`?e?.firstBorn:e?.firstValid,r=n!==void 0&&Number.isFinite(n)?Math.min(n,t-1e3):t-an;return[r-(t-r)*.012,t]}value(){let e=this.s.view.get();return(e.clock===`recorded`?e.recorded:e.valid)??this.span()[1]}moveTo(e){let[t,n]=this.span(),r=e>=n?null:Math.round(Math.max(e,t));this.s.view.set(this.s.view.get().clock===`recorded`?{recorded:r}:{valid:r})}toggle(){let{playing:e,world:t}=this.s.live.get();if(!t||t.count===0)return;let n=this.s.view.get();!e&&(n.clock===`recorded`?n.recorded:n.valid)===null&&this.moveTo(this.span()[0]),this.lastTick=0,this.s.live.set({playing:!e}),this.s.announce(e?`Paused`:`Playing`)}backToNow(){this.s.live.set({playing:!1,newWhileInPast:0}),this.s.view.set({recorded:null,valid:null})}toggleBrush(){this.brush.toggle()}stepBy(e){let[t,n]=this.span();this.s.live.set({playing:!1}),this.moveTo(this.value()+(n-t)*e)}tick=e=>{let t=this.s.live.get();if(t.playing){if(this.lastTick>0){let[n,r]=this.span(),i=Sl(r-n,t.speed)*Math.min(e-this.lastTick,100)/1e3,a=this.value()+i;if(this.moveTo(a),a>=r){this.s.live.set({playing:!1});return}}this.lastTick=e,requestAnimationFrame(this.tick)}};onPointerDown(e){if(e.button!==0)return;this.s.live.set({playing:!1}),this.track.setPointerCapture(e.pointerId);let t=e=>{let t=this.track.getBoundingClientRect(),[n,r]=this.span();this.moveTo(n+(r-n)*Math.min(Math.max((e.clientX-t.left)/t.width,0),1))};t(e),this.track.addEventListener(`pointermove`,t);let n=()=>{this.track.removeEventListener(`pointermove`,t),this.s.announce(this.momentLabel())};this.track.addEventListener(`pointerup`,n,{once:!0}),this.track.addEventListener(`pointercancel`,n,{once:!0})}onKey(e){let t={ArrowLeft:-.01,ArrowDown:-.01,ArrowRight:.01,ArrowUp:.01,PageDown:-.1,PageUp:.1,Home:-2,End:2}[e.key];t!==void 0&&(e.preventDefault(),e.stopPropagation(),this.stepBy(t))}momentLabel(){let e=this.s.view.get(),t=e.clock===`recorded`?e.recorded:e.valid;return t===null?`Now`:`${e.clock===`recorded`?`Known by`:`True on`} ${$t(t)} UTC`}update(){let e=this.s.view.get(),t=this.s.live.get(),n=e.clock===`recorded`?e.recorded:e.valid,[r,i]=this.span(),a=n??i,o=Math.min(Math.max((a-r)/(i-r),0),1);this.handle.style.left=`${(100*o).toFixed(3)}%`,this.day.textContent=n===null?`Now`:Y(a),this.minute.textContent=n===null?Y(a):`${en(a)} UTC`,this.element.classList.toggle(`past`,n!==null),this.track.setAttribute(`aria-valuemin`,`0`),this.track.setAttribute(`aria-valuemax`,`1000`),this.track.setAttribute(`aria-valuenow`,String(Math.round(o*1e3))),this.track.setAttribute(`aria-valuetext`,this.momentLabel());for(let t of[`recorded`,`valid`])this.clocks[t].setAttribute(`aria-checked`,String(e.clock===t));let s=e.clock===`recorded`?e.valid:e.recorded;this.otherClock.hidden=s===null,s!==null&&this.otherClock.replaceChildren(`${e.clock===`recorded`?`true on`:`known by`} ${Y(s)}`,ln(`close`)),this.playButton.replaceChildren(ln(t.playing?`pause`:`play`)),this.playButton.setAttribute(`aria-label`,t.playing?`Pause`:`Play`),this.speed.value=String(t.speed),this.updateCaption(e.clock===`recorded`?n:null),this.nowButton.hidden=e.recorded===null&&e.valid===null,this.nowButton.textContent=t.newWhileInPast>0?`Now · ${t.newWhileInPast} new`:`Now`}updateCaption(e){let{world:t,filterMask:n}=this.s.live.get(),r=e===null||!t?``:`${t.frame.cursor} ${Math.floor(4*e/an)}`;if(r===this.captionKey)return;this.captionKey=r;let i=e===null||!t?-1:km(t,n,e),a=i>=0?t.frame.label(i):``;this.caption.hidden=a===``,this.caption.textContent=a,this.caption.title=a===``?``:`Learned on this day: ${a}`,this.caption.dataset.id=i>=0?t.idOf(i):``}paint(){this.update();let{world:e}=this.s.live.get(),t=this.s.view.get();this.brush.update();let n=this.track.getBoundingClientRect(),r=Math.min(window.devicePixelRatio,2);this.bars.width=Math.max(Math.round(n.width*r),1),this.bars.height=Math.max(Math.round(n.height*r),1);let i=this.bars.getContext(`2d`);if(!i||!e)return;let[a,o]=this.span(),s=Em(e,t.learned.length>0?al(e,{...t,learned:[]},this.s.moment().recorded):this.s.live.get().filterMask,t.clock,a,o,qm),c=Math.max(...s.born,1),l=Math.max(...s.ended,1),u=getComputedStyle(this.element),d=this.bars.height*.64,f=this.bars.width/qm,p=(e,t,n)=>{i.beginPath(),i.roundRect(e*f+.5,t,Math.max(f-1.5*r,1),n,1.5*r),i.fill()};for(let e=0;e<qm;e++){let t=Math.sqrt(s.born[e]/c)*d*.94,n=Math.sqrt(s.ended[e]/l)*this.bars.height*.1;t>0&&(i.fillStyle=u.getPropertyValue(`--bar`),p(e,d-t,t)),n>0&&(i.fillStyle=u.getPropertyValue(`--gone`),p(e,d+1.5*r,Math.max(n,2*r)))}this.paintVersions(i,a,o,r,u),this.paintTicks(a,o,n.width),this.events.paint(a,o,n.width)}paintVersions(e,t,n,r,i){let{world:a}=this.s.live.get(),{selected:o,clock:s}=this.s.view.get(),c=a&&o?a.indexOf(o):-1;if(!a||c<0)return;let l=s===`recorded`?a.frame.born:a.frame.validFrom,u=ss(a,c).map(e=>({n:e,x:(l[e]-t)/(n-t)*this.bars.width})),d=6*r;e.strokeStyle=e.fillStyle=i.getPropertyValue(`--gone`),e.lineWidth=1.5*r,e.beginPath(),u.forEach(({x:t},n)=>n===0?e.moveTo(t,d):e.lineTo(t,d)),e.stroke();for(let{n:t,x:n}of u)e.fillStyle=t===c?i.getPropertyValue(`--ink`):i.getPropertyValue(`--gone`),e.beginPath(),e.arc(n,d,(t===c?4.5:3.5)*r,0,2*Math.PI),e.fill()}paintTicks(e,t,n){let r=Im(e,t,n/Jm).map(({at:n,text:r,major:i})=>{let a=X(`span`,{class:i?`tick year`:`tick`},r);return a.style.left=`${100*(n-e)/(t-e)}%`,a});this.ticks.replaceChildren(...r)}},Xm=class{element;button;list;constructor(e,t,n){this.button=sn(t,e,()=>this.setClosed(!this.list.hidden)),this.button.setAttribute(`aria-haspopup`,`menu`),this.list=X(`div`,{class:`menu panel`,role:`menu`,"aria-label":e,hidden:!0});for(let e of n)this.list.append(X(`button`,{type:`button`,role:`menuitem`,tabindex:-1,class:e.narrow?`only-small`:null,onclick:()=>{this.setClosed(!0),this.button.focus({preventScroll:!0}),e.act()}},ln(e.icon),X(`span`,{},e.name),e.key?X(`kbd`,{"aria-hidden":`true`},e.key):null));this.element=X(`div`,{class:`menu-wrap`},this.button,this.list),this.setClosed(!0),this.element.addEventListener(`keydown`,e=>this.onKey(e)),this.element.addEventListener(`focusout`,e=>!this.element.contains(e.relatedTarget)&&this.setClosed(!0))}items(){return[...this.list.querySelectorAll(`[role=menuitem]`)].filter(e=>e.offsetParent!==null)}setClosed(e){this.list.hidden=e,this.button.setAttribute(`aria-expanded`,String(!e)),e||this.items()[0]?.focus()}onKey(e){if(this.list.hidden){if(e.key!==`ArrowDown`)return;this.setClosed(!1)}else{let t=this.items(),n=t.indexOf(document.activeElement),r={ArrowDown:n+1,ArrowUp:n-1,Home:0,End:t.length-1}[e.key];if(r!==void 0)t[(r+t.length)%t.length]?.focus();else if(e.key===`Escape`)this.setClosed(!0),this.button.focus({preventScroll:!0});else return}e.preventDefault(),e.stopPropagation()}},Zm={memories:`m`,clusters:`k`,sleep:`s`,dashboards:`d`,agent:`c`},Qm={memories:`words`,clusters:`clusters`,sleep:`sleep`,dashboards:`boards`,agent:`agent`},$m={memories:`List`,clusters:`Clusters`,sleep:`Sleep`,dashboards:`Health`,agent:`Prompt`},eh=class{s;element;groups;flatButton;themeButton;constructor(e,t,n,r){this.s=e;let i=e=>{let n=sn(Qm[e],af[e],()=>t.toggle(e),Zm[e]);return n.append(X(`span`,{class:`tool-name`,"aria-hidden":`true`},$m[e])),n.setAttribute(`aria-pressed`,`false`),n};this.groups={memories:i(`memories`),clusters:i(`clusters`),sleep:i(`sleep`),dashboards:i(`dashboards`),agent:i(`agent`)};let o=e=>(e.classList.add(`only-large`),e);o(this.groups.clusters);let s=sn(`filter`,`Legend and filters`,()=>document.body.classList.toggle(`show-filters`));s.classList.add(`only-narrow`),this.flatButton=o(sn(`flat`,`Flat map`,r.toggleFlat,`2`)),this.themeButton=o(sn(`sun`,`Light theme`,r.toggleTheme,`l`));let c=new Xm(`Save, share and more`,`more`,[{name:`Add a memory…`,icon:`plus`,key:`n`,act:r.add},{name:`Commands…`,icon:`search`,key:`Ctrl K`,act:r.palette},{name:`What I know about you`,icon:`person`,key:`u`,act:r.known},{name:`Save image (PNG)`,icon:`camera`,key:`p`,act:r.saveImage},{name:`Export shown memories (JSON)`,icon:`save`,key:`j`,act:r.saveJson},{name:`Export all memories (Arrow)`,icon:`save`,act:()=>r.saveArrow(`memories`)},{name:`Export all edges (Arrow)`,icon:`save`,act:()=>r.saveArrow(`edges`)},{name:`Copy link to this view`,icon:`link`,act:r.copyLink},{name:`Place by meaning or by links`,icon:`spring`,key:`g`,act:r.toggleLayout},{name:`Show or hide entities`,icon:`person`,key:`e`,act:r.toggleHubs},{name:`Show or hide cluster areas`,icon:`clusters`,key:`a`,act:r.toggleAreas},{name:`Clusters and patterns`,icon:`clusters`,key:`k`,act:()=>t.toggle(`clusters`),narrow:!0},{name:`Take the tour`,icon:`tour`,act:r.tour},{name:`Show whole map`,icon:`home`,key:`h`,act:r.showWholeMap,narrow:!0},{name:`Toggle flat map`,icon:`flat`,key:`2`,act:r.toggleFlat,narrow:!0},{name:`Toggle light theme`,icon:`sun`,key:`l`,act:r.toggleTheme,narrow:!0},{name:`Help`,icon:`help`,key:`?`,act:r.help,narrow:!0},...a()?[{name:`Sign out`,icon:`person`,act:r.signOut}]:[]]);this.element=X(`nav`,{class:`tools panel`,"aria-label":`Toolbar`},s,...Object.values(this.groups),o(sn(`home`,`Whole map`,r.showWholeMap,`h`)),this.flatButton,this.themeButton,c.element,o(sn(`help`,`Help`,r.help,`?`))),n.store.on([`running`],e=>this.groups.sleep.classList.toggle(`on`,e.running!==null)),e.view.on([`flat`,`panel`],()=>this.update()),e.live.on([`light`],()=>this.update()),this.update()}update(){let{flat:e,panel:t}=this.s.view.get(),{light:n}=this.s.live.get();for(let e of Object.keys(this.groups))this.groups[e].setAttribute(`aria-pressed`,String(t!==null&&Ht(t)===e));th(this.flatButton,e?`cube`:`flat`,e?`3D map`:`Flat map`,`2`),th(this.themeButton,n?`moon`:`sun`,n?`Dark theme`:`Light theme`,`l`)}};function th(e,t,n,r){e.replaceChildren(ln(t)),e.title=`${n} (${r})`,e.setAttribute(`aria-label`,n)}var nh=140,rh=class{s;element=X(`div`,{class:`tooltip panel`,role:`tooltip`,hidden:!0});known=new Map;node=-1;timer=0;running=null;constructor(e){this.s=e}show(e,t,n){let{world:r}=this.s.live.get();if(e!==this.node){if(this.node=e,this.running?.abort(),clearTimeout(this.timer),this.element.hidden=e<0,e<0||!r)return;let t=r.frame,n=this.s.moment().recorded,i=Mt(r,e,n),a=r.idOf(e),o=X(`p`,{},t.label(e)||this.known.get(a)||`…`);this.element.replaceChildren(o,X(`div`,{class:`tooltip-foot`},dn(b[t.type[e]]),X(`span`,{},h(b[t.type[e]])),X(`span`,{},Y(t.born[e])),i>0?X(`span`,{class:`gone`},h(g[i])):X(`span`,{},`retention ${Math.round(It(r,e,n)*100)} %`))),o.textContent===`…`&&(this.timer=window.setTimeout(()=>void this.fill(a,e,o),nh))}if(e<0)return;let i=this.element.getBoundingClientRect(),a=Math.min(Math.max(t+16,8),window.innerWidth-i.width-8),o=n+18+i.height>window.innerHeight-8?n-i.height-14:n+18;this.element.style.transform=`translate(${a}px, ${o}px)`}async fill(e,t,n){this.running=new AbortController;try{let r=(await s(e,this.running.signal)).slice(0,160);this.known.set(e,r),this.node===t&&(n.textContent=r)}catch{this.node===t&&(n.textContent=`The text could not be loaded.`)}}},ih=.88,ah=70,oh=class{view;live;clock=new tn(()=>performance.now());stage;timeline;search;help=new Kf;openPalette=()=>{};sleepFollower;dock;tour;lasso;display=new rf(this);navigation;versions=[];previousSelection=null;canvas;liveRegion=X(`div`,{class:`quiet`,role:`status`,"aria-live":`polite`});emphasis=new hf(this,()=>this.stage);permalink;latestState=-1/0;lightTimer=0;openedWithoutLink=location.hash===``;sceneLoader;notices;annotations;hubs;layoutSwitch=null;pointer=null;layout;constructor(e,t,n,i){this.view=new Jt(Bl(localStorage,location.hash)),this.live=new Jt({world:null,filterMask:new Uint8Array,hits:[],highlighted:[],ghosts:[],cursor:-1,hovered:-1,playing:!1,speed:0,connected:!1,status:`loading`,problem:``,relations:[],newWhileInPast:0,light:nf(),outdated:!1,signedOut:!1,scopes:[]}),r(()=>this.live.set({signedOut:!0}));let a=()=>document.documentElement.dataset.theme=this.live.get().light?`light`:`dark`;a(),this.live.on([`light`],a),tf.addEventListener(`change`,()=>this.live.set({light:nf()})),this.canvas=X(`canvas`,{class:`scene`,tabindex:0,role:`application`,"aria-label":`Map of memories. Arrow keys move between memories, Enter opens one, slash searches, question mark shows all keys.`}),this.annotations=new _u(this,()=>({stage:this.stage,marks:this.emphasis.marks,omittedEdges:this.emphasis.omittedEdges,focused:this.emphasis.focused,names:this.hubs.names(),dots:this.hubs.dots(),pulses:n&&!t()})),this.hubs=new Tm(this,{light:e=>this.emphasis.lightNodes(e),changed:()=>this.layoutSwitch?.restart(),redraw:()=>{this.stage.invalidate(),this.annotations.updateLabelsSoon()}});let s=X(`main`,{class:`stage`},this.canvas,this.annotations.regions.element,this.annotations.labels.element,this.hubs.element);this.timeline=new Ym(this),this.search=new $p(this);let c=new rh(this),l=new $d(this);this.sleepFollower=new nm(this,()=>this.stage,()=>this.updateEmphasis()),this.sceneLoader=new jp(this,(e,t)=>this.setWorld(e,t),this.sleepFollower);let u=new Vu(this,this.sleepFollower);this.dock=new cf(this),this.tour=new Vf(this),this.notices=new Pp(this,()=>void this.sceneLoader.load()),this.navigation=new qf(this,{stage:()=>this.stage,sceneLoader:this.sceneLoader,dock:this.dock,search:this.search,tour:this.tour,canvas:this.canvas});let d=new Df(this),f=new Jd(this),p=new eh(this,this.dock,this.sleepFollower,{showWholeMap:()=>this.showWholeMap(),toggleFlat:()=>this.display.toggleFlat(),toggleLayout:()=>this.display.toggleLayout(),toggleHubs:()=>this.display.toggleHubs(),toggleAreas:()=>this.display.toggleAreas(),toggleTheme:()=>this.display.toggleTheme(),saveImage:()=>void rm(this,this.stage),saveJson:()=>um(this),saveArrow:e=>dm(this,e),copyLink:()=>void lm(this),tour:()=>void this.tour.start(),signOut:o,known:()=>this.dock.openPanel(`known`),add:()=>this.addMemory(),palette:()=>this.openPalette(),help:()=>this.help.toggle()}),m=X(`header`,{class:`top`},X(`div`,{class:`brand`},Ip(),X(`h1`,{},`Somnograph`),this.annotations.counter),this.search.element,p.element);this.layout={header:m,panels:[d.element,this.dock.element,f.element,this.tour.card],caption:u.element},e.append(s,m,d.element,this.dock.element,f.element,this.timeline.element,this.notices.element,this.annotations.emptyMap.element,u.element,this.notices.toast,c.element,l.element,this.liveRegion,this.help.element,this.tour.element),this.permalink=new Rp(this,()=>this.stage.cameraState(),({camera:e,selected:t})=>{e&&this.stage.setCamera(e),t&&this.navigation.showMemory(t,!1)}),this.stage=new Yc(this.canvas,{onCamera:()=>this.cameraMoved(),onCameraStart:()=>this.permalink.cameraMoved=!0,onFrame:e=>this.frameDrawn(e)},t),this.stage.setShown(e=>this.isDrawn(e)),this.pointer=new Wp(this,this.stage,c,l,(e,t)=>this.annotations.clusterAt(e,t)),this.lasso=new wm(this,this.stage),s.append(this.lasso.element),this.layoutSwitch=new hm(this,this.stage,this.hubs),this.listen(),this.applyTheme();let{camera:h,flat:g}=this.view.get();g&&this.stage.setFlat(!0,h),h&&this.stage.setCamera(h),this.updateInset(),this.sceneLoader.start(),this.loadScopes(),this.hubs.show(),i&&this.tour.offerOnFirstVisit()}moment(){let e=this.view.get(),t=e.statuses.length>0?e.statuses.reduce((e,t)=>e|1<<g.indexOf(t),0):Pt(e.valid);return{recorded:e.recorded??Math.max(this.clock.now(),this.latestState),valid:e.valid,statuses:t}}isDrawn(e){return this.emphasis.isDrawn(e)}light(e){this.emphasis.light(e)}marks(){return this.emphasis.marks}open(e,t=!1){this.navigation.open(e,t)}close(){this.navigation.close()}showArea(e,t){this.navigation.showArea(e,t)}openCluster(e){this.navigation.openCluster(e)}stepVersion(e){this.navigation.stepVersion(e)}explain(e){return this.search.explain(e)}notify(e,t){this.notices.showMessage(e,t),this.announce(t?`${e} ${t.name} is offered at the bottom of the page.`:e)}addMemory(){let{scopes:e}=this.live.get();$c(e,`MEMORY_WRITE`)?this.view.get().recorded!==null||this.view.get().valid!==null?this.notify(`The past can’t be changed.`,{name:`Back to now`,act:()=>this.timeline.backToNow()}):Hd(async()=>{let{add:e}=await import(`./add-B0YMbmIM.js`);return{add:e}},__vite__mapDeps([32,1,2,8,3,4,5]),import.meta.url).then(({add:e})=>e(this)):this.notify(`This sign-in may not write memories.`)}clearFilters(){this.view.set({...Wt})}async loadScopes(){try{let{scopes:e}=await Sn();e.join()!==this.live.get().scopes.join()&&this.live.set({scopes:e})}catch{}}announce(e){this.liveRegion.textContent=e}showWholeMap(){this.permalink.cameraMoved=!1,this.view.set({camera:null}),this.stage.showWholeMap()}applyTheme(){this.stage.setTheme(rt(this.live.get().light))}listen(){let e=this.view;e.on([`types`,`projects`,`namespaces`,`users`,`clusters`,`tiers`,`decays`,`learned`],()=>this.applyFilters()),e.on([`recorded`,`valid`,`statuses`],e=>e.tiers.length>0?this.applyFilters():this.applyMoment()),e.on([`selected`,`edges`,`cluster`],()=>this.updateEmphasis()),e.on([`panel`],e=>e.cluster!==null&&this.updateEmphasis()),e.on([`color`,`areas`,`layout`],()=>this.applyColoring()),e.on([`selected`,`panel`,`wide`],()=>requestAnimationFrame(()=>this.updateInset())),e.on([`flat`],e=>{this.stage.setFlat(e.flat,e.camera)}),e.on([...Ut],e=>Vl(localStorage,e));let t=this.live;t.on([`hits`,`relations`,`highlighted`,`ghosts`],()=>this.updateEmphasis()),t.on([`cursor`,`hovered`],()=>this.applyCursor()),t.on([`light`],()=>this.applyTheme()),t.on([`playing`],()=>this.applyMoment()),t.on([`connected`],({connected:e})=>{e&&(Pu(),this.loadScopes())}),window.addEventListener(`resize`,()=>this.updateInset());let n=new ResizeObserver(()=>this.updateInset());for(let e of[this.layout.header,this.timeline.element,...this.layout.panels])n.observe(e);new ResizeObserver(()=>this.annotations.updateLabelsSoon()).observe(this.layout.caption),this.search.onResize=()=>this.updateInset(),document.addEventListener(`visibilitychange`,()=>!document.hidden&&this.stage.invalidate()),setInterval(()=>this.view.get().recorded===null&&!document.hidden&&this.applyMoment(),15e3)}updateInset(){let{header:e,panels:t}=this.layout,n={top:e.getBoundingClientRect(),bottom:this.timeline.element.getBoundingClientRect()},{wide:r}=this.view.get(),i=t.filter(e=>getComputedStyle(e).visibility!==`hidden`&&!(r&&e===this.dock.element)).map(on);this.stage.setInset(hl({width:window.innerWidth,height:window.innerHeight},n,[...i,...this.search.besideMap()])),this.annotations.updateLabelsSoon()}setWorld(e,t){let n=this.live.get().world;this.emphasis.recordNew(e,t?n:null);let{newIds:r}=this.emphasis;this.latestState=-1/0;for(let t of e.frame.stateFrom)t>this.latestState&&(this.latestState=t);this.latestState=Math.min(this.latestState,this.clock.now()+5e3);let i=this.view.get(),a=i.recorded!==null,o=this.live.get().cursor;this.stage.setWorld(e,n),this.live.set({world:e,filterMask:al(e,i,this.moment().recorded),status:e.count>0?`ready`:`empty`,problem:``,hovered:-1,cursor:o>=0&&n?e.indexOf(n.idOf(o)):-1,newWhileInPast:a?this.live.get().newWhileInPast+r.size:0}),this.applyColoring(),this.updateEmphasis(),this.applyMoment(),this.sleepFollower.refresh(),r.size>0&&!a&&(this.stage.flashNew(),this.notices.showNewMemories(e,[...r])),!n&&i.selected&&this.navigation.showMemory(i.selected,!i.camera),!n&&!i.camera&&(i.selected===null||e.indexOf(i.selected)<0)&&this.stage.showWholeMap(0),!n&&this.openedWithoutLink&&pl(this.clock.now(),e.firstBorn,e.firstValid)&&this.view.set({clock:`valid`}),!n&&this.openedWithoutLink&&Gt(i)&&this.notices.showMessage(`Filters from last time are on.`,{name:`Clear`,act:()=>this.view.set({...Wt})})}applyFilters(){let{world:e}=this.live.get();e&&(this.live.set({filterMask:al(e,this.view.get(),this.moment().recorded)}),this.updateEmphasis(),this.applyMoment())}applyColoring(){let{world:e}=this.live.get();if(!e)return;let{color:t,areas:n,layout:r}=this.view.get(),i=lc(t,e.frame);this.stage.setColoring(i,hc(e,i),(this.clock.now()-e.firstBorn)/an),this.stage.setAreas(n&&r===`meaning`,i!==`cluster`)}applyMoment(){let{world:e,playing:t,speed:n}=this.live.get();if(!e)return;let r=this.moment(),i=(this.clock.now()-e.firstBorn)/an,a=this.view.get().recorded!==null&&this.view.get().clock===`recorded`;this.stage.uniforms.uGlowDays.value=a?Math.max(t?ih*Sl(i,n):i*.012,.05):0,this.stage.setMoment(r),this.sleepFollower.refresh(),this.annotations.updateSoon()}updateEmphasis(){this.emphasis.update(),this.annotations.updateSoon()}applyCursor(){let{hovered:e,cursor:t}=this.live.get();clearTimeout(this.lightTimer),this.lightTimer=window.setTimeout(()=>this.light(this.live.get().hovered),e>=0?ah:0),this.stage.uniforms.uHovered.value=e>=0?e:t,this.stage.invalidate()}frameDrawn(e){this.annotations.onFrame(e),this.hubs.onFrame(e)}cameraMoved(){this.pointer?.leave(),this.sceneLoader.loadTilesInView(()=>this.stage.projection()),this.annotations.updateLabelsSoon(),this.permalink.save()}},sh={ArrowLeft:`left`,ArrowRight:`right`,ArrowUp:`up`,ArrowDown:`down`};function ch(e){e.openPalette=()=>void Promise.all([Hd(()=>import(`./palette-S0tTEV2g.js`),__vite__mapDeps([33,2,8,10,15,3,34]),import.meta.url),Hd(()=>import(`./commands-BQdFI077.js`),__vite__mapDeps([35,15]),import.meta.url)]).then(([{openPalette:t},{commandsOf:n}])=>t(e,n(e))),document.addEventListener(`keydown`,t=>{if((t.ctrlKey||t.metaKey)&&!t.altKey&&!t.shiftKey&&t.key.toLowerCase()===`k`){t.preventDefault(),e.openPalette();return}if(t.ctrlKey||t.metaKey||t.altKey)return;let n=t.target instanceof HTMLElement?t.target:document.body;if(n.matches(`input, textarea, select`)||document.querySelector(`dialog[open]`)&&!(e.help.element.open&&t.key===`?`))return;let r=n.matches(`button, [role=slider], a, summary`);if(t.key in sh&&!r)e.navigation.moveCursor(sh[t.key]);else if(t.key===`Enter`&&!r)e.navigation.openAtCursor();else if(t.key===` `&&!n.matches(`button`))e.timeline.toggle();else if(!lh(e,t.key))return;t.preventDefault()})}function lh(e,t){let n={"/":()=>e.search.focus(),Escape:()=>e.close(),"[":()=>e.stepVersion(-1),"]":()=>e.stepVersion(1),",":()=>e.timeline.stepBy(-.01),".":()=>e.timeline.stepBy(.01),n:()=>e.addMemory(),t:()=>e.timeline.backToNow(),r:()=>e.timeline.toggleBrush(),h:()=>e.showWholeMap(),f:()=>{let t=e.view.get().selected;t&&e.open(t,!0)},...Object.fromEntries(Object.entries(Zm).map(([t,n])=>[n,()=>e.dock.toggle(t)])),u:()=>e.dock.openPanel(`known`),l:()=>e.display.toggleTheme(),p:()=>void rm(e,e.stage),j:()=>um(e),2:()=>e.display.toggleFlat(),g:()=>e.display.toggleLayout(),e:()=>e.display.toggleHubs(),a:()=>e.display.toggleAreas(),"?":()=>e.help.toggle()};return n[t]?.(),t in n}var uh=new URLSearchParams(location.search),dh=uh.get(`test`)===`1`,fh=matchMedia(`(prefers-reduced-motion: reduce)`),ph=document.getElementById(`app`);try{let e=dh&&!uh.has(`motion`),t=new oh(ph,()=>fh.matches||e,!dh,!dh||uh.has(`guided`));ch(t),dh&&Hd(()=>import(`./testing-6aUs0tUk.js`).then(e=>e.install(t)),__vite__mapDeps([36,20,8,30,9,10]),import.meta.url)}catch(e){ph.replaceChildren(X(`div`,{class:`notice-wrap`},X(`div`,{class:`notice panel`,role:`alert`},X(`h2`,{},`This browser cannot draw the map`),X(`p`,{},`Somnograph needs WebGL 2. The API and the command line work without it.`),X(`p`,{class:`muted small`},e instanceof Error?e.message:``))))}export{go as $,Ou as A,su as B,cd as C,Iu as D,Fu as E,vu as F,gl as G,uu as H,Au as I,el as J,nl as K,Tu as L,bu as M,yu as N,wu as O,Su as P,ls as Q,Mu as R,ld as S,Ru as T,du as U,cu as V,ru as W,rl as X,il as Y,dc as Z,xd as _,im as a,xn as at,sd as b,zp as c,On as ct,Hd as d,Sn as dt,vn as et,Id as f,yn as ft,Md as g,kd as h,um as i,En as it,ju as j,ku as k,Bp as l,Cn as lt,Ad as m,gn as mt,lm as n,Dn as nt,am as o,mn as ot,Ld as p,_n as pt,$c as q,dm as r,hn as rt,rm as s,bn as st,Am as t,Tn as tt,of as u,wn as ut,od as v,Yu as w,fd as x,dd as y,Cu as z};