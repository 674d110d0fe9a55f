import { formatLabelSelector, requirementsOf, type KubeObject, type LabelSelector } from '@weft/api'
import { type Column, ageColumn, column, nameColumn, textCell } from '../column.ts'
import { type BuiltinKind, builtin, part } from '../kind.ts'
import { at, isSet, listAt, textAt } from '../read.ts'
import { type Strategy, keepsStatus, statusOnly, strategy } from '../strategy.ts'
import * as messages from './messages.ts'
import { validateMutatingBinding, validateMutatingPolicy } from './mutating-policies.ts'
import { validateBinding, validatePolicy, withBindingDefaults, withPolicyDefaults } from './policies.ts'
import { validateStatus } from './policy-status.ts'
import { validateWebhooks, withWebhookDefaults } from './webhooks.ts'

const group = 'admissionregistration.k8s.io'
const categories = ['api-extensions']

const webhookStrategy = (kind: 'validating' | 'mutating'): Strategy =>
  strategy({
    unconditionalUpdate: false,
    default: (object) => withWebhookDefaults(object, kind),
    validate: (object) => validateWebhooks(object),
    validateUpdate: validateWebhooks,
  })

const webhookColumns: readonly Column[] = [
  nameColumn,
  column('Webhooks', 'Number of webhooks.', (object) => listAt(object, 'webhooks').length, { type: 'integer' }),
  ageColumn,
]

const bindingColumns: readonly Column[] = [
  nameColumn,
  column('PolicyName', 'Policy that is put into force.', textCell('spec', 'policyName')),
  column('ParamRef', 'Its parameters.', paramRef),
  ageColumn,
]

const policyStrategy: Strategy = keepsStatus({
  unconditionalUpdate: false,
  default: withPolicyDefaults,
  validate: (object) => validatePolicy(object),
  validateUpdate: validatePolicy,
})

export const admissionregistrationKinds: readonly BuiltinKind[] = [
  builtin({
    group,
    categories,
    kind: 'MutatingAdmissionPolicy',
    plural: 'mutatingadmissionpolicies',
    namespaced: false,
    message: messages.mutatingAdmissionPolicy,
    columns: [
      nameColumn,
      column('Mutations', 'Number of changes.', (object) => listAt(object, 'spec', 'mutations').length, { type: 'integer' }),
      column('ParamKind', 'Kind of its parameters.', paramKind),
      ageColumn,
    ],
    strategy: strategy({
      unconditionalUpdate: false,
      default: withPolicyDefaults,
      validate: (object) => validateMutatingPolicy(object),
      validateUpdate: validateMutatingPolicy,
    }),
    generation: ['spec'],
  }),
  builtin({
    group,
    categories,
    kind: 'MutatingAdmissionPolicyBinding',
    plural: 'mutatingadmissionpolicybindings',
    namespaced: false,
    message: messages.mutatingAdmissionPolicyBinding,
    columns: bindingColumns,
    strategy: strategy({ unconditionalUpdate: false, default: withBindingDefaults, validate: validateMutatingBinding }),
    generation: ['spec'],
  }),
  builtin({
    group,
    categories,
    kind: 'MutatingWebhookConfiguration',
    plural: 'mutatingwebhookconfigurations',
    namespaced: false,
    message: messages.mutatingWebhookConfiguration,
    columns: webhookColumns,
    strategy: webhookStrategy('mutating'),
    generation: ['webhooks'],
  }),
  builtin({
    group,
    categories,
    kind: 'ValidatingAdmissionPolicy',
    plural: 'validatingadmissionpolicies',
    namespaced: false,
    message: messages.validatingAdmissionPolicy,
    columns: [
      nameColumn,
      column('Validations', 'Number of rules.', (object) => listAt(object, 'spec', 'validations').length, { type: 'integer' }),
      column('ParamKind', 'Kind of its parameters.', paramKind),
      ageColumn,
    ],
    strategy: policyStrategy,
    subresources: [
      part(
        'status',
        messages.validatingAdmissionPolicy,
        statusOnly(policyStrategy, { validateUpdate: validateStatus, resetFields: ['spec', 'metadata'] }),
      ),
    ],
    generation: ['spec'],
  }),
  builtin({
    group,
    categories,
    kind: 'ValidatingAdmissionPolicyBinding',
    plural: 'validatingadmissionpolicybindings',
    namespaced: false,
    message: messages.validatingAdmissionPolicyBinding,
    columns: bindingColumns,
    strategy: strategy({ unconditionalUpdate: false, default: withBindingDefaults, validate: validateBinding }),
    generation: ['spec'],
  }),
  builtin({
    group,
    categories,
    kind: 'ValidatingWebhookConfiguration',
    plural: 'validatingwebhookconfigurations',
    namespaced: false,
    message: messages.validatingWebhookConfiguration,
    columns: webhookColumns,
    strategy: webhookStrategy('validating'),
    generation: ['webhooks'],
  }),
]

function paramKind(object: KubeObject): string {
  const kind = at(object, 'spec', 'paramKind')
  return isSet(kind) ? `${textAt(kind, 'apiVersion')}/${textAt(kind, 'kind')}` : '<unset>'
}

function paramRef(object: KubeObject): string {
  const ref = at(object, 'spec', 'paramRef')
  const name = textAt(ref, 'name')
  if (name !== '') return `${textAt(ref, 'namespace') || '*'}/${name}`
  const selector = at(ref, 'selector')
  return isSet(selector) ? formatLabelSelector(requirementsOf(selector as LabelSelector)) : '<unset>'
}
