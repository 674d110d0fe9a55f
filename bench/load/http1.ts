import { connect as connectTls, type TLSSocket } from 'node:tls'
import { type Client, type Connector, countLines, type Watcher } from './client.ts'
import { Http1Parser } from './http1-parser.ts'
import type { RequestTemplate, Target } from './load.ts'
import { http1Message, PatchedBytes } from './patched-request.ts'

/** A connection for every client and every watch, as HTTP/1.1 has it. */
export const http1 = (): Connector => ({
  async connect(target, request) {
    return client(await open(target), target, request)
  },
  async watch(target, path, onEvents) {
    return watcher(await open(target), target, path, onEvents)
  },
  close: () => undefined,
})

function open({ host, port, ca }: Target): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connectTls({ host, port, ca, ALPNProtocols: ['http/1.1'] })
    socket.setNoDelay(true)
    socket.once('error', reject)
    socket.once('secureConnect', () => {
      socket.off('error', reject)
      resolve(socket)
    })
  })
}

function client(socket: TLSSocket, target: Target, request: RequestTemplate): Client {
  const message = new PatchedBytes(http1Message(`${target.host}:${target.port}`, target.token, request))
  let status = 0
  let bytes = 0
  let finish: ((status: number, bytes: number) => void) | undefined
  const parser = new Http1Parser({
    onHead: (code) => void (status = code),
    onData: (data) => void (bytes += data.length),
    onEnd: () => finish?.(status, bytes),
  })
  socket.on('data', (data: Buffer) => parser.push(data))
  // A server that closes the connection would otherwise look like one that never answers.
  socket.on('close', () => finish?.(0, 0))
  socket.on('error', () => undefined)
  return {
    send(sequence, object, done) {
      bytes = 0
      finish = done
      socket.write(message.patch(sequence, object))
    },
    close() {
      finish = undefined
      socket.destroy()
    },
  }
}

function watcher(socket: TLSSocket, target: Target, path: string, onEvents: (events: number, bytes: number) => void): Promise<Watcher> {
  return new Promise((resolve, reject) => {
    const parser = new Http1Parser({
      onHead: (status) => (status === 200 ? resolve({ close: () => socket.destroy() }) : reject(new Error(`watch: status ${status}`))),
      onData: (data) => onEvents(countLines(data), data.length),
      onEnd: () => undefined,
    })
    socket.on('data', (data: Buffer) => parser.push(data))
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('watch: the server closed the connection')))
    socket.write(http1Message(`${target.host}:${target.port}`, target.token, { method: 'GET', path }))
  })
}
