import { describe, expect, it } from 'vitest'
import { createMetricsRegistry } from './registry.ts'

describe('metrics', () => {
  it('renders the text format', () => {
    const registry = createMetricsRegistry()
    registry.counter('c_total', 'Counts.').add({ a: 'x"y\\z\n' })
    registry.counter('c_total', 'Counts.').add({ a: 'x"y\\z\n' }, 2)
    registry.gauge('g', 'Now.').set({}, 4)
    const histogram = registry.histogram('h_seconds', 'Took.', [0.1, 1])
    for (const value of [0.05, 0.5, 0.7, 5]) histogram.observe({ c: '1' }, value)
    expect(registry.render()).toBe(
      [
        '# HELP c_total Counts.',
        '# TYPE c_total counter',
        'c_total{a="x\\"y\\\\z\\n"} 3',
        '# HELP g Now.',
        '# TYPE g gauge',
        'g 4',
        '# HELP h_seconds Took.',
        '# TYPE h_seconds histogram',
        'h_seconds_bucket{c="1",le="0.1"} 1',
        'h_seconds_bucket{c="1",le="1"} 3',
        'h_seconds_bucket{c="1",le="+Inf"} 4',
        'h_seconds_sum{c="1"} 6.25',
        'h_seconds_count{c="1"} 4',
        '',
      ].join('\n'),
    )
  })

  it('asks collectors when it renders, and forgets the series of what is gone', () => {
    const registry = createMetricsRegistry()
    const gauge = registry.gauge('depth', 'D.')
    const stop = registry.onRender(() => gauge.set({ controller: 'c' }, 7))
    expect(registry.render()).toContain('depth{controller="c"} 7')
    stop()
    registry.remove('controller', 'c')
    expect(registry.size).toBe(0)
    expect(registry.render()).toBe('')
  })

  it('refuses one name for two types', () => {
    const registry = createMetricsRegistry()
    registry.counter('x', 'X.')
    expect(() => registry.gauge('x', 'X.')).toThrow()
  })
})
