import { createForwarder, type HttpTransportOptions } from '@weft/client'
import { ask } from '../proxy/ask.ts'

/** Reads `/metrics` of a server. */
export interface Scraper {
  /** undefined when it cannot be had: no permission, no such page, no server. */
  scrape(): Promise<string | undefined>
  close(): Promise<void>
}

export function scraper(server: HttpTransportOptions): Scraper {
  const forwarder = createForwarder({ ...server, userAgent: 'weft-console' })
  return {
    async scrape() {
      try {
        const { status, text } = await ask(forwarder, 'GET', '/metrics')
        return status === 200 ? text : undefined
      } catch {
        return undefined
      }
    },
    close: () => forwarder.close(),
  }
}
