// A package registry on loopback: it has packages from files, and sends requests for others on.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

/**
 * Starts a registry with packages { name: { version, file } }. upstream is the registry of all
 * other packages.
 */
export async function startRegistry(packages, upstream) {
  const server = createServer((request, response) => {
    const name = decodeURIComponent(request.url.slice(1).replace(/\.tgz$/, ''))
    const own = packages[name]
    if (!own) {
      response.writeHead(307, { location: new URL(request.url.slice(1), upstream).href }).end()
      return
    }
    const body = readFileSync(own.file)
    if (request.url.endsWith('.tgz')) {
      response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(body)
      return
    }
    const dist = {
      tarball: `http://127.0.0.1:${server.address().port}/${name}.tgz`,
      integrity: `sha512-${createHash('sha512').update(body).digest('base64')}`,
    }
    const version = { ...own.manifest, name, version: own.version, dist }
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ name, 'dist-tags': { latest: own.version }, versions: { [own.version]: version } }))
  })
  await new Promise((done) => server.listen(0, '127.0.0.1', done))
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => new Promise((done) => server.close(done)) }
}
