import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sendFailure, Refusal } from '../answer.ts'
import { setSecurityHeaders } from '../guard/headers.ts'
import { siteOf } from '../guard/site.ts'
import { createManual, isOfManual } from './manual.ts'

export interface ManualServer {
  /** `http://127.0.0.1:41234/docs/` */
  readonly address: string
  close(): Promise<void>
}

/** Serves the manual by itself, on loopback, where no console runs. */
export async function startManual(directory: string, port = 0): Promise<ManualServer> {
  const http = createServer()
  http.listen(port, '127.0.0.1')
  await once(http, 'listening')
  const site = siteOf({ secure: false, host: '127.0.0.1', port: (http.address() as AddressInfo).port })
  const manual = createManual(directory)
  http.on('request', (request, response) => {
    setSecurityHeaders(response)
    const answer = async (): Promise<void> => {
      site.checkHost(request)
      const path = (request.url ?? '/').split('?', 1)[0] ?? '/'
      if (path === '/') return void response.writeHead(307, { location: '/docs/' }).end()
      if (!isOfManual(path)) throw new Refusal(404, 'NotFound', `there is only the manual here: ${site.address}/docs/`)
      await manual.serve(request, response, path)
    }
    answer().catch((error: unknown) => sendFailure(response, error))
  })
  return {
    address: `${site.address}/docs/`,
    async close() {
      const closed = once(http, 'close')
      http.close()
      http.closeAllConnections()
      await closed
    },
  }
}
