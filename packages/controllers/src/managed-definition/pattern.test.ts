import { describe, expect, it } from 'vitest'
import { compilePatterns, matchesPattern } from './pattern.ts'

describe('patterns of activation policies (M6: wildcard prefix allowed, no regex)', () => {
  it.each([
    { pattern: '*', name: 'instances.rds.m.aws.crossplane.io', matches: true, reason: 'a star alone is everything' },
    {
      pattern: '*.ec2.m.aws.crossplane.io',
      name: 'vpcs.ec2.m.aws.crossplane.io',
      matches: true,
      reason: 'a leading star stands for anything',
    },
    { pattern: '*.ec2.m.aws.crossplane.io', name: 'vpcs.rds.m.aws.crossplane.io', matches: false, reason: 'the rest must be there' },
    { pattern: '*.ec2.m.aws.crossplane.io', name: 'ec2.m.aws.crossplane.io', matches: false, reason: 'the dot after the star is literal' },
    { pattern: 'instances.rds.m.aws.crossplane.io', name: 'instances.rds.m.aws.crossplane.io', matches: true, reason: 'a name is itself' },
    { pattern: 'instances.*.crossplane.io', name: 'instances.rds.crossplane.io', matches: false, reason: 'a star elsewhere is literal' },
    { pattern: '.*', name: 'a.b', matches: false, reason: 'no regular expressions' },
    { pattern: '?.b', name: 'a.b', matches: false, reason: 'no single-character wildcard' },
    { pattern: '[a].b', name: 'a.b', matches: false, reason: 'no character classes' },
  ])('$pattern on $name: $matches, since $reason', ({ pattern, name, matches }) => {
    expect(matchesPattern(pattern, name)).toBe(matches)
    expect(compilePatterns([pattern])(name)).toBe(matches)
  })

  it('M8: several patterns are a union', () => {
    const matches = compilePatterns(['a.x', '*.y'])
    expect(['a.x', 'b.y', 'a.y', 'b.x'].map(matches)).toEqual([true, true, true, false])
  })

  it('activates nothing without patterns', () => expect(compilePatterns([])('a')).toBe(false))
})
