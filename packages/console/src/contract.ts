/**
 * What the console's server and its app in the browser agree on. Types and names only: both sides import this file.
 *
 * Everything is same-origin. The app is served at `/`; a path that is neither a file nor one of those below answers
 * index.html, so that deep links work. Errors are Kubernetes Statuses (`{kind: 'Status', code, reason, message}`), on
 * `/console/*` too; the message is a sentence for the user.
 *
 *     GET    /console/session   Session, or 401 when not signed in
 *     POST   /console/session   SignIn → Session, and a cookie that scripts cannot read; 401 when it is refused
 *     DELETE /console/session   204: signed out
 *     POST   /console/links     {key} → {link}: another one-time link, for `weft open`; the key is in the data directory
 *     POST   /console/access    {wishes} → {allowed}: may the user do each (resourceAttributes of a SelfSubjectAccessReview)
 *     POST   /console/plan      PlanRequest → Plan; nothing is written
 *     POST   /console/render    RenderRequest → Rendered; nothing is written, nothing but what is given is read
 *     POST   /console/package   {source} → PackageContents: what is in a package; nothing is written. For those who may install packages
 *     GET    /console/logs      ?kind=&name=: PackageLog, what a package's process printed. For those who may get its subresource `log`
 *     GET    /console/metrics   Metrics
 *     GET    /console/history   ?namespace=: History, of what the user may list there (or, without one, everywhere)
 *     GET    /console/search    ?text=&namespace=: Found, of what the user may list there (or, without one, everywhere)
 *     GET    /console/watches   one stream for every watch of a tab: WatchLine per line, the first is WatchStreamOpened
 *     POST   /console/watches/ID  WatchControl: opens and closes watches of that stream; 204
 *     *      /k8s/…             the Kubernetes API as the signed-in user (`/k8s/api/v1/namespaces/default`)
 *     GET    /docs/…            the manual: public pages, for everybody who can reach the console
 *
 * Browsers open at most six connections to a server that speaks HTTP/1.1, so a tab must not hold one open per watched
 * list: a watch goes over `/console/watches`. (`/k8s/…?watch=true` works too, for one or two.) When the stream breaks all
 * its watches are over; open a new stream and resume each from the last resourceVersion seen.
 *
 * The same stream carries feeds: answers that are sent again whenever they have changed, as the `object` of an event of type FEED. A feed is opened as a watch is, by
 * its path: `/console/kinds` (KindsFeed), `/console/summary?namespace=&kinds=all` (Summary; `kinds=all` counts every kind), `/console/counts?namespace=`
 * (ObjectCountsFeed), `/console/users?apiVersion=&kind=&name=&in=&namespace=` (Users), `/console/related?group=&plural=&name=&in=&namespace=` (RelatedFeed). Each tells of nothing but what the user may list at that moment.
 *
 * A request that is not GET or HEAD carries the header `X-Weft-CSRF` with the session's `csrfToken` (sign-in, which has
 * no session yet, does not). Request bodies are JSON, sent as `application/json` on `/console/*`. Impersonation headers
 * are refused. A 401 whose body says `reason: 'SessionExpired'` means: sign in again.
 * `/console/plan`, `/console/render`, `/console/package` and `/console/logs` answer 501 where the server cannot do it.
 *
 * The one-time link is `/console/sign-in#code=…`: the app at that path reads the fragment, removes it from the address
 * bar and the history (`history.replaceState`), and posts it as `{code}` once. Nothing secret is kept in storage.
 *
 * Content-Security-Policy: scripts and styles from the same origin only; no inline script, no eval, no `style="…"` in
 * HTML (setting `element.style`, as React does, is allowed). Style elements made by scripts need the nonce:
 * `document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce`, which the server fills in where
 * index.html says `__CSP_NONCE__` (vite: `html: { cspNonce: '__CSP_NONCE__' }`).
 * Built assets with a hash in their name live below `/assets/` and are cached for ever.
 */
import type { KubeObject, ProviderPlan } from '@weft/api'
import type { KindInfo, Role } from './kinds/kind-info.ts'
import type { NodeState } from './world/state.ts'

export const CSRF_HEADER = 'X-Weft-CSRF'
export const CSP_NONCE_PLACEHOLDER = '__CSP_NONCE__'
/** Of the Status of a 401 when there is no session, or no more. */
export const SESSION_EXPIRED = 'SessionExpired'

export interface Session {
  readonly user: string
  readonly groups?: readonly string[]
  /** RFC 3339: when it ends at the latest. It ends earlier when it is not used for a while; open watches are a use. */
  readonly expires: string
  readonly csrfToken: string
  /** Where its user works, if told: what is shown first. */
  readonly namespace?: string
  readonly server: {
    /** Of the Kubernetes API, for the user to recognise: `https://127.0.0.1:6443`. */
    readonly address: string
    /** As `/version` says it. */
    readonly version: string
  }
}

/** One of a bearer token of the Kubernetes API, and the code of the one-time link. */
export type SignIn = { readonly token: string; readonly namespace?: string } | { readonly code: string }

/** Names an object without holding it. */
export interface ObjectReference {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly namespace?: string
}

export type PlanRequest =
  /** What would change if these were applied? */
  | { readonly objects: readonly KubeObject[] }
  /** What would go, and what would stay, if this were deleted? */
  | { readonly delete: ObjectReference }

/** All that would change, down to the managed resources, in the order in which a reader wants it. */
export interface Plan {
  readonly changes: readonly PlannedChange[]
  /** What the plan cannot know, and why, in sentences. */
  readonly warnings: readonly string[]
}

export interface PlannedChange {
  /** `keep`: would be expected to go, and stays (a Retain policy). */
  readonly action: 'create' | 'update' | 'delete' | 'keep'
  readonly object: ObjectReference
  /** How far below an object of the change: 0, or absent, for that itself. */
  readonly depth?: number
  /** In a sentence, where it is not obvious: `reclaimPolicy Retain keeps the external resource`. */
  readonly why?: string
  /** Before and after; values of Secrets are never in it. Absent with create and delete respectively. */
  readonly before?: KubeObject
  readonly after?: KubeObject
  /** Of a create and an update: field by field. */
  readonly fields?: readonly FieldChange[]
  /** The external name of what would be destroyed, its data included. */
  readonly destroys?: string
  /** What its provider would do, where that plans before it acts. */
  readonly provider?: ProviderPlan
}

export interface FieldChange {
  /** `spec.forProvider.size` */
  readonly path: string
  /** Absent: the field is added, respectively removed. */
  readonly before?: unknown
  readonly after?: unknown
  /** The control plane keeps it for itself. */
  readonly bookkeeping?: true
}

export interface RenderRequest {
  /** The claim, requirement, application, composite or aggregate. */
  readonly intent: KubeObject
  /** Class or composition, definitions, kinds: what `weft render` is given as files. */
  readonly context: readonly KubeObject[]
  /** Members that exist already. */
  readonly observed?: readonly KubeObject[]
}

export interface Rendered {
  readonly objects: readonly RenderedObject[]
  /** What a reader should know, in sentences: choices that are random on a server, fields that are dropped. */
  readonly notes?: readonly string[]
}

export interface RenderedObject {
  readonly object: KubeObject
  /** Which patch (or the base, or the machinery) set which field. */
  readonly origins?: readonly FieldOrigin[]
}

export interface FieldOrigin {
  readonly path: string
  /** In words: `patch 2 of template "server": spec.size → spec.forProvider.size`. */
  readonly from: string
}

/** What a package would bring, read from where it is. */
export interface PackageContents {
  readonly type: 'Provider' | 'Configuration' | 'Function'
  /** What it calls itself. */
  readonly name: string
  /** To be written into `spec.package`: what was asked for, with the digest that was read where it has no version otherwise. */
  readonly source: string
  readonly kinds: readonly { readonly group: string; readonly kind: string; readonly plural: string }[]
  /** What else it holds: compositions, webhooks. */
  readonly others: readonly { readonly kind: string; readonly name: string }[]
  readonly dependencies: readonly { readonly type: string; readonly package: string; readonly version: string }[]
}

/** The end of what a package's process printed. */
export interface PackageLog {
  /** Absent: it has no process of its own, or that never printed anything. */
  readonly text?: string
}

/** What an object may say of itself, in the order in which counts are shown. */
export const COUNTED_STATES = ['ready', 'waiting', 'failed', 'deleting', 'paused'] as const
export type CountedState = (typeof COUNTED_STATES)[number]

/** How many objects were in which state in the last hour. */
export interface History {
  /** Absent: this console keeps none, because it does not run in the control plane. */
  readonly samples?: readonly HistorySample[]
}

export interface HistorySample {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly counts: Readonly<Partial<Record<CountedState, number>>>
}

/** Every kind that the server serves, in the version it prefers. */
export interface KindsFeed {
  readonly kinds: readonly KindInfo[]
  /** Why they cannot be read (any more); what is shown may be old. */
  readonly problem?: string
}

/** What the overview says of all objects that the user may list. */
export interface Summary {
  /** False: the server has just begun to read, and nothing of the rest is known. */
  readonly areKindsKnown: boolean
  /** Kinds of which nothing is known yet. */
  readonly unread: number
  /** Why something cannot be read. Trying again. */
  readonly failed?: string
  readonly attention: {
    /** How many objects are not ready. */
    readonly total: number
    /** The worst first; not all of them where there are many. */
    readonly causes: readonly SummaryCause[]
  }
  /** Kinds that have objects. */
  readonly kinds: readonly KindCounts[]
  /** What was left out of those. */
  readonly more: { readonly kinds: number; readonly objects: number }
  /** Kinds that the user may not list: how many, and the names of some. */
  readonly refused: { readonly total: number; readonly kinds: readonly string[]; readonly areAll: boolean }
  /** Has anybody asked for anything; is anything offered? */
  readonly hasIntents: boolean
  readonly hasOffers: boolean
}

/** Objects that are not ready for the same reason. */
export interface SummaryCause {
  /** Of the worst of them. */
  readonly state: NodeState
  readonly text: string
  readonly total: number
  /** The first of them. */
  readonly objects: readonly ObjectReference[]
  /** Where it is one object: when that was created. */
  readonly since?: string
}

export interface KindCounts {
  readonly group: string
  readonly kind: string
  readonly plural: string
  readonly role: Role
  readonly total: number
  readonly states: Readonly<Partial<Record<CountedState, number>>>
}

/** How many objects of each kind there are, by `Kind.group`. What is not known, or not to be known by the user, is not in it. */
export interface ObjectCountsFeed {
  readonly counts: Readonly<Record<string, number>>
}

/** What an object belongs to: what it was made for, and all that was made for that, as far as the user may see. Empty where the object is not known. */
export interface RelatedFeed {
  readonly objects: readonly ObjectReference[]
  /** The user may not list objects of its kind where they look. */
  readonly isRefused?: true
}

/** Answer of a search. */
export interface Found {
  readonly hits: readonly FoundHit[]
  /** Some kinds are still being read: there may be more. */
  readonly isPartial: boolean
}

export interface FoundHit {
  readonly group: string
  readonly kind: string
  readonly plural: string
  /** Absent: the kind itself. */
  readonly name?: string
  readonly namespace?: string
  readonly state?: NodeState
  /** Shown where it is what was found. */
  readonly externalName?: string
}

/** What depends on an object that others are made from or with. */
export interface Users {
  /** False: some kinds are still being read. */
  readonly isComplete: boolean
  readonly total: number
  /** Of those that can be synced, or not: how many. */
  readonly synced: number
  readonly failing: number
  /** Why the first of those cannot. */
  readonly why?: string
  /** The first of them. */
  readonly objects: readonly { readonly ref: ObjectReference; readonly state?: NodeState; readonly why?: string }[]
}

/** Samples of the last hour, oldest first. Empty where the controllers' numbers cannot be read. */
export interface Metrics {
  readonly intervalSeconds: number
  readonly samples: readonly MetricsSample[]
  /** In the last minute, or since the controllers' numbers are read; the busiest first. Those that have never done anything are left out. */
  readonly controllers: readonly ControllerActivity[]
}

export interface ControllerActivity {
  readonly controller: string
  readonly reconcilesPerSecond: number
  readonly errorsPerSecond: number
  /** Seconds that a reconcile takes: of those in that time, or of all where there were none. */
  readonly averageSeconds: number
  /** 99 of 100 take at most this long. */
  readonly p99Seconds: number
  readonly queueDepth: number
}

export interface MetricsSample {
  /** Milliseconds since 1970. */
  readonly at: number
  /** Reconciles that ended since the sample before, per second. */
  readonly reconcilesPerSecond: number
  readonly errorsPerSecond: number
  /** Objects that wait for a worker now. */
  readonly queueDepth: number
}

/** First line of a stream of watches. */
export interface WatchStreamOpened {
  readonly stream: string
}

export interface WatchControl {
  readonly open?: readonly {
    /** Chosen by the app, unique within the stream. */
    readonly watch: string
    /**
     * As it would follow `/k8s`, with its query: `/apis/x.io/v1/things?watch=true&resourceVersion=5`; with `omit=schemas`, of definitions of kinds, without
     * their schemas. Or that of a feed.
     */
    readonly path: string
  }[]
  readonly close?: readonly string[]
}

/** One line of the stream, JSON. A line that is only a newline keeps the connection alive. */
export type WatchLine =
  /** What the Kubernetes API sent, as it is; an `ERROR` event carries a Status. */
  | { readonly watch: string; readonly event: { readonly type: string; readonly object: KubeObject } }
  /** The watch is over: normally (resume it), or refused (`status`: 403, 404, 410 …). Nothing more comes for it. */
  | { readonly watch: string; readonly end: { readonly status?: WatchFailure } }

export interface WatchFailure {
  readonly code: number
  readonly reason?: string
  readonly message: string
}
