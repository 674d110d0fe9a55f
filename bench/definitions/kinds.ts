import type { KubeObject } from '@weft/api'

export const GROUPS = 100

export interface BenchKind {
  readonly group: string
  readonly kind: string
  readonly plural: string
}

/** As many kinds as the largest providers have, spread over groups as theirs are. */
export const kindsOf = (count: number): readonly BenchKind[] =>
  Array.from({ length: count }, (_, i) => {
    const kind = `Thing${String(i).padStart(4, '0')}`
    return { group: `g${String(i % GROUPS).padStart(2, '0')}.bench.weft.dev`, kind, plural: `${kind.toLowerCase()}s` }
  })

/** A definition of usual size: some forty parameters, twice, with descriptions. */
export function definitionOf({ group, kind, plural }: BenchKind): KubeObject {
  const parameters = Object.fromEntries(
    Array.from({ length: 40 }, (_, i) => [
      `parameter${i}`,
      i % 4 === 0
        ? { type: 'array', description: `Values of parameter ${i} of ${kind}, in order.`, items: { type: 'string' } }
        : {
            type: i % 4 === 1 ? 'integer' : 'string',
            description: `Parameter ${i} of ${kind}: what it does is written here at some length.`,
          },
    ]),
  )
  const object = (description: string, properties: object): object => ({ type: 'object', description, properties })
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Cluster',
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List`, categories: ['crossplane', 'managed', 'bench'] },
      versions: [
        {
          name: 'v1beta1',
          served: true,
          storage: true,
          subresources: { status: {} },
          additionalPrinterColumns: [{ name: 'Ready', type: 'string', jsonPath: ".status.conditions[?(@.type=='Ready')].status" }],
          schema: {
            openAPIV3Schema: {
              type: 'object',
              description: `A ${kind}.`,
              properties: {
                spec: object('What is wanted.', { forProvider: object('Parameters.', parameters) }),
                status: {
                  type: 'object',
                  description: 'The observed state.',
                  properties: { atProvider: object('Observed parameters.', parameters) },
                  'x-kubernetes-preserve-unknown-fields': true,
                },
              },
            },
          },
        },
      ],
    },
  }
}
