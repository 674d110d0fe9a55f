/** Files of a new configuration, by path. It builds and installs as it is, and shows where to go on. */
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
      `# What is created for each of them. NopResource does nothing: put what you need in its place.
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
