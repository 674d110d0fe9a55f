import { memoryUsage, resourceUsage, uptime, versions } from 'node:process'
import { getHeapStatistics } from 'node:v8'
import { type Metrics, Reading } from '@weft/api'

/** What the process and its JavaScript engine use. `now`: milliseconds since 1970. */
export function addProcessMetrics(metrics: Metrics, now: () => number): void {
  metrics.reading('process_resident_memory_bytes', 'Memory of the process that is in RAM.', () => memoryUsage.rss())
  metrics.add(
    new Reading('counter', { name: 'process_cpu_seconds_total', help: 'User and system time spent.' }, () => {
      const { userCPUTime, systemCPUTime } = resourceUsage()
      return [[(userCPUTime + systemCPUTime) / 1e6]]
    }),
  )
  metrics.reading('process_start_time_seconds', 'When the process started, in seconds since 1970.', () => now() / 1000 - uptime())
  metrics.readings('nodejs_heap_bytes', 'Memory of the JavaScript heap and of buffers outside it.', ['kind'], () => {
    const { heapUsed, heapTotal, external, arrayBuffers } = memoryUsage()
    return [
      [heapUsed, 'used'],
      [heapTotal, 'total'],
      [external, 'external'],
      [arrayBuffers, 'array_buffers'],
      [getHeapStatistics().heap_size_limit, 'limit'],
    ]
  })
  metrics.readings('nodejs_version_info', 'Version of Node.js.', ['version'], () => [[1, versions.node]])
}
