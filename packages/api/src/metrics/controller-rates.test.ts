import { describe, expect, it } from 'vitest'
import { controllerRates } from './controller-rates.ts'
import { parseMetrics, singleValue } from './parse-metrics.ts'

const reading = (count: number, errors: number, sum: number, at: number) => ({
  at,
  samples: parseMetrics(`# HELP x X.
# TYPE weft_reconcile_total counter
weft_reconcile_total{controller="a",result="done"} ${count - errors}
weft_reconcile_total{controller="a",result="error"} ${errors}
weft_reconcile_errors_total{controller="a"} ${errors}
weft_reconcile_seconds_bucket{controller="a",le="0.1"} ${count - 1}
weft_reconcile_seconds_bucket{controller="a",le="1"} ${count}
weft_reconcile_seconds_bucket{controller="a",le="+Inf"} ${count}
weft_reconcile_seconds_sum{controller="a"} ${sum}
weft_reconcile_seconds_count{controller="a"} ${count}
weft_queue_depth{controller="a"} 4
weft_queue_depth{controller="idle"} 0
process_resident_memory_bytes 1048576
not a line
`),
})

describe('metrics', () => {
  it('reads Prometheus’ text format', () => {
    const [sample] = parseMetrics('x{a="q\\"\\n\\\\",b=""} +Inf 123\n')
    expect(sample).toEqual({ name: 'x', labels: { a: 'q"\n\\', b: '' }, value: Infinity })
    expect(singleValue(reading(1, 0, 1, 0).samples, 'process_resident_memory_bytes')).toBe(1_048_576)
  })

  it('answers rates between two readings, the busiest first', () => {
    const [busy, idle] = controllerRates(reading(10, 0, 1, 0), reading(30, 5, 3, 2000))
    expect(busy).toMatchObject({ controller: 'a', perSecond: 10, errorsPerSecond: 2.5, average: 0.1, depth: 4, total: 30 })
    expect(busy?.p99).toBe(0.1)
    expect(idle).toMatchObject({ controller: 'idle', perSecond: 0, average: 0, p99: 0 })
  })

  it('falls back to all there ever was when nothing happened meanwhile, and survives a restart', () => {
    expect(controllerRates(reading(10, 0, 1, 0), reading(10, 0, 1, 1000))[0]).toMatchObject({ perSecond: 0, average: 0.1, p99: 1 })
    expect(controllerRates(reading(10, 0, 1, 0), reading(2, 0, 1, 1000))[0]).toMatchObject({ perSecond: 0 })
  })
})
