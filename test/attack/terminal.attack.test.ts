import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { weftWith } from '../integration/weft-command.ts'
import { type AttackedWorld, startAttackedWorld } from './world.ts'

const NASTY = '\u001B[2J\u001B]0;owned\u0007\u009B31mhidden\rspoofed\u007F'
// oxlint-disable-next-line no-control-regex -- these are what it is about
const CONTROL = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/

describe('terminal escapes in what others wrote', () => {
  let world: AttackedWorld
  beforeAll(async () => {
    world = await startAttackedWorld()
    const admin = world.admin
    await admin
      .create({
        apiVersion: 'nop.crossplane.io/v1alpha1',
        kind: 'NopResource',
        metadata: { name: 'nasty', annotations: { note: NASTY, 'crossplane.io/external-name': NASTY } },
        spec: {
          forProvider: {
            note: NASTY,
            conditionAfter: [{ time: '1s', conditionType: 'Ready', conditionStatus: 'False', conditionReason: NASTY }],
          },
        },
      })
      .catch(() => undefined)
    await admin.create({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'nasty', namespace: 'default', annotations: { note: NASTY } },
      data: { a: NASTY },
    })
    await admin.create({
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'nasty', namespace: 'default' },
      involvedObject: { apiVersion: 'v1', kind: 'ConfigMap', name: 'nasty', namespace: 'default' },
      reason: NASTY,
      message: NASTY,
      type: 'Warning',
    })
  })
  afterAll(() => world?.stop())

  it.each([
    ['get', 'configmaps,events'],
    ['get', 'configmap', 'nasty', '-o', 'yaml'],
    ['get', 'configmap', 'nasty', '-o', 'json'],
    ['get', 'configmap', 'nasty', '-o', 'custom-columns=A:.data.a'],
    ['describe', 'configmap', 'nasty'],
    ['events'],
    ['events', '-o', 'yaml'],
    ['describe', 'nopresource', 'nasty'],
    ['trace', 'nopresource', 'nasty'],
    ['get', 'nopresource', 'nasty', '-o', 'wide'],
    ['wait', 'nopresource', 'nasty', '--for', 'condition=Never', '--timeout', '1s'],
    ['wait', 'nopresource', 'nasty', '--for', 'condition=Ready', '--timeout', '1s'],
    ['wait', 'configmap', 'nasty', '--for', `jsonpath={.data.a}=${NASTY}x`, '--timeout', '1s'],
    ['get', NASTY],
  ])('never reach it: weft %s %s %s', async (...args) => {
    const { output } = await weftWith({ env: { KUBECONFIG: world.adminKubeconfig } }, ...args.filter((each) => each !== undefined))
    expect(output.length).toBeGreaterThan(0)
    expect(output).not.toMatch(CONTROL)
  })
})
