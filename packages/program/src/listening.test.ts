import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { eventually } from '@weft/testing'
import { describe, expect, it } from 'vitest'
import { listenerAt, listeningPorts } from './listening.ts'

const isLinux = process.platform === 'linux'

describe.runIf(isLinux)('who listens at a port', () => {
  it('is told with its program, and nobody is where nobody does', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    expect(await listenerAt(port)).toEqual({ pid: process.pid, program: expect.stringMatching(/./) })
    expect(await listeningPorts(process.pid)).toContain(port)
    await new Promise((resolve) => server.close(resolve))
    expect(await listenerAt(port)).toBeUndefined()
  })

  it('is told by its package, and found by who started it', async () => {
    const listen = "const s = require('net').createServer().listen(0, () => console.log(s.address().port))"
    const env = { PROVIDER_NAME: 'provider-x', REVISION_UID: 'a', PATH: process.env['PATH'] ?? '' }
    const parent = spawn('/bin/sh', ['-c', '"$0" -e "$1"; exit', process.execPath, listen], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    try {
      const port = Number(String((await once(parent.stdout, 'data'))[0]))
      await eventually(async () => expect(await listeningPorts(parent.pid ?? 0)).toEqual([port]))
      expect(await listenerAt(port)).toMatchObject({ package: 'Provider provider-x' })
      const { pid } = (await listenerAt(port)) ?? { pid: 0 }
      process.kill(pid)
    } finally {
      parent.kill()
    }
  })
})
