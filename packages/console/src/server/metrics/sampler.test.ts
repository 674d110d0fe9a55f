import { FakeClock, settle } from '@weft/testing'
import { describe, expect, it } from 'vitest'
import { startSampler } from './sampler.ts'

const page = (done: number, failed: number, depth: number): string => `# HELP weft_reconcile_total Reconciles.
# TYPE weft_reconcile_total counter
weft_reconcile_total{controller="a",result="done"} ${done}
weft_reconcile_total{controller="odd } name",result="done"} 0
weft_reconcile_errors_total{controller="a"} ${failed}
weft_reconcile_seconds_bucket{controller="a",le="0.1"} ${done}
weft_reconcile_seconds_bucket{controller="a",le="+Inf"} ${done}
weft_reconcile_seconds_sum{controller="a"} ${done / 50}
weft_reconcile_seconds_count{controller="a"} ${done}
weft_queue_depth{controller="a"} ${depth}
weft_queue_depth{controller="b"} 1
weft_reconcile_total_of_others 99
process_cpu_seconds_total 12.5
`

async function sampled(pages: readonly (string | undefined)[]): Promise<ReturnType<ReturnType<typeof startSampler>['read']>> {
  const clock = new FakeClock()
  const rest = [...pages]
  const sampler = startSampler({ scrape: () => Promise.resolve(rest.shift()), clock })
  await settle()
  for (let i = 1; i < pages.length; i++) await clock.advance(10_000)
  sampler.stop()
  return sampler.read()
}

describe('the last hour', () => {
  it('shows rates between samples and what waits now', async () => {
    const { samples, intervalSeconds } = await sampled([page(100, 1, 0), page(150, 6, 4), page(150, 6, 0)])
    expect(intervalSeconds).toBe(10)
    expect(samples).toMatchObject([
      { reconcilesPerSecond: 5, errorsPerSecond: 0.5, queueDepth: 5 },
      { reconcilesPerSecond: 0, errorsPerSecond: 0, queueDepth: 1 },
    ])
  })

  it('tells what each controller did, how long that took and what waits for it, and is silent about those that never did anything', async () => {
    const { controllers } = await sampled([page(100, 1, 0), page(150, 6, 4)])
    expect(controllers).toEqual([
      { controller: 'a', reconcilesPerSecond: 5, errorsPerSecond: 0.5, averageSeconds: 0.02, p99Seconds: 0.1, queueDepth: 4 },
      { controller: 'b', reconcilesPerSecond: 0, errorsPerSecond: 0, averageSeconds: 0, p99Seconds: 0, queueDepth: 1 },
    ])
    expect((await sampled([page(100, 1, 0)])).controllers).toEqual([])
  })

  it('counts from nothing after a restart', async () => {
    const { samples } = await sampled([page(100, 0, 0), page(20, 0, 0)])
    expect(samples[0]?.reconcilesPerSecond).toBe(2)
  })

  it('draws no line over a gap', async () => {
    const { samples } = await sampled([page(100, 0, 0), undefined, page(200, 0, 0), page(210, 0, 0)])
    expect(samples.map(({ reconcilesPerSecond }) => reconcilesPerSecond)).toEqual([1])
  })

  it('is empty where the controllers run elsewhere', async () => {
    const { samples } = await sampled(['process_cpu_seconds_total 1\n', 'process_cpu_seconds_total 2\n'])
    expect(samples).toEqual([])
  })

  it('keeps an hour and no more', async () => {
    const { samples } = await sampled(Array.from({ length: 400 }, (_, i) => page(i * 10, 0, 0)))
    expect(samples).toHaveLength(360)
  })
})
