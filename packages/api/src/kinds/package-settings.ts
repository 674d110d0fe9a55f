import type { Schema } from '../schema.ts'
import { anything, defineKind, type KindDefinition, list, object, open, text } from './definition.ts'

/** How packages are fetched, and how what they run is started. */
const GROUP = 'pkg.crossplane.io'

const templateMetadata = object('Metadata of what would be created in a cluster.', {
  name: text('Name.'),
  labels: { type: 'object', description: 'Labels.', additionalProperties: { type: 'string' } },
  annotations: { type: 'object', description: 'Annotations.', additionalProperties: { type: 'string' } },
})

const containers = list(
  'The program is the container package-runtime; there are no others.',
  open(
    object(
      'A container.',
      {
        name: text('package-runtime.'),
        args: list('Arguments, instead of those of the image.', text('An argument.')),
        env: list('Environment.', open(object('A variable.', { name: text('Name.'), value: text('Value.') }, ['name']))),
      },
      ['name'],
    ),
  ),
)

const deploymentSpec: Schema = open(
  object(
    'The Deployment that would be created in a cluster. Only args and env of its container package-runtime are used; replicas 0 means that the program is not run here.',
    {
      replicas: { type: 'integer', format: 'int32', description: '0: the program runs elsewhere. Any larger number means one.' },
      selector: anything('Not used here.'),
      template: open(
        object('The pod.', {
          metadata: anything('Not used here.'),
          spec: open(object('What runs in it.', { containers }, ['containers'])),
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
    'Somebody whose signature is accepted.',
    {
      name: text('Name of the authority.'),
      key: object(
        'By a public key.',
        {
          secretRef: object(
            'Where the key is: a Secret in the namespace crossplane-system.',
            { name: text('Name of the Secret.'), key: text('Key in the Secret.') },
            ['name', 'key'],
          ),
          hashAlgorithm: {
            type: 'string',
            enum: ['sha224', 'sha256', 'sha384', 'sha512'],
            default: 'sha256',
            description: 'Of what is signed.',
          },
        },
        ['secretRef'],
      ),
      keyless: open(
        object('By an identity that a certificate authority confirmed in a certificate that is valid for minutes.', {
          identities: list(
            'One of these must have signed it. All fields that are set must match.',
            open(
              object('Somebody.', {
                issuer: text('Who vouches for the identity: the URL of an OpenID Connect issuer.'),
                subject: text('The identity: an e-mail address, or the URL of a workflow.'),
                issuerRegExp: text('A pattern that the issuer must match.'),
                subjectRegExp: text('A pattern that the identity must match.'),
              }),
            ),
          ),
          insecureIgnoreSCT: {
            type: 'boolean',
            description: 'The certificate need not be in a log of certificates.',
          },
        }),
      ),
      attestations: list(
        'Instead of a plain signature, a signed statement of one of these types.',
        open(
          object(
            'A type of statement.',
            {
              name: text('Name.'),
              predicateType: text('Type of the statement: a URI, or a short name of cosign (spdx, slsaprovenance, …).'),
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
  'Which images, and what is done with them.',
  {
    matchImages: {
      ...list(
        'Images that begin with one of these. If several match, the longest prefix is used, separately for each purpose.',
        object(
          'Images.',
          {
            type: { type: 'string', enum: ['Prefix'], default: 'Prefix', description: 'How images are matched.' },
            prefix: { ...text('What the image begins with.'), minLength: 1 },
          },
          ['prefix'],
        ),
      ),
      minItems: 1,
    },
    registry: object('Registry.', {
      authentication: object(
        'Credentials.',
        { pullSecretRef: localName('A Secret of type kubernetes.io/dockerconfigjson in the namespace crossplane-system.') },
        ['pullSecretRef'],
      ),
    }),
    verification: object(
      'Images that match must be signed.',
      {
        provider: { type: 'string', enum: ['Cosign'], description: 'How the signature is verified.' },
        cosign: object('Signatures of cosign.', { authorities: { ...list('One of these must have signed it.', authority), minItems: 1 } }, [
          'authorities',
        ]),
      },
      ['provider'],
    ),
    rewriteImage: object(
      'Images that match are fetched from elsewhere.',
      { prefix: { ...text('Replaces the prefix that matched.'), minLength: 1 } },
      ['prefix'],
    ),
    runtime: object('How their programs are started.', { configRef: runtimeConfigReference('A DeploymentRuntimeConfig.') }),
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
      description: 'How the programs of packages that name it in runtimeConfigRef are started.',
      properties: {
        spec: object('How they are started.', {
          deploymentTemplate: object('The program.', { metadata: templateMetadata, spec: deploymentSpec }),
          serviceTemplate: object('Not used here.', { metadata: templateMetadata }),
          serviceAccountTemplate: object('Not used here.', { metadata: templateMetadata }),
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
      description: 'Where images of packages are fetched from, with which credentials, and by whom they must be signed.',
      required: ['spec'],
      properties: { spec: imageConfigSpec, status: anything('What is known of it.') },
    },
  }),
]
