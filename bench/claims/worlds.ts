import type { KubeObject } from '@weft/api'
import type { Subject } from '../plane/load.ts'

/** A class, and claims that select it. Every member publishes connection details, and every claim gets them. */
export interface World extends Subject {
  readonly label: string
  readonly members: number
  readonly classes: readonly KubeObject[]
}

export const NAMESPACE = 'bench'

const details = [
  { name: 'username', value: 'admin' },
  { name: 'password', value: 'correct horse battery staple' },
]

const claimsWith = (design: string): Subject => ({
  kind: { group: 'database.crossplane.io', kind: 'MySQLInstance' },
  object: (name) => ({
    apiVersion: 'database.crossplane.io/v1alpha1',
    kind: 'MySQLInstance',
    metadata: { name, namespace: NAMESPACE, labels: { app: 'bench' } },
    spec: { classSelector: { matchLabels: { design } }, engineVersion: '8.0', writeConnectionSecretToRef: { name } },
  }),
})

/** Seed 003: a typed class, one managed resource for each claim. */
export const typed: World = {
  label: '1 member',
  members: 1,
  ...claimsWith('typed'),
  classes: [
    {
      apiVersion: 'nop.crossplane.io/v1alpha1',
      kind: 'NopResourceClass',
      metadata: { name: 'bench-typed', labels: { design: 'typed' } },
      specTemplate: {
        reclaimPolicy: 'Delete',
        writeConnectionSecretsToNamespace: NAMESPACE,
        forProvider: { connectionDetails: details, fields: { region: 'north' } },
      },
    },
  ],
}

const member = (i: number): object => ({
  base: {
    apiVersion: 'nop.crossplane.io/v1alpha1',
    kind: 'NopResource',
    metadata: { annotations: { 'aggregation.crossplane.io/connection-secret-prefix': `m${i}-` } },
    spec: {
      reclaimPolicy: 'Delete',
      writeConnectionSecretToRef: { namespace: NAMESPACE },
      forProvider: { connectionDetails: details, fields: { position: i } },
    },
  },
  patches: [{ fromClaimFieldPath: 'spec.engineVersion', toResourceFieldPath: 'spec.forProvider.fields.engineVersion' }],
})

/** Seed 001: a composite of three, with patches and a united secret. */
export const composed: World = {
  label: '3 members',
  members: 3,
  ...claimsWith('composed'),
  classes: [
    {
      apiVersion: 'infrastructure.crossplane.io/v1alpha1',
      kind: 'CompositeResourceClass',
      metadata: { name: 'bench-composed', labels: { design: 'composed' } },
      spec: {
        claim: { apiVersion: 'database.crossplane.io/v1alpha1', kind: 'MySQLInstance' },
        resources: [member(1), member(2), member(3)],
      },
    },
  ],
}
