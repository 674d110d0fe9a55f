import { weftKinds } from '@weft/api'
import { describe, expect, test } from 'vitest'
import { kindsReference } from './kinds-reference.ts'

const INTRODUCTION = `Generated from the schemas that the API server enforces; \`weft explain KIND\` shows the same on a running server.
Every kind also has \`apiVersion\`, \`kind\` and \`metadata\`. Managed kinds come with providers: \`weft get mrd\` lists them.`

describe('docs/reference/kinds.md', () => {
  // `npx vitest run --project integration test/docs -u` writes it again.
  test('says what the schemas say', async () => {
    await expect(kindsReference('Kinds', INTRODUCTION, weftKinds)).toMatchFileSnapshot('../../docs/reference/kinds.md')
  })
})
