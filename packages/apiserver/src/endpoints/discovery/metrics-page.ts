import { METRICS_CONTENT_TYPE, type MetricsSource } from '@weft/api'
import type { PathHandler } from '../server.ts'
import { bytesResponse } from './document.ts'

/** `/metrics`, for Prometheus, as whoever counts `render`s them. */
export function metricsHandler(source: MetricsSource): PathHandler {
  return (_request, { path }) => {
    if (path !== '/metrics') return undefined
    return bytesResponse(METRICS_CONTENT_TYPE, source.render())
  }
}
