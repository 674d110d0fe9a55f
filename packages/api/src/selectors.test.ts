import { describe, expect, test } from 'vitest'
import { matchesFields, parseFieldSelector } from './fields.ts'
import { formatLabelSelector, matchesLabels, parseLabelSelector, requirementsOf, SelectorError } from './labels.ts'

describe('label selectors', () => {
  const labels = { app: 'web', tier: 'front', n: '5', empty: '' }
  test.each([
    ['', true],
    ['app=web', true],
    ['app==web,tier!=back', true],
    ['app != web', false],
    ['app in (web, api)', true],
    ['app notin (web)', false],
    ['missing notin (web)', true],
    ['app', true],
    ['!app', false],
    ['!missing', true],
    ['n>4', true],
    ['n<5', false],
    ['empty=', true],
    ['example.com/x=y', false],
    ['empty in (,a)', true],
  ])('%j → %s', (text, expected) => {
    const requirements = parseLabelSelector(text)
    expect(matchesLabels(requirements, labels)).toBe(expected)
    expect(matchesLabels(parseLabelSelector(formatLabelSelector(requirements)), labels)).toBe(expected)
  })

  test.each(['app in', 'app in (a', 'a=b,', '=x', 'a b', 'n>x', 'a=b=c', 'bad key!=1', 'a in (b) c', '/a=b', 'a=$$'])(
    'rejects %j',
    (text) => {
      expect(() => parseLabelSelector(text)).toThrow(SelectorError)
    },
  )

  test('object form', () => {
    const requirements = requirementsOf({
      matchLabels: { app: 'web' },
      matchExpressions: [
        { key: 'tier', operator: 'In', values: ['front'] },
        { key: 'zz', operator: 'DoesNotExist' },
      ],
    })
    expect(matchesLabels(requirements, labels)).toBe(true)
    expect(() => requirementsOf({ matchExpressions: [{ key: 'a', operator: 'Like' }] })).toThrow(SelectorError)
  })
})

describe('field selectors', () => {
  const value = (field: string): string => ({ 'metadata.name': 'a,b', phase: 'x' })[field] ?? ''
  test.each([
    ['metadata.name=a\\,b', true],
    ['phase!=y,metadata.name!=q', true],
    ['phase==x', true],
    ['phase=y', false],
  ])('%j → %s', (text, expected) => {
    expect(matchesFields(parseFieldSelector(text), value)).toBe(expected)
  })
  test.each(['phase', 'a=b=c', 'a=\\x'])('rejects %j', (text) => {
    expect(() => parseFieldSelector(text)).toThrow(SelectorError)
  })
})
