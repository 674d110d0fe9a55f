import { messageOf } from '@weft/api'
import { ensurePki, type Front, type Pki } from '@weft/apiserver'

/** Certificates last for months and are renewed when a third is left: once in a while is often enough. */
const INTERVAL_MS = 6 * 3_600_000

export interface CertificateRenewalOptions {
  readonly directory: string
  readonly hosts: readonly string[]
  readonly front: Pick<Front, 'renew'>
  /** Who uses the administrator's certificate gets the new one. */
  readonly onAdmin: (pki: Pki) => Promise<void>
  readonly log: (level: 'info' | 'warn', message: string) => void
  readonly clock?: { now(): number }
}

/** A server that runs for longer than its certificates last: renews them while it serves. A failure is told, and tried again. */
export class CertificateRenewal {
  readonly #options: CertificateRenewalOptions
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> = Promise.resolve()

  constructor(options: CertificateRenewalOptions) {
    this.#options = options
  }

  start(): void {
    this.#timer = setInterval(() => void this.renew(), INTERVAL_MS)
    this.#timer.unref()
  }

  /** Renews what needs it now. Never rejects. */
  renew(): Promise<void> {
    this.#running = this.#running.then(() => this.#renew())
    return this.#running
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#running
  }

  async #renew(): Promise<void> {
    const { directory, hosts, front, onAdmin, log, clock } = this.#options
    try {
      const pki = await ensurePki(directory, { hosts, ...(clock && { clock }) })
      if (pki.notes.length === 0) return
      for (const note of pki.notes) log('info', note)
      front.renew({ key: pki.serving.key, cert: pki.serving.certificate, ca: pki.ca.certificatePem })
      await onAdmin(pki)
    } catch (error) {
      log('warn', `certificates cannot be renewed: ${messageOf(error)}`)
    }
  }
}
