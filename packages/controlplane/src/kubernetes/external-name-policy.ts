import { type KubeObject, PART_OF_WEFT } from '@weft/api'
import { CREATE_PENDING, CREATE_SUCCEEDED, EXTERNAL_NAME, EXTERNAL_NAME_PREFIX, EXTERNAL_NAME_SUFFIX, OWNERSHIP } from '@weft/composition'

const NAME = 'weft-external-names'

/** Never managed, and written all the time. */
const NOT_MANAGED = ['', 'apps', 'batch', 'coordination.k8s.io', 'discovery.k8s.io', 'events.k8s.io']

const annotation = (object: string, name: string, otherwise: string): string =>
  `(has(${object}.metadata.annotations) && '${name}' in ${object}.metadata.annotations && ${object}.metadata.annotations['${name}'] != '' ? ` +
  `${object}.metadata.annotations['${name}'] : ${otherwise})`

const externalNameOf = (object: string): string =>
  [
    annotation(object, EXTERNAL_NAME_PREFIX, "''"),
    annotation(object, EXTERNAL_NAME, `${object}.metadata.name`),
    annotation(object, EXTERNAL_NAME_SUFFIX, "''"),
  ].join(' + ')

/** The write notes that a creation which was under way has succeeded: what it made is called otherwise than what there was before. */
const madeAnew = (weft: string): string =>
  [
    `request.userInfo.username == '${weft}'`,
    `${annotation('oldObject', CREATE_PENDING, "''")} > ${annotation('oldObject', CREATE_SUCCEEDED, "''")}`,
    `${annotation('object', CREATE_SUCCEEDED, "''")} > ${annotation('oldObject', CREATE_PENDING, "''")}`,
    `${annotation('object', OWNERSHIP, "''")}.contains(object.metadata.uid)`,
  ].join(' && ')

const record = `oldObject.metadata.annotations['${OWNERSHIP}']`

/**
 * A managed resource that manages an external resource keeps its name. Enforced by the API server itself, for kinds that come and go: a webhook
 * would be asked about every write of every managed resource. It concerns objects alone that carry Weft's record. Its expressions have an answer for
 * every object (each field that may be absent is asked for first), so it fails closed without ever holding up what is not its business. `account`, in
 * `namespace`, is Weft's: where it made a thing anew, it may write down the name that its system gave to that.
 */
export const externalNamePolicy = (namespace: string, account: string): readonly KubeObject[] => [
  {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: NAME, labels: PART_OF_WEFT },
    spec: {
      failurePolicy: 'Fail',
      matchConstraints: {
        resourceRules: [{ apiGroups: ['*'], apiVersions: ['*'], resources: ['*'], operations: ['UPDATE'] }],
        excludeResourceRules: [{ apiGroups: NOT_MANAGED, apiVersions: ['*'], resources: ['*'], operations: ['UPDATE'] }],
      },
      matchConditions: [
        {
          name: 'owns-an-external-resource',
          expression:
            `has(oldObject.metadata.annotations) && '${OWNERSHIP}' in oldObject.metadata.annotations && ` +
            `${record}.contains(oldObject.metadata.uid) && !${record}.contains('"state":"reserved"') && !has(object.metadata.deletionTimestamp)`,
        },
      ],
      variables: [
        { name: 'was', expression: externalNameOf('oldObject') },
        { name: 'is', expression: externalNameOf('object') },
      ],
      validations: [
        {
          expression: `variables.was == variables.is || (${madeAnew(`system:serviceaccount:${namespace}:${account}`)})`,
          messageExpression: `'metadata.annotations[${EXTERNAL_NAME}]: this object manages the external resource "' + variables.was + '", and cannot switch to "' + variables.is + '": set the annotation back, or create another object'`,
        },
        {
          expression: `variables.is == object.metadata.name || (has(object.metadata.annotations) && '${OWNERSHIP}' in object.metadata.annotations)`,
          message: `metadata.annotations[${OWNERSHIP}] records which external resource this object owns, and is kept by its provider: leave it as it is (kubectl apply and kubectl edit do, kubectl replace does not)`,
        },
      ],
    },
  },
  {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name: NAME, labels: PART_OF_WEFT },
    spec: { policyName: NAME, validationActions: ['Deny'] },
  },
]
