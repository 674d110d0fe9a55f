import type { FieldError } from '@weft/api'
import { invalid, required } from '../messages.ts'
import type { CustomResourceDefinition } from './types.ts'

const ANNOTATION = 'api-approved.kubernetes.io'
const PATH = `metadata.annotations[${ANNOTATION}]`
const SEE = 'see https://github.com/kubernetes/enhancements/pull/1111'

export type ApprovalState = 'approved' | 'bypassed' | 'missing' | 'invalid'

export interface Approval {
  readonly state: ApprovalState
  readonly reason: string
}

/** Groups of the Kubernetes community need an approval, recorded as an annotation. */
export function isProtectedGroup(group: string): boolean {
  return ['k8s.io', 'kubernetes.io'].some((domain) => group === domain || group.endsWith(`.${domain}`))
}

export function approvalOf(crd: CustomResourceDefinition): Approval {
  const annotation = crd.metadata.annotations?.[ANNOTATION] ?? ''
  const must = `protected groups must have approval annotation "${ANNOTATION}"`
  if (annotation === '') return { state: 'missing', reason: `${must}, ${SEE}` }
  if (annotation.startsWith('unapproved')) return { state: 'bypassed', reason: `not approved: ${JSON.stringify(annotation)}` }
  if (/^[a-zA-Z][a-zA-Z0-9+.-]*:\/\/[^/?#]+/.test(annotation)) return { state: 'approved', reason: `approved in ${annotation}` }
  return { state: 'invalid', reason: `${must} with either a URL or a reason starting with "unapproved", ${SEE}` }
}

export function approvalErrors(crd: CustomResourceDefinition, old: CustomResourceDefinition | undefined): FieldError[] {
  if (!isProtectedGroup(crd.spec.group ?? '')) return []
  const { state, reason } = approvalOf(crd)
  if (old !== undefined && approvalOf(old).state === state) return []
  if (state === 'missing') return [required(PATH, reason)]
  return state === 'invalid' ? [invalid(PATH, crd.metadata.annotations?.[ANNOTATION] ?? '', reason)] : []
}
