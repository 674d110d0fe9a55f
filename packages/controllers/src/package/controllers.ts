import { deepEqual, type KubeObject, specOf } from '@weft/api'
import type { Change, InformerReader } from '@weft/client'
import { conditionOf, conditionsOf } from '@weft/composition'
import {
  annotationsChanged,
  anyOf,
  type ControllerSpec,
  deletionChanged,
  generationChanged,
  type Mapper,
  requestFor,
  toLabelled,
  watch,
} from '@weft/runtime'
import {
  imageConfigKind,
  isActiveRevision,
  type Lock,
  lockKind,
  PACKAGE_LABEL,
  PACKAGE_TYPE_LABEL,
  packageNameOf,
  type PackageObject,
  type PackageSort,
  type RevisionObject,
  runtimeConfigKind,
  SORTS,
} from './kinds.ts'
import { isRuntimeActive } from './awaiting-activation.ts'
import { componentOf, reconcilePackage } from './package-reconcile.ts'
import { ESTABLISHED_KINDS, establishmentOf } from './establishment.ts'
import { isHealthy, reconcileRevision, revisionComponentOf } from './revision-reconcile.ts'
import type { PackageServices } from './services.ts'

const BACKOFF = { baseMs: 250, maxMs: 60_000 }

/** Starts the package manager. Resolves when its controllers are at work, or wanted while another process leads. */
export async function startPackageControllers(services: PackageServices): Promise<void> {
  await Promise.all(
    SORTS.flatMap((sort) => [
      services.engine.start(packageController(sort, services)),
      services.engine.start(revisionController(sort, services)),
    ]),
  )
}

const packageController = (sort: PackageSort, services: PackageServices): ControllerSpec<PackageObject> => ({
  name: componentOf(sort),
  kind: sort.kind,
  predicate: anyOf(generationChanged, deletionChanged, annotationsChanged),
  watches: [
    watch<RevisionObject, PackageObject>({ kind: sort.revisionKind, predicate: matters, map: toLabelled({ name: PACKAGE_LABEL }) }),
    watch<KubeObject, PackageObject>({ kind: imageConfigKind, predicate: generationChanged, map: toUnfetched }),
  ],
  reconcile: reconcilePackage(sort, services),
  concurrency: 4,
  backoff: BACKOFF,
})

function revisionController(sort: PackageSort, services: PackageServices): ControllerSpec<RevisionObject> {
  const { reconcile, deleted, edited } = reconcileRevision(sort, services)
  /** The active revision of the package that installed what was deleted, or edited by somebody else. */
  const toInstaller =
    (isDisturbed: (name: string, object: KubeObject) => boolean): Mapper<KubeObject, RevisionObject> =>
    (object, revisions) => {
      const { labels } = object.metadata
      if (labels?.[PACKAGE_TYPE_LABEL] !== sort.type) return []
      return activeOf(labels[PACKAGE_LABEL], revisions)
        .map(requestFor)
        .filter(({ name }) => isDisturbed(name, object))
    }
  /** A revision that waits for kinds to be activated or served, or one of whose kinds has failed. */
  const toConcerned: Mapper<KubeObject, RevisionObject> = (object, revisions) => {
    if (object.metadata.labels?.[PACKAGE_TYPE_LABEL] !== sort.type) return []
    const isFailed = establishmentOf(object).state === 'failed'
    return activeOf(object.metadata.labels[PACKAGE_LABEL], revisions)
      .filter((revision) => isFailed || !isHealthy(revision) || (sort.type === 'Provider' && !isRuntimeActive(revision)))
      .map(requestFor)
  }
  return {
    name: revisionComponentOf(sort),
    kind: sort.revisionKind,
    predicate: anyOf(generationChanged, deletionChanged, annotationsChanged),
    watches: [
      // Its siblings, and what it depends on or is depended on by.
      ...SORTS.map((other) => watch<RevisionObject, RevisionObject>({ kind: other.revisionKind, predicate: matters, map: toUnsettled })),
      ...(sort.type === 'Configuration'
        ? []
        : [imageConfigKind, runtimeConfigKind].map((kind) =>
            watch<KubeObject, RevisionObject>({ kind, predicate: generationChanged, map: toRunning }),
          )),
      watch<Lock, RevisionObject>({ kind: lockKind, map: toUnsettled }),
      ...ESTABLISHED_KINDS.map((kind) => watch<KubeObject, RevisionObject>({ kind, predicate: establishedChanged, map: toConcerned })),
      ...ESTABLISHED_KINDS.flatMap((kind) => [
        watch<KubeObject, RevisionObject>({ kind, predicate: wasDeleted, map: toInstaller(deleted) }),
        watch<KubeObject, RevisionObject>({ kind, predicate: wasWritten, map: toInstaller(edited) }),
      ]),
    ],
    reconcile,
    concurrency: 4,
    // Thousands of kinds are checked, then written.
    timeoutMs: 10 * 60_000,
    backoff: BACKOFF,
  }
}

const activeOf = (packageName: string | undefined, revisions: InformerReader<RevisionObject>): readonly RevisionObject[] =>
  revisions.list().filter((revision) => packageNameOf(revision) === packageName && isActiveRevision(revision))

/** Packages that could not be fetched: now they may be, or from elsewhere. */
const toUnfetched: Mapper<KubeObject, PackageObject> = (_changed, packages) =>
  packages
    .list()
    .filter((each) => conditionOf(each, 'Installed')?.status !== 'True')
    .map(requestFor)

/** All that may run a program: which of them a setting is for is known when they are looked at. */
const toRunning: Mapper<KubeObject, RevisionObject> = (_changed, revisions) => revisions.list().filter(isActiveRevision).map(requestFor)

/** Those that wait for something: it may have come. */
const toUnsettled: Mapper<RevisionObject | Lock, RevisionObject> = (_changed, revisions) =>
  revisions
    .list()
    .filter((revision) => isActiveRevision(revision) && conditionOf(revision, 'RevisionHealthy')?.status !== 'True')
    .map(requestFor)

const establishedChanged = (change: Change<KubeObject>): boolean =>
  change.type === 'added' ||
  (change.type === 'updated' &&
    (establishmentOf(change.object).state !== establishmentOf(change.previous).state ||
      specOf(change.object)['state'] !== specOf(change.previous)['state']))

const wasDeleted = (change: Change<KubeObject>): boolean => change.type === 'deleted'
const wasWritten = (change: Change<KubeObject>): boolean => change.type === 'updated'

/** Of a revision, what decides: not the objects that it lists. */
function matters(change: Change<RevisionObject>): boolean {
  if (change.type !== 'updated') return true
  const { object, previous } = change
  return (
    !deepEqual(object.spec, previous.spec) ||
    object.metadata.deletionTimestamp !== previous.metadata.deletionTimestamp ||
    !deepEqual(conditionsOf(object), conditionsOf(previous))
  )
}
