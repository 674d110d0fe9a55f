import { expect, test } from 'vitest'
import { logReader } from './log-line.ts'

test('T15: the words of a diagnostic, which may quote what the answer calls secret, stay out of the log', () => {
  const line = {
    '@level': 'error',
    '@message': 'Response contains error diagnostic',
    '@module': 'sdk.proto',
    diagnostic_severity: 'ERROR',
    diagnostic_summary: 'it was made with hunter2',
    diagnostic_detail: 'really: hunter2',
    tf_rpc: 'ApplyResourceChange',
  }
  expect(logReader()(JSON.stringify(line))).toEqual({
    level: 'error',
    message: 'Response contains error diagnostic',
    fields: { '@module': 'sdk.proto', diagnostic_severity: 'ERROR', tf_rpc: 'ApplyResourceChange' },
  })
})
