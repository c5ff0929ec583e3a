/** A web server for files only, for tests of the page without a server: it serves site/ below a folder of its own. */
import { once } from 'node:events'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import type { Host } from './harness'

const root = join(import.meta.dirname, '../../site')

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css', '.html': 'text/html', '.js': 'text/javascript', '.json': 'application/json', '.svg': 'image/svg+xml', '.txt': 'text/plain',
}

const FOLDER = '/some/folder'

export class Files implements Host {
  private server: Server | null = null

  get url(): string {
    if (!this.server) throw new Error('the host was not started')
    return `http://localhost:${(this.server.address() as AddressInfo).port}${FOLDER}`
  }

  async start(): Promise<void> {
    if (!existsSync(join(root, 'index.html'))) throw new Error('there is no site/: make site')
    this.server = createServer((request, response) => {
      const path = decodeURIComponent(new URL(request.url ?? '', 'http://host').pathname)
      const file = join(root, path.slice(FOLDER.length).replace(/\/$/, '/index.html'))
      const found = request.method === 'GET' && path.startsWith(`${FOLDER}/`) && file.startsWith(root) && existsSync(file) && statSync(file).isFile()
      if (!found) {
        response.writeHead(404, { 'Content-Type': 'text/html' }).end('<p>There is no such file.</p>')
        return
      }
      response.writeHead(200, { 'Content-Type': types[extname(file)] ?? 'application/octet-stream' }).end(readFileSync(file))
    })
    await once(this.server.listen(0, 'localhost'), 'listening')
  }

  async end(): Promise<void> {
    this.server?.closeAllConnections()
    this.server?.close()
    this.server = null
  }
}
