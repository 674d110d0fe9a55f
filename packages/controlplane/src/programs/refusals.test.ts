import type { Attributes } from '@weft/apiserver'
import { describe, expect, it, vi } from 'vitest'
import { refusals } from './refusals.ts'

const ACCOUNT = 'system:serviceaccount:crossplane-system:weft-provider-x'
const asked = (verb: string, resource: string, more: Partial<Attributes> = {}): Attributes => ({
  user: { username: ACCOUNT, groups: [] } as unknown as Attributes['user'],
  verb,
  namespace: '',
  apiGroup: '',
  apiVersion: 'v1',
  resource,
  subresource: '',
  name: '',
  resourceRequest: true,
  path: '',
  ...more,
})

describe('what a program was refused', () => {
  it('is told as the rules that would allow it, once for each', () => {
    const onChange = vi.fn<() => void>()
    const noted = refusals(() => false)
    const leave = noted.follow(ACCOUNT, onChange)
    expect(noted.advice(ACCOUNT, 'provider-x')).toBeUndefined()
    for (const verb of ['list', 'list', 'get']) noted.note(asked(verb, 'configmaps'))
    noted.note(asked('update', 'deployments', { apiGroup: 'apps', subresource: 'scale' }))
    expect(onChange).toHaveBeenCalledTimes(3)
    const advice = noted.advice(ACCOUNT, 'provider-x')
    expect(advice).toContain('pkg.weft.dev/aggregate-to-provider: provider-x')
    expect(advice).toContain('{apiGroups: [""], resources: [configmaps], verbs: [get, list]}')
    expect(advice).toContain('{apiGroups: ["apps"], resources: [deployments/scale], verbs: [update]}')
    leave()
    expect(noted.advice(ACCOUNT, 'provider-x')).toBeUndefined()
  })

  it('is no longer told when it is allowed', async () => {
    vi.useFakeTimers()
    try {
      let isAllowed = false
      const onChange = vi.fn<() => void>()
      const noted = refusals(() => isAllowed)
      const leave = noted.follow(ACCOUNT, onChange)
      noted.note(asked('list', 'configmaps'))
      await vi.advanceTimersByTimeAsync(20_000)
      expect(onChange).toHaveBeenCalledTimes(1)
      isAllowed = true
      await vi.advanceTimersByTimeAsync(20_000)
      expect(onChange).toHaveBeenCalledTimes(2)
      expect(noted.advice(ACCOUNT, 'provider-x')).toBeUndefined()
      leave()
    } finally {
      vi.useRealTimers()
    }
  })

  it('is bounded, holds no words of the program, and nothing of anybody else', () => {
    const noted = refusals(() => false)
    const leave = noted.follow(ACCOUNT, () => undefined)
    noted.note(asked('get', 'x], verbs: ["*"'))
    noted.note(asked('get', 'secrets', { user: { username: 'somebody', groups: [] } as unknown as Attributes['user'] }))
    noted.note(asked('get', '', { resourceRequest: false, path: '/metrics' }))
    expect(noted.advice(ACCOUNT, 'provider-x')).toBeUndefined()
    for (let at = 0; at < 100; at++) noted.note(asked('get', `things${at}`))
    expect(noted.advice(ACCOUNT, 'provider-x')).toContain('and 12 more')
    leave()
  })
})
