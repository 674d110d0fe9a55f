/** Files of new packages, by path. Each builds and installs as it is, and shows where to go on. */

export function configurationTemplate(name: string): ReadonlyMap<string, string> {
  return new Map([
    [
      'crossplane.yaml',
      `apiVersion: meta.pkg.crossplane.io/v1
kind: Configuration
metadata:
  name: ${name}
  annotations:
    meta.crossplane.io/description: Say in one sentence what this offers.
    meta.crossplane.io/license: Apache-2.0
spec:
  crossplane:
    version: ">=v0.1.0"
  # Packages that must be installed, too; they are, when this one is.
  # dependsOn:
  # - apiVersion: pkg.crossplane.io/v1
  #   kind: Provider
  #   package: registry.example.org/team/provider-example
  #   version: ">=v0.1.0"
`,
    ],
    [
      'definition.yaml',
      `# What application teams may ask for.
apiVersion: apiextensions.crossplane.io/v1alpha1
kind: InfrastructureDefinition
metadata:
  name: databases.${name}.example.org
spec:
  defaultComposition:
    name: databases.${name}.example.org
  crdSpecTemplate:
    group: ${name}.example.org
    version: v1alpha1
    names:
      kind: Database
      listKind: DatabaseList
      plural: databases
      singular: database
    validation:
      openAPIV3Schema:
        type: object
        required: [storageGB]
        properties:
          storageGB: {type: integer, minimum: 10}
---
apiVersion: apiextensions.crossplane.io/v1alpha1
kind: InfrastructurePublication
metadata:
  name: databases.${name}.example.org
spec:
  infrastructureDefinitionReference:
    name: databases.${name}.example.org
`,
    ],
    [
      'composition.yaml',
      `# What is made for each of them. NopResource does nothing: put what you need in its place.
apiVersion: apiextensions.crossplane.io/v1alpha1
kind: Composition
metadata:
  name: databases.${name}.example.org
spec:
  from:
    apiVersion: ${name}.example.org/v1alpha1
    kind: Database
  to:
  - base:
      apiVersion: nop.crossplane.io/v1alpha1
      kind: NopResource
      spec:
        forProvider: {}
`,
    ],
    [
      'examples/database.yaml',
      `# How it is used; not part of the package.
apiVersion: ${name}.example.org/v1alpha1
kind: DatabaseRequirement
metadata:
  name: example
  namespace: default
spec:
  storageGB: 20
`,
    ],
  ])
}

export function providerTemplate(name: string): ReadonlyMap<string, string> {
  const group = `${name.replace(/^provider-/, '')}.example.org`
  return new Map([
    [
      'crossplane.yaml',
      `apiVersion: meta.pkg.crossplane.io/v1
kind: Provider
metadata:
  name: ${name}
  annotations:
    meta.crossplane.io/description: Say in one sentence what this manages.
    meta.crossplane.io/license: Apache-2.0
spec:
  # Kinds wait until an activation policy names them; without this they are all active at once.
  capabilities:
  - late-mr-activation
`,
    ],
    [
      'managed/buckets.yaml',
      `apiVersion: apiextensions.crossplane.io/v1alpha1
kind: ManagedResourceDefinition
metadata:
  name: buckets.${group}
spec:
  group: ${group}
  names:
    categories: [crossplane, managed]
    kind: Bucket
    listKind: BucketList
    plural: buckets
    singular: bucket
  scope: Cluster
  connectionDetails:
  - name: endpoint
    description: Where the bucket is reached.
  versions:
  - name: v1alpha1
    served: true
    storage: true
    subresources:
      status: {}
    additionalPrinterColumns:
    - {name: Ready, type: string, jsonPath: '.status.conditions[?(@.type=="Ready")].status'}
    - {name: Synced, type: string, jsonPath: '.status.conditions[?(@.type=="Synced")].status'}
    - {name: Age, type: date, jsonPath: .metadata.creationTimestamp}
    schema:
      openAPIV3Schema:
        description: A bucket.
        type: object
        required: [spec]
        properties:
          spec:
            type: object
            required: [forProvider]
            x-kubernetes-preserve-unknown-fields: true
            properties:
              # Without a default, deleting a Bucket would leave the real one behind.
              deletionPolicy: {type: string, enum: [Delete, Orphan], default: Delete}
              forProvider:
                type: object
                required: [region]
                properties:
                  region: {type: string}
          status:
            type: object
            x-kubernetes-preserve-unknown-fields: true
`,
    ],
    [
      'examples/bucket.yaml',
      `# How it is used; not part of the package.
apiVersion: ${group}/v1alpha1
kind: Bucket
metadata:
  name: example
spec:
  forProvider:
    region: north
`,
    ],
  ])
}
