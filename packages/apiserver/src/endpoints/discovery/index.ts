export { discoveryHandler } from './discovery-handler.ts'
export { type HealthCheck, HealthChecks, healthHandler } from './health.ts'
export { indexPageHandler } from './index-page.ts'

export { metricsHandler } from './metrics-page.ts'

export { KUBERNETES_VERSION, versionHandler } from './version.ts'
