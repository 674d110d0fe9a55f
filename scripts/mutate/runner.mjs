// One vitest for the whole run: it keeps what it transformed, so that a mutant costs little more than the tests that reach it.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tsImport } from 'tsx/esm/api'
import { createVitest } from 'vitest/node'
import { root } from '../setup.mjs'

const TIERS = new Set(['unit', 'integration'])

/** In the order that it was given: the quickest first, for the first failure ends the run. */
class GivenOrder {
  shard(files) {
    return files
  }
  sort(files) {
    return files
  }
}

/**
 * @param {Map<string, string>} instrumented source by path
 * @param {string[]} testFiles
 */
export async function startRunner(instrumented, testFiles, { workers }) {
  const config = (await tsImport('../../vitest.config.ts', import.meta.url)).default
  const projects = config.test.projects
    .filter(({ test }) => TIERS.has(test.name))
    .map(({ test, ...rest }) => ({
      ...rest,
      plugins: [
        {
          name: 'weft-mutants',
          enforce: 'pre',
          transform: (_, id) => (instrumented.has(id) ? { code: instrumented.get(id), map: null } : undefined),
        },
      ],
      test: { ...test, setupFiles: [...test.setupFiles, join(root, 'scripts/mutate/worker.setup.mjs')] },
    }))
  const vitest = await createVitest('test', {
    root,
    config: false,
    projects,
    watch: false,
    bail: 1,
    maxWorkers: workers,
    reporters: [{}],
    sequence: { sequencer: GivenOrder },
    silent: true,
  })
  await vitest.standalone?.()
  const specifications = testFiles.flatMap((file) => vitest.getModuleSpecifications(file))
  return new Runner(vitest, specifications)
}

class Runner {
  #vitest
  #specifications
  #files = []

  constructor(vitest, specifications) {
    this.#vitest = vitest
    this.#specifications = specifications
  }

  /** The tests with no mutant: what each takes, and which mutants it reaches. What fails here would fail with every mutant. */
  async clean() {
    const folder = mkdtempSync(join(tmpdir(), 'weft-mutate-'))
    try {
      const { failures, modules } = await this.#run(this.#specifications, { reached: folder })
      if (failures.length > 0) return failures
      const reached = new Map(
        readdirSync(folder)
          .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')))
          .map((record) => [record.file, record]),
      )
      this.#files = modules.map((module) => measured(module, reached.get(module.moduleId))).sort((a, b) => a.all - b.all)
      return []
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }

  /**
   * @returns the first failure, or undefined where every test that reaches it passes; `reached` says whether there was one. Tests of one file may share
   * what the first of them made: before a mutant counts as survived, the files are run whole.
   */
  async mutant(id) {
    const chosen = this.#files.flatMap((file) => file.reaching(id))
    if (chosen.length === 0) return { reached: false }
    const failure = await this.#try(id, chosen)
    if (failure !== undefined || chosen.every(({ testIds }) => testIds === undefined)) return { reached: true, failure }
    return {
      reached: true,
      failure: await this.#try(
        id,
        chosen.map(({ file }) => ({ file, took: file.all })),
      ),
    }
  }

  async #try(id, chosen) {
    const specifications = chosen.map(({ file, testIds }) => file.project.createSpecification(file.moduleId, testIds && { testIds }))
    const longest = Math.max(...chosen.map(({ took }) => took))
    for (let limit = 5_000 + 4 * longest; ; limit *= 3) {
      const { failures } = await this.#run(specifications, { active: id, limit })
      const [failure] = failures
      if (!failure?.clock) return failure
      // The clock is no proof on a busy machine unless the same tests without the mutant are in time.
      const again = await this.#run(specifications, { limit })
      if (again.failures.length === 0 || limit > 20 * longest) return failure
    }
  }

  close() {
    return this.#vitest.close()
  }

  async #run(specifications, mutation) {
    this.#vitest.provide('mutation', mutation)
    this.#vitest.state.filesMap.clear()
    const { testModules, unhandledErrors } = await this.#vitest.runTestSpecifications(specifications, false)
    const failures = [...testModules.flatMap(failuresOf), ...unhandledErrors.map((error) => failureOf('outside of a test', error))]
    return { failures, modules: testModules }
  }
}

function measured(module, record) {
  const { duration, collectDuration } = module.diagnostic()
  const tests = new Map([...module.children.allTests()].map((test) => [test.id, test.diagnostic()?.duration ?? 0]))
  const all = duration + collectDuration
  const inTests = [...tests.values()].reduce((sum, each) => sum + each, 0)
  const reaching = (id) => {
    if (record === undefined) return []
    if (record.always.includes(id)) return [{ file, took: all }]
    const testIds = Object.keys(record.tests).filter((test) => record.tests[test].includes(id))
    if (testIds.length === 0) return []
    return [{ file, testIds, took: all - inTests + testIds.reduce((sum, test) => sum + tests.get(test), 0) }]
  }
  const file = { moduleId: module.moduleId, project: module.project, all, reaching }
  return file
}

function failuresOf(module) {
  const errors = module.errors().map((error) => failureOf(module.relativeModuleId, error))
  const tests = [...module.children.allTests('failed')].map((test) => failureOf(test.fullName, test.result().errors?.[0]))
  const suites = [...module.children.allSuites()].flatMap((suite) => suite.errors().map((error) => failureOf(suite.fullName, error)))
  return [...errors, ...suites, ...tests]
}

function failureOf(test, error) {
  const message = error?.message ?? ''
  return { test, message, clock: /timed out|Worker (exited unexpectedly|forks emitted error)/i.test(message) }
}
