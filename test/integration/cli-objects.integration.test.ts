import { readFile, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { type CliWorld, startCliWorld, widget, WIDGET_DEFINITION } from './cli-world.ts'
import { weftWith } from './weft-command.ts'

let world: CliWorld
beforeAll(async () => {
  world = await startCliWorld()
  const toys = 'apiVersion: v1\nkind: Namespace\nmetadata: {name: toys}\n'
  const widgets = [widget('shared', 3), widget('first', 4, ', namespace: toys'), widget('labelled', 1, ', labels: {set: s}')]
  await world.weftWithInput([WIDGET_DEFINITION, toys, ...widgets].join('---\n'), 'apply', '-f', '-')
})
afterAll(() => world.stop())

const definitionOf = (kind: string): string =>
  WIDGET_DEFINITION.replaceAll('widgets', `${kind.toLowerCase()}s`).replaceAll('Widget', kind).replace('shortNames: [wd]', 'shortNames: []')

describe('weft apply', () => {
  it('applies a kind, a namespace and an object of both from one file, in whatever order they stand', async () => {
    const puzzle = (size: number): string => widget('p', size, ', namespace: puzzles').replace('Widget', 'Puzzle')
    const namespace = 'apiVersion: v1\nkind: Namespace\nmetadata: {name: puzzles, labels: {a: b}}\n'
    const file = await world.file('all.yaml', [puzzle(3), namespace, definitionOf('Puzzle')].join('---\n'))
    expect((await world.ok('apply', '-f', file)).split('\n')).toEqual([
      'namespace/puzzles created',
      'customresourcedefinition.apiextensions.k8s.io/puzzles.example.org created',
      'puzzle.example.org/p created',
      '',
    ])
    expect(await world.ok('apply', '-f', file)).toContain('puzzle.example.org/p unchanged\n')
    await writeFile(file, puzzle(4))
    expect(await world.ok('apply', '-f', file, '--dry-run=server')).toBe('puzzle.example.org/p configured (server dry run)\n')
    expect(await world.ok('get', 'puzzle', 'p', '-n', 'puzzles', '-o', 'jsonpath={.spec.size}')).toBe('3')
    expect(await world.ok('apply', '-f', file)).toBe('puzzle.example.org/p configured\n')
    expect(await world.ok('apply', '-f', file, '--dry-run=server')).toBe('puzzle.example.org/p unchanged (server dry run)\n')
  })

  it('shows what the server warns of: a field of a claim that was probably meant otherwise', async () => {
    const claim = `apiVersion: database.crossplane.io/v1alpha1\nkind: MySQLInstance\nmetadata: {name: warned}\nspec: {clasSelector: {}}\n`
    const { code, stderr } = await world.weftWithInput(claim, 'apply', '-f', '-', '--dry-run=server')
    expect(code).toBe(0)
    expect(stderr.match(/did you mean classSelector\?/g)).toHaveLength(1)
  })

  it.each([
    { command: 'apply --dry-run=server', words: ['apply', '--dry-run=server', '-f', '-'] },
    { command: 'diff', words: ['diff', '-f', '-'] },
  ])('$command warns of such a field also where the namespace comes with the same file', async ({ words }) => {
    const namespace = 'apiVersion: v1\nkind: Namespace\nmetadata: {name: not-there-yet}\n'
    const claim = `apiVersion: database.crossplane.io/v1alpha1\nkind: MySQLInstance\nmetadata: {name: warned, namespace: not-there-yet}\nspec: {clasSelector: {}}\n`
    const { stdout, stderr } = await world.weftWithInput(`${namespace}---\n${claim}`, ...words)
    expect(stdout).toContain('warned')
    expect(stderr.match(/did you mean classSelector\?/g)).toHaveLength(1)
  })

  it('reads standard input and directories', async () => {
    const input = await world.weftWithInput(widget('piped', 1), 'apply', '-f', '-')
    expect(input).toMatchObject({ code: 0, stdout: 'widget.example.org/piped created\n' })
    expect(await world.weft('apply', '-f', `${world.folder}/nowhere.yaml`)).toMatchObject({ code: 1, stdout: '' })
  })

  it('writes nothing when one of several documents is wrong, and says which and where', async () => {
    const cases = [
      { text: `${widget('good', 1)}---\nkind: [\n`, place: ':7', says: /YAML/ },
      {
        text: `${widget('good', 1)}---\n${widget('bad', 1, ', labels: {a: yes}')}`,
        place: ':6',
        says: /labels\.a: expected text, got true: put it in quotes/,
      },
      { text: `${widget('good', 1)}---\n${widget('bad', 0)}`, place: ':6', says: /spec\.size/ },
      { text: `${widget('good', 1)}---\n${widget('bad', 'large')}`, place: ':6', says: /bad/ },
      { text: `${widget('good', 1)}---\n${widget('bad', 1).replace('size: 1', 'size: 1, sise: 2')}`, place: ':6', says: /sise/ },
      {
        text: `${widget('good', 1)}---\napiVersion: example.org/v1\nkind: Gadget\nmetadata: {name: g}\n`,
        place: ':6',
        says: /Gadget.*api-resources/,
      },
      {
        text: `${widget('good', 1)}---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: c, namespace: not-there}\n`,
        place: ':6',
        says: /not-there/,
      },
      { text: `${widget('good', 1)}---\napiVersion: v1\nkind: ConfigMap\ndata: {}\n`, place: ':6', says: /metadata/ },
    ]
    for (const [index, { text, place, says }] of cases.entries()) {
      const file = await world.file(`bad-${index}.yaml`, text)
      const { code, stdout, stderr } = await world.weft('apply', '-f', file)
      expect({ code, stdout }, stderr).toEqual({ code: 1, stdout: '' })
      expect(stderr).toContain(`${file}${place}`)
      expect(stderr).toMatch(says)
    }
    expect(await world.weft('get', 'widget', 'good')).toMatchObject({ code: 1 })
  })

  it('checks what is in a namespace that the same file brings, before that is created', async () => {
    const namespace = 'apiVersion: v1\nkind: Namespace\nmetadata: {name: brought}\n---\n'
    const widget = (name: string, size: string): string =>
      `apiVersion: example.org/v1\nkind: Widget\nmetadata: {name: ${name}, namespace: brought}\nspec: {size: ${size}}\n---\n`
    const bad = await world.file('brought.yaml', namespace + widget('right', '1') + widget('wrong', 'big'))
    const refused = await world.weft('apply', '-f', bad)
    expect(refused.code).toBe(1)
    expect(refused.stdout).toBe('')
    expect(refused.stderr).toMatch(/brought\.yaml:10: .*size/)
    expect((await world.weft('get', 'ns', 'brought')).code).toBe(1)
    const good = await world.file('brought.yaml', namespace + widget('right', '1') + widget('wrong', '2'))
    expect(await world.ok('apply', '-f', good, '--dry-run=server')).toMatch(/widget.example.org\/wrong created \(server dry run\)/)
    expect(await world.ok('apply', '-f', good)).toMatch(/widget.example.org\/wrong created/)
    await world.ok('delete', 'ns', 'brought')
  })

  it('says what was applied when it fails half way', async () => {
    // The server takes the definition; that no instance of it is valid shows only once it is served.
    const file = await world.file('half.yaml', `${definitionOf('Gizmo')}---\n${widget('g', 0).replace('Widget', 'Gizmo')}`)
    const { code, stdout, stderr } = await world.weft('apply', '-f', file)
    expect(code).toBe(1)
    expect(stdout).toBe('customresourcedefinition.apiextensions.k8s.io/gizmos.example.org created\n')
    expect(stderr).toMatch(/spec\.size/)
    expect(stderr).toMatch(/1 of 2 objects were applied; not applied: gizmo\.example\.org\/g/)
  })

  it('does not take over what others have set, unless told to', async () => {
    await world.weftWithInput(widget('contested', 2), 'apply', '-f', '-', '--field-manager', 'someone')
    const refused = await world.weftWithInput(widget('contested', 3), 'apply', '-f', '-')
    expect(refused.code).toBe(1)
    expect(refused.stderr).toMatch(/conflict.*someone.*--force-conflicts/s)
    expect(await world.weftWithInput(widget('contested', 3), 'apply', '-f', '-', '--force-conflicts')).toMatchObject({ code: 0 })
    expect(await world.ok('get', 'widget/contested', '-o', 'jsonpath={.spec.size}')).toBe('3')
  })

  it('prunes what it applied before and nothing else', async () => {
    const labelled = (name: string): string => widget(name, 1, ', labels: {prune: me}')
    await world.weftWithInput([labelled('keep'), labelled('drop')].join('---\n'), 'apply', '-f', '-')
    await world.weftWithInput(labelled('foreign'), 'apply', '-f', '-', '--field-manager', 'someone')
    const pruned = await world.weftWithInput(labelled('keep'), 'apply', '-f', '-', '--prune', '-l', 'prune=me')
    expect(pruned.stdout).toBe('widget.example.org/keep unchanged\nwidget.example.org/drop pruned\n')
    expect(await world.ok('get', 'widgets', '-l', 'prune=me', '-o', 'name')).toBe('widget.example.org/foreign\nwidget.example.org/keep\n')
    expect(await world.weftWithInput(labelled('keep'), 'apply', '-f', '-', '--prune')).toMatchObject({ code: 1 })
  })
})

describe('weft get', () => {
  it('shows the columns of the server, wide ones on request, kinds and namespaces where they matter', async () => {
    expect(await world.ok('get', 'widgets', 'shared', '--no-headers')).toMatch(/^shared {3}3 {5}\S+\n$/)
    expect((await world.ok('get', 'wd', '-o', 'wide', '-A')).split('\n')[0]).toMatch(/^NAMESPACE +NAME +SIZE +COLOUR +AGE$/)
    expect(await world.ok('get', 'toys', '-n', 'toys')).toMatch(/first +4/)
    expect(await world.ok('get', 'widgets,namespaces')).toMatch(/widget\.example\.org\/shared[^]*\n\nNAME[^]*namespace\/default/)
    expect(await world.ok('get', 'Widget.example.org', '-A', '--field-selector', 'metadata.namespace=toys', '--no-headers')).toMatch(
      /^toys +first/,
    )
    expect(await world.ok('get', 'widgets.v1.example.org', 'labelled', 'shared', '--sort-by', '{.spec.size}', '-o', 'name')).toBe(
      'widget.example.org/labelled\nwidget.example.org/shared\n',
    )
    expect(await world.ok('get', 'widgets', '-L', 'set', '--show-labels')).toMatch(/labelled +1 +\S+ +s +set=s\n/)
  })

  it('prints objects in every form', async () => {
    const yaml = parse(await world.ok('get', 'widget', 'shared', '-o', 'yaml')) as { metadata: { managedFields?: unknown }; spec: object }
    expect(yaml.spec).toEqual({ size: 3, colour: 'red' })
    expect(yaml.metadata.managedFields).toBeUndefined()
    const list = JSON.parse(await world.ok('get', 'widgets', '-o', 'json')) as { kind: string; items: { kind: string }[] }
    expect(list.kind).toBe('List')
    expect(list.items.every(({ kind }) => kind === 'Widget')).toBe(true)
    expect(await world.ok('get', 'widget/shared', '-o', 'custom-columns=N:.metadata.name,S:.spec.size,X:.spec.nothing')).toBe(
      'N        S     X\nshared   3     <none>\n',
    )
    expect(await world.ok('get', 'widget/shared', '-o=jsonpath={.metadata.name}={.spec.size}')).toBe('shared=3')
    expect(await world.ok('-n', 'toys', 'get', 'widgets', '-o', 'jsonpath={range .items[*]}{.metadata.name}{"\\n"}{end}')).toBe('first\n')
  })

  it('watches, through what comes and goes', async () => {
    const watch = world.follow('get', 'widgets', '-w', '--output-watch-events')
    await watch.until(/ADDED +shared/)
    await world.weftWithInput(widget('passing', 5), 'apply', '-f', '-')
    await watch.until(/ADDED +passing +5/)
    await world.ok('delete', 'widget', 'passing')
    await watch.until(/DELETED +passing/)
    const names = world.follow('get', 'widgets', 'later', '-w', '-o', 'name')
    await world.weftWithInput(widget('later', 5), 'apply', '-f', '-')
    await names.until(/^widget\.example\.org\/later\n/)
  })

  it('calls what nothing has called ready not ready, and says of classes which is the default and for which claims', async () => {
    const file = await world.file(
      'class.yaml',
      'apiVersion: postgresql.weft.dev/v1alpha1\nkind: PostgreSQLServerClass\nmetadata: {name: shown, annotations: {resourceclass.crossplane.io/is-default-class: "true"}}\nspecTemplate: {reclaimPolicy: Delete, writeConnectionSecretsToNamespace: default}\n---\n' +
        'apiVersion: storage.crossplane.io/v1alpha1\nkind: Bucket\nmetadata: {name: idle, namespace: kube-system}\nspec: {classSelector: {matchLabels: {tier: none}}}\n',
    )
    await world.ok('apply', '-f', file)
    expect(await world.ok('get', 'classes')).toMatch(/NAME +DEFAULT +CLAIMS .*\n.*shown +true +PostgreSQLInstance /)
    expect(await world.ok('get', 'buckets', '-n', 'kube-system')).toMatch(/NAME +READY .*\nidle +False /)
    const { stderr } = await world.weft('trace', 'bucket', 'idel', '-n', 'kube-system')
    expect(stderr).toContain('Bucket kube-system/idel does not exist: did you mean idle?')
    expect((await world.weft('trace', 'bucket', 'idle')).stderr).toContain('in namespace kube-system: -n kube-system')
    await world.ok('delete', '-f', file)
  })

  it('takes a kubeconfig in whatever style it is written', async () => {
    const config = parse(await readFile(world.plane.kubeconfig, 'utf8')) as unknown
    const kubeconfig = await world.file('kubeconfig.json', JSON.stringify(config))
    // From one file, and from the bundle in pieces.
    expect(await world.ok('get', 'namespace', 'default', '-o', 'name', '--kubeconfig', kubeconfig)).toBe('namespace/default\n')
    expect(await world.ok('api-resources', '-o', 'name', '--kubeconfig', kubeconfig)).toContain('namespaces\n')
  })

  it('finds kinds that moved and does not make up kinds that are gone, whatever it remembers', async () => {
    const doll = (group: string): string => definitionOf('Doll').replaceAll('example.org', group)
    const one = (group: string): string => widget('d', 1).replace('Widget', 'Doll').replace('example.org', group)
    await world.weftWithInput(`${doll('old.example')}---\n${one('old.example')}`, 'apply', '-f', '-')
    expect(await world.ok('get', 'dolls', '-o', 'name')).toBe('doll.old.example/d\n')
    await world.ok('delete', 'crd', 'dolls.old.example')
    expect((await world.weft('get', 'dolls')).stderr).toContain('the server has no kind "dolls"')
    await world.weftWithInput(doll('old.example'), 'apply', '-f', '-')
    expect((await world.weft('get', 'dolls')).stderr).toContain('No resources found')
    await world.ok('delete', 'crd', 'dolls.old.example')
    await world.weftWithInput(`${doll('new.example')}---\n${one('new.example')}`, 'apply', '-f', '-')
    expect(await world.ok('get', 'dolls', 'd', '-o', 'name')).toBe('doll.new.example/d\n')
    expect(await world.ok('describe', 'dolls', 'd')).toContain('new.example/v1')
    await world.ok('delete', 'crd', 'dolls.new.example')
    expect((await world.weft('describe', 'dolls', 'd')).stderr).toContain('the server has no kind "dolls"')
  })

  it('says what is not there, and shows what is', async () => {
    const some = await world.weft('get', 'widget/shared', 'widget/nobody')
    expect(some.code).toBe(1)
    expect(some.stdout).toMatch(/^NAME.*\nshared/)
    expect(some.stderr).toMatch(/^error: widgets\.example\.org "nobody" not found in namespace "default"/)
    expect(await world.weft('get', 'widget/nobody', '--ignore-not-found')).toMatchObject({ code: 0, output: '' })
    const kind = await world.weft('get', 'widgetz')
    expect(kind).toMatchObject({ code: 1, stdout: '' })
    expect(kind.stderr).toMatch(/no kind "widgetz".*api-resources.*did you mean "widgets"/)
    expect(await world.weft('get', 'secrets', '-l', 'no=thing')).toMatchObject({
      code: 0,
      stdout: '',
      stderr: 'No resources found in default namespace.\n',
    })
    expect((await world.weft('get', 'widgets', '-o', 'jsonpath={.a')).stderr).toMatch(/JSONPath.*unclosed/)
    expect((await world.weft('get', 'widgets', '-o', 'xml')).stderr).toMatch(/-o xml/)
    expect((await world.weft('get', 'widgets', '-l', 'a=b=c')).code).toBe(1)
    expect((await world.weft('get')).stderr).toMatch(/name a kind/)
  })
})

describe('weft patch and edit', () => {
  beforeAll(async () => void (await world.weftWithInput(widget('patched', 1), 'apply', '-f', '-')))

  it('changes an object by each kind of patch', async () => {
    expect(await world.ok('patch', 'widget', 'patched', '-p', '{"spec":{"size":7}}')).toBe('widget.example.org/patched patched\n')
    expect(await world.ok('patch', 'widget/patched', '-p', 'spec: {size: 7}')).toMatch(/patched \(no change\)/)
    expect(
      await world.ok(
        'patch',
        'widget/patched',
        '--type',
        'json',
        '-p',
        '[{"op":"replace","path":"/spec/size","value":8}]',
        '-o',
        'jsonpath={.spec.size}',
      ),
    ).toBe('8')
    expect(await world.ok('patch', 'widget/patched', '--dry-run=server', '-p', '{"spec":{"size":9}}')).toMatch(/server dry run/)
    expect(await world.ok('get', 'widget/patched', '-o', 'jsonpath={.spec.size}')).toBe('8')
  })

  it.each([
    ['neither JSON nor YAML', ['-p', '{"a":']],
    ['a list of operations', ['--type', 'json', '-p', '{}']],
    ['strategic patch', ['--type', 'strategic', '-p', '{"spec":{}}']],
    ['greater than or equal to 1', ['-p', '{"spec":{"size":0}}']],
    ['with -p', []],
  ])('says %s', async (words, args) => {
    const { code, stdout, stderr } = await world.weft('patch', 'widget/patched', ...args)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain(words)
  })

  it('edits with an editor, and opens it again with the reason when the server refuses', async () => {
    // The first time it asks for too little, the second time (having read why) for enough.
    const editor = await world.file(
      'editor.mjs',
      `import { readFileSync, writeFileSync } from 'node:fs'
const file = process.argv[2]
const text = readFileSync(file, 'utf8')
writeFileSync('${world.folder}/seen.txt', text)
writeFileSync(file, text.replace(/^  size: .*/m, text.includes('# refused: ') ? '  size: 12' : '  size: -3'))`,
    )
    const env = { KUBECONFIG: world.plane.kubeconfig, EDITOR: `${process.execPath} ${editor}`, VISUAL: undefined }
    const edited = await weftWith({ env }, 'edit', 'widget', 'patched')
    expect(edited).toMatchObject({ code: 0, stdout: 'widget.example.org/patched edited\n' })
    expect(await readFile(`${world.folder}/seen.txt`, 'utf8')).toMatch(/# refused: .*size/)
    expect(await world.ok('get', 'widget/patched', '-o', 'jsonpath={.spec.size}')).toBe('12')
    const nothing = await weftWith({ env: { ...env, EDITOR: 'true' } }, 'edit', 'widget', 'patched')
    expect(nothing).toMatchObject({ code: 0, stdout: 'Edit cancelled, no changes made.\n' })
    const failing = await weftWith({ env: { ...env, EDITOR: 'false' } }, 'edit', 'widget', 'patched')
    expect(failing).toMatchObject({ code: 1, stdout: '' })
  })
})

describe('weft wait, delete, describe and events', () => {
  const setCondition = (name: string, status: string): Promise<string> =>
    world.ok(
      'patch',
      `widget/${name}`,
      '--subresource',
      'status',
      '-p',
      JSON.stringify({
        status: {
          conditions: [{ type: 'Ready', status, reason: 'Because', message: 'it is so', lastTransitionTime: '2026-01-01T00:00:00Z' }],
        },
      }),
    )

  it('waits for conditions and values, and says why it waited in vain', async () => {
    await world.weftWithInput(widget('slow', 1), 'apply', '-f', '-')
    await setCondition('slow', 'False')
    const vain = await world.weft('wait', 'widget/slow', '--for=condition=Ready', '--timeout=200ms')
    expect(vain).toMatchObject({ code: 1, stdout: '' })
    expect(vain.stderr).toMatch(/widget\.example\.org\/slow: timed out.*Ready is False \(Because: it is so\)/)
    const waiting = world.weft('wait', 'widget/slow', '--for=condition=Ready', '--timeout=60s')
    await setCondition('slow', 'True')
    expect(await waiting).toMatchObject({ code: 0, stdout: 'widget.example.org/slow condition met\n' })
    expect(await world.weft('wait', 'widget', 'slow', '--for=jsonpath={.spec.size}=1')).toMatchObject({ code: 0 })
    expect(await world.weft('wait', 'widget/nobody', '--for=condition=Ready')).toMatchObject({ code: 1 })
    expect((await world.weft('wait', 'widget/slow', '--for=something')).stderr).toMatch(/--for=something/)
    const coming = world.weft('wait', 'widget/new', '--for=create', '--timeout=60s')
    await world.weftWithInput(widget('new', 1), 'apply', '-f', '-')
    expect(await coming).toMatchObject({ code: 0, stdout: 'widget.example.org/new created\n' })
  })

  it('deletes, waits for finalizers, and says which it waits for', async () => {
    await world.weftWithInput(widget('held', 1, ', finalizers: [example.org/hold]'), 'apply', '-f', '-')
    const held = await world.weft('delete', 'widget/held', '--timeout=300ms')
    expect(held).toMatchObject({ code: 1, stdout: 'widget.example.org "held" deleted\n' })
    expect(held.stderr).toMatch(/"held" is not gone.*example\.org\/hold/)
    expect(await world.ok('describe', 'widget', 'held')).toMatch(/Being deleted: .*goes when these are done: example\.org\/hold/)
    const gone = world.weft('wait', 'widget/held', '--for=delete', '--timeout=60s')
    await world.ok('patch', 'widget/held', '--type', 'json', '-p', '[{"op":"remove","path":"/metadata/finalizers"}]')
    expect(await gone).toMatchObject({ code: 0, stdout: 'widget.example.org/held deleted\n' })
    expect(await world.weft('delete', 'widget', 'held')).toMatchObject({ code: 1, stdout: '' })
    expect(await world.weft('delete', 'widget', 'held', '--ignore-not-found')).toMatchObject({ code: 0 })
  })

  it('deletes what files name and what labels choose, never more than was asked for', async () => {
    const file = await world.file('two.yaml', [widget('one', 1, ', labels: {x: z}'), widget('two', 1, ', labels: {x: z}')].join('---\n'))
    await world.ok('apply', '-f', file)
    expect(await world.ok('delete', '-f', file, '--dry-run=server')).toBe(
      'widget.example.org "two" deleted (server dry run)\nwidget.example.org "one" deleted (server dry run)\n',
    )
    expect((await world.weft('delete', 'widgets')).stderr).toMatch(/-l or --all/)
    expect((await world.weft('delete', 'widgets', 'one', '--all')).code).toBe(1)
    expect((await world.ok('delete', 'widgets', '-l', 'x=z', '-o', 'name')).split('\n').sort()).toEqual([
      '',
      'widget.example.org/one',
      'widget.example.org/two',
    ])
  })

  it('deletes what files made in the order that works: objects before their definition', async () => {
    const file = await world.file('rise-and-fall.yaml', `${widget('r', 1).replace('Widget', 'Ribbon')}---\n${definitionOf('Ribbon')}`)
    await world.ok('apply', '-f', file)
    expect(await world.ok('delete', '-f', file, '--timeout=60s')).toBe(
      'ribbon.example.org "r" deleted\ncustomresourcedefinition.apiextensions.k8s.io "ribbons.example.org" deleted\n',
    )
    expect(await world.weft('delete', '-f', file, '--ignore-not-found')).toMatchObject({ code: 0, stdout: '' })
  })

  it('does not repeat a secret when a patch of it is refused', async () => {
    await world.weftWithInput(
      'apiVersion: v1\nkind: Secret\nmetadata: {name: kept}\nstringData: {password: swordfish-78}\n',
      'apply',
      '-f',
      '-',
    )
    const { code, output } = await world.weft('patch', 'secret/kept', '-p', '{"dataa":{}}')
    expect(code).toBe(1)
    expect(output).toMatch(/unknown field "dataa"/)
    expect(output).not.toContain(Buffer.from('swordfish-78').toString('base64'))
  })

  it('describes in words, with references and events, and never shows a secret', async () => {
    const secret = 'swordfish-77'
    await world.weftWithInput(
      `apiVersion: v1\nkind: Secret\nmetadata:\n  name: hidden\n  annotations: {kubectl.kubernetes.io/last-applied-configuration: "${secret}"}\nstringData: {password: ${secret}}\n---\n${widget('pointing', 1).replace('size: 1', 'size: 1, partRef: {name: p, namespace: toys}')}`,
      'apply',
      '-f',
      '-',
    )
    await setCondition('pointing', 'False')
    const described = await world.ok('describe', 'widget', 'point')
    expect(described).toMatch(/^Name: +pointing\n/)
    expect(described).toMatch(/Ready is False for \S+: Because \(it is so\)/)
    expect(described).toMatch(/References:\n {2}spec\.partRef +toys\/p/)
    const hidden = await world.ok('describe', 'secret/hidden')
    expect(hidden).toContain('password: 12 bytes')
    expect(hidden).not.toContain(secret)
    expect(hidden).not.toContain(Buffer.from(secret).toString('base64'))
    expect((await world.weft('describe', 'widget', 'nobody')).code).toBe(1)
  })

  it('shows events in order, of one object, of one type', async () => {
    const event = (name: string, type: string, seconds: number, about: string): string =>
      `apiVersion: v1\nkind: Event\nmetadata: {name: ${name}}\ninvolvedObject: {kind: Widget, name: ${about}, namespace: default, apiVersion: example.org/v1}\nreason: R${seconds}\nmessage: "m\\n${name}"\ntype: ${type}\ncount: 3\nfirstTimestamp: "2026-01-01T00:00:00Z"\nlastTimestamp: "2026-01-01T00:00:${seconds}Z"\n`
    await world.weftWithInput(
      [event('e2', 'Warning', 30, 'a'), event('e1', 'Normal', 20, 'a'), event('e3', 'Normal', 40, 'b')].join('---\n'),
      'apply',
      '-f',
      '-',
    )
    expect(await world.ok('events', '--for', 'widget/a', '-o', 'name')).toBe('event/e1\nevent/e2\n')
    expect(await world.ok('events', '--types=Warning')).toMatch(/^LAST SEEN.*\n.*\(x3 over .*Warning +R30 +Widget\/a +m e2\n$/)
    expect((await world.weft('events', '--types=Odd')).code).toBe(1)
    const watch = world.follow('events', '-w', '--for', 'widget/c')
    await world.weftWithInput(event('e4', 'Normal', 50, 'c'), 'apply', '-f', '-')
    await watch.until(/R50/)
  })
})

describe('weft explain and api-resources', () => {
  it('explains kinds and fields from the server’s schemas', async () => {
    const kind = await world.ok('explain', 'widget')
    expect(kind).toMatch(/^GROUP: +example\.org\nKIND: +Widget\nVERSION: +v1\n\nDESCRIPTION:\n {4}A thing to play with\.\n\nFIELDS:\n/)
    expect(await world.ok('explain', 'wd.spec.colour')).toMatch(/FIELD: colour <string>[^]*one of: red, green\n +default: "red"/)
    expect(await world.ok('explain', 'widgets.example.org.spec', '--recursive')).toMatch(/ {2}partRef\t<Object>\n {4}name\t<string>\n/)
    expect((await world.weft('explain', 'widget.spec.weight')).stderr).toMatch(/"weight" does not exist: spec has .*size/)
    const patches = await world.ok('explain', 'composition.spec.to.patches')
    for (const known of ['fromFieldPath', 'toFieldPath', 'transforms', 'policy']) expect(patches).toMatch(new RegExp(`^  ${known}\t<`, 'm'))
    expect(await world.ok('explain', 'resourceclass.spec.resource')).toMatch(/^ {2}base\t<Object>[^]*^ {2}patches\t<\[\]Object>/m)
    expect((await world.weft('explain', 'nonsense')).stderr).toMatch(/no kind "nonsense"/)
  })

  it('M13: tells the connection details of a managed kind before anybody has activated it', async () => {
    const definition = `apiVersion: apiextensions.crossplane.io/v1alpha1
kind: ManagedResourceDefinition
metadata: {name: dormants.sleep.example.org}
spec:
  group: sleep.example.org
  names: {kind: Dormant, plural: dormants}
  scope: Cluster
  state: Inactive
  connectionDetails: [{name: endpoint, description: Where it is.}, {name: port}]
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, description: Sleeps., properties: {spec: {type: object, properties: {depth: {type: integer, description: How deep.}}}}}}
`
    // The default policy activates everything: without it the kind stays asleep.
    await world.ok('delete', 'mrap', '--all')
    await world.weftWithInput(definition, 'apply', '-f', '-')
    expect(await world.ok('explain', 'dormant', '--connection')).toMatch(
      /STATE: +Inactive[^]*endpoint\t<string>\n {4}Where it is\.\n\n {2}port\t<string>/,
    )
    expect(await world.ok('explain', 'dormants.sleep.example.org.spec.depth')).toMatch(/How deep\./)
    expect((await world.weft('explain', 'widget', '--connection')).stderr).toMatch(/neither a managed kind/)
  })

  it('lists kinds by group and category', async () => {
    expect(await world.ok('api-resources', '--api-group=example.org', '-o', 'wide', '--no-headers')).toMatch(
      /widgets +wd +example\.org\/v1 +true +Widget +\S*list\S* +all,toys/,
    )
    expect(await world.ok('api-resources', '--categories=toys', '-o', 'name')).toMatch(/widgets\.example\.org\n/)
  })
})
