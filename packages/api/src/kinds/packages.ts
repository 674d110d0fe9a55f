import type { Schema } from '../schema.ts'
import {
  anything,
  conditionColumn,
  defineKind,
  type KindDefinition,
  list,
  object,
  open,
  type PrinterColumn,
  statusOf,
  text,
} from './definition.ts'

import { packageSettings, runtimeConfigReference } from './package-settings.ts'

/** Packages: bundles of kinds and of what they are composed into, installed from a registry, a file or a folder. */
const GROUP = 'pkg.crossplane.io'

const pullSecrets = list(
  'Secrets with credentials for the registry, in the namespace crossplane-system.',
  object('A secret.', { name: text('Name of the secret.') }, ['name']),
)

/** What a package and its revisions both say. */
const shared: Readonly<Record<string, Schema>> = {
  packagePullPolicy: {
    type: 'string',
    enum: ['Always', 'IfNotPresent', 'Never'],
    default: 'IfNotPresent',
    description: 'Whether to look up a tag again if a revision of it is already installed.',
  },
  packagePullSecrets: pullSecrets,
  skipDependencyResolution: {
    type: 'boolean',
    default: false,
    description: 'Neither check nor install dependencies.',
  },
  ignoreCrossplaneConstraints: {
    type: 'boolean',
    default: false,
    description: 'Do not check whether the package supports this version of the control plane.',
  },
  commonLabels: {
    type: 'object',
    description: 'Labels for all objects that the package installs.',
    additionalProperties: { type: 'string' },
  },
  commonAnnotations: {
    type: 'object',
    description: 'Annotations for all objects that the package installs.',
    additionalProperties: { type: 'string' },
  },
}

const packageSpec = (more: Readonly<Record<string, Schema>> = {}): Schema =>
  object(
    'The package to install.',
    {
      package: {
        type: 'string',
        minLength: 1,
        description: 'The package: an image such as registry.example.org/org/name:v1.2.3, or the path of a file or folder.',
      },
      ...shared,
      revisionActivationPolicy: {
        type: 'string',
        enum: ['Automatic', 'Manual'],
        default: 'Automatic',
        description: 'Whether new revisions become active automatically. Manual: somebody must activate them.',
      },
      revisionHistoryLimit: {
        type: 'integer',
        format: 'int64',
        minimum: 0,
        default: 1,
        description: 'The number of inactive revisions to keep. 0 keeps all of them.',
      },
      ...more,
    },
    ['package'],
  )

/** Of packages that run a program. */
const run: Readonly<Record<string, Schema>> = {
  runtimeConfigRef: runtimeConfigReference(
    'The DeploymentRuntimeConfig for the program of the package. Defaults to the one named default, if it exists.',
  ),
}

const revisionSpec: Schema = {
  ...object(
    'The contents of the revision, and whether it is active.',
    {
      image: text('The package that the revision was created from.'),
      digest: text('Digest of the package.'),
      desiredState: { type: 'string', enum: ['Active', 'Inactive'], description: 'Whether the revision is active.' },
      revision: {
        type: 'integer',
        format: 'int64',
        description: 'The number of the revision. The highest number is the latest revision of the package.',
      },
      ...shared,
      runtimeConfigRef: runtimeConfigReference('The DeploymentRuntimeConfig for the program of the package.'),
    },
    ['image', 'desiredState', 'revision'],
  ),
  'x-kubernetes-validations': [
    { rule: '!has(oldSelf.digest) || (has(self.digest) && self.digest == oldSelf.digest)', message: 'digest cannot be changed' },
  ],
}

/** What ImageConfigs did to it. */
const configured = (resolved: string): Readonly<Record<string, Schema>> => ({
  [resolved]: text('The location that the package was fetched from.'),
  appliedImageConfigRefs: list(
    'The ImageConfigs that were applied.',
    object('An ImageConfig.', { name: text('Name.'), reason: text('The setting that was applied.') }, ['name', 'reason']),
  ),
})

const packageStatus = statusOf({
  ...configured('resolvedPackage'),
  currentRevision: text('Name of the current revision.'),
  currentIdentifier: text('The value of spec.package that the current revision was resolved from.'),
})

const revisionStatus = statusOf({
  ...configured('resolvedImage'),
  objectRefs: list(
    'The objects that the revision installed.',
    object('An object.', { apiVersion: text('API version.'), kind: text('Kind.'), name: text('Name.'), uid: text('UID.') }, [
      'apiVersion',
      'kind',
      'name',
    ]),
  ),
  foundDependencies: { type: 'integer', description: 'The number of dependencies, including indirect ones.' },
  installedDependencies: { type: 'integer', description: 'The number of dependencies that are installed.' },
  invalidDependencies: { type: 'integer', description: 'The number of dependencies whose installed version is not accepted.' },
  capabilities: list('The capabilities that the package declares.', text('A capability.')),
  tlsServerSecretName: text('Name of the secret with the server certificate of the program, in crossplane-system.'),
  tlsClientSecretName: text('Name of the secret with the client certificate of the program, in crossplane-system.'),
  process: open(
    object('The process of the program, if it has one.', {
      restarts: { type: 'integer', description: 'How often the process was restarted.' },
      isolation: text('How the process is isolated from the machine: user, bubblewrap, namespaces or none.'),
      ports: list('Ports that were assigned because those that the program requested were in use.', {
        type: 'integer',
        description: 'A port of this machine.',
      }),
    }),
  ),
})

const functionRevisionStatus: Schema = {
  ...revisionStatus,
  properties: {
    ...revisionStatus.properties,
    endpoint: text('The address at which the function is called.'),
  },
}

const packageColumns: readonly PrinterColumn[] = [
  conditionColumn('Installed'),
  conditionColumn('Healthy'),
  { name: 'Package', type: 'string', jsonPath: '.spec.package' },
]

const revisionColumns: readonly PrinterColumn[] = [
  conditionColumn('Healthy'),
  { name: 'Revision', type: 'integer', jsonPath: '.spec.revision' },
  { name: 'Image', type: 'string', jsonPath: '.spec.image' },
  { name: 'State', type: 'string', jsonPath: '.spec.desiredState' },
  { name: 'Dep-Found', type: 'integer', jsonPath: '.status.foundDependencies' },
  { name: 'Dep-Installed', type: 'integer', jsonPath: '.status.installedDependencies' },
]

/** Much of what is written for Crossplane says the older one. */
const FUNCTION_VERSIONS = ['v1', 'v1beta1']

const packageKind = (kind: string, description: string, { spec = packageSpec(run), versions = ['v1'] } = {}): KindDefinition =>
  defineKind({
    group: GROUP,
    kind,
    plural: `${kind.toLowerCase()}s`,
    versions,
    scope: 'Cluster',
    // Other groups have kinds of these names, too: providers of clouds are called Provider.
    shortNames: [`${kind.toLowerCase()}pkg`],
    categories: ['crossplane', 'pkg'],
    columns: packageColumns,
    schema: { description, required: ['spec'], properties: { spec, status: packageStatus } },
  })

const revisionKind = (kind: string, status: Schema = revisionStatus, versions: readonly string[] = ['v1']): KindDefinition =>
  defineKind({
    group: GROUP,
    kind,
    plural: `${kind.toLowerCase()}s`,
    versions,
    scope: 'Cluster',
    categories: ['crossplane', 'pkgrev'],
    columns: revisionColumns,
    schema: {
      description: 'The contents of one version of a package. Created automatically; only desiredState is meant to be edited.',
      required: ['spec'],
      properties: { spec: revisionSpec, status },
    },
  })

export const packageDefinitions: readonly KindDefinition[] = [
  ...packageSettings,
  packageKind('Provider', 'A package of managed kinds and the program that manages them.'),
  packageKind(
    'Function',
    'A package with a function that Compositions can call. Built-in functions can be used immediately, whatever registry the package is in.',
    {
      versions: FUNCTION_VERSIONS,
    },
  ),
  packageKind('Configuration', 'A package of definitions, compositions and classes, and the packages that they need.', {
    spec: packageSpec(),
  }),
  revisionKind('ProviderRevision'),
  revisionKind('ConfigurationRevision'),
  revisionKind('FunctionRevision', functionRevisionStatus, FUNCTION_VERSIONS),
  defineKind({
    group: GROUP,
    kind: 'Lock',
    plural: 'locks',
    versions: ['v1beta1'],
    scope: 'Cluster',
    categories: ['crossplane', 'pkg'],
    schema: {
      description: 'The installed packages and their dependencies.',
      properties: {
        packages: {
          ...list(
            'The packages.',
            object(
              'A package.',
              {
                name: text('Name of its revision.'),
                apiVersion: text('API version of the package.'),
                kind: text('Kind of the package.'),
                type: { type: 'string', enum: ['Provider', 'Configuration', 'Function'], description: 'Type of the package.' },
                source: text('The package, without its version.'),
                version: text('Version of the package: a tag or a digest.'),
                dependencies: list(
                  'Dependencies of the package.',
                  object(
                    'A dependency.',
                    {
                      package: text('The package, without a version.'),
                      apiVersion: text('API version of the package.'),
                      kind: text('Kind of the package.'),
                      type: { type: 'string', enum: ['Provider', 'Configuration', 'Function'], description: 'Type of the package.' },
                      constraints: text('The range of accepted versions.'),
                    },
                    ['package', 'constraints'],
                  ),
                ),
              },
              ['name', 'source', 'version'],
            ),
          ),
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
        },
        status: anything('The observed state.'),
      },
    },
  }),
]
