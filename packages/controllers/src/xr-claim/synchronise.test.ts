import { type KubeObject, specOf } from '@weft/api'
import { describe, expect, test } from 'vitest'
import { claimShowing, type ClaimTerms, compositeFor, sharedConditions, statusFrom } from './synchronise.ts'

const XR_TYPE = { apiVersion: 'shop.example.org/v1', kind: 'XStall' }
const FREE: ClaimTerms = { enforced: false }
const claim = (spec: object = {}, more: object = {}): KubeObject => ({
  apiVersion: 'shop.example.org/v1',
  kind: 'Stall',
  metadata: { name: 'one', namespace: 'team', ...more },
  spec,
})
const composite = (spec: object = {}, more: object = {}): KubeObject => ({ ...XR_TYPE, metadata: { name: 'one-x', ...more }, spec })
const travelled = (given: object, xr?: KubeObject, terms = FREE): Readonly<Record<string, unknown>> => {
  const { claimRef: _claimRef, ...spec } = specOf(compositeFor(claim(given), 'one-x', xr, terms, XR_TYPE))
  return spec
}
const ref = (name: string): object => ({ name })

describe('K96: what a claim makes of its composite', () => {
  test('everything of its spec but what is its own', () => {
    const wanted = { size: 3, compositionRef: ref('plan'), compositionSelector: { matchLabels: {} }, compositionUpdatePolicy: 'Manual' }
    const own = { resourceRef: ref('x'), writeConnectionSecretToRef: ref('s'), compositeDeletePolicy: 'Foreground' }
    expect(travelled({ ...wanted, ...own, claimRef: ref('forged'), resourceRefs: [ref('forged')] })).toEqual(wanted)
  })

  test.each<[string, object | undefined, object]>([
    ['not before there is a composite', undefined, {}],
    ['not of one that follows by itself', { compositionUpdatePolicy: 'Automatic' }, {}],
    ['of one that is moved by hand', { compositionUpdatePolicy: 'Manual' }, { compositionRevisionRef: ref('plan-1') }],
  ])('its revision travels %s', (_, spec, expected) => {
    expect(travelled({ compositionRevisionRef: ref('plan-1') }, spec && composite(spec))).toEqual(expected)
  })

  test('its revision travels with one that is moved by hand and not there yet: it is never composed by another', () => {
    const given = { compositionRevisionRef: ref('plan-1'), compositionUpdatePolicy: 'Manual' }
    expect(travelled(given)).toEqual(given)
    expect(travelled(given, composite({ compositionUpdatePolicy: 'Automatic' }))).toEqual({ compositionUpdatePolicy: 'Manual' })
    const said = { compositionRevisionRef: ref('plan-1') }
    expect(travelled(said, undefined, { enforced: false, updatePolicy: 'Manual' })).toEqual(said)
  })

  test('its Composition does not where the definition enforces one', () => {
    expect(travelled({ compositionRef: ref('mine') }, undefined, { enforced: true })).toEqual({})
  })

  test('labels and annotations but those of Kubernetes itself, and the external name that the composite has', () => {
    const labels = { crop: 'apple', 'app.kubernetes.io/name': 'a', 'x.k8s.io/y': 'b', 'notkubernetes.io/x': 'c' }
    const annotations = { note: 'n', 'kubectl.kubernetes.io/last-applied-configuration': '{}', 'crossplane.io/external-name': 'mine' }
    const given = claim({}, { labels, annotations })
    const { metadata } = compositeFor(
      given,
      'one-x',
      composite({}, { annotations: { 'crossplane.io/external-name': 'theirs' } }),
      FREE,
      XR_TYPE,
    )
    expect(metadata.labels).toEqual({
      crop: 'apple',
      'notkubernetes.io/x': 'c',
      'crossplane.io/claim-name': 'one',
      'crossplane.io/claim-namespace': 'team',
    })
    expect(metadata.annotations).toEqual({ note: 'n', 'crossplane.io/external-name': 'theirs' })
  })
})

describe('K97: what a claim shows of its composite', () => {
  const theirs = {
    compositionRef: ref('theirs'),
    compositionRevisionRef: ref('theirs-1'),
    compositionRevisionSelector: { matchLabels: { a: 'b' } },
  }
  const shown = (spec: object, xr: object = theirs, terms = FREE): object => specOf(claimShowing(claim(spec), composite(xr), terms))

  test.each<[string, object, object, { readonly enforced: boolean }, object]>([
    ['the Composition and selector, where it has none', {}, theirs, FREE, { ...theirs, compositionRevisionRef: undefined }],
    [
      'not the Composition where it has one',
      { compositionRef: ref('mine') },
      { compositionRef: ref('theirs') },
      FREE,
      { compositionRef: ref('mine') },
    ],
    [
      'but where one is enforced',
      { compositionRef: ref('mine') },
      { compositionRef: ref('theirs') },
      { enforced: true },
      { compositionRef: ref('theirs') },
    ],
    [
      'the revision, where it follows by itself',
      { compositionRevisionRef: ref('old') },
      { compositionUpdatePolicy: 'Automatic', compositionRevisionRef: ref('new') },
      FREE,
      { compositionRevisionRef: ref('new') },
    ],
    [
      'not where it is moved by hand',
      { compositionRevisionRef: ref('old') },
      { compositionUpdatePolicy: 'Manual', compositionRevisionRef: ref('new') },
      FREE,
      { compositionRevisionRef: ref('old') },
    ],
  ])('%s', (_, mine, xr, terms, expected) => {
    expect(shown(mine, xr, terms)).toEqual(JSON.parse(JSON.stringify(expected)))
  })

  test('all of the status but what each has for itself, and the external name', () => {
    const [open, fed] = ['Open', 'Fed'].map((type) => ({ type, status: 'True', reason: 'R', lastTransitionTime: '2026-01-01T00:00:00Z' }))
    const status = {
      zone: 'north',
      conditions: [open, fed],
      connectionDetails: { lastPublishedTime: 'x' },
      claimConditionTypes: ['Fed', 'Never'],
    }
    const xr = { ...composite({}, { annotations: { 'crossplane.io/external-name': 'e' } }), status }
    const mine = { ...claim(), status: { zone: 'south', gone: 1, conditions: [open], connectionDetails: { lastPublishedTime: 'y' } } }
    expect(statusFrom(mine, xr)).toEqual({ zone: 'north', conditions: [open], connectionDetails: { lastPublishedTime: 'y' } })
    expect(sharedConditions(xr)).toEqual([fed])
    expect(sharedConditions(composite())).toEqual([])
    expect(claimShowing(mine, xr, FREE).metadata.annotations).toEqual({ 'crossplane.io/external-name': 'e' })
  })
})
