import { members, owner, times } from './world.ts'

/** What can be long in an object of any kind. */
export const METADATA: Readonly<Record<string, (n: number) => object>> = {
  labels: (n) => ({ labels: members(n, (i) => `v${i}`) }),
  'bad labels': (n) => ({ labels: members(n, (i) => `v ${i}!`) }),
  annotations: (n) => ({ annotations: members(n, (i) => `v${i}`) }),
  'bad annotations': (n) => ({ annotations: members(n, () => 'v', ' bad ') }),
  finalizers: (n) => ({ finalizers: times(n, (i) => `example.org/f${i}`) }),
  'short finalizers': (n) => ({ finalizers: times(n, (i) => `f${i}`) }),
  owners: (n) => ({ ownerReferences: times(n, (i) => owner(i)) }),
  'repeated owners': (n) => ({ ownerReferences: times(n, (i) => owner(Math.floor(i / 2), false)) }),
  'owners that block': (n) => ({ ownerReferences: times(n, (i) => ({ ...owner(i), blockOwnerDeletion: true })) }),
  controllers: (n) => ({ ownerReferences: times(n, (i) => ({ ...owner(i), controller: true })) }),
  'unknown metadata': (n) => members(n, (i) => i),
  managers: (n) => ({
    managedFields: times(n, (i) => ({
      manager: `m${i}`,
      operation: 'Update',
      apiVersion: 'v1',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:data': { [`f:k${i}`]: {} } },
    })),
  }),
  'one manager of many fields': (n) => ({
    managedFields: [
      { manager: 'm', operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: { 'f:data': members(n, () => ({}), 'f:k') } },
    ],
  }),
  'one manager of many items': (n) => ({
    managedFields: [
      {
        manager: 'm',
        operation: 'Apply',
        apiVersion: 'v1',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:spec': { 'f:keyed': Object.fromEntries(times(n, (i) => [`k:{"name":"n${n - i}","port":1}`, {}])) } },
      },
    ],
  }),
}

/** What can be long in an object of the custom kind. */
export const SPECS: Readonly<Record<string, (n: number) => object>> = {
  'unknown fields': (n) => members(n, (i) => i),
  'unknown fields of many items': (n) => ({ closed: times(n, (i) => ({ [`x${i}`]: 1 })) }),
  'unknown fields below a long name': (n) => ({ table: { ['x'.repeat(n * 10)]: 1 }, ...members(n, (i) => i) }),
  'items of the wrong type': (n) => ({ closed: times(n, () => 'text') }),
  'items below a long name': (n) => ({ free: { ['x'.repeat(n * 10)]: times(n, (i) => ({ [`y${i}`]: null })) } }),
  'entries of the wrong type': (n) => ({ table: members(n, () => 'text') }),
  'one long name and entries of the wrong type': (n) => ({ table: members(n, () => 'text', 'x'.repeat(50)) }),
  'free members': (n) => ({ free: members(n, (i) => ({ a: [i, { b: null }] })) }),
  'keyed items': (n) => ({ keyed: times(n, (i) => ({ name: `n${i}`, port: i })) }),
  'keyed items backwards': (n) => ({ keyed: times(n, (i) => ({ name: `n${n - i}` })) }),
  'the same keyed item': (n) => ({ keyed: times(n, () => ({ name: 'same' })) }),
  'keyed items without a key': (n) => ({ keyed: times(n, () => ({ more: 'x' })) }),
  'a set': (n) => ({ unique: times(n, (i) => `v${n - i}`) }),
  'a set of one value': (n) => ({ unique: times(n, () => 'v') }),
  'a pattern': (n) => ({ atomic: times(n, () => 'aaaaaaaaab') }),
  'a pattern on long text': (n) => ({ atomic: [`${'a'.repeat(n * 10)}b`] }),
  alternatives: (n) => ({ either: times(n, (i) => ({ c: i })) }),
  rules: (n) => ({ ruled: times(n, () => ({ a: 'x' })) }),
  'embedded resources': (n) => ({ embedded: times(n, (i) => ({ apiVersion: 'v1', kind: 'X', metadata: { name: `n${i}`, unknown: 1 } })) }),
}
