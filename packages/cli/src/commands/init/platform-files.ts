/** Files of a small platform, by path in `directory`. They work as they are with the providers that `weft up` installs. */
export const platformFiles = (directory: string): ReadonlyMap<string, string> =>
  new Map([
    ['offer/class.yaml', CLASS],
    ['offer/definition.yaml', DEFINITION],
    ['offer/composition.yaml', COMPOSITION],
    ['ask/claim.yaml', CLAIM],
    ['ask/requirement.yaml', REQUIREMENT],
    ['README.md', readme(directory)],
  ])

const CLASS = `# A class says how a claim is satisfied. This one is the default: claims that name no class get it.
apiVersion: postgresql.weft.dev/v1alpha1
kind: PostgreSQLServerClass
metadata:
  name: local
  annotations:
    resourceclass.crossplane.io/is-default-class: "true"
specTemplate:
  reclaimPolicy: Delete
  writeConnectionSecretsToNamespace: crossplane-system
`

const DEFINITION = `# A kind of your own: what application teams can ask for, with only the fields that you let them set.
apiVersion: apiextensions.crossplane.io/v1alpha1
kind: InfrastructureDefinition
metadata:
  name: databases.platform.example.org
spec:
  defaultComposition:
    name: local-database
  crdSpecTemplate:
    group: platform.example.org
    version: v1alpha1
    names:
      kind: Database
      listKind: DatabaseList
      plural: databases
      singular: database
    validation:
      openAPIV3Schema:
        type: object
        properties:
          maxConnections: {type: string, default: "20"}
---
# Publishing a definition lets application teams use it in their namespaces, as a DatabaseRequirement.
apiVersion: apiextensions.crossplane.io/v1alpha1
kind: InfrastructurePublication
metadata:
  name: databases.platform.example.org
spec:
  infrastructureDefinitionReference:
    name: databases.platform.example.org
`

const COMPOSITION = `# What is created for each Database. Add more resources to the list; offer several compositions and let teams choose.
apiVersion: apiextensions.crossplane.io/v1alpha1
kind: Composition
metadata:
  name: local-database
spec:
  from:
    apiVersion: platform.example.org/v1alpha1
    kind: Database
  to:
  - base:
      apiVersion: postgresql.weft.dev/v1alpha1
      kind: PostgreSQLServer
      spec:
        forProvider:
          parameters: {}
        writeConnectionSecretToRef:
          namespace: crossplane-system
    patches:
    - fromFieldPath: spec.maxConnections
      toFieldPath: spec.forProvider.parameters.max_connections
    - fromFieldPath: metadata.uid
      toFieldPath: spec.writeConnectionSecretToRef.name
    connectionDetails:
    - fromConnectionSecretKey: username
    - fromConnectionSecretKey: password
    - fromConnectionSecretKey: endpoint
    - fromConnectionSecretKey: port
`

const CLAIM = `# A claim asks for a PostgreSQL server. How to connect to it ends up in the secret "app".
apiVersion: database.crossplane.io/v1alpha1
kind: PostgreSQLInstance
metadata:
  name: app
  namespace: default
spec:
  writeConnectionSecretToRef:
    name: app
`

const REQUIREMENT = `# The same by the kind that you defined.
apiVersion: platform.example.org/v1alpha1
kind: DatabaseRequirement
metadata:
  name: shop
  namespace: default
spec:
  maxConnections: "30"
  infrastructure:
    writeConnectionSecretToRef:
      name: shop
`

/** Its commands are typed where `weft up` runs, as those that `weft init` prints: elsewhere no command finds the control plane by itself. */
const readme = (directory: string): string => `# A small platform

- \`offer/\` is what a platform team offers: a class of PostgreSQL servers, and a kind of its own (\`Database\`) with a composition.
- \`ask/\` is what an application team asks for: a claim, and a requirement of the kind that was defined.

In the folder where you started \`weft up\`:

    weft apply -f ${directory}/offer --wait
    weft diff -f ${directory}/ask             # what would be created; nothing is written
    weft apply -f ${directory}/ask --wait
    weft trace databaserequirement/shop

Change \`maxConnections\` in \`ask/requirement.yaml\` and run \`weft diff -f ${directory}/ask\` again. When you are done:

    weft delete -f ${directory}/ask
    weft delete -f ${directory}/offer
`
