import type { Difference } from './compare.ts'
import type { Call } from './endpoint.ts'

export interface Context {
  readonly call: Call
  readonly difference: Difference
  readonly weft: any
  readonly kubernetes: any
}

/** A way in which the embedded server may answer differently from kube-apiserver. docs/differences.md lists them all. */
export interface AllowedDifference {
  readonly id: string
  readonly what: string
  readonly why: string
  readonly matches: (context: Context) => boolean
}

export const allowedDifferences: readonly AllowedDifference[] = [
  {
    id: 'column-descriptions',
    what: 'The `description` of table columns.',
    why: 'Kubernetes fills it from its API documentation; Weft has its own descriptions. Clients show it in `kubectl explain`-like tools at most.',
    matches: ({ difference }) => /\.columnDefinitions\[\d+\]\.description$/.test(difference.path),
  },
  {
    id: 'root-certificate',
    what: 'The content and description of the ConfigMap `kube-root-ca.crt`, and the moment at which it appears in a new namespace.',
    why: 'Each server has its own certificate authority, and only its controller writes this object.',
    matches: ({ difference, kubernetes }) =>
      [objectAt(kubernetes, difference.path), difference.weft as any, difference.kubernetes as any].some(
        (object) => object?.metadata?.name === 'kube-root-ca.crt',
      ),
  },
  {
    id: 'empty-is-absent',
    what: 'An empty list or time is omitted where Kubernetes writes `null` (`rules` of a Role, `eventTime` of an Event, `status.conditions` of a new definition).',
    why: 'It has the same meaning, and `null` is not a list.',
    matches: ({ difference }) => difference.kubernetes === null && difference.weft === undefined,
  },
  {
    id: 'null-list-owner',
    what: 'The first writer of such a list also owns the list itself in `managedFields`, and nobody owns an empty time.',
    why: 'In Kubernetes the field is already there as `null`, which counts as the list.',
    matches: ({ difference }) =>
      /\.f:(conditions|rules)(\.\.)?$|\.f:conditions\..*\.f:last\w+Time$/.test(difference.path) ||
      // Of an object that has nothing else.
      (difference.path.endsWith('.managedFields') &&
        difference.weft === undefined &&
        [difference.kubernetes].flat().every((entry: any) => JSON.stringify(entry?.fieldsV1) === '{"f:rules":{}}')),
  },
  {
    id: 'list-with-format',
    what: 'What happens to an object that has a list where its schema requires a string with a format. Both servers store it.',
    why: 'Kubernetes then loses track of field ownership and answers every apply of the object with 500; the embedded server continues to work.',
    matches: ({ difference, kubernetes }) =>
      /to smd typed: .*expected any scalar/.test(String(kubernetes?.message ?? '')) ||
      (difference.path.endsWith('.managedFields') && difference.kubernetes === undefined),
  },
  {
    id: 'applied-undeclared',
    what: 'If a schema declares no fields at all, an applied field is dropped before the object is stored.',
    why: 'Kubernetes stores the field and drops it when the object is read, so that the next write creates a new version although it changes nothing.',
    // From there on the versions of the two servers differ: no random story goes there.
    matches: () => false,
  },
  {
    id: 'json-patch-values',
    what: 'A key that appears twice inside the `value` of a JSON patch is reported once, at its place in the patch.',
    why: 'Kubernetes copies the text of the value into the object and reports the key there a second time.',
    matches: ({ call, kubernetes }) =>
      call.contentType === 'application/json-patch+json' &&
      /json patch duplicate field \\*"\[\d+\]\.value\./.test(JSON.stringify(kubernetes)),
  },
  {
    id: 'not-established',
    what: 'A definition that is not Established is not served: requests for its resources get 404.',
    why: 'Kubernetes notices only when it handles such a request, and answers 500; until then it lists the API group.',
    matches: ({ weft, kubernetes }) => weft?.status === 404 && /error resolving resource/.test(String(kubernetes?.body?.message)),
  },
  {
    id: 'version',
    what: '`/version` names Weft and Node.',
    why: 'It is a different program.',
    matches: ({ call }) => call.path === '/version',
  },
  {
    id: 'anonymous',
    what: 'A request without credentials gets 401, except for health checks.',
    why: 'Anonymous access is disabled. Kubernetes passes such requests to RBAC, which answers 403 and allows `/version`.',
    matches: ({ call }) => call.user === null && call.headers?.['authorization'] === undefined,
  },
  {
    id: 'impersonation-words',
    what: 'The message for impersonated groups without a user.',
    why: 'Kubernetes prints a Go struct.',
    matches: ({ difference }) =>
      difference.path.endsWith('essage') && /without impersonating a user name/.test(String(difference.kubernetes)),
  },
  {
    id: 'token-review-words',
    what: 'The error of a TokenReview for another audience.',
    why: 'Kubernetes lists the errors of all its configured authenticators.',
    matches: ({ difference }) => difference.path.endsWith('.status.error'),
  },
  {
    id: 'scale-owner-time',
    what: 'The `time` of managedFields entries of the scale subresource of custom resources.',
    why: 'Kubernetes loses it when it maps the owners of a Scale to those of its object.',
    matches: ({ difference, kubernetes }) =>
      /managedFields\[\d+\]\.time$/.test(difference.path) &&
      difference.kubernetes === undefined &&
      JSON.stringify(kubernetes).includes('"subresource":"scale"'),
  },
  {
    id: 'status-body-path',
    what: 'The message for a wrong type in the status of a custom resource.',
    why: 'Kubernetes validates the status separately, and its validator then omits `status.` from the message; `field` is the same.',
    matches: ({ call, difference }) =>
      call.path.includes('/status') &&
      difference.path.endsWith('essage') &&
      String(difference.weft).replaceAll('status.', '') === String(difference.kubernetes).replaceAll('status.', ''),
  },
  {
    id: 'first-type-error',
    what: 'Which of several values of a wrong type is named.',
    why: 'Kubernetes stops at the first one in the order of its own encoding.',
    matches: ({ difference }) =>
      /essage$/.test(difference.path) &&
      [difference.weft, difference.kubernetes].every((text) => /cannot unmarshal|illegal base64/.test(String(text))),
  },
  {
    id: 'applied-problems',
    what: 'Which problems of an applied object are listed when it has a field that is not in the schema.',
    why: 'Go iterates over maps in random order, and Kubernetes stops at such a field.',
    matches: ({ difference }) =>
      /essage$/.test(difference.path) &&
      [difference.weft, difference.kubernetes].every((text) =>
        /^failed to create typed patch object.*field not declared in schema/s.test(String(text)),
      ),
  },
  {
    id: 'embedded-problems',
    what: 'Of several objects inside a custom resource whose `apiVersion`, `kind` or `metadata` are of the wrong type, the first in the order of the schema is named.',
    why: 'Go iterates over maps in random order, and Kubernetes stops at the first one.',
    matches: ({ difference }) =>
      difference.path === '.body.message' &&
      [difference.weft, difference.kubernetes].every((text) => /cannot be handled as a \w+: \S+: Invalid value: /.test(String(text))),
  },
  {
    id: 'stored-only-kinds',
    what: 'Services, pod templates and the kinds that `weft up --api-only --serve` names (pods, nodes, volumes, `apps`, `batch`, `networking.k8s.io` and others) are stored, with little validation, and nothing acts on them. Services get an address and node ports at which nothing listens. Pods get no mounted token, claims and volumes no finalizer.',
    why: 'They exist for clients that look for them; the embedded server does not run pods.',
    matches: ({ call }) => /\/podtemplates(\/|\?|$)/.test(call.path),
  },
  {
    id: 'quota-status',
    what: 'The status of a ResourceQuota is corrected immediately if somebody else writes it, and `used` belongs to the controller alone.',
    why: 'Kubernetes keeps it for up to five minutes and uses it for counting; the embedded server counts what is stored and what is being written.',
    matches: ({ call, difference }) =>
      /\/resourcequotas\/[^/]+\/status/.test(call.path) || (/\/resourcequotas\//.test(call.path) && /managedFields/.test(difference.path)),
  },
  {
    id: 'created-by-status',
    what: 'Applying to the status of a ValidatingAdmissionPolicy or Namespace that does not exist gets 404.',
    why: 'Kubernetes creates them, which it does for no other kind.',
    matches: ({ call, weft }) =>
      weft?.status === 404 &&
      call.contentType === 'application/apply-patch+yaml' &&
      /\/(validatingadmissionpolicies|namespaces)\/[^/]+\/status/.test(call.path),
  },
  {
    id: 'selector-cell',
    what: 'In the table of policy bindings, the parameter selector is formatted as kubectl formats selectors.',
    why: 'Kubernetes prints a Go struct.',
    matches: ({ difference }) => /\.cells\[\d+\]$/.test(difference.path) && String(difference.kubernetes).startsWith('&LabelSelector{'),
  },
  {
    id: 'mutation-budget',
    what: 'The cost limit for all mutations of one mutating policy, and the size limit of a value as JSON.',
    why: 'Kubernetes gives each mutation a budget of its own and does not limit the size of values, so a policy could block a server with one thread. Here the mutations of a policy share one budget, as validations do, and comparisons of more than 10,000 elements count towards it.',
    matches: ({ difference }) =>
      /essage$/.test(difference.path) &&
      /running out of cost budget|cost limit exceeded|longer than \d+ characters/.test(String(difference.weft)),
  },
  {
    id: 'address-range',
    what: "The error for a Service address outside the server's range: the embedded server names the range.",
    why: 'Its range is fixed, so the message can state it.',
    matches: ({ difference }) =>
      /essage$/.test(difference.path) && /the provided network does not match the current range/.test(String(difference.kubernetes)),
  },
  {
    id: 'cel-syntax',
    what: 'What the CEL parser expected at the end of an incomplete expression.',
    why: 'It is a different parser; position and quotation are the same.',
    matches: ({ difference }) =>
      /essage$/.test(difference.path) && [difference.weft, difference.kubernetes].every((text) => /Syntax error: /.test(String(text))),
  },
  {
    id: 'rules-order',
    what: 'The order of the rules in a SelfSubjectRulesReview.',
    why: 'In Kubernetes the order is undefined.',
    matches: ({ difference }) => /\.status\.(nonResource|resource)Rules\[/.test(difference.path),
  },
  {
    id: 'time-words',
    what: 'Why a time cannot be read.',
    why: 'Go reports which part of its layout did not match; the rest of the message is the same.',
    matches: ({ difference }) =>
      difference.path.endsWith('essage') &&
      /parsing time .*cannot parse/.test(String(difference.kubernetes)) &&
      /parsing time/.test(String(difference.weft)),
  },
  {
    id: 'strategic-merge-types',
    what: 'The message for a value of the wrong type in a strategic merge patch.',
    why: 'Kubernetes converts such patches by reflection and names Go types; the embedded server uses the message for other kinds of patch.',
    matches: ({ call, difference }) =>
      call.contentType === 'application/strategic-merge-patch+json' &&
      difference.path.endsWith('essage') &&
      /cannot (convert|restore)|unrecognized type/.test(String(difference.kubernetes)),
  },
  {
    id: 'yaml-syntax',
    what: 'The message for YAML that cannot be parsed.',
    why: 'It is a different parser; the position and the rest of the response are the same.',
    matches: ({ difference, weft, kubernetes }) => difference.path.endsWith('.message') && isYamlFault(weft) && isYamlFault(kubernetes),
  },
]

/** The innermost object with metadata on the way to `path`. */
function objectAt(root: any, path: string): any {
  let current = root
  let found: any
  for (const step of path.match(/[^.[\]]+/g) ?? []) {
    if (current?.metadata !== undefined) found = current
    current = current?.[step]
  }
  return found
}

const isYamlFault = ({ status, body }: any): boolean => status === 400 && /yaml: /.test(String(body?.message))

export const allowed = (context: Context): boolean => allowedDifferences.some(({ matches }) => matches(context))
