import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { METRICS_CONTENT_TYPE } from '@weft/api'
import type { Health } from '@weft/runtime'

/** For the kubelet and for Prometheus: plain HTTP, and nothing that is secret. */
export interface HealthServer {
  readonly port: number
  close(): Promise<void>
}

export interface HealthServerOptions {
  readonly host: string
  readonly port: number
  readonly health: () => Health
  readonly metrics: () => string
}

/**
 * `/healthz`: restart the process when this fails. `/readyz`: it can answer webhooks and, if it leads, reconcile.
 * `/metrics`: Prometheus text.
 */
export async function startHealthServer({ host, port, health, metrics }: HealthServerOptions): Promise<HealthServer> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://health')
    if (request.method !== 'GET' && request.method !== 'HEAD') return send(response, 405, 'only GET is served here\n')
    switch (pathname) {
      case '/healthz':
        return judge(response, health().live, health())
      case '/readyz':
        return judge(response, health().ready, health())
      case '/metrics':
        return send(response, 200, metrics(), METRICS_CONTENT_TYPE)
      default:
        return send(response, 404, 'there are /healthz, /readyz and /metrics\n')
    }
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const judge = (response: ServerResponse, good: boolean, { problems }: Health): void =>
  send(response, good ? 200 : 503, `${[good ? 'ok' : 'not ok', ...problems].join('\n')}\n`)

function send(response: ServerResponse, status: number, text: string, type = 'text/plain; charset=utf-8'): void {
  response.writeHead(status, { 'content-type': type }).end(text)
}
