import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { whyTaken } from './taken-port.ts'

describe('a program that ends since its port is taken', () => {
  it.each([
    ['Go', (port: number) => `provider: error: Cannot start: failed to create listener: listen tcp :${port}: bind: address already in use`],
    ['Go, of one address', (port: number) => `listen tcp 127.0.0.1:${port}: bind: address already in use`],
    ['Node', (port: number) => `Error: listen EADDRINUSE: address already in use :::${port}\n    at Server.setupListenHandle\nNode.js v22`],
  ])('is told which, by whom, and what to do, as %s says it', async (_, wordsOf) => {
    const server = createServer().listen(0)
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const why = await whyTaken(wordsOf(port))
    expect(why).toContain(`port ${port} is taken`)
    if (process.platform === 'linux') expect(why).toContain(`(process ${process.pid})`)
    expect(why).toContain('DeploymentRuntimeConfig')
    await new Promise((resolve) => server.close(resolve))
  })

  it('is told so without a number, too', async () => {
    expect(await whyTaken('OSError: [Errno 98] Address already in use')).toMatch(/^a port that it needs is taken: /)
  })

  it('is not told so when it ends for another reason', async () => {
    expect(await whyTaken('listen tcp :80: bind: permission denied')).toBeUndefined()
  })
})
