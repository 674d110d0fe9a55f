import type { KubeObject } from '@weft/api'
import { describe, expect, test } from 'vitest'
import { whyInvalid } from './why-invalid.ts'

const KIOSK: KubeObject = { apiVersion: 'shop.example.org/v1', kind: 'Kiosk', metadata: { name: 'one' } }

describe('K69: why the server calls a composed resource invalid', () => {
  test.each([
    ['last', 'Kiosk/first and Kiosk/one'],
    ['first', 'Kiosk/one and Kiosk/first'],
  ])('it belongs to another, named %s', (_, controllers) => {
    const error = new Error(
      `Crate.nop.example.org "taken" is invalid: metadata.ownerReferences: Invalid value: [{"uid":"a"},{"uid":"b"}]: Only one reference can have Controller set to true. Found "true" in references for ${controllers}`,
    )
    expect(whyInvalid(error, KIOSK)).toBe('Crate.nop.example.org "taken" belongs to Kiosk first, which controls it')
  })

  test('otherwise by the words of the server, but for what changes in them by itself and what is too long', () => {
    const error = (address: string): Error => new Error(`Crate "a" is invalid: spec: Invalid value: v1.Crate{Lid:(*bool)(${address})}: no`)
    expect(whyInvalid(error('0xc000123456'), KIOSK)).toBe(whyInvalid(error('0xc000abcdef'), KIOSK))
    expect(whyInvalid(error('0x10'), KIOSK)).toBe('Crate "a" is invalid: spec: Invalid value: v1.Crate{Lid:(*bool)(0x10)}: no')
    expect(whyInvalid(new Error('x'.repeat(1000)), KIOSK)).toHaveLength(401)
  })
})
