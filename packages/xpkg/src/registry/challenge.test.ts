import { expect, it } from 'vitest'
import { parseChallenges } from './challenge.ts'

it.each([
  [
    'Bearer realm="https://auth.example.org/token",service="registry.example.org",scope="repository:a/b:pull,push"',
    [
      {
        scheme: 'bearer',
        parameters: { realm: 'https://auth.example.org/token', service: 'registry.example.org', scope: 'repository:a/b:pull,push' },
      },
    ],
  ],
  ['Basic realm="a \\"quoted\\" realm"', [{ scheme: 'basic', parameters: { realm: 'a "quoted" realm' } }]],
  ['basic realm=plain', [{ scheme: 'basic', parameters: { realm: 'plain' } }]],
  [
    'Negotiate, Basic realm="x", Bearer realm="https://y"',
    [
      { scheme: 'negotiate', parameters: {} },
      { scheme: 'basic', parameters: { realm: 'x' } },
      { scheme: 'bearer', parameters: { realm: 'https://y' } },
    ],
  ],
  ['', []],
  ['"garbage', []],
])('%s', (header, challenges) => {
  expect(parseChallenges(header)).toEqual(challenges)
})
