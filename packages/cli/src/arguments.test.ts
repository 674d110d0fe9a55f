import { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { commandFirst, normalizeArguments } from './arguments.ts'

describe('arguments, in kubectl’s habits', () => {
  it.each([
    [
      ['-n', 'team', 'get', 'x'],
      ['get', '-n', 'team', 'x'],
    ],
    [
      ['--namespace=team', '--context', 'c', 'get'],
      ['get', '--namespace=team', '--context', 'c'],
    ],
    [
      ['get', '-n', 'team'],
      ['get', '-n', 'team'],
    ],
    [['--help'], ['--help']],
    [
      ['--unknown', 'x', 'get'],
      ['--unknown', 'x', 'get'],
    ],
    [['-n'], ['-n']],
    [[], []],
  ])('%j is %j', (before, after) => {
    expect(commandFirst(before)).toEqual(after)
  })

  const command = new Command('x')
    .option('-o, --output <format>')
    .option('-A, --all')
    .option('--wait')
    .option('--no-wait')
    .option('--no-headers')
    .argument('[a...]')

  it.each([
    [['-o=yaml'], ['-o', 'yaml']],
    [['-o=jsonpath={.a}=b'], ['-o', 'jsonpath={.a}=b']],
    [['--output=true'], ['--output=true']],
    [['--wait=false'], ['--no-wait']],
    [['--wait=true'], ['--wait']],
    [['--headers=false'], ['--no-headers']],
    [['--headers=true'], []],
    [['--all=false'], []],
    [['--all=true'], ['--all']],
    [['-z=1'], ['-z=1']],
    [
      ['--', '-o=yaml'],
      ['--', '-o=yaml'],
    ],
  ])('%j is %j to the command', (before, after) => {
    expect(normalizeArguments(command, before)).toEqual(after)
  })
})
