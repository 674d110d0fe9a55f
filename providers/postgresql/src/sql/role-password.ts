import { hasExternalCode } from '@weft/provider-sdk'
import { matchesVerifier } from './scram.ts'
import type { Session } from './sessions.ts'
import { sqlState } from './sql-error.ts'

export type PasswordState = 'same' | 'different' | 'unknown'

/** Is this the role's password? A superuser can look; anybody else has to try. */
export async function passwordState(session: Session, role: string, password: string): Promise<PasswordState> {
  try {
    const [row] = await session.query<{ rolpassword: string | null }>('select rolpassword from pg_catalog.pg_authid where rolname = $1', [
      role,
    ])
    if (row === undefined) return 'unknown'
    if (row.rolpassword === null) return 'different'
    const matches = await matchesVerifier(password, row.rolpassword)
    if (matches !== undefined) return matches ? 'same' : 'different'
  } catch (error) {
    if (!hasExternalCode(error, 'Denied')) throw error
  }
  return tryLogin(session, role, password)
}

async function tryLogin({ endpoint, logIn }: Session, role: string, password: string): Promise<PasswordState> {
  try {
    await logIn({ ...endpoint, user: role, password })
    return 'same'
  } catch (error) {
    if (sqlState(error) === '28P01') return 'different'
    if (hasExternalCode(error, 'Unavailable')) throw error
    // May not log in, or not into this database: says nothing about the password.
    return 'unknown'
  }
}
