import type { DataNode } from '../../catalogue/data-node.ts'
import { type AccountSettings, type Drift, type FaultEffect, type FaultMatch, type FaultSpec, VERBS } from '../../wire/admin.ts'

export function readAccountSettings(node: DataNode): AccountSettings {
  node.object(['tokens', 'quotas'])
  const quotas = node.get('quotas')
  const kinds = quotas.present ? Object.keys(quotas.object().value as object) : []
  return {
    tokens: node
      .get('tokens')
      .list()
      .map((item) => {
        item.object(['token', 'role'])
        const token = item.get('token')
        if (!/^[\x21-\x7e]{8,4096}$/.test(token.string())) token.fail('must be at least 8 printable characters without spaces')
        return { token: token.string(), role: item.get('role').oneOf(['editor', 'viewer'], 'editor') }
      }),
    quotas: Object.fromEntries(kinds.map((kind) => [kind, quotas.get(kind).integer(0)])),
  }
}

export function readFault(node: DataNode): FaultSpec {
  node.object(['match', 'effect', 'count', 'probability', 'seed'])
  const probability = node.get('probability').optionalNumber()
  if (probability !== undefined && (probability <= 0 || probability > 1)) node.get('probability').fail('must be more than 0 and at most 1')
  return {
    ...(node.get('match').present && { match: readMatch(node.get('match')) }),
    effect: readEffect(node.get('effect')),
    ...(node.get('count').present && { count: node.get('count').integer(1, 1) }),
    ...(probability !== undefined && { probability }),
    ...(node.get('seed').present && { seed: node.get('seed').integer(1) }),
  }
}

function readMatch(node: DataNode): FaultMatch {
  node.object(['cloud', 'account', 'kind', 'name', 'verb'])
  const texts = (['cloud', 'account', 'kind', 'name'] as const).filter((trait) => node.get(trait).present)
  return {
    ...Object.fromEntries(texts.map((trait) => [trait, node.get(trait).string()])),
    ...(node.get('verb').present && { verb: node.get('verb').oneOf(VERBS) }),
  }
}

const EFFECTS = ['fail', 'throttle', 'hang', 'loseAnswer', 'stall', 'failOperation'] as const
const MAX_HANG_MILLIS = 600_000

function readEffect(node: DataNode): FaultEffect {
  node.object()
  const type = node.get('type').oneOf(EFFECTS)
  const message = node.get('message').optionalString()
  switch (type) {
    case 'fail': {
      node.object(['type', 'status', 'message'])
      const status = node.get('status').integer(503)
      if (status !== 500 && status !== 503) node.get('status').fail('must be 500 or 503')
      return { type, status: status as 500 | 503, ...(message !== undefined && { message }) }
    }
    case 'throttle':
      node.object(['type', 'retryAfterSeconds'])
      return { type, retryAfterSeconds: node.get('retryAfterSeconds').integer(1) }
    case 'hang': {
      const millis = node.object(['type', 'millis']).get('millis')
      if (!millis.present || millis.integer(0) > MAX_HANG_MILLIS) millis.fail(`is required, at most ${MAX_HANG_MILLIS}`)
      return { type, millis: millis.integer(0) }
    }
    case 'loseAnswer':
      node.object(['type'])
      return { type }
    case 'stall':
      node.object(['type', 'millis'])
      return { type, ...(node.get('millis').present && { millis: node.get('millis').integer(0) }) }
    case 'failOperation':
      node.object(['type', 'message'])
      return { type, ...(message !== undefined && { message }) }
  }
}

export function readDrift(node: DataNode): Drift {
  node.object(['parameters', 'state'])
  return {
    ...(node.get('parameters').present && { parameters: node.get('parameters').object().value as Readonly<Record<string, unknown>> }),
    ...(node.get('state').present && { state: node.get('state').oneOf(['RUNNING', 'FAILED']) }),
  }
}
