import { chmod, writeFile } from 'node:fs/promises'
import { deepEqual, isJsonObject, messageOf, parseJson, stringifyJson } from '@weft/api'
import { type Change, type Plan, type PlannedChange, PlanError } from '@weft/plan'
import { readText } from '../../manifests/index.ts'
import { CommandFailure } from '../../report.ts'

/** How the file says what it is. Another number is another format. */
const FORMAT = 'weft.dev/plan/v1'

/** A plan that somebody approves and somebody carries out: what was asked for, of whom, and what it would have done then. */
export interface SavedPlan {
  readonly format: typeof FORMAT
  readonly madeAt: string
  readonly server: string
  readonly change: Change
  readonly fieldManager: string
  readonly forceConflicts: boolean
  /** Of objects that name none. */
  readonly namespace: string
  readonly plan: Plan
}

/** For its owner alone: the change may bring secrets. */
export async function savePlan(file: string, saved: Omit<SavedPlan, 'format' | 'madeAt'>): Promise<void> {
  const content: SavedPlan = { format: FORMAT, madeAt: new Date().toISOString(), ...saved }
  try {
    await writeFile(file, `${stringifyJson(content)}\n`, { mode: 0o600 })
    // The mode of a file that was there stays otherwise.
    await chmod(file, 0o600)
  } catch (error) {
    throw new PlanError(`the plan cannot be written to ${file}: ${messageOf(error)}`, { cause: error })
  }
}

export async function readSavedPlan(file: string): Promise<SavedPlan> {
  const content = await readText(file)
  let saved: unknown
  try {
    saved = parseJson(content).value
  } catch {
    saved = undefined
  }
  if (!isJsonObject(saved) || !isJsonObject(saved['plan']) || !isJsonObject(saved['change']))
    throw new CommandFailure(`${file} is not a plan that \`weft diff --out\` has saved; files with objects are applied with -f`)
  if (saved['format'] !== FORMAT)
    throw new CommandFailure(
      `${file} is a plan of the format ${String(saved['format'])}, and this release reads ${FORMAT}: make a new plan`,
    )
  return saved as unknown as SavedPlan
}

/** In lines, what a plan made now says otherwise than the saved one; none when both are the same. */
export function differencesOf(saved: Plan, now: Plan): readonly string[] {
  const [then, later] = [byObject(saved), byObject(now)]
  return [...new Set([...then.keys(), ...later.keys()])].flatMap((name) => {
    const [was, is] = [then.get(name), later.get(name)]
    if (was === undefined) return [`${name} would be ${DONE[(is as PlannedChange).action]}, which is not in the plan`]
    if (is === undefined) return [`${name} would no longer be ${DONE[was.action]}`]
    if (was.action !== is.action) return [`${name} would be ${DONE[is.action]} instead of ${DONE[was.action]}`]
    return deepEqual(was, parseJson(stringifyJson(is)).value) ? [] : [`${name} would be ${DONE[is.action]} differently`]
  })
}

const DONE = { create: 'created', update: 'changed', delete: 'deleted', keep: 'kept' } as const

const byObject = ({ changes }: Plan): ReadonlyMap<string, PlannedChange> =>
  new Map(
    changes.map((change) => {
      const { apiVersion, kind, namespace, name } = change.object
      return [`${kind}.${apiVersion} ${namespace === undefined ? '' : `${namespace}/`}${name}`, change]
    }),
  )
