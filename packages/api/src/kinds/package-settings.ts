import type { Schema } from '../schema.ts'
import { anything, defineKind, type KindDefinition, list, object, open, text } from './definition.ts'

/** How packages are fetched, and how what they run is started. */
const GROUP = 'pkg.crossplane.io'

const templateMetadata = object('Metadata of the object that is created in a cluster.', {
  name: text('Name.'),
  labels: { type: 'object', description: 'Labels.', additionalProperties: { type: 'string' } },
  annotations: { type: 'object', description: 'Annotations.', additionalProperties: { type: 'string' } },
})

const containers = list(
  'The containers of the pod. The container package-runtime is the program of the package.',
  open(
    object(
      'A container.',
      {
        name: text('Name of the container.'),
        args: list('Arguments that replace those of the image.', text('An argument.')),
        env: list('Environment variables.', open(object('A variable.', { name: text('Name.'), value: text('Value.') }, ['name']))),
      },
      ['name'],
    ),
  ),
)

const deploymentSpec: Schema = open(
  object(
    'Specification of the Deployment. Outside a cluster, only the replicas (0 or 1) and args and env of the container package-runtime are used.',
    {
      replicas: {
        type: 'integer',
        format: 'int32',
        description: 'The number of replicas. Outside a cluster, 0 means that the program is not run here; any larger number means one.',
      },
      selector: anything('Used only in a cluster.'),
      template: open(
        object('Template of the pods.', {
          metadata: anything('Used only in a cluster.'),
          spec: open(object('Specification of the pods.', { containers }, ['containers'])),
        }),
      ),
    },
    ['selector', 'template'],
  ),
)

const reference = (description: string, defaults: { readonly apiVersion: string; readonly kind: string }): Schema =>
  object(
    description,
    {
      apiVersion: { type: 'string', default: defaults.apiVersion, description: 'API version.' },
      kind: { type: 'string', default: defaults.kind, description: 'Kind.' },
      name: text('Name.'),
    },
    ['name'],
  )

export const runtimeConfigReference = (description: string): Schema =>
  reference(description, { apiVersion: `${GROUP}/v1beta1`, kind: 'DeploymentRuntimeConfig' })

const localName = (description: string): Schema => object(description, { name: text('Name of the Secret.') }, ['name'])

const authority: Schema = {
  ...object(
    'An authority whose signatures are accepted.',
    {
      name: text('Name of the authority.'),
      key: object(
        'Verifies signatures with a public key.',
        {
          secretRef: object(
            'The Secret with the key, in the namespace crossplane-system.',
            { name: text('Name of the Secret.'), key: text('Key in the Secret.') },
            ['name', 'key'],
          ),
          hashAlgorithm: {
            type: 'string',
            enum: ['sha224', 'sha256', 'sha384', 'sha512'],
            default: 'sha256',
            description: 'The hash algorithm of the signature.',
          },
        },
        ['secretRef'],
      ),
      keyless: open(
        object("Verifies signatures by the signer's identity, which a certificate authority has confirmed in a short-lived certificate.", {
          identities: list(
            'Identities, one of which must have signed the image. All fields that are set must match.',
            open(
              object('An identity.', {
                issuer: text('URL of the OpenID Connect issuer that confirmed the identity.'),
                subject: text('The identity: an e-mail address, or the URL of a workflow.'),
                issuerRegExp: text('A pattern that the issuer must match.'),
                subjectRegExp: text('A pattern that the identity must match.'),
              }),
            ),
          ),
          insecureIgnoreSCT: {
            type: 'boolean',
            description: 'Accept certificates that are not in a certificate transparency log.',
          },
        }),
      ),
      attestations: list(
        'Types of attestations, one of which is required instead of a plain signature.',
        open(
          object(
            'A type of attestation.',
            {
              name: text('Name.'),
              predicateType: text('Predicate type of the attestation: a URI, or a short name as used by cosign (spdx, slsaprovenance, …).'),
            },
            ['name', 'predicateType'],
          ),
        ),
      ),
    },
    ['name'],
  ),
  'x-kubernetes-validations': [{ rule: 'has(self.key) || has(self.keyless)', message: 'set key or keyless' }],
}

const imageConfigSpec: Schema = object(
  'The images that this configuration is for, and its settings.',
  {
    matchImages: {
      ...list(
        'Prefixes of images. If several ImageConfigs match an image, the longest prefix wins, separately for each setting.',
        object(
          'A prefix of images.',
          {
            type: { type: 'string', enum: ['Prefix'], default: 'Prefix', description: 'Type of the match.' },
            prefix: { ...text('The prefix.'), minLength: 1 },
          },
          ['prefix'],
        ),
      ),
      minItems: 1,
    },
    registry: object('How to access the registry.', {
      authentication: object(
        'Credentials for the registry.',
        { pullSecretRef: localName('A Secret of type kubernetes.io/dockerconfigjson in the namespace crossplane-system.') },
        ['pullSecretRef'],
      ),
    }),
    verification: object(
      'How the signatures of the images are verified. Images without a valid signature are refused.',
      {
        provider: { type: 'string', enum: ['Cosign'], description: 'The verification provider.' },
        cosign: object(
          'Verification of signatures made by cosign.',
          { authorities: { ...list('Authorities, one of which must have signed the image.', authority), minItems: 1 } },
          ['authorities'],
        ),
      },
      ['provider'],
    ),
    rewriteImage: object(
      'Fetches the images from another location.',
      { prefix: { ...text('The prefix that replaces the one that matched.'), minLength: 1 } },
      ['prefix'],
    ),
    runtime: object('How programs from the images are started.', { configRef: runtimeConfigReference('A DeploymentRuntimeConfig.') }),
  },
  ['matchImages'],
)

export const packageSettings: readonly KindDefinition[] = [
  defineKind({
    group: GROUP,
    kind: 'DeploymentRuntimeConfig',
    plural: 'deploymentruntimeconfigs',
    versions: ['v1beta1'],
    scope: 'Cluster',
    categories: ['crossplane'],
    schema: {
      description: 'How programs of packages are started. Packages refer to it in runtimeConfigRef.',
      properties: {
        spec: object('How programs are started.', {
          deploymentTemplate: object('Template of the Deployment.', { metadata: templateMetadata, spec: deploymentSpec }),
          serviceTemplate: object('Used only in a cluster.', { metadata: templateMetadata }),
          serviceAccountTemplate: object('Used only in a cluster.', { metadata: templateMetadata }),
        }),
      },
    },
  }),
  defineKind({
    group: GROUP,
    kind: 'ImageConfig',
    plural: 'imageconfigs',
    versions: ['v1beta1'],
    scope: 'Cluster',
    categories: ['crossplane'],
    schema: {
      description: 'Settings for package images: where they are fetched from, with which credentials, and who must have signed them.',
      required: ['spec'],
      properties: { spec: imageConfigSpec, status: anything('The observed state.') },
    },
  }),
]
