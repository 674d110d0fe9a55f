import { describe, expect, it } from 'vitest'
import { type HealthCheck, HealthChecks, type HealthFailure, healthHandler } from './health.ts'
import { ask, bodyOf } from './served.fixture.ts'

const storage: HealthCheck = { name: 'storage', check: () => undefined }
const broken: HealthCheck = { name: 'poststarthook/roles', check: () => 'the disk is on fire' }
const notReady: HealthCheck = { name: 'informers', check: () => 'still loading', endpoints: ['readyz'] }

const answer = async (checks: readonly HealthCheck[], url: string): Promise<[number | undefined, string]> => {
  const response = await ask(healthHandler(new HealthChecks(checks)), url)
  return [response?.status, bodyOf(response)]
}

describe('health', () => {
  it.each([
    ['/healthz', [storage], 200, 'ok', 'healthy'],
    ['/healthz/', [storage], 200, 'ok', 'with a slash'],
    ['/livez?verbose', [storage], 200, '[+]ping ok\n[+]storage ok\nlivez check passed\n', 'in words'],
    [
      '/healthz',
      [broken],
      500,
      '[+]ping ok\n[-]poststarthook/roles failed: reason withheld\nhealthz check failed\n',
      'the reason is not for everybody',
    ],
    ['/healthz?exclude=poststarthook/roles', [broken], 200, 'ok', 'the failing check is excluded'],
    [
      '/healthz?verbose&exclude=storage',
      [storage],
      200,
      '[+]ping ok\n[+]storage excluded: ok\nhealthz check passed\n',
      'excluded in words',
    ],
    [
      '/readyz?verbose&exclude=x',
      [],
      200,
      '[+]ping ok\nwarn: some health checks cannot be excluded: no matches for "x"\nreadyz check passed\n',
      'nothing of that name',
    ],
    ['/livez', [notReady], 200, 'ok', 'a check that is not for livez'],
    ['/readyz', [notReady], 500, '[+]ping ok\n[-]informers failed: reason withheld\nreadyz check failed\n', 'but for readyz'],
    ['/livez/ping', [], 200, 'ok', 'one check'],
    ['/livez/poststarthook/roles', [broken], 500, 'internal server error: the disk is on fire\n', 'one check that fails'],
  ] as const)('answers %s', async (url, checks, status, body, reason) => {
    expect(await answer(checks, url), reason).toEqual([status, body])
  })

  it('does not know checks that were never added', async () => {
    expect(await ask(healthHandler(new HealthChecks()), '/healthz/nope')).toBeUndefined()
    expect(await ask(healthHandler(new HealthChecks()), '/healthzz')).toBeUndefined()
  })

  it('reports failures, and takes a throw for one', async () => {
    const failures: HealthFailure[] = []
    const checks = new HealthChecks([], (failure) => failures.push(failure))
    const remove = checks.add({
      name: 'thrower',
      check: () => {
        throw new Error('out of luck')
      },
    })
    expect((await ask(healthHandler(checks), '/livez'))?.status).toBe(500)
    expect(failures).toEqual([{ endpoint: 'livez', name: 'thrower', reason: 'out of luck' }])
    remove()
    expect((await ask(healthHandler(checks), '/livez'))?.status).toBe(200)
    expect(checks.paths()).toEqual(['/healthz', '/healthz/ping', '/livez', '/livez/ping', '/readyz', '/readyz/ping'])
  })
})
