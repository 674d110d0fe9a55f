import { createServer } from 'node:net'

/** A port that nobody listens on now. Somebody may take it before we do; then starting fails and is tried again with another. */
export function freePort(address: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(0, address, () => {
      const bound = server.address()
      server.close(() => (typeof bound === 'object' && bound !== null ? resolve(bound.port) : reject(new Error('no port'))))
    })
  })
}
