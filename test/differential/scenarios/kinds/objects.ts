import { call, type Step } from '../../scenario.ts'

export const object = (apiVersion: string, kind: string, name: string, more: object = {}, meta: object = {}): object => ({
  apiVersion,
  kind,
  metadata: { name, ...meta },
  ...more,
})

export const all = (path: string, bodies: readonly object[]): Step[] => bodies.map((body) => call('POST', path, body))
