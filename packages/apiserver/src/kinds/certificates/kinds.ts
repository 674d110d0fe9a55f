import { type KubeObject, formatTime, isJsonObject, isPathSegmentName } from '@weft/api'
import { ageColumn, column, humanDuration, nameColumn, textCell } from '../column.ts'
import { type BuiltinKind, builtin, part } from '../kind.ts'
import { isSet, listAt, numberAt, recordAt, textAt } from '../read.ts'
import { type Strategy, type StrategyContext, strategy } from '../strategy.ts'
import { certificateSigningRequest as message } from './messages.ts'
import { type RequestChanges, validateRequest, validateRequestUpdate } from './validation.ts'

type Prepare = Strategy['prepareForUpdate']

/** The three endpoints differ in what they may change, and in nothing else. */
const endpoint = (prepareForUpdate: Prepare, allowed: RequestChanges, resetFields: readonly string[]): Strategy =>
  strategy({
    nameRule: isPathSegmentName,
    resetFields,
    prepareForCreate: withRequester,
    prepareForUpdate,
    validate: validateRequest,
    validateUpdate: (next, old) => validateRequestUpdate(next, old, allowed),
  })

export const certificatesKinds: readonly BuiltinKind[] = [
  builtin({
    group: 'certificates.k8s.io',
    kind: 'CertificateSigningRequest',
    plural: 'certificatesigningrequests',
    shortNames: ['csr'],
    namespaced: false,
    message,
    columns: [
      nameColumn,
      ageColumn,
      column('SignerName', 'Who should sign.', (object) => textAt(object, 'spec', 'signerName') || '<none>'),
      column('Requestor', 'Who asks.', textCell('spec', 'username')),
      column('RequestedDuration', 'How long it is wanted for.', requestedDuration),
      column('Condition', 'What became of it.', condition),
    ],
    selectableFields: { 'spec.signerName': (object) => textAt(object, 'spec', 'signerName') },
    strategy: endpoint((next, old) => ({ ...next, spec: old['spec'], status: old['status'] }), {}, ['spec', 'status']),
    subresources: [
      part(
        'approval',
        message,
        endpoint((next, old, context) => approve(withTimes(next, old, context), old), { approval: true }, ['spec', 'status.certificate']),
      ),
      part(
        'status',
        message,
        endpoint((next, old, context) => withTimes({ ...next, spec: old['spec'] }, old, context), { certificate: true }, [
          'spec',
          'status.conditions',
        ]),
      ),
    ],
  }),
]

/** Who asks is what the server knows, never what the client says. */
function withRequester(object: KubeObject, { user }: StrategyContext): KubeObject {
  const { username: _name, uid: _uid, groups: _groups, extra: _extra, ...spec } = recordAt(object, 'spec')
  const requester = user && {
    username: user.username,
    ...(user.uid && { uid: user.uid }),
    ...(user.groups && user.groups.length > 0 && { groups: user.groups }),
    ...(user.extra && Object.keys(user.extra).length > 0 && { extra: user.extra }),
  }
  return { ...object, spec: { ...spec, ...requester }, status: {} }
}

function approve(next: KubeObject, old: KubeObject): KubeObject {
  const conditions = listAt(next, 'status', 'conditions')
  const { conditions: _before, ...status } = recordAt(old, 'status')
  return { ...next, spec: old['spec'], status: conditions.length > 0 ? { ...status, conditions } : status }
}

/** Conditions that carry no times get them; a status that did not change keeps the time of its last change. */
function withTimes(next: KubeObject, old: KubeObject, { now }: StrategyContext): KubeObject {
  const conditions = listAt(next, 'status', 'conditions')
  if (conditions.length === 0) return next
  const time = formatTime(now)
  const timed = conditions.map((each) => {
    if (!isJsonObject(each)) return each
    const before = listAt(old, 'status', 'conditions').find((other) =>
      ['type', 'status'].every((name) => textAt(other, name) === textAt(each, name)),
    )
    return {
      ...each,
      lastUpdateTime: each['lastUpdateTime'] ?? time,
      lastTransitionTime: each['lastTransitionTime'] ?? (textAt(before, 'lastTransitionTime') || time),
    }
  })
  return { ...next, status: { ...recordAt(next, 'status'), conditions: timed } }
}

function requestedDuration(object: KubeObject): string {
  const seconds = numberAt(object, 'spec', 'expirationSeconds')
  return seconds === undefined ? '<none>' : humanDuration(seconds * 1000)
}

function condition(object: KubeObject): string {
  const types = new Set(listAt(object, 'status', 'conditions').map((each) => textAt(each, 'type')))
  const decision = types.has('Denied') ? 'Denied' : types.has('Approved') ? 'Approved' : 'Pending'
  const issued = isSet(recordAt(object, 'status')['certificate']) && textAt(object, 'status', 'certificate') !== ''
  return `${decision}${types.has('Failed') ? ',Failed' : ''}${issued ? ',Issued' : ''}`
}
