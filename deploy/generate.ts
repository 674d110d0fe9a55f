// Writes what is deployed from the one source in the control plane: the templates of the chart and the plain manifests.
//   node --import tsx deploy/generate.ts
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { kubernetesManifests, type Manifest, type Part } from '@weft/controlplane'
import { stringify } from 'yaml'
import manifest from '../packages/cli/package.json' with { type: 'json' }

/** On one line each, so that placeholders stay whole, and without aliases: these files are read by people. */
const YAML_OPTIONS = { lineWidth: 0, aliasDuplicateObjects: false } as const

const HERE = dirname(fileURLToPath(import.meta.url))

/** Marks a place that a template fills: an expression, a whole block of YAML, or items of a list. */
const expression = (text: string): string => `@@=${text}@@`
const block = (value: string): string => `@@block ${value}@@`
const ARGUMENTS = '@@arguments@@'

/** The arguments that follow from values, as items of the list. */
const ARGUMENTS_TEMPLATE = `{{- range .Values.providers }}
- {{ printf "--provider=%s" . | quote }}
{{- end }}
{{- range .Values.packages }}
- {{ printf "--package=%s" . | quote }}
{{- end }}
{{- if .Values.activation.enabled }}
{{- range .Values.activation.patterns }}
- {{ printf "--activation=%s" . | quote }}
{{- end }}
{{- else }}
- --no-default-activation
{{- end }}
- {{ printf "--lease-seconds=%v" .Values.leaseSeconds | quote }}
{{- if not .Values.packageRuntime.deployments }}
- --package-runtime=Process
{{- end }}
{{- with .Values.extraArgs }}
{{- toYaml . | nindent 0 }}
{{- end }}`

/** What must be enabled for a part to be there. The namespace is Helm's own business. */
const CONDITIONS: Readonly<Record<Part, string | undefined>> = {
  namespace: 'false',
  core: undefined,
  'package-runtime': '.Values.packageRuntime.deployments',
  impersonation: '.Values.impersonation.enabled',
  browse: '.Values.browse.allUsers',
  'disruption-budget': '.Values.podDisruptionBudget.enabled',
  'network-policy': '.Values.networkPolicy.enabled',
  metrics: '.Values.metrics.enabled',
}

export function chartTemplates(): string {
  const documents = kubernetesManifests({
    namespace: expression('.Release.Namespace'),
    image: expression('printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) | quote'),
    imagePullPolicy: expression('.Values.image.pullPolicy'),
    imagePullSecrets: block('.Values.imagePullSecrets'),
    replicas: expression('.Values.replicas'),
    args: [ARGUMENTS],
    resources: block('.Values.resources'),
    nodeSelector: block('.Values.nodeSelector'),
    tolerations: block('.Values.tolerations'),
    affinity: block('.Values.affinity'),
    podAnnotations: block('.Values.podAnnotations'),
  }).filter(({ part }) => part !== 'namespace')
  return `${GENERATED}${documents.map(templateOf).join('')}`
}

const GENERATED = '# Made by deploy/generate.ts. Do not edit: change packages/controlplane/src/kubernetes/manifests.ts and run it again.\n'

function templateOf({ part, object }: Manifest): string {
  const text = filled(stringify(object, YAML_OPTIONS))
  const condition = CONDITIONS[part]
  return condition === undefined ? `---\n${text}` : `{{- if ${condition} }}\n---\n${text}{{- end }}\n`
}

function filled(yaml: string): string {
  return yaml
    .replace(/^( *)(.*?): ["']?@@block (.+?)@@["']?$/gm, (_all, indent: string, key: string, value: string) => {
      return `${indent}${key}:\n${indent}  {{- toYaml ${value} | nindent ${indent.length + 2} }}`
    })
    .replace(new RegExp(`^( *)- ["']?${ARGUMENTS}["']?$`, 'gm'), (_all, indent: string) =>
      ARGUMENTS_TEMPLATE.split('\n')
        .map((line) => (line.startsWith('- ') ? `${indent}${line}` : line.replace('nindent 0', `nindent ${indent.length}`)))
        .join('\n'),
    )
    .replace(/["']@@=(.+?)@@["']/g, (_all, text: string) => `{{ ${text.replaceAll('\\"', '"')} }}`)
    .replace(/@@=(.+?)@@/g, (_all, text: string) => `{{ ${text} }}`)
}

/** For whoever has no Helm. */
export function plainManifests(): string {
  const documents = kubernetesManifests({
    namespace: 'crossplane-system',
    image: `weft:${manifest.version}`,
    replicas: 2,
    args: ['--provider=nop'],
    resources: { requests: { cpu: '100m', memory: '256Mi' }, limits: { memory: '1Gi' } },
  })
  return `${GENERATED}${documents.map(({ object }) => `---\n${stringify(object, YAML_OPTIONS)}`).join('')}`
}

export const chartMetadata = (): string =>
  stringify({
    apiVersion: 'v2',
    name: 'weft',
    description: 'A control plane that composes infrastructure',
    type: 'application',
    version: manifest.version,
    appVersion: manifest.version,
    kubeVersion: '>=1.30.0-0',
    icon: 'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4=',
  })

/** Files by their path below `deploy/`. */
export const generatedFiles = (): ReadonlyMap<string, string> =>
  new Map([
    ['chart/Chart.yaml', chartMetadata()],
    ['chart/templates/weft.yaml', chartTemplates()],
    ['manifests/weft.yaml', plainManifests()],
  ])

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const [path, text] of generatedFiles()) {
    const file = join(HERE, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
  }
}
