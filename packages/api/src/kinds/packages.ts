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
  'Secrets with credentials of the registry, in the namespace crossplane-system.',
  object('A secret.', { name: text('Name of the secret.') }, ['name']),
)

/** What a package and its revisions both say. */
const shared: Readonly<Record<string, Schema>> = {
  packagePullPolicy: {
    type: 'string',
    enum: ['Always', 'IfNotPresent', 'Never'],
    default: 'IfNotPresent',
    description: 'Whether a tag is looked up again when a revision of it is already installed.',
  },
  packagePullSecrets: pullSecrets,
  skipDependencyResolution: {
    type: 'boolean',
    default: false,
    description: 'Dependencies are neither checked nor installed.',
  },
  ignoreCrossplaneConstraints: {
    type: 'boolean',
    default: false,
    description: 'The version range that the package requires of the control plane is not checked.',
  },
  commonLabels: {
    type: 'object',
    description: 'Labels for everything that the package installs.',
    additionalProperties: { type: 'string' },
  },
  commonAnnotations: {
    type: 'object',
    description: 'Annotations for everything that the package installs.',
    additionalProperties: { type: 'string' },
  },
}

const packageSpec = (more: Readonly<Record<string, Schema>> = {}): Schema =>
  object(
    'What is to be installed.',
    {
      package: {
        type: 'string',
        minLength: 1,
        description: 'Where the package comes from: an image such as registry.example.org/org/name:v1.2.3, a file or a folder.',
      },
      ...shared,
      revisionActivationPolicy: {
        type: 'string',
        enum: ['Automatic', 'Manual'],
        default: 'Automatic',
        description: 'Manual: a new revision waits until somebody makes it Active.',
      },
      revisionHistoryLimit: {
        type: 'integer',
        format: 'int64',
        minimum: 0,
        default: 1,
        description: 'The number of inactive revisions to keep; 0 keeps all.',
      },
      ...more,
    },
    ['package'],
  )

/** Of packages that run a program. */
const run: Readonly<Record<string, Schema>> = {
  runtimeConfigRef: runtimeConfigReference(
    'How its program is started: a DeploymentRuntimeConfig. Defaults to the one named default, if it exists.',
  ),
}

const revisionSpec: Schema = {
  ...object(
    'What the revision installs, and whether it is in effect.',
    {
      image: text('Where the package came from.'),
      digest: text('Digest of the package. Its contents never change.'),
      desiredState: { type: 'string', enum: ['Active', 'Inactive'], description: 'Whether it is in effect.' },
      revision: {
        type: 'integer',
        format: 'int64',
        description: 'The number of the revision; the highest is the one that the package wants.',
      },
      ...shared,
      runtimeConfigRef: runtimeConfigReference('How its program is started.'),
    },
    ['image', 'desiredState', 'revision'],
  ),
  'x-kubernetes-validations': [
    { rule: '!has(oldSelf.digest) || (has(self.digest) && self.digest == oldSelf.digest)', message: 'digest cannot be changed' },
  ],
}

/** What ImageConfigs did to it. */
const configured = (resolved: string): Readonly<Record<string, Schema>> => ({
  [resolved]: text('Where it was fetched from.'),
  appliedImageConfigRefs: list(
    'ImageConfigs that were applied.',
    object('An ImageConfig.', { name: text('Name.'), reason: text('What it was applied for.') }, ['name', 'reason']),
  ),
})

const packageStatus = statusOf({
  ...configured('resolvedPackage'),
  currentRevision: text('Name of the revision that is wanted.'),
  currentIdentifier: text('What spec.package was when that revision was found.'),
})

const revisionStatus = statusOf({
  ...configured('resolvedImage'),
  objectRefs: list(
    'What the revision installed.',
    object('An object.', { apiVersion: text('API version.'), kind: text('Kind.'), name: text('Name.'), uid: text('UID.') }, [
      'apiVersion',
      'kind',
      'name',
    ]),
  ),
  foundDependencies: { type: 'integer', description: 'The number of dependencies, including indirect ones.' },
  installedDependencies: { type: 'integer', description: 'The number of dependencies that are installed.' },
  invalidDependencies: { type: 'integer', description: 'The number of dependencies with a version that does not fit.' },
  capabilities: list('The capabilities that the package declares.', text('A capability.')),
  tlsServerSecretName: text('The secret, in crossplane-system, with the certificate that its program presents.'),
  tlsClientSecretName: text('The secret, in crossplane-system, with the certificate that its program uses to call others.'),
  process: open(
    object('The process that runs its program, where it has one of its own.', {
      restarts: { type: 'integer', description: 'The number of restarts.' },
      isolation: text('What keeps it apart from the machine: user, bubblewrap, namespaces or none.'),
      ports: list('The ports that the system chose, when those that the program asks for were taken.', {
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
      description: 'The contents of one version of a package. Created by its package; people change only desiredState.',
      required: ['spec'],
      properties: { spec: revisionSpec, status },
    },
  })

export const packageDefinitions: readonly KindDefinition[] = [
  ...packageSettings,
  packageKind('Provider', 'A provider: managed kinds, and what makes them work.'),
  packageKind('Function', 'A function that Compositions call. Built-in functions are used at once, whatever registry the package is in.', {
    versions: FUNCTION_VERSIONS,
  }),
  packageKind('Configuration', 'A configuration: definitions, compositions and classes, and the packages they need.', {
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
                type: { type: 'string', enum: ['Provider', 'Configuration', 'Function'], description: 'What it is.' },
                source: text('Where it comes from, without its version.'),
                version: text('Its version: a tag or a digest.'),
                dependencies: list(
                  'What it needs.',
                  object(
                    'A dependency.',
                    {
                      package: text('Where it comes from, without a version.'),
                      apiVersion: text('API version of the package.'),
                      kind: text('Kind of the package.'),
                      type: { type: 'string', enum: ['Provider', 'Configuration', 'Function'], description: 'What it is.' },
                      constraints: text('The accepted versions.'),
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
        status: anything('What is known of it.'),
      },
    },
  }),
]
