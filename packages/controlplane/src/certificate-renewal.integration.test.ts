import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type TLSSocket } from 'node:tls'
import { ensurePki, listen } from '@weft/apiserver'
import { afterAll, describe, expect, it } from 'vitest'
import { CertificateRenewal } from './certificate-renewal.ts'

const folders: string[] = []
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

async function serialOf(port: number, ca: string): Promise<{ readonly socket: TLSSocket; readonly serial: string }> {
  const socket = connect({ port, host: '127.0.0.1', ca, servername: 'localhost' })
  await once(socket, 'secureConnect')
  return { socket, serial: socket.getPeerCertificate().serialNumber }
}

describe('CertificateRenewal', () => {
  it('serves a new certificate before the old one ends, without a restart', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'weft-renewal-'))
    folders.push(directory)
    const hosts = ['127.0.0.1']
    const tenMonthsAgo = { now: () => Date.now() - 300 * 24 * 3_600_000 }
    const pki = await ensurePki(directory, { hosts, clock: tenMonthsAgo })
    const front = await listen(() => Promise.reject(new Error('not asked')), {
      host: '127.0.0.1',
      port: 0,
      key: pki.serving.key,
      cert: pki.serving.certificate,
      ca: pki.ca.certificatePem,
    })
    const lines: string[] = []
    const admins: string[] = []
    const renewal = new CertificateRenewal({
      directory,
      hosts,
      front,
      onAdmin: async ({ admin }) => void admins.push(admin.certificate),
      log: (level, message) => lines.push(`${level} ${message}`),
    })
    const before = await serialOf(front.port, pki.ca.certificatePem)
    await renewal.renew()
    const after = await serialOf(front.port, pki.ca.certificatePem)
    expect(after.serial, lines.join('\n')).not.toBe(before.serial)
    expect(before.socket.destroyed, 'open connections go on').toBe(false)
    expect(admins, 'the administrator, too').toHaveLength(1)
    expect(admins[0]).not.toBe(pki.admin.certificate)
    await renewal.renew()
    expect(admins, 'once is enough').toHaveLength(1)
    before.socket.destroy()
    after.socket.destroy()
    await renewal.stop()
    await front.close(0)
  })
})
