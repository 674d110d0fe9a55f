import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startWeft, type WeftProcess } from '../weft-process.ts'
import { type Kubectl, kubectl } from './kubectl.ts'
import { clientTier } from './tier.mjs'

const clients = await clientTier()
if ('skipped' in clients) throw new Error(`the tier was started on a machine that cannot run it: ${clients.skipped}`)

const garden = (name: string, spec: string): string =>
  `apiVersion: example.org/v1\nkind: Garden\nmetadata: {name: ${name}}\nspec: ${spec}\n`

const definition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gardens.example.org}
spec:
  group: example.org
  scope: Namespaced
  names: {plural: gardens, singular: garden, kind: Garden, shortNames: [gd], categories: [all]}
  versions:
  - name: v1
    served: true
    storage: true
    subresources:
      status: {}
      scale: {specReplicasPath: .spec.beds, statusReplicasPath: .status.beds}
    additionalPrinterColumns:
    - {name: Beds, type: integer, jsonPath: .spec.beds}
    - {name: Age, type: date, jsonPath: .metadata.creationTimestamp}
    schema:
      openAPIV3Schema:
        type: object
        description: A place where things grow.
        properties:
          spec:
            type: object
            properties:
              beds: {type: integer, minimum: 1, default: 2, description: How many beds there are.}
              trees: {type: integer}
              plants:
                type: array
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [name]
                items:
                  type: object
                  required: [name]
                  properties:
                    name: {type: string}
                    colour: {type: string}
            x-kubernetes-validations:
            - {rule: "!has(self.trees) || self.trees <= self.beds", message: a tree needs a bed}
          status:
            type: object
            x-kubernetes-preserve-unknown-fields: true
`

describe.each(clients.kubectls)('$name', ({ path }) => {
  let weft: WeftProcess
  let home: string
  let k: Kubectl
  const modern = !path.includes('debian')

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'weft-kubectl-'))
    weft = await startWeft()
    k = kubectl(path, weft.kubeconfig, home)
  })
  afterAll(async () => {
    expect(await weft.stop()).toBe(0)
    await rm(home, { recursive: true, force: true })
  })

  const apply = (manifest: string, ...args: string[]): Promise<string> => k.ok(['apply', ...args, '-f', '-'], { input: manifest })
  const field = (resource: string, path_: string): Promise<string> => k.ok(['get', ...resource.split(' '), '-o', `jsonpath=${path_}`])
  /** An editor that replaces text, as a person would. */
  const editor = async (from: string, to: string): Promise<string> => {
    const script = join(home, 'edit.sh')
    await writeFile(script, `#!/bin/sh\nsed -i 's/${from}/${to}/' "$1"\n`, { mode: 0o755 })
    return script
  }

  test('lists what the server serves', async () => {
    const resources = await k.ok(['api-resources'])
    expect(resources).toMatch(/configmaps\s+cm\s+.*true\s+ConfigMap/)
    expect(resources).toMatch(/customresourcedefinitions\s+crd,crds/)
    expect(await k.ok(['api-versions'])).toContain('rbac.authorization.k8s.io/v1')
    expect(await k.ok(['get', '--raw', '/readyz?verbose'])).toContain('readyz check passed')
  })

  test('creates, shows, describes, edits and deletes a built-in object', async () => {
    await k.ok(['create', 'configmap', 'plain', '--from-literal=a=1'])
    expect(await k.ok(['get', 'cm', 'plain'])).toMatch(/NAME\s+DATA\s+AGE\nplain\s+1\s+\d+s/)
    expect(await k.ok(['describe', 'cm', 'plain'])).toMatch(/a:\n----\n1/)
    await k.ok(['edit', 'cm', 'plain'], { env: { KUBE_EDITOR: await editor('a: "1"', 'a: "2"') } })
    expect(await field('cm plain', '{.data.a}')).toBe('2')
    await k.ok(['label', 'cm', 'plain', 'tier=front'])
    await k.ok(['annotate', 'cm', 'plain', 'note=hello'])
    expect(await k.ok(['get', 'cm', '-l', 'tier=front', '-o', 'name'])).toBe('configmap/plain\n')
    expect(await k.ok(['get', 'cm', '--field-selector', 'metadata.name=plain', '-o', 'name'])).toBe('configmap/plain\n')
    await k.ok(['delete', 'cm', 'plain'])
    expect(await k.run(['get', 'cm', 'plain'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('(NotFound): configmaps "plain" not found'),
    })
  })

  test('secrets are shown without their values, and a secret of a type is checked', async () => {
    await k.ok(['create', 'secret', 'generic', 'hidden', '--from-literal=password=hunter2'])
    expect(await k.ok(['get', 'secret', 'hidden'])).toMatch(/hidden\s+Opaque\s+1/)
    expect(await k.ok(['describe', 'secret', 'hidden'])).toMatch(/password:\s+7 bytes/)
    const bad = await k.run(['apply', '-f', '-'], {
      input: 'apiVersion: v1\nkind: Secret\nmetadata: {name: bad}\ntype: kubernetes.io/tls\ndata: {}\n',
    })
    expect(bad).toMatchObject({ code: 1, stderr: expect.stringContaining('tls.crt') })
  })

  test.each([
    ['json', '[{"op":"replace","path":"/data/a","value":"j"},{"op":"add","path":"/data/b","value":"2"}]', 'j2'],
    ['merge', '{"data":{"a":"m","b":null}}', 'm'],
    ['strategic', '{"data":{"a":"s","b":"3"}}', 's3'],
  ])('patches by %s', async (type, patch, expected) => {
    await apply('apiVersion: v1\nkind: ConfigMap\nmetadata: {name: patched}\ndata: {a: "1"}\n')
    await k.ok(['patch', 'cm', 'patched', `--type=${type}`, '-p', patch])
    expect(await field('cm patched', '{.data.a}{.data.b}')).toBe(expected)
  })

  test('applies, sees no change, diffs and migrates to server-side apply', async () => {
    const manifest = (a: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: applied}\ndata: {a: "${a}"}\n`
    expect(await apply(manifest('1'))).toContain('configmap/applied created')
    expect(await apply(manifest('1'))).toContain('configmap/applied unchanged')
    expect(await apply(manifest('2'))).toContain('configmap/applied configured')
    const diff = await k.run(['diff', '-f', '-'], { input: manifest('3') })
    expect(diff).toMatchObject({ code: 1, stdout: expect.stringMatching(/-\s+a: "2"\n\+\s+a: "3"/) })
    expect(await field('cm applied', '{.data.a}')).toBe('2')
    expect(await apply(manifest('4'), '--server-side', '--force-conflicts')).toContain('configmap/applied serverside-applied')
    expect(await field('cm applied', '{.data.a}')).toBe('4')
    expect(await k.run(['diff', '--server-side', '--force-conflicts', '-f', '-'], { input: manifest('4') })).toMatchObject({ code: 0 })
  })

  test('server-side apply reports a conflict with another manager, and can take over', async () => {
    const manifest = (a: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: contended}\ndata: {a: "${a}"}\n`
    await apply(manifest('1'), '--server-side', '--field-manager=one')
    const refused = await k.run(['apply', '--server-side', '--field-manager=two', '-f', '-'], { input: manifest('2') })
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/conflict with "one"[^]*\.data\.a/) })
    await apply(manifest('2'), '--server-side', '--field-manager=two', '--force-conflicts')
    expect(await field('cm contended', '{.data.a}')).toBe('2')
  })

  test('serves a kind of the user: definition, table, explain, rules, defaults, scale', async () => {
    await apply(definition)
    await k.ok(['wait', '--for=condition=Established', '--timeout=20s', 'crd/gardens.example.org'])
    await apply(garden('kitchen', '{trees: 1}'))
    expect(await k.ok(['get', 'gd'])).toMatch(/NAME\s+BEDS\s+AGE\nkitchen\s+2\s+\d+s/)
    expect(await k.ok(['explain', 'garden.spec', '--recursive'])).toMatch(/beds\s+<integer>[^]*plants\s+<\[\]Object>[^]*colour\s+<string>/)
    expect(await k.ok(['explain', 'garden.spec.beds'])).toContain('How many beds there are.')
    const tooMany = await k.run(['patch', 'gd', 'kitchen', '--type=merge', '-p', '{"spec":{"trees":5}}'])
    expect(tooMany).toMatchObject({ code: 1, stderr: expect.stringContaining('a tree needs a bed') })
    const wrong = await k.run(['apply', '-f', '-'], { input: garden('wrong', '{beds: many}') })
    expect(wrong.code).toBe(1)
    await k.ok(['scale', 'gd', 'kitchen', '--replicas=4'])
    expect(await field('gd kitchen', '{.spec.beds}')).toBe('4')
    expect(await k.ok(['get', 'all', '-o', 'name'])).toContain('garden.example.org/kitchen')
    await k.ok(['edit', 'gd', 'kitchen'], { env: { KUBE_EDITOR: await editor('beds: 4', 'beds: 5') } })
    expect(await field('gd kitchen', '{.spec.beds}')).toBe('5')
    expect(await k.ok(['describe', 'gd', 'kitchen'])).toMatch(/Beds:\s+5/)
  })

  test('lists with map keys are merged by key between managers', async () => {
    await apply(garden('merged', '{plants: [{name: rose, colour: red}]}'), '--server-side', '--field-manager=one')
    await apply(garden('merged', '{plants: [{name: fern, colour: green}]}'), '--server-side', '--field-manager=two')
    expect(await field('gd merged', '{.spec.plants[*].name}')).toBe('rose fern')
    await apply(garden('merged', '{plants: []}'), '--server-side', '--field-manager=one')
    expect(await field('gd merged', '{.spec.plants[*].name}')).toBe('fern')
  })

  test('unknown fields are refused by client and server', async () => {
    const unknown = garden('odd', '{bed: 3}')
    const refused = await k.run(['apply', '-f', '-'], { input: unknown })
    expect(refused.code).toBe(1)
    expect(refused.stderr).toMatch(
      modern ? /strict decoding error: unknown field "spec.bed"/ : /ValidationError\(Garden.spec\): unknown field "bed"/,
    )
    await k.ok(['apply', '--validate=false', '-f', '-'], { input: unknown })
    expect(await field('gd odd', '{.spec}')).toBe('{"beds":2}')
  })

  test('a list of objects in one file', async () => {
    const list =
      'apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: one}}\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: two}}\n'
    expect(await apply(list)).toMatch(/configmap\/one created\nconfigmap\/two created/)
    await k.ok(['delete', '-f', '-'], { input: list })
  })

  test('watches', async () => {
    const watched = k.follow(['get', 'cm', '-w', '--output-watch-events'])
    await watched.until(/ADDED.*applied/)
    await k.ok(['create', 'configmap', 'seen', '--from-literal=a=1'])
    await watched.until(/ADDED.*seen/)
    await k.ok(['delete', 'cm', 'seen'])
    await watched.until(/DELETED.*seen/)
    watched.stop()
  })

  test('waits for a condition and for deletion', async () => {
    await apply(garden('waited', '{}'))
    const waiting = k.run(['wait', '--for=delete', '--timeout=30s', 'gd/waited'])
    await k.ok(['delete', 'gd', 'waited'])
    const { code, stderr } = await waiting
    // Old ones call it an error when the object is gone before they have looked for the first time.
    if (code !== 0) expect(stderr).toContain('no matching resources found')
  })

  test('says who may do what', async () => {
    expect((await k.ok(['auth', 'can-i', 'create', 'secrets'])).trim()).toBe('yes')
    await k.ok(['create', 'serviceaccount', 'reader'])
    await k.ok(['create', 'role', 'reads', '--verb=get,list', '--resource=configmaps'])
    await k.ok(['create', 'rolebinding', 'reads', '--role=reads', '--serviceaccount=default:reader'])
    const as = '--as=system:serviceaccount:default:reader'
    expect((await k.ok(['auth', 'can-i', 'list', 'configmaps', as])).trim()).toBe('yes')
    expect(await k.run(['auth', 'can-i', 'delete', 'configmaps', as])).toMatchObject({ code: 1, stdout: expect.stringContaining('no') })
    const denied = await k.run(['delete', 'cm', 'applied', as])
    expect(denied.stderr).toContain(
      'User "system:serviceaccount:default:reader" cannot delete resource "configmaps" in API group "" in the namespace "default"',
    )
    expect(await k.ok(['auth', 'can-i', '--list', as])).toMatch(/configmaps\s+\[\]\s+\[\]\s+\[get list\]/)
    if (modern) expect((await k.ok(['create', 'token', 'reader'])).split('.')).toHaveLength(3)
  })

  test('pages through long lists', async () => {
    const names = Array.from({ length: 25 }, (_, i) => `page-${i}`)
    await apply(names.map((name) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, labels: {page: "y"}}\n`).join('---\n'))
    expect((await k.ok(['get', 'cm', '-l', 'page=y', '--chunk-size=10', '-o', 'name'])).trim().split('\n')).toHaveLength(25)
    await k.ok(['delete', 'cm', '-l', 'page=y'])
  })

  test('deleting a namespace or a definition takes everything in it along', async () => {
    await k.ok(['create', 'namespace', 'short-lived'])
    await k.ok(['apply', '-n', 'short-lived', '-f', '-'], { input: garden('inside', '{}') })
    await k.ok(['delete', 'namespace', 'short-lived', '--timeout=30s'])
    await k.ok(['delete', 'crd', 'gardens.example.org', '--timeout=30s'])
    expect((await k.run(['get', 'gardens.example.org'])).stderr).toMatch(
      /the server (doesn't have a resource type "gardens"|could not find the requested resource)/,
    )
  })
})
