import type { PathHandler } from '../server.ts'
import { bytesResponse } from './document.ts'

/** `/metrics`, for Prometheus, as whoever counts `render`s them. */
export function metricsHandler(source: { render(): string }): PathHandler {
  return (_request, { path }) => {
    if (path !== '/metrics') return undefined
    return bytesResponse('text/plain; version=0.0.4; charset=utf-8', source.render())
  }
}
