import type { KubeObject } from '@weft/api'
import { builtInFunction, type FunctionRunner, type RunFunctionRequest, type RunFunctionResponse } from '@weft/functions'
import { describe, expect, test } from 'vitest'
import { renderXr, type XrRenderInput } from './render.ts'

const NOW = Date.parse('2027-03-04T05:06:07Z')
const XR: KubeObject = { apiVersion: 'shop.example.org/v1', kind: 'Kiosk', metadata: { name: 'one', namespace: 'here' }, spec: {} }
const UID = 'd5b0f5c1-0000-4000-8000-000000000001'

const composition = (...pipeline: readonly object[]): KubeObject => ({
  apiVersion: 'apiextensions.crossplane.io/v1',
  kind: 'Composition',
  metadata: { name: 'kiosks' },
  spec: { compositeTypeRef: { apiVersion: XR.apiVersion, kind: XR.kind }, mode: 'Pipeline', pipeline },
})
/** One step whose function answers this. */
const answering = (response: object): KubeObject =>
  composition({
    step: 'dummy',
    functionRef: { name: 'dummy' },
    input: { apiVersion: 'dummy.fn.crossplane.io/v1beta1', kind: 'Response', response },
  })
const dummy: FunctionRunner = {
  async run(_name, request) {
    const program = builtInFunction('example.org/function-dummy:v1')
    if (program === undefined) throw new Error('not built in')
    return program(request)
  },
}
const render = (input: Partial<XrRenderInput> & Pick<XrRenderInput, 'composition'>): ReturnType<typeof renderXr> =>
  renderXr({ xr: XR, runner: dummy, nowMs: NOW, ...input })

/** What functions were asked, and one that answers by it. */
function asked(answer: (request: RunFunctionRequest) => RunFunctionResponse): FunctionRunner & { readonly requests: RunFunctionRequest[] } {
  const requests: RunFunctionRequest[] = []
  return {
    requests,
    async run(_name, request) {
      requests.push(request)
      return answer(request)
    },
  }
}
const step = composition({ step: 'ask', functionRef: { name: 'ask' } })
const config = (name: string, namespace = 'here'): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace, annotations: { 'crossplane.io/composition-resource-name': name } },
})
const controlledBy = (uid: string, object: KubeObject): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'boss', uid, controller: true }] },
})

describe('what is refused', () => {
  test.each([
    ['an observed resource of somebody else, of a composite without uid', XR, [controlledBy('other', config('a'))]],
    ['an observed resource of somebody else', { ...XR, metadata: { ...XR.metadata, uid: UID } }, [controlledBy('other', config('a'))]],
  ])('K123 %s', async (_reason, xr, observed) => {
    await expect(render({ xr, composition: answering({}), observed })).rejects.toThrow(
      'invalid observed resources: observed resource a has a controller ref but is not controlled by the XR',
    )
  })

  test('K123 all that is wrong is said at once, each once', async () => {
    const observed = [controlledBy('other', config('a', 'there')), config('b', 'there'), config('b', 'there')]
    await expect(render({ composition: answering({}), observed })).rejects.toThrow(
      'invalid observed resources: [observed resource a has a controller ref but is not controlled by the XR, observed resource a is not in the same namespace as the XR, observed resource b is not in the same namespace as the XR]',
    )
  })

  test.each([
    ['of another kind', { group: 'shop.example.org', names: { kind: 'Stall' } }, 'Group=shop.example.org Kind=Stall'],
    ['of another group', { group: 'example.org', names: { kind: 'Kiosk' } }, 'Group=example.org Kind=Kiosk'],
    ['that says nothing', undefined, 'Group= Kind='],
  ])('K122 a definition %s', async (_reason, spec, is) => {
    const xrd = { apiVersion: 'apiextensions.crossplane.io/v2', kind: 'CompositeResourceDefinition', metadata: { name: 'x' }, spec }
    await expect(render({ composition: answering({}), xrd: xrd as never })).rejects.toThrow(
      `cannot select composite resource schema: CompositeResourceDefinition "x" (composite ${is}) does not match the input XR's Group=shop.example.org Kind=Kiosk`,
    )
  })

  test('K63 a composed resource that somebody else is to control', async () => {
    const { metadata } = controlledBy('u', config('a'))
    const resource = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c', ownerReferences: metadata.ownerReferences } }
    await expect(render({ composition: answering({ desired: { resources: { a: { resource } } } }) })).rejects.toThrow(
      'reconcile failed: cannot compose resources: cannot render metadata for composed resource "a": cannot set controller reference: c is already controlled by ConfigMap boss (UID u)',
    )
  })
})

describe('what is shown', () => {
  test('K61 what wants another namespace is made in that of its composite, with a warning', async () => {
    const resource = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'there' } }
    const { composed, events } = await render({ composition: answering({ desired: { resources: { a: { resource } } } }) })
    expect(composed[0]?.metadata.namespace).toBe('here')
    expect(events).toContainEqual({
      type: 'Warning',
      reason: 'NamespaceOverridden',
      message: 'cannot create composed resource "a" in namespace "there", using XR namespace "here" instead',
    })
  })

  test('K87 a request to look is acknowledged, and what notes it goes when something is composed', async () => {
    const annotations = { 'crossplane.io/reconcile-requested-at': 'now' }
    const xr = { ...XR, metadata: { ...XR.metadata, annotations } }
    const heard = { type: 'Normal', reason: 'ReconcileRequestHandled', message: 'Handling reconcile request' }
    const composed = await render({ xr, composition: answering({}) })
    expect(composed.events).toEqual([expect.objectContaining({ reason: 'SelectComposition' }), heard].toReversed())
    expect(composed.xr['status']).not.toHaveProperty('lastHandledReconcileAt')
    const fatal = await render({ xr, composition: answering({ results: [{ severity: 'SEVERITY_FATAL', message: 'no' }] }) })
    expect(fatal.xr['status']).toHaveProperty('lastHandledReconcileAt', 'now')
  })

  test('K76 a result whose reason is empty has the usual one', async () => {
    const results = [{ severity: 'SEVERITY_WARNING', message: 'look', reason: '' }]
    const { events } = await render({ composition: answering({ results }) })
    expect(events).toContainEqual({ type: 'Warning', reason: 'ComposeResources', message: 'Pipeline step "dummy": look' })
  })

  describe('K77 with a fatal result', () => {
    const fatal = answering({ results: [{ severity: 'SEVERITY_FATAL', message: 'no' }] })
    const marked = { ...XR, metadata: { ...XR.metadata, labels: { 'crossplane.io/composite': 'root' } } }

    test.each([
      ['which Composition it is, as it was written with the label', XR, { crossplane: { compositionRef: { name: 'kiosks' } } }],
      ['not so of one that had the label: nothing was written', marked, {}],
    ])('%s', async (_reason, xr, spec) => {
      expect((await render({ xr, composition: fatal })).xr['spec']).toEqual(spec)
    })

    test('where a legacy composite is to publish its connection', async () => {
      const spec = { group: 'shop.example.org', names: { kind: 'Kiosk', plural: 'kiosks' }, versions: [] }
      const xrd = { apiVersion: 'apiextensions.crossplane.io/v1', kind: 'CompositeResourceDefinition', metadata: { name: 'x' }, spec }
      const xr = { ...marked, metadata: { name: 'one', uid: UID, labels: marked.metadata.labels } }
      const composition = { ...fatal, spec: { ...(fatal['spec'] as object), writeConnectionSecretsToNamespace: 'vault' } } as KubeObject
      expect((await render({ xr, xrd, composition })).xr['spec']).toEqual({
        compositionRef: { name: 'kiosks' },
        writeConnectionSecretToRef: { name: UID, namespace: 'vault' },
      })
    })
  })

  test('K70 a condition of the control plane’s own kind that functions put into the status is there as well', async () => {
    const conditions = ['Healthy', 'Ready'].map((type) => ({
      type,
      status: 'False',
      reason: 'Theirs',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    }))
    const { xr } = await render({ composition: answering({ desired: { composite: { resource: { status: { conditions } } } } }) })
    expect((xr['status'] as { readonly conditions: unknown }).conditions).toMatchObject([
      { type: 'Healthy', reason: 'Theirs' },
      { type: 'Ready', reason: 'Available' },
      { type: 'Responsive' },
      { type: 'Synced' },
    ])
  })

  test('K70 conditions that functions want in the status are there; what is there already stays', async () => {
    const lastTransitionTime = '2026-01-01T00:00:00Z'
    const there = { type: 'Open', status: 'True', reason: 'There', lastTransitionTime }
    const wanted = [
      { ...there, reason: 'Wanted' },
      { type: 'Swept', status: 'False', reason: 'Wanted', lastTransitionTime },
    ]
    const { xr } = await render({
      xr: { ...XR, status: { conditions: [there] } },
      composition: answering({ desired: { composite: { resource: { status: { conditions: [...wanted, 7, { type: 'Half' }] } } } } }),
    })
    const { conditions } = xr['status'] as { readonly conditions: readonly { readonly type: string }[] }
    expect(conditions).toEqual(expect.arrayContaining([there, wanted[1]]))
    expect(conditions.map(({ type }) => type).sort()).toEqual(['Open', 'Ready', 'Responsive', 'Swept', 'Synced'])
  })
})

describe('what functions may ask for', () => {
  test.each([
    ['what exists already', { observed: [config('a')] }],
    ['of two the later', { required: [{ ...config('a'), data: { old: 'yes' } }, config('a')] }],
  ])('K82 %s', async (_reason, given) => {
    const runner = asked(() => ({
      requirements: { resources: { it: { apiVersion: 'v1', kind: 'ConfigMap', matchName: 'a', namespace: 'here' } } },
    }))
    await render({ composition: step, runner, ...given })
    expect(runner.requests).toHaveLength(2)
    expect(runner.requests[1]?.requiredResources?.['it']).toEqual({ items: [{ resource: config('a') }] })
  })

  test('K57 the composite, as it was read from somewhere', async () => {
    const runner = asked(() => ({}))
    await render({ composition: step, runner })
    expect(runner.requests[0]?.observed?.composite?.resource).toMatchObject({ metadata: { name: 'one', resourceVersion: '999' } })
  })

  test('K81 one that has what it asked for is done', async () => {
    const it = { apiVersion: 'v1', kind: 'ConfigMap', matchName: 'a', namespace: 'here' }
    const runner = asked(({ requiredResources }) =>
      requiredResources?.['it'] === undefined ? { requirements: { resources: { it } } } : {},
    )
    await render({ composition: step, runner, required: [config('a')] })
    expect(runner.requests).toHaveLength(2)
  })

  test('K56 connection details of what exists already are read from the files', async () => {
    const spec = { writeConnectionSecretToRef: { name: 'login' } }
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'login', namespace: 'here' }, data: { password: 'Zm9v' } }
    const runner = asked(() => ({}))
    await render({ composition: step, runner, observed: [{ ...config('a'), spec }], required: [secret] })
    expect(runner.requests[0]?.observed?.resources?.['a']?.connectionDetails).toEqual({ password: 'Zm9v' })
  })
})
