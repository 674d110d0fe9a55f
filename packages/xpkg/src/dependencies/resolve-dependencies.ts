import { messageOf } from '@weft/api'
import type { Dependency, PackageType } from '../format/package.ts'
import { PackageError } from '../package-error.ts'
import { parseSource, repositoryOf } from '../source/package-source.ts'
import { findCycle } from './cycle.ts'
import { newestFirst, parseRange, type VersionRange } from './version-range.ts'

/** One version of a package, and what it needs. */
export interface PackageVersion {
  /** As repositoryOf answers it: `registry/repository`, or a path. */
  readonly repository: string
  readonly type: PackageType
  /** The tag; a digest where there is none. */
  readonly version: string
  /** Lets a dependency on a digest be satisfied by what was installed by tag. */
  readonly digest?: string
  readonly dependencies: readonly Dependency[]
}

/** What the resolver may know. It asks for more by answering `unknown`. */
export interface Knowledge {
  /** What is to be installed or brought to another version: not up for choice. */
  readonly roots: readonly PackageVersion[]
  /** What is installed. Resolving never changes a version among these. */
  readonly installed: readonly PackageVersion[]
  /** Tags in a repository; undefined when nobody has looked. */
  versions(repository: string): readonly string[] | undefined
  /** Undefined when nobody has looked. */
  package(repository: string, version: string): PackageVersion | undefined
}

/** Why the packages cannot be installed together. The messages are for the user, one sentence each. */
export interface DependencyProblem {
  readonly code: 'Malformed' | 'Missing' | 'Conflict' | 'Cycle' | 'WrongType' | 'Unsupported' | 'TooComplex'
  readonly message: string
}

export type Resolution =
  /** The roots and what they need besides what is installed; each after everything that it depends on. */
  | { readonly kind: 'resolved'; readonly install: readonly PackageVersion[] }
  /** Look these up and resolve again. */
  | {
      readonly kind: 'unknown'
      readonly versions: readonly string[]
      readonly packages: readonly { readonly repository: string; readonly version: string }[]
    }
  | { readonly kind: 'refused'; readonly problems: readonly DependencyProblem[] }

interface Requirement {
  /** Who requires it, for messages. */
  readonly by: string
  readonly repository: string
  readonly type: Dependency['type']
  readonly range: VersionRange
}

type Chosen = ReadonlyMap<string, PackageVersion>

/** More choices than this are not tried. */
const MAX_STEPS = 5_000

/**
 * Chooses the newest version of everything that the roots need, directly or not, such that each repository is there once and satisfies all
 * who require it. Pure: the same knowledge gives the same answer.
 */
export function resolveDependencies(knowledge: Knowledge): Resolution {
  return new Resolver(knowledge).resolve()
}

class Resolver {
  readonly #knowledge: Knowledge
  readonly #unknownVersions = new Set<string>()
  readonly #unknownPackages = new Map<string, { repository: string; version: string }>()
  /** In the order they were met: the first is that of the newest versions, which is what a user expects to hear about. */
  readonly #problems: DependencyProblem[] = []
  #steps = 0

  constructor(knowledge: Knowledge) {
    this.#knowledge = knowledge
  }

  resolve(): Resolution {
    const { roots, installed } = this.#knowledge
    const replaced = new Set(roots.map(({ repository }) => repository))
    const present = installed.filter(({ repository }) => !replaced.has(repository))
    const chosen = new Map([...present, ...roots].map((each) => [each.repository, each]))
    try {
      // What is installed already counts only where it concerns a root: whatever is wrong among the others is not of our making.
      const bystanders = present.flatMap((each) => this.#requirementsOf(each))
      const concerned = bystanders.filter(({ repository }) => replaced.has(repository))
      const others = bystanders.filter(({ repository }) => !chosen.has(repository))
      const wanted = [...concerned, ...roots.flatMap((each) => this.#requirementsOf(each))]
      const found = this.#search(chosen, wanted, [...wanted, ...others])
      if (this.#unknownVersions.size > 0 || this.#unknownPackages.size > 0)
        return { kind: 'unknown', versions: [...this.#unknownVersions], packages: [...this.#unknownPackages.values()] }
      if (found === undefined) return { kind: 'refused', problems: this.#problems.slice(0, 1) }
      return this.#inOrder(found, present)
    } catch (error) {
      if (!(error instanceof PackageError)) throw error
      return { kind: 'refused', problems: [{ code: 'Malformed', message: error.message }] }
    }
  }

  /** `agenda`: requirements not yet looked at; `all`: every requirement of what is chosen. */
  #search(chosen: Chosen, agenda: readonly Requirement[], all: readonly Requirement[]): Chosen | undefined {
    if (++this.#steps > MAX_STEPS)
      return this.#refuse('TooComplex', `gave up after trying ${MAX_STEPS} combinations of versions; narrow the ranges`)
    const [next, ...rest] = agenda
    if (next === undefined) return chosen
    const there = chosen.get(next.repository)
    if (there !== undefined) return this.#satisfied(there, next) ? this.#search(chosen, rest, all) : undefined
    for (const version of this.#candidates(next, all)) {
      const candidate = this.#knowledge.package(next.repository, version)
      if (candidate === undefined) {
        this.#unknownPackages.set(`${next.repository}:${version}`, { repository: next.repository, version })
        // Go on as though it needed nothing, to learn at once what else must be looked up.
        return this.#search(new Map(chosen).set(next.repository, placeholder(next, version)), rest, all)
      }
      if (!this.#satisfied(candidate, next)) continue
      const needs = this.#requirementsOf(candidate)
      const found = this.#search(new Map(chosen).set(next.repository, candidate), [...rest, ...needs], [...all, ...needs])
      if (found !== undefined) return found
    }
    // With its versions unknown, the others may still be looked at.
    return this.#unknownVersions.has(next.repository) ? this.#search(chosen, rest, all) : undefined
  }

  #candidates(requirement: Requirement, all: readonly Requirement[]): readonly string[] {
    const { repository, range } = requirement
    const demands = all.filter((each) => each.repository === repository)
    if (range.exact !== undefined) return [range.exact]
    const published = this.#knowledge.versions(repository)
    if (published === undefined) {
      this.#unknownVersions.add(repository)
      return []
    }
    const mine = newestFirst(published).filter((version) => range.includes(version))
    const usable = mine.filter((version) => demands.every((demand) => demand.range.exact === undefined && demand.range.includes(version)))
    if (mine.length === 0)
      this.#refuse(
        'Missing',
        `${requirement.by} needs ${repository} ${range.text}, and no such version is published (there is ${someOf(newestFirst(published))})`,
      )
    else if (usable.length === 0)
      this.#refuse(
        'Conflict',
        `no version of ${repository} suits all: ${demands.map((each) => `${each.by} needs ${each.range.text}`).join(', ')}`,
      )
    return usable
  }

  #satisfied(candidate: PackageVersion, { by, repository, range, type }: Requirement): boolean {
    if (candidate.type !== type) {
      this.#refuse('WrongType', `${by} needs ${repository} to be a ${type}, but it is a ${candidate.type}`)
      return false
    }
    if (range.includes(candidate.version) || (candidate.digest !== undefined && range.includes(candidate.digest))) return true
    // Something not known by a version (a path, a tag such as main) was put there on purpose.
    if (/^[*xX]?$/.test(range.text)) return true
    this.#refuse(
      'Conflict',
      `${by} needs ${repository} ${range.text}, but ${candidate.version} is ${this.#isRoot(candidate) ? 'to be installed' : 'chosen or installed'}; change one of them`,
    )
    return false
  }

  #isRoot = ({ repository }: PackageVersion): boolean => this.#knowledge.roots.some((root) => root.repository === repository)

  #refuse(code: DependencyProblem['code'], message: string): undefined {
    this.#problems.push({ code, message })
  }

  #requirementsOf({ repository, version, dependencies }: PackageVersion): Requirement[] {
    const by = `${repository} ${version}`.trim()
    return dependencies.map((dependency) => {
      try {
        return {
          by,
          repository: repositoryOf(parseSource(dependency.package)),
          type: dependency.type,
          range: parseRange(dependency.version),
        }
      } catch (cause) {
        throw new PackageError('Malformed', `${by}: dependency ${dependency.package}: ${messageOf(cause)}`, { cause })
      }
    })
  }

  #inOrder(found: Chosen, present: readonly PackageVersion[]): Resolution {
    const neighbours = (repository: string): string[] => {
      const each = found.get(repository)
      return each === undefined ? [] : this.#requirementsOf(each).map((requirement) => requirement.repository)
    }
    const cycle = findCycle(found.keys(), neighbours)
    if (cycle !== undefined)
      return { kind: 'refused', problems: [{ code: 'Cycle', message: `packages depend on one another in a circle: ${cycle.join(' → ')}` }] }
    const already = new Set(present.map(({ repository }) => repository))
    const install: PackageVersion[] = []
    const visit = (repository: string): void => {
      const each = found.get(repository)
      if (each === undefined || already.has(repository)) return
      already.add(repository)
      for (const needed of neighbours(repository)) visit(needed)
      install.push(each)
    }
    for (const { repository } of this.#knowledge.roots) visit(repository)
    return { kind: 'resolved', install }
  }
}

const placeholder = ({ repository, type }: Requirement, version: string): PackageVersion => ({
  repository,
  type,
  version,
  dependencies: [],
})

const someOf = (versions: readonly string[]): string =>
  versions.length === 0 ? 'none' : `${versions.slice(0, 5).join(', ')}${versions.length > 5 ? ', …' : ''}`
