import { describe, expect, it } from 'vitest'
import { indexPageHandler } from './index-page.ts'
import { metricsHandler } from './metrics-page.ts'
import { ask, askJson, bodyOf, servedCatalog, widget } from './served.fixture.ts'
import { versionHandler } from './version.ts'

describe('the index page', () => {
  it('lists what is served, sorted', async () => {
    const handler = indexPageHandler({ catalog: servedCatalog(widget), otherPaths: () => ['/version', '/healthz', '/api'] })
    const { paths } = await askJson<{ paths: string[] }>(handler, '/')
    expect(paths).toEqual([...new Set(paths)].sort())
    expect(paths).toEqual(
      expect.arrayContaining(['/api', '/api/v1', '/apis', '/apis/example.io', '/apis/example.io/v1beta1', '/healthz', '/version']),
    )
    expect(await ask(handler, '/nope')).toBeUndefined()
  })
})

describe('the version', () => {
  it('names the release whose API is served', async () => {
    expect(await askJson(versionHandler(), '/version')).toMatchObject({
      major: '1',
      minor: '36',
      gitVersion: 'v1.36.0+weft',
      goVersion: `node${process.versions.node}`,
    })
    expect(await askJson(versionHandler({ release: '0.1.0' }), '/version')).toMatchObject({ gitVersion: 'v1.36.0+weft.0.1.0' })
    await expect(ask(versionHandler(), '/version', { method: 'DELETE' })).rejects.toMatchObject({ code: 405 })
  })
})

describe('metrics', () => {
  it('are what the source renders', async () => {
    const response = await ask(metricsHandler({ render: () => 'up 1\n' }), '/metrics')
    expect(bodyOf(response)).toBe('up 1\n')
    expect(response?.body).toMatchObject({ contentType: 'text/plain; version=0.0.4; charset=utf-8' })
  })
})
