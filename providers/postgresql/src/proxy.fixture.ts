import { connect, createServer, type Server, type Socket } from 'node:net'

export type ProxyFault = 'none' | 'down' | 'slow' | 'throttling' | 'losing answers'

/** A TCP proxy in front of a PostgreSQL server that can misbehave. */
export interface Proxy {
  readonly port: number
  readonly target: number
  /** Answers how to end the fault. */
  begin(fault: ProxyFault): () => Promise<void>
  close(): Promise<void>
}

export async function createProxy(target: number): Promise<Proxy> {
  let fault: ProxyFault = 'none'
  let attempts = 0
  const open = new Set<Socket>()
  const server: Server = createServer((client) => {
    if (fault === 'down') {
      client.destroy()
      return
    }
    if (fault === 'throttling' && ++attempts % 3 !== 0) {
      // As the server does when all its connections are taken.
      client.once('data', () => client.end(tooManyClients()))
      client.on('error', () => undefined)
      return
    }
    const upstream = connect(target, '127.0.0.1')
    for (const socket of [client, upstream]) {
      open.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        open.delete(socket)
        // A proxy that hangs up on the server would undo what was sent; an answer is lost only if the server goes on.
        if (socket === client) setTimeout(() => upstream.destroy(), 500)
        else client.destroy()
      })
    }
    let changes = false
    client.on('data', (chunk) => {
      if (/\b(create|alter|drop|grant|revoke)\b/.test(chunk.toString('latin1'))) changes = true
      upstream.write(chunk)
    })
    upstream.on('data', (chunk) => {
      if (fault === 'losing answers' && changes) {
        client.destroy()
        return
      }
      changes = false
      if (fault === 'slow') setTimeout(() => client.writable && client.write(chunk), 60)
      else client.write(chunk)
    })
  })
  const hangUp = (): void => {
    for (const socket of open) socket.destroy()
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    target,
    begin(next) {
      fault = next
      if (next === 'down' || next === 'throttling') hangUp()
      return () => {
        fault = 'none'
        return Promise.resolve()
      }
    },
    close: () =>
      new Promise((resolve) => {
        hangUp()
        server.close(() => resolve())
      }),
  }
}

function tooManyClients(): Buffer {
  const fields = Buffer.from('SFATAL\0VFATAL\0C53300\0Msorry, too many clients already\0\0')
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
}
