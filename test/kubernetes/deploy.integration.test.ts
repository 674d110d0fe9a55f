import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { kubernetesManifests } from '@weft/controlplane'
import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { generatedFiles } from '../../deploy/generate.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

describe('what is deployed', () => {
  it.each([...generatedFiles()])('deploy/%s is what its source says; node --import tsx deploy/generate.ts writes it', (path, text) => {
    expect(readFileSync(`${root}deploy/${path}`, 'utf8')).toBe(text)
  })

  it('no placeholder is left in the chart, and every value it uses has a default', () => {
    const template = generatedFiles().get('chart/templates/weft.yaml') ?? ''
    expect(template).not.toContain('@@')
    const [values] = parseAllDocuments(readFileSync(`${root}deploy/chart/values.yaml`, 'utf8')).map((document) => document.toJS() as object)
    const used = [...new Set([...template.matchAll(/\.Values\.([A-Za-z.]+)/g)].map(([, path]) => path as string))]
    expect(used.length).toBeGreaterThan(10)
    for (const path of used)
      expect(
        path.split('.').reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], values),
        path,
      ).toBeDefined()
  })

  it('runs as nobody, without privileges, on a file system that it cannot write', () => {
    const manifests = kubernetesManifests({ namespace: 'n', image: 'i', replicas: 2, args: [], resources: {} })
    const deployment = manifests.find(({ object }) => object.kind === 'Deployment')?.object
    expect(JSON.stringify(deployment)).toContain('"runAsNonRoot":true')
    expect(JSON.stringify(deployment)).toContain('"readOnlyRootFilesystem":true')
    expect(JSON.stringify(deployment)).toContain('"allowPrivilegeEscalation":false')
  })

  it('the controllers’ rights name every kind and verb; nothing is everything', () => {
    for (const { object } of kubernetesManifests({ namespace: 'n', image: 'i', replicas: 2, args: [], resources: {} })) {
      if (object.kind !== 'ClusterRole') continue
      for (const { apiGroups = [], resources = [], nonResourceURLs = [], verbs } of (object['rules'] ?? []) as {
        apiGroups?: string[]
        resources?: string[]
        nonResourceURLs?: string[]
        verbs: string[]
      }[])
        expect([...apiGroups, ...resources, ...nonResourceURLs, ...verbs], object.metadata.name).not.toContain('*')
    }
  })

  it('the Dockerfile copies what there is, and ends as nobody', () => {
    const lines = readFileSync(`${root}deploy/Dockerfile`, 'utf8').split('\n')
    const copies = lines.filter((line) => line.startsWith('COPY ') && !line.includes('--from='))
    expect(copies.length).toBeGreaterThan(3)
    for (const line of copies) for (const path of line.split(/\s+/).slice(1, -1)) expect(existsSync(`${root}${path}`), path).toBe(true)
    const built = lines.filter((line) => line.startsWith('COPY --from=build')).map((line) => line.split(/\s+/)[2] ?? '')
    for (const path of built) expect(path).toMatch(/^\/weft\/(packages\/cli|node_modules)$/)
    expect(lines.findLast((line) => line.startsWith('USER '))).toBe('USER 65532:65532')
    const ignored = readFileSync(`${root}.dockerignore`, 'utf8').split('\n')
    for (const line of copies) for (const path of line.split(/\s+/).slice(1, -1)) expect(ignored).not.toContain(path)
  })
})
