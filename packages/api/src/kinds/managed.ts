import { anyValue, conditionColumn, defineKind, type KindDefinition, kindNames, list, object, open, statusOf, text } from './definition.ts'

/** Managed resource definitions and activation (seed 004), and the data that providers contribute. */
const GROUP = 'apiextensions.crossplane.io'

export const managedDefinitions: readonly KindDefinition[] = [
  defineKind({
    group: GROUP,
    kind: 'ManagedResourceDefinition',
    plural: 'managedresourcedefinitions',
    shortNames: ['mrd', 'mrds'],
    scope: 'Cluster',
    categories: ['crossplane'],
    columns: [{ name: 'State', type: 'string', jsonPath: '.spec.state' }, conditionColumn('Established')],
    schema: {
      description: 'A managed kind that a provider offers. Its CustomResourceDefinition is installed once it is Active.',
      required: ['spec'],
      'x-kubernetes-validations': [
        { rule: "self.metadata.name == self.spec.names.plural + '.' + self.spec.group", message: 'metadata.name must be <plural>.<group>' },
      ],
      properties: {
        spec: {
          ...open(
            object(
              'The specification of the CustomResourceDefinition, and whether it is active.',
              {
                group: text('API group of the kind.'),
                names: kindNames,
                scope: {
                  type: 'string',
                  enum: ['Cluster', 'Namespaced'],
                  default: 'Cluster',
                  description: 'Whether objects of the kind are namespaced.',
                },
                versions: anyValue('Versions of the kind.'),
                connectionDetails: list(
                  'The keys of the connection secrets of this kind.',
                  object(
                    'One key.',
                    { name: text('Key in the secret.'), description: text('Description of the value.'), type: text('Type of the value.') },
                    ['name'],
                  ),
                ),
                state: {
                  type: 'string',
                  enum: ['Active', 'Inactive'],
                  default: 'Inactive',
                  description: 'Whether the kind is installed. An active kind cannot be deactivated.',
                },
              },
              ['group', 'names'],
            ),
          ),
          'x-kubernetes-validations': [
            { rule: "oldSelf.state != 'Active' || self.state == 'Active'", message: 'state cannot be changed once it becomes Active' },
            { rule: 'self.group == oldSelf.group', message: 'group cannot be changed' },
            { rule: 'self.scope == oldSelf.scope', message: 'scope cannot be changed' },
          ],
        },
        status: statusOf(),
      },
    },
  }),
  defineKind({
    group: GROUP,
    kind: 'ManagedResourceActivationPolicy',
    plural: 'managedresourceactivationpolicies',
    shortNames: ['mrap', 'mraps'],
    scope: 'Cluster',
    categories: ['crossplane'],
    columns: [conditionColumn('Healthy'), { name: 'Activated', type: 'integer', jsonPath: '.status.activatedCount' }],
    schema: {
      description: 'Activates managed kinds by name.',
      required: ['spec'],
      properties: {
        spec: object(
          'The kinds to activate.',
          { activate: list('Names of ManagedResourceDefinitions. A leading * matches any prefix.', { type: 'string', minLength: 1 }) },
          ['activate'],
        ),
        status: statusOf({
          activated: list('Names of the ManagedResourceDefinitions that this policy activates, sorted.', { type: 'string' }),
          activatedCount: { type: 'integer', description: 'The number of ManagedResourceDefinitions that this policy activates.' },
        }),
      },
    },
  }),
  defineKind({
    group: 'weft.dev',
    kind: 'ResourceBindingDefinition',
    plural: 'resourcebindingdefinitions',
    shortNames: ['rbd'],
    scope: 'Cluster',
    categories: ['weft'],
    columns: [
      { name: 'Claim', type: 'string', jsonPath: '.spec.claim.kind' },
      { name: 'Class', type: 'string', jsonPath: '.spec.class.kind' },
      { name: 'Managed', type: 'string', jsonPath: '.spec.managed.kind' },
      { name: 'Type', type: 'string', jsonPath: '.spec.type' },
    ],
    schema: {
      description:
        'A row of the binding table: a kind of claim that can be satisfied by a kind of managed resource, through a kind of class.',
      required: ['spec'],
      properties: {
        spec: object(
          'The kinds of the row.',
          {
            claim: { ...object('The kind of claim.', { group: text('API group.'), kind: text('Kind.') }, ['group', 'kind']) },
            class: { ...object('The kind of class.', { group: text('API group.'), kind: text('Kind.') }, ['group', 'kind']) },
            managed: {
              ...object(
                'The kind of managed resource.',
                { group: text('API group.'), version: text('API version.'), kind: text('Kind.') },
                ['group', 'version', 'kind'],
              ),
            },
            type: {
              type: 'string',
              enum: ['Direct', 'Supporting'],
              default: 'Direct',
              description: 'Direct: the resource can satisfy a claim on its own. Supporting: only as a member of an aggregate.',
            },
            fieldMappings: list(
              'Fields to copy from the claim to the managed resource.',
              open(
                object(
                  'One mapping.',
                  { fromFieldPath: text('Field of the claim.'), toFieldPath: text('Field of the managed resource.') },
                  ['fromFieldPath', 'toFieldPath'],
                ),
              ),
            ),
          },
          ['claim', 'class', 'managed'],
        ),
      },
    },
  }),
  defineKind({
    group: 'weft.dev',
    kind: 'ResourceReferenceDefinition',
    plural: 'resourcereferencedefinitions',
    shortNames: ['rrd'],
    scope: 'Cluster',
    categories: ['weft'],
    columns: [{ name: 'Field', type: 'string', jsonPath: '.spec.field' }],
    schema: {
      description: 'The kinds that a field of managed resources can refer to.',
      required: ['spec'],
      properties: {
        spec: object(
          'The field and its targets.',
          {
            field: text('Name of the field, without Ref or Selector: network for networkRef and networkSelector.'),
            many: { type: 'boolean', description: 'Whether the field is a list, such as networkRefs.' },
            valueField: text('The field to set, if it has another name.'),
            attribute: text("The field of the target's status.atProvider that has the value. Defaults to the external name of the target."),
            from: object('The kind that has the field. Defaults to any kind.', { group: text('API group.'), kind: text('Kind.') }),
            targets: {
              ...list(
                'The kinds that the field can refer to.',
                object('A kind.', { group: text('API group.'), kind: text('Kind.') }, ['group', 'kind']),
              ),
              minItems: 1,
            },
          },
          ['field', 'targets'],
        ),
      },
    },
  }),
]
