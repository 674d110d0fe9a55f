import { InvalidArgumentError, Option } from 'commander'
import { parseDuration } from '../output/age.ts'

/** Options that may be given several times. */
export const collect = (value: string, before: readonly string[] = []): readonly string[] => [...before, value]

/** The same, and each may be several, separated by commas. */
export const collectList = (value: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  ...value.split(',').filter((each) => each !== ''),
]

/** A duration with a default that help shows as it is written. In milliseconds for the command. */
export const durationOption = (flags: string, description: string, initial: string): Option =>
  new Option(flags, description).argParser(duration).default(duration(initial), initial)

export function duration(value: string): number {
  const millis = parseDuration(value)
  if (millis === undefined) throw new InvalidArgumentError('a duration is a number with a unit: 90s, 5m, 1h30m.')
  return millis
}

/** One of a few words. */
export const oneOf =
  (...words: readonly string[]) =>
  (value: string): string => {
    if (!words.includes(value)) throw new InvalidArgumentError(`use one of ${words.join(', ')}.`)
    return value
  }

/** 0, 1, 2, … */
export function wholeNumber(value: string): number {
  if (!/^\d{1,9}$/.test(value)) throw new InvalidArgumentError('use a whole number, 0 or more.')
  return Number(value)
}
