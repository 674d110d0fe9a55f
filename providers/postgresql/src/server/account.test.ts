import { afterEach, expect, it, vi } from 'vitest'
import { makerAccount } from './account.ts'

afterEach(() => vi.unstubAllEnvs())

it.runIf(process.getuid?.() === 0)(
  'a user to run PostgreSQL as is found without any program, where a service has an empty PATH',
  async () => {
    vi.stubEnv('PATH', '/nowhere')
    expect(await makerAccount()).toMatchObject({
      name: expect.stringMatching(/^(postgres|nobody)$/) as string,
      ids: { uid: expect.any(Number) },
    })
  },
)

it.runIf(process.getuid?.() !== 0)('somebody who is not root needs no other user', async () => {
  expect(await makerAccount()).toBeUndefined()
})
