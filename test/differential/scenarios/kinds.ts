import { call, from, type Scenario, type Step } from '../scenario.ts'
import { APPLY, JSON_PATCH, MERGE, namespace, secrets, STRATEGIC } from './parts.ts'

const RBAC = '/apis/rbac.authorization.k8s.io/v1'
const object = (apiVersion: string, kind: string, name: string, more: object = {}, meta: object = {}): object => ({
  apiVersion,
  kind,
  metadata: { name, ...meta },
  ...more,
})
const secret = (name: string, more: object = {}): object => object('v1', 'Secret', name, more)
const rbac = (kind: string, name: string, more: object = {}, meta: object = {}): object =>
  object('rbac.authorization.k8s.io/v1', kind, name, more, meta)

const all = (path: string, bodies: readonly object[]): Step[] => bodies.map((body) => call('POST', path, body))

export const kindScenarios: readonly Scenario[] = [
  {
    name: 'kinds: Secrets',
    steps: (n) => [
      namespace(n),
      ...all(secrets(n), [
        secret('a', { stringData: { k: 'v' } }),
        secret('b', { data: { k: 'dg==' }, stringData: { k: 'w', l: 'x' } }),
        secret('c', { type: 'kubernetes.io/tls', data: { 'tls.crt': '', 'tls.key': '' } }),
        secret('c2', { type: 'kubernetes.io/tls' }),
        secret('d', { type: 'kubernetes.io/basic-auth' }),
        secret('e', { type: 'kubernetes.io/ssh-auth' }),
        secret('f', { type: 'kubernetes.io/dockerconfigjson', stringData: { '.dockerconfigjson': '{' } }),
        secret('f2', { type: 'kubernetes.io/dockerconfigjson' }),
        secret('g', { type: 'kubernetes.io/dockercfg', stringData: { '.dockercfg': '{}' } }),
        secret('h', { type: 'kubernetes.io/service-account-token' }),
        secret('i', { type: 'bootstrap.kubernetes.io/token', stringData: { x: 'y' } }),
        secret('j', { type: 'example.com/own', stringData: { 'bad key': 'x' } }),
        secret('k', { immutable: true, stringData: { k: 'v' } }),
        secret('l', { data: { k: 'not base64' } }),
      ]),
      call('PATCH', `${secrets(n)}/a`, { type: 'other' }, { contentType: MERGE }),
      call('PATCH', `${secrets(n)}/a`, { stringData: { z: '1' } }, { contentType: STRATEGIC }),
      call('PATCH', `${secrets(n)}/k`, { stringData: { k: 'w' } }, { contentType: MERGE }),
      call('PATCH', `${secrets(n)}/k`, { immutable: false }, { contentType: MERGE }),
      call('PATCH', `${secrets(n)}/k`, { metadata: { labels: { a: 'b' } } }, { contentType: MERGE }),
      call('PATCH', `${secrets(n)}/m?fieldManager=m`, secret('m', { stringData: { k: 'v' } }), { contentType: APPLY }),
      call('PATCH', `${secrets(n)}/m?fieldManager=m2`, secret('m', { data: { k: 'dw==' } }), { contentType: APPLY }),
      call('GET', `${secrets(n)}?fieldSelector=type=Opaque`),
      call('GET', `${secrets(n)}?fieldSelector=type!=Opaque`),
      call('GET', secrets(n), undefined, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }),
      call('PUT', `${secrets(n)}/a`, secret('a', {})),
    ],
  },
  {
    name: 'kinds: ServiceAccounts and their tokens',
    steps: (n) => {
      const path = `/api/v1/namespaces/${n.ns}/serviceaccounts`
      const token = (spec: object, more: object = {}): Step =>
        call('POST', `${path}/robot/token`, { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec, ...more })
      return [
        namespace(n),
        call(
          'POST',
          path,
          object('v1', 'ServiceAccount', 'robot', {
            secrets: [{ name: 'x' }],
            imagePullSecrets: [{ name: 'y' }],
            automountServiceAccountToken: false,
          }),
        ),
        call('PATCH', `${path}/robot`, { secrets: [{ name: 'z' }], imagePullSecrets: [{ name: 'w' }] }, { contentType: STRATEGIC }),
        call('PATCH', `${path}/robot?fieldManager=m`, object('v1', 'ServiceAccount', 'robot', { secrets: [{ name: 'q' }] }), {
          contentType: APPLY,
        }),
        token({}),
        token({ expirationSeconds: 1 }),
        token({ expirationSeconds: 3600, audiences: ['a', 'b'] }),
        token({ expirationSeconds: 2 ** 33 }),
        token({ boundObjectRef: { kind: 'Secret', apiVersion: 'v1', name: 'missing' } }),
        token({ boundObjectRef: { kind: 'ConfigMap', apiVersion: 'v1', name: 'missing' } }),
        token({ boundObjectRef: { kind: 'Secret', apiVersion: 'v1' } }),
        token({ nope: 1 }),
        token({ audiences: 'x' }),
        token({}, { metadata: { name: 'other' } }),
        token({}, { metadata: { namespace: 'other' } }),
        token({}, { kind: 'Nope' }),
        call('POST', `${path}/missing/token`, { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} }),
        call('POST', `${path}/robot/token`, '{'),
        call('POST', `${path}/robot/token`),
        call('GET', `${path}/robot/token`),
        call('GET', `${path}/robot`, undefined, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }),
        call('POST', '/apis/authentication.k8s.io/v1/tokenreviews', {
          apiVersion: 'authentication.k8s.io/v1',
          kind: 'TokenReview',
          spec: { token: 'nonsense' },
        }),
        call('POST', '/apis/authentication.k8s.io/v1/tokenreviews', {
          apiVersion: 'authentication.k8s.io/v1',
          kind: 'TokenReview',
          spec: {},
        }),
        from((s) => ({
          method: 'POST',
          path: '/apis/authentication.k8s.io/v1/tokenreviews',
          body: { spec: { token: s.body(4).status.token } },
        })),
        from((s) => ({
          method: 'POST',
          path: '/apis/authentication.k8s.io/v1/tokenreviews',
          body: { spec: { token: s.body(6).status.token, audiences: ['b', 'c'] } },
        })),
        from((s) => ({
          method: 'POST',
          path: '/apis/authentication.k8s.io/v1/tokenreviews',
          body: { spec: { token: s.body(6).status.token, audiences: ['c'] } },
        })),
        from((s) => ({
          method: 'GET',
          path: '/api/v1/namespaces/default',
          user: null,
          headers: { authorization: `Bearer ${String(s.body(4).status.token)}` },
        })),
        from((s) => ({
          method: 'POST',
          path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
          body: {},
          user: null,
          headers: { authorization: `Bearer ${String(s.body(4).status.token)}` },
        })),
        from((s) => ({
          method: 'GET',
          path: '/api/v1/namespaces/default',
          user: null,
          headers: { authorization: `Bearer ${String(s.body(6).status.token)}` },
        })),
        call('GET', '/api/v1/namespaces/default', undefined, { user: null, headers: { authorization: 'Bearer nonsense' } }),
        call('DELETE', `${path}/robot`),
      ]
    },
  },
  {
    name: 'kinds: Leases',
    steps: (n) => {
      const path = `/apis/coordination.k8s.io/v1/namespaces/${n.ns}/leases`
      const lease = (name: string, spec?: object): object =>
        object('coordination.k8s.io/v1', 'Lease', name, spec === undefined ? {} : { spec })
      return [
        namespace(n),
        ...all(path, [
          lease('a'),
          lease('b', {
            holderIdentity: 'me',
            leaseDurationSeconds: 15,
            acquireTime: '2020-01-01T00:00:00.000000Z',
            renewTime: '2020-01-01T00:00:00.123456Z',
            leaseTransitions: 0,
          }),
          lease('c', { leaseDurationSeconds: 0 }),
          lease('d', { leaseTransitions: -1 }),
          lease('e', { renewTime: 'nonsense' }),
          lease('f', { renewTime: '2020-01-01T00:00:00Z' }),
          lease('g', { strategy: 'OldestEmulationVersion' }),
          lease('h', { preferredHolder: 'x' }),
          lease('i', { holderIdentity: '' }),
          lease('j', { leaseDurationSeconds: 1.5 }),
          lease('k', { leaseDurationSeconds: 3000000000 }),
        ]),
        call('PATCH', `${path}/b`, { spec: { holderIdentity: null, leaseTransitions: 1 } }, { contentType: MERGE }),
        call('PUT', `${path}/b`, lease('b', {})),
        call('GET', path, undefined, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }),
        call('GET', path),
      ]
    },
  },
  {
    name: 'kinds: Events in both groups',
    steps: (n) => {
      const core = `/api/v1/namespaces/${n.ns}/events`
      const group = `/apis/events.k8s.io/v1/namespaces/${n.ns}/events`
      const regarding = { apiVersion: 'v1', kind: 'ConfigMap', name: 'x', namespace: n.ns }
      return [
        namespace(n),
        call(
          'POST',
          core,
          object('v1', 'Event', 'a', {
            involvedObject: regarding,
            reason: 'R',
            message: 'M',
            type: 'Normal',
            count: 1,
            firstTimestamp: '2020-01-01T00:00:00Z',
            lastTimestamp: '2020-01-01T00:00:00Z',
            source: { component: 'c' },
          }),
        ),
        call('GET', `${group}/a`),
        call(
          'POST',
          group,
          object('events.k8s.io/v1', 'Event', 'b', {
            regarding,
            eventTime: '2020-01-01T00:00:00.000000Z',
            reportingController: 'c.io/x',
            reportingInstance: 'i',
            action: 'A',
            reason: 'R',
            note: 'N',
            type: 'Normal',
          }),
        ),
        call('GET', `${core}/b`),
        call('POST', group, object('events.k8s.io/v1', 'Event', 'c', { regarding })),
        call(
          'POST',
          group,
          object('events.k8s.io/v1', 'Event', 'c', {
            regarding,
            eventTime: '2020-01-01T00:00:00.000000Z',
            reportingController: 'c.io/x',
            reportingInstance: 'i',
            action: 'A',
            reason: 'R',
            note: 'N'.repeat(1025),
            type: 'Odd',
          }),
        ),
        call('POST', core, object('v1', 'Event', 'd', {})),
        call('POST', core, object('v1', 'Event', 'd', { involvedObject: { ...regarding, namespace: 'other' } })),
        call('POST', core, object('v1', 'Event', 'd', { involvedObject: { kind: 'ConfigMap' } })),
        call('PATCH', `${core}/a`, { count: 2, lastTimestamp: '2020-01-01T00:00:01Z' }, { contentType: MERGE }),
        call('PATCH', `${core}/a`, { reason: 'other' }, { contentType: STRATEGIC }),
        call('PATCH', `${group}/b`, { series: { count: 2, lastObservedTime: '2020-01-01T00:00:01.000000Z' } }, { contentType: MERGE }),
        call('PATCH', `${group}/b`, { note: 'changed' }, { contentType: MERGE }),
        call('GET', `${core}?fieldSelector=reason=R,involvedObject.name=x`),
        call('GET', `${group}?fieldSelector=reason=R,regarding.name=x`),
        call('GET', `${core}?fieldSelector=nope=x`),
        call('GET', `${core}?fieldSelector=metadata.name=b`, undefined, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }),
        { kind: 'watch', call: { method: 'GET', path: `${group}?watch=1&fieldSelector=metadata.name=b` }, count: 1, during: [] },
        call('DELETE', `${core}/a`),
        call('DELETE', group),
      ]
    },
  },
  {
    name: 'kinds: roles and bindings',
    steps: (n) => {
      const roles = `${RBAC}/namespaces/${n.ns}/roles`
      const bindings = `${RBAC}/namespaces/${n.ns}/rolebindings`
      const ref = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' }
      return [
        namespace(n),
        ...all(roles, [
          rbac('Role', 'r', { rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list'] }] }),
          rbac('Role', 'a:b'),
          rbac('Role', 'bad/name', {}),
          rbac('Role', 'c', { rules: [{ verbs: ['get'] }] }),
          rbac('Role', 'c', { rules: [{ apiGroups: [''], resources: ['x'] }] }),
          rbac('Role', 'c', { rules: [{ apiGroups: [''], verbs: ['get'] }] }),
          rbac('Role', 'c', { rules: [{ resources: ['x'], verbs: ['get'] }] }),
          rbac('Role', 'c', { rules: [{ nonResourceURLs: ['/x'], verbs: ['get'] }] }),
        ]),
        ...all(`${RBAC}/clusterroles`, [
          rbac('ClusterRole', `r-${n.id}`, { rules: [{ nonResourceURLs: ['/x'], verbs: ['get'] }] }),
          rbac('ClusterRole', `s-${n.id}`, { rules: [{ nonResourceURLs: ['/x'], apiGroups: [''], resources: ['y'], verbs: ['get'] }] }),
          rbac('ClusterRole', `t-${n.id}`, { aggregationRule: { clusterRoleSelectors: [] } }),
          rbac('ClusterRole', `t-${n.id}`, {
            aggregationRule: { clusterRoleSelectors: [{ matchExpressions: [{ key: 'a', operator: 'Nope' }] }] },
          }),
        ]),
        ...all(bindings, [
          rbac('RoleBinding', 'b', {
            roleRef: ref,
            subjects: [
              { kind: 'User', name: 'jane' },
              { kind: 'ServiceAccount', name: 's' },
              { kind: 'Group', name: 'g', apiGroup: 'rbac.authorization.k8s.io' },
            ],
          }),
          rbac('RoleBinding', 'c', {
            roleRef: { kind: 'Role', name: 'r' },
            subjects: [{ kind: 'ServiceAccount', name: 's', namespace: 'x' }],
          }),
          rbac('RoleBinding', 'd', { roleRef: ref, subjects: [{ kind: 'Nope', name: 'x' }] }),
          rbac('RoleBinding', 'd', { roleRef: ref, subjects: [{ kind: 'User' }] }),
          rbac('RoleBinding', 'd', { roleRef: ref, subjects: [{ kind: 'User', name: 'x', apiGroup: 'nope' }] }),
          rbac('RoleBinding', 'd', { roleRef: { ...ref, kind: 'Nope' } }),
          rbac('RoleBinding', 'd', { roleRef: { ...ref, name: '' } }),
          rbac('RoleBinding', 'd', { roleRef: { ...ref, apiGroup: 'nope' } }),
          rbac('RoleBinding', 'd', {}),
        ]),
        call('PATCH', `${bindings}/c`, { roleRef: { kind: 'Role', name: 'other' } }, { contentType: MERGE }),
        call('POST', `${RBAC}/clusterrolebindings`, rbac('ClusterRoleBinding', `x-${n.id}`, { roleRef: ref })),
        call('GET', `/api/v1/namespaces/${n.ns}/configmaps/missing`, undefined, { user: 'jane' }),
        call('GET', `/api/v1/namespaces/${n.ns}/secrets`, undefined, { user: 'jane' }),
        call('POST', `/api/v1/namespaces/${n.ns}/configmaps`, object('v1', 'ConfigMap', 'x'), { user: 'jane' }),
        call('DELETE', `/api/v1/namespaces/${n.ns}/configmaps`, undefined, { user: 'jane' }),
        call('PATCH', `/api/v1/namespaces/${n.ns}/configmaps/x`, {}, { user: 'jane', contentType: MERGE }),
        call('PUT', `/api/v1/namespaces/${n.ns}/configmaps/x/status`, {}, { user: 'jane' }),
        call('GET', '/api/v1/nodes', undefined, { user: 'jane' }),
        call('GET', '/apis/nope.example.com/v1/things', undefined, { user: 'jane' }),
        call('GET', '/metrics', undefined, { user: 'jane' }),
        call('GET', '/version', undefined, { user: 'jane' }),
        call('GET', '/nope', undefined, { user: 'jane' }),
        call('GET', '/api/v1/namespaces', undefined, { user: 'jane' }),
        call('GET', `/api/v1/namespaces/${n.ns}`, undefined, { user: 'jane' }),
        call('GET', `/api/v1/namespaces/${n.ns}/configmaps?watch=1`, undefined, { user: 'mallory' }),
        call('GET', `/api/v1/namespaces/${n.ns}/configmaps`, undefined, { user: null }),
        call('GET', '/version', undefined, { user: null }),
        call('GET', '/healthz', undefined, { user: null }),
        call('GET', `/api/v1/namespaces/${n.ns}/configmaps`, undefined, {
          user: 'jane',
          headers: { 'impersonate-group': ['x', 'y'], 'impersonate-extra-scopes': 'z' },
        }),
        call('GET', `/api/v1/namespaces/${n.ns}/configmaps`, undefined, { headers: { 'impersonate-group': 'x' } }),
        call('POST', roles, rbac('Role', 'grab', { rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }] }), { user: 'jane' }),
        call(
          'POST',
          `${RBAC}/namespaces/${n.ns}/rolebindings`,
          rbac('RoleBinding', 'may-write-roles', {
            roleRef: { kind: 'Role', name: 'w', apiGroup: 'rbac.authorization.k8s.io' },
            subjects: [{ kind: 'User', name: 'jane', apiGroup: 'rbac.authorization.k8s.io' }],
          }),
        ),
        call(
          'POST',
          roles,
          rbac('Role', 'w', { rules: [{ apiGroups: ['rbac.authorization.k8s.io'], resources: ['roles', 'rolebindings'], verbs: ['*'] }] }),
        ),
        call('POST', roles, rbac('Role', 'grab', { rules: [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }] }), {
          user: 'jane',
        }),
        call('POST', roles, rbac('Role', 'same', { rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get'] }] }), {
          user: 'jane',
        }),
        call(
          'POST',
          bindings,
          rbac('RoleBinding', 'grab', {
            roleRef: { kind: 'ClusterRole', name: 'cluster-admin', apiGroup: 'rbac.authorization.k8s.io' },
            subjects: [],
          }),
          { user: 'jane' },
        ),
        call(
          'POST',
          bindings,
          rbac('RoleBinding', 'grab', { roleRef: { kind: 'Role', name: 'missing', apiGroup: 'rbac.authorization.k8s.io' }, subjects: [] }),
          { user: 'jane' },
        ),
        call('GET', roles, undefined, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }),
        call('GET', bindings, undefined, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }),
      ]
    },
  },
  {
    name: 'kinds: access reviews',
    steps: (n) => {
      const path = '/apis/authorization.k8s.io/v1'
      const review = (kind: string, spec: object, meta: object = {}): object => ({
        apiVersion: 'authorization.k8s.io/v1',
        kind,
        metadata: meta,
        spec,
      })
      const attributes = { verb: 'get', resource: 'configmaps', namespace: n.ns }
      return [
        namespace(n),
        ...all(`${path}/subjectaccessreviews`, [
          review('SubjectAccessReview', { user: 'nobody', resourceAttributes: attributes }),
          review('SubjectAccessReview', { groups: ['system:masters'], resourceAttributes: attributes }),
          review('SubjectAccessReview', { user: 'x', nonResourceAttributes: { path: '/healthz', verb: 'get' } }),
          review('SubjectAccessReview', { user: 'x' }),
          review('SubjectAccessReview', { resourceAttributes: attributes }),
          review('SubjectAccessReview', { user: 'x', resourceAttributes: attributes, nonResourceAttributes: { path: '/' } }),
          review('SubjectAccessReview', { user: 'x', resourceAttributes: attributes }, { name: 'n' }),
          review('SubjectAccessReview', { user: 'x', resourceAttributes: { ...attributes, labelSelector: { rawSelector: 'a=b' } } }),
          review('SubjectAccessReview', {
            user: 'x',
            resourceAttributes: {
              ...attributes,
              fieldSelector: { rawSelector: 'a=b', requirements: [{ key: 'a', operator: 'In', values: ['b'] }] },
            },
          }),
        ]),
        ...all(`${path}/selfsubjectaccessreviews`, [
          review('SelfSubjectAccessReview', { resourceAttributes: attributes }),
          review('SelfSubjectAccessReview', {}),
          review('Nope', {}),
        ]),
        ...all(`${path}/namespaces/${n.ns}/localsubjectaccessreviews`, [
          review('LocalSubjectAccessReview', { user: 'x', resourceAttributes: attributes }),
          review('LocalSubjectAccessReview', { user: 'x', resourceAttributes: { ...attributes, namespace: 'other' } }, { namespace: n.ns }),
          review('LocalSubjectAccessReview', { user: 'x', resourceAttributes: attributes }, { namespace: n.ns }),
          review('LocalSubjectAccessReview', { user: 'x', nonResourceAttributes: { path: '/', verb: 'get' } }, { namespace: n.ns }),
        ]),
        call('POST', `${path}/selfsubjectrulesreviews`, review('SelfSubjectRulesReview', { namespace: n.ns }), { user: 'nobody' }),
        call('POST', `${path}/selfsubjectrulesreviews`, review('SelfSubjectRulesReview', {})),
        call('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', {}),
        call('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', {}, { user: 'jane', groups: ['a', 'b'] }),
        call('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', { spec: {} }),
        call('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews?dryRun=All', {}),
      ]
    },
  },
  {
    name: 'kinds: quotas and signing requests',
    steps: (n) => {
      const quotas = `/api/v1/namespaces/${n.ns}/resourcequotas`
      const quota = (name: string, spec: object): object => object('v1', 'ResourceQuota', name, { spec })
      return [
        namespace(n),
        ...all(quotas, [
          quota('a', { hard: { 'requests.cpu': '1', memory: '1Gi', pods: '10', configmaps: 5 } }),
          quota('b', { hard: { pods: 'x' } }),
          quota('c', { hard: { pods: '-1', 'bad name': '1' } }),
          quota('e', { scopes: ['Nope'] }),
          quota('f', { scopes: ['BestEffort', 'NotBestEffort'], hard: { pods: '1' } }),
        ]),
        call('DELETE', `${quotas}/b`),
        call('GET', '/apis/apiregistration.k8s.io/v1/apiservices/v1.'),
        call(
          'POST',
          '/apis/certificates.k8s.io/v1/certificatesigningrequests',
          object('certificates.k8s.io/v1', 'CertificateSigningRequest', `a-${n.id}`, {
            spec: { request: 'eA==', signerName: 'kubernetes.io/kube-apiserver-client', usages: ['client auth'] },
          }),
        ),
        call(
          'POST',
          '/apis/certificates.k8s.io/v1/certificatesigningrequests',
          object('certificates.k8s.io/v1', 'CertificateSigningRequest', `b-${n.id}`, { spec: {} }),
        ),
      ]
    },
  },
  {
    name: 'kinds: webhooks and policies as objects',
    steps: (n) => {
      const group = '/apis/admissionregistration.k8s.io/v1'
      const webhook = (more: object = {}): object => ({
        name: 'a.example.com',
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        clientConfig: { url: 'https://127.0.0.1:1/x' },
        rules: [{ apiGroups: [`none.${n.group}`], apiVersions: ['v1'], resources: ['things'], operations: ['CREATE'] }],
        ...more,
      })
      const configured = (name: string, webhooks: readonly object[], kind = 'ValidatingWebhookConfiguration'): object =>
        object('admissionregistration.k8s.io/v1', kind, `${name}-${n.id}`, { webhooks })
      const policy = (name: string, spec: object): object =>
        object('admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicy', `${name}-${n.id}`, { spec })
      const constraints = {
        resourceRules: [{ apiGroups: [`none.${n.group}`], apiVersions: ['v1'], resources: ['things'], operations: ['CREATE'] }],
      }
      return [
        ...all(`${group}/validatingwebhookconfigurations`, [
          configured('a', [webhook()]),
          configured('b', [webhook({ name: 'short' })]),
          configured('c', [webhook({ sideEffects: 'Some' })]),
          configured('d', [webhook({ sideEffects: undefined })]),
          configured('e', [webhook({ admissionReviewVersions: [] })]),
          configured('f', [webhook({ admissionReviewVersions: ['v9'] })]),
          configured('g', [webhook({ clientConfig: {} })]),
          configured('h', [webhook({ clientConfig: { url: 'http://x' } })]),
          configured('i', [webhook({ clientConfig: { service: { name: 's', namespace: 'n' } } })]),
          configured('j', [webhook({ timeoutSeconds: 31 })]),
          configured('k', [webhook({ failurePolicy: 'Nope', matchPolicy: 'Nope' })]),
          configured('l', [webhook(), webhook()]),
          configured('m', [
            webhook({ rules: [{ apiGroups: ['*', 'a'], apiVersions: [], resources: ['*/*', 'x'], operations: ['Nope'], scope: 'Nope' }] }),
          ]),
          configured('n', [webhook({ matchConditions: [{ name: 'c', expression: 'object.' }] })]),
          configured('o', [webhook({ matchConditions: [{ name: 'c', expression: '1' }] })]),
          configured('o', [
            webhook({
              matchConditions: [
                { name: 'c', expression: 'true' },
                { name: 'c', expression: 'true' },
              ],
            }),
          ]),
          configured('p', [webhook({ namespaceSelector: { matchExpressions: [{ key: 'a', operator: 'In' }] } })]),
        ]),
        ...all(`${group}/mutatingwebhookconfigurations`, [
          configured('a', [webhook()], 'MutatingWebhookConfiguration'),
          configured('b', [webhook({ reinvocationPolicy: 'Nope' })], 'MutatingWebhookConfiguration'),
        ]),
        call(
          'PATCH',
          `${group}/validatingwebhookconfigurations/a-${n.id}`,
          { webhooks: [{ name: 'a.example.com', timeoutSeconds: 5 }] },
          { contentType: STRATEGIC },
        ),
        ...all(`${group}/validatingadmissionpolicies`, [
          policy('a', { matchConstraints: constraints, validations: [{ expression: 'object.x == 1', message: 'm' }] }),
          policy('b', { matchConstraints: constraints }),
          policy('c', { validations: [{ expression: 'true' }] }),
          policy('d', { matchConstraints: constraints, validations: [{ expression: 'object.' }] }),
          policy('e', { matchConstraints: constraints, validations: [{ expression: '1 + 1' }] }),
          policy('f', {
            matchConstraints: constraints,
            validations: [{ expression: 'variables.v' }],
            variables: [
              { name: 'v', expression: 'true' },
              { name: '1bad', expression: 'true' },
            ],
          }),
          policy('g', { matchConstraints: constraints, auditAnnotations: [{ key: 'k', valueExpression: "'x'" }] }),
          policy('h', { matchConstraints: constraints, failurePolicy: 'Nope', validations: [{ expression: 'true', reason: 'Nope' }] }),
          policy('i', { matchConstraints: constraints, paramKind: { apiVersion: 'v1' }, validations: [{ expression: 'params.x == 1' }] }),
        ]),
        ...all(`${group}/validatingadmissionpolicybindings`, [
          object('admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicyBinding', `a-${n.id}`, {
            spec: { policyName: `a-${n.id}`, validationActions: ['Deny'] },
          }),
          object('admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicyBinding', `b-${n.id}`, {
            spec: { validationActions: ['Deny', 'Warn', 'Nope'] },
          }),
          object('admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicyBinding', `c-${n.id}`, {
            spec: { policyName: 'x', validationActions: ['Deny', 'Deny'], paramRef: {} },
          }),
        ]),
        ...[
          'validatingwebhookconfigurations',
          'mutatingwebhookconfigurations',
          'validatingadmissionpolicies',
          'validatingadmissionpolicybindings',
        ].map((plural) => call('DELETE', `${group}/${plural}/a-${n.id}`)),
      ]
    },
  },
  {
    name: 'kinds: client-side and server-side apply of one ConfigMap',
    steps: (n) => {
      const path = `/api/v1/namespaces/${n.ns}/configmaps`
      const made = (data: object, meta: object = {}): object => object('v1', 'ConfigMap', 'a', { data }, meta)
      const applied = (manager: string, body: object, more = ''): Step =>
        call('PATCH', `${path}/a?fieldManager=${manager}${more}`, body, { contentType: APPLY })
      return [
        namespace(n),
        call(
          'POST',
          `${path}?fieldManager=kubectl-client-side-apply`,
          made(
            { a: '1', b: '2' },
            { annotations: { 'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify(made({ a: '1', b: '2' })) } },
          ),
        ),
        applied('kubectl', made({ a: '1', c: '3' })),
        applied('other', made({ a: 'x' })),
        applied('other', made({ a: '1', d: '4' })),
        applied('kubectl', made({ c: '3' })),
        applied('other', made({ a: 'x' }), '&force=true'),
        applied('other', made({}, { labels: { l: 'm' } })),
        applied('third', made({}, { labels: { l: 'n' } })),
        applied('third', made({}, { finalizers: ['a.com/x'], annotations: { q: 'r' } })),
        applied('other', made({}, { finalizers: ['a.com/y'] })),
        applied('third', made({})),
        applied('third', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }),
        call('PATCH', `${path}/a?fieldManager=patcher`, [{ op: 'remove', path: '/data' }], { contentType: JSON_PATCH }),
        call('PATCH', `${path}/a?fieldManager=patcher`, { metadata: { managedFields: [] } }, { contentType: MERGE }),
        applied('other', made({ z: '1' })),
        call('PATCH', `${path}/a?fieldManager=patcher`, { metadata: { managedFields: [{}] } }, { contentType: MERGE }),
        applied('other', made({ z: '2' })),
        call('GET', `${path}/a`),
        call('PATCH', `${path}/a?fieldManager=patcher`, { metadata: { finalizers: null } }, { contentType: MERGE }),
      ]
    },
  },
]
