import type { BareRequest } from '../bare-server.ts'
import { METADATA, SPECS } from './shapes.ts'
import { CONFIG_MAPS, configMap, dry, type GrowthCase, members, post, send, thing, THINGS, times, TYPES } from './world.ts'

const crossed: GrowthCase[] = []
for (const [what, make] of Object.entries(METADATA)) {
  crossed.push(
    { name: `POST a built-in kind with ${what}`, requests: (n) => post(dry(CONFIG_MAPS), configMap('m', {}, make(n))) },
    { name: `POST a custom kind with ${what}`, requests: (n) => post(dry(THINGS), thing('m', {}, make(n))) },
    { name: `PUT a custom kind with ${what}`, requests: (n) => send('PUT', dry(`${THINGS}/fixed`), thing('fixed', {}, make(n))) },
    {
      name: `server-side apply of ${what}`,
      requests: (n) => send('PATCH', `${THINGS}/applied?fieldManager=m&dryRun=All`, thing('applied', {}, make(n)), TYPES.apply),
    },
    {
      name: `strategic merge patch with ${what}`,
      requests: (n) => send('PATCH', dry(`${CONFIG_MAPS}/fixed`), { metadata: make(n) }, TYPES.strategic),
    },
  )
}
for (const [what, make] of Object.entries(SPECS)) {
  crossed.push(
    { name: `POST a custom kind with ${what}`, requests: (n) => post(dry(THINGS), thing('s', make(n))) },
    {
      name: `POST as YAML a custom kind with ${what}`,
      requests: (n) => post(dry(THINGS), JSON.stringify(thing('s', make(n))).replace('{', '# a comment\n{'), TYPES.yaml),
      size: 300,
    },
    {
      name: `POST strictly a custom kind with ${what}`,
      requests: (n) => post(`${dry(THINGS)}&fieldValidation=Strict`, thing('s', make(n))),
    },
    { name: `merge patch with ${what}`, requests: (n) => send('PATCH', dry(`${THINGS}/fixed`), { spec: make(n) }, TYPES.merge) },
    {
      name: `server-side apply with ${what}`,
      requests: (n) => send('PATCH', `${THINGS}/applied?fieldManager=m&dryRun=All`, thing('applied', make(n)), TYPES.apply),
    },
    {
      name: `server-side apply over ${what}`,
      before: (n) => [{ method: 'DELETE', url: `${THINGS}/big` }, post(THINGS, thing('big', make(n)))],
      requests: (n) => send('PATCH', `${THINGS}/big?fieldManager=m&force=true&dryRun=All`, thing('big', make(n + 1)), TYPES.apply),
    },
    {
      name: `update of ${what}`,
      before: (n) => [{ method: 'DELETE', url: `${THINGS}/big` }, post(THINGS, thing('big', make(n)))],
      requests: (n) => send('PATCH', dry(`${THINGS}/big`), { spec: make(n + 1) }, TYPES.merge),
    },
  )
}

const operations =
  (n: number, make: (i: number) => object, spec: object): GrowthCase['requests'] =>
  () =>
    send('PATCH', dry(`${THINGS}/fixed`), [{ op: 'replace', path: '/spec', value: { free: spec } }, ...times(n, make)], TYPES.patch)

const PATCHES: Readonly<Record<string, (n: number) => BareRequest>> = {
  'additions to an object': (n) => operations(n, (i) => ({ op: 'add', path: `/spec/free/k${i}`, value: i }), {})(n),
  'appended items': (n) => operations(n, (i) => ({ op: 'add', path: '/spec/free/l/-', value: i }), { l: [] })(n),
  'replacements in a long list': (n) =>
    operations(n, (i) => ({ op: 'replace', path: `/spec/free/l/${i}`, value: 0 }), { l: times(n, (i) => i) })(n),
  'tests of a large value': (n) => operations(n, () => ({ op: 'test', path: '/spec/free/l', value: [] }), { l: [] })(n),
  moves: (n) =>
    operations(
      n,
      (i) => ({ op: 'move', from: `/spec/free/k${i}`, path: `/spec/free/j${i}` }),
      members(n, (i) => i),
    )(n),
  'copies of a copy': (n) => operations(n, (i) => ({ op: 'copy', from: '/spec/free', path: `/spec/free/c${i}` }), { a: 1 })(n),
  removals: (n) =>
    operations(
      n,
      (i) => ({ op: 'remove', path: `/spec/free/k${i}` }),
      members(n, (i) => i),
    )(n),
  'a long path': (n) => operations(1, () => ({ op: 'test', path: '/a'.repeat(n), value: 1 }), {})(n),
}
const longList = { l: times(100_000, () => 0) }
crossed.push(
  {
    name: 'JSON patch of items put in front of a long list',
    requests: (n) => operations(n * 10, (i) => ({ op: 'add', path: '/spec/free/l/0', value: i }), longList)(n),
    bound: 30_000_000,
  },
  {
    name: 'JSON patch of items taken from the front of a long list',
    requests: (n) => operations(n * 10, () => ({ op: 'remove', path: '/spec/free/l/0' }), longList)(n),
    bound: 30_000_000,
  },
)
for (const [what, requests] of Object.entries(PATCHES)) crossed.push({ name: `JSON patch of ${what}`, requests })

export const OBJECT_CASES: readonly GrowthCase[] = crossed
