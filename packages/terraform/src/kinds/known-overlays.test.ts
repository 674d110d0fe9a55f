import { describe, expect, test } from 'vitest'
import { knownOverlay, mergedOverlay } from './known-overlays.ts'
import { parseOverlay } from './overlay.ts'

const address = (type: string, host = 'registry.opentofu.org') => ({ host, namespace: 'hashicorp', type })

describe('what is known of a few providers', () => {
  test.each(['aws', 'google', 'azurerm'])(
    '%s: every reference leads to a type of the same provider, every format names attributes',
    (type) => {
      const { types } = knownOverlay(address(type))
      expect(types.size).toBeGreaterThan(5)
      for (const [name, { references, importFormat = '' }] of types) {
        expect(name).toMatch(new RegExp(`^${type}_[a-z0-9_]+$`))
        for (const to of references.values()) if (to !== null) expect(to.type).toMatch(new RegExp(`^${type}_[a-z0-9_]+$`))
        if (importFormat !== '') expect(importFormat).toMatch(/\{[a-z0-9_]+\}/)
      }
    },
  )

  test('is of that provider alone, not of one that is called alike elsewhere', () => {
    expect(knownOverlay(address('aws', 'registry.example.org')).types.size).toBe(0)
    expect(knownOverlay({ ...address('aws'), namespace: 'somebody' }).types.size).toBe(0)
    expect(knownOverlay(address('constructor')).types.size).toBe(0)
  })

  test('a file of yours counts where both say something, and adds where only one does', () => {
    const own = parseOverlay(
      {
        types: {
          aws_db_instance: { kind: 'Database', connection: { endpoint: 'endpoint' }, references: { parameter_group_name: null } },
          aws_route53_record: { importFormat: '{zone_id}/{name}' },
          aws_vpc: { kind: 'Network' },
        },
      },
      'mine',
    )
    const { types } = mergedOverlay(knownOverlay(address('aws')), own)
    const database = types.get('aws_db_instance')
    expect(database?.kind).toBe('Database')
    expect([...(database?.connection ?? [])]).toEqual([['endpoint', 'endpoint']])
    expect(database?.references.get('parameter_group_name')).toBeNull()
    expect(database?.references.get('vpc_security_group_ids')).toMatchObject({ type: 'aws_security_group' })
    expect(types.get('aws_route53_record')?.importFormat).toBe('{zone_id}/{name}')
    expect(types.get('aws_vpc')?.kind).toBe('Network')
    expect(types.get('aws_lambda_permission')?.importFormat).toBe('{function_name}/{statement_id}')
  })
})
