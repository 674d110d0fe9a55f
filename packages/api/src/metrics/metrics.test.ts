import { describe, expect, it } from 'vitest'
import { Metrics } from './metrics.ts'

describe('the text format', () => {
  it('shows counters and gauges with their labels', () => {
    const metrics = new Metrics()
    const total = metrics.counter('requests_total', 'Requests.', 'verb', 'code')
    total.cell('GET', '200').add()
    total.cell('GET', '200').add(2)
    total.cell('PUT', '409').add()
    metrics.gauge('depth', 'Depth.').cell().set(-1.5)
    expect(metrics.render()).toBe(
      '# HELP depth Depth.\n# TYPE depth gauge\ndepth -1.5\n' +
        '# HELP requests_total Requests.\n# TYPE requests_total counter\n' +
        'requests_total{verb="GET",code="200"} 3\nrequests_total{verb="PUT",code="409"} 1\n',
    )
  })

  it('escapes what users can write', () => {
    const metrics = new Metrics()
    metrics.gauge('g', 'A \\ and\na line.', 'name').cell('a"b\\c\nd').set(Infinity)
    expect(metrics.render()).toBe('# HELP g A \\\\ and\\na line.\n# TYPE g gauge\ng{name="a\\"b\\\\c\\nd"} +Inf\n')
  })

  it('counts a histogram upwards', () => {
    const metrics = new Metrics()
    const cell = metrics.histogram('seconds', 'Time.', [0.1, 1], 'verb').cell('GET')
    for (const value of [0.05, 0.1, 0.5, 7]) cell.observe(value)
    expect(metrics.render().split('\n').slice(2, -1)).toEqual([
      'seconds_bucket{verb="GET",le="0.1"} 2',
      'seconds_bucket{verb="GET",le="1"} 3',
      'seconds_bucket{verb="GET",le="+Inf"} 4',
      'seconds_sum{verb="GET"} 7.65',
      'seconds_count{verb="GET"} 4',
    ])
  })

  it('asks for readings when it is read, and shows nothing of what has no value', () => {
    const metrics = new Metrics()
    let value: number | undefined
    metrics.reading('later', 'Later.', () => value)
    metrics.counter('never', 'Never.')
    expect(metrics.render()).toBe('')
    value = 3
    expect(metrics.render()).toContain('later 3\n')
  })

  it('refuses a name twice', () => {
    const metrics = new Metrics()
    metrics.counter('a', '')
    expect(() => metrics.gauge('a', '')).toThrow(/registered twice/)
  })

  it('answers the same metric for the same name and type: whoever adds to it adds to what is there', () => {
    const metrics = new Metrics()
    for (const controller of ['a', 'b']) {
      metrics.counter('c_total', 'Counts.', 'controller').cell(controller).add()
      metrics.histogram('h_seconds', 'Took.', [1], 'controller').cell(controller).observe(2)
    }
    expect(metrics.render()).toContain('c_total{controller="a"} 1\nc_total{controller="b"} 1\n')
    expect(metrics.size).toBe(4)
    expect(() => metrics.histogram('c_total', 'Counts.', [1])).toThrow(/registered twice/)
  })

  it('asks collectors when it renders, and forgets the series of what is gone', () => {
    const metrics = new Metrics()
    const depth = metrics.gauge('depth', 'D.', 'controller')
    const took = metrics.histogram('took', 'T.', [1], 'controller', 'result')
    took.cell('c', 'done').observe(1)
    took.cell('d', 'c').observe(1)
    const stop = metrics.onRender(() => depth.cell('c').set(7))
    expect(metrics.render()).toContain('depth{controller="c"} 7')
    stop()
    metrics.remove('controller', 'c')
    expect(metrics.size).toBe(1)
    expect(metrics.render()).toContain('took_count{controller="d",result="c"} 1')
    expect(metrics.render()).not.toContain('controller="c"')
  })
})
