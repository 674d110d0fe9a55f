export { addProcessMetrics } from './process-metrics.ts'
export { requestObserver } from './request-metrics.ts'
export { addStorageMetrics } from './storage-metrics.ts'
