import type { MetricsSource } from '../../metrics/index.ts'
import type { PathHandler } from '../server.ts'
import { bytesResponse } from './document.ts'

/** `/metrics`, for Prometheus. */
export function metricsHandler(source: MetricsSource): PathHandler {
  return (_request, { path }) => {
    if (path !== '/metrics') return undefined
    return bytesResponse('text/plain; version=0.0.4; charset=utf-8', source.render())
  }
}
