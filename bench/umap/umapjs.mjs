// Computes a map with umap-js: node umapjs.mjs VECTORS PLACES DIMENSION SEED. Both files are
// little-endian float32, row by row. Prints elapsed and processor time in seconds. The metric
// is the default, Euclidean: it orders unit vectors as the cosine does and is the fastest.
import fs from 'node:fs'
import umap from 'umap-js'

const [, , from, to, dimension, seed] = process.argv
const dim = Number(dimension)
const bytes = fs.readFileSync(from)
const all = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)
const rows = []
for (let at = 0; at < all.length; at += dim) rows.push(Array.from(all.subarray(at, at + dim)))

// A Weyl sequence with a finaliser: seeded random numbers, uniform enough for a layout.
let state = Number(seed)
const random = () => {
  state = (state + 0x9e3779b9) | 0
  let z = Math.imul(state ^ (state >>> 16), 0x85ebca6b)
  z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35)
  return ((z ^ (z >>> 16)) >>> 0) / 2 ** 32
}

const began = performance.now(), used = process.cpuUsage()
const places = new umap.UMAP({ nNeighbors: 15, nComponents: 3, minDist: 0.1, random }).fit(rows)
const cpu = process.cpuUsage(used)
const wall = (performance.now() - began) / 1000
fs.writeFileSync(to, Buffer.from(Float32Array.from(places.flat()).buffer))
console.log(JSON.stringify({ wall, cpu: (cpu.user + cpu.system) / 1e6 }))
