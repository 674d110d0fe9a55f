// The rules of docs/architecture: dependencies point one way.
const pkg = (name) => `^packages/${name}/`
const only = (name, from, allowed) => ({
  name,
  severity: 'error',
  from: { path: from, pathNot: '\\.(test|integration\\.test|fixture)\\.ts$' },
  to: { path: '^(packages|providers)/', pathNot: allowed },
})

export default {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } } },
    {
      name: 'no-deep-imports',
      severity: 'error',
      from: { path: '^(packages|providers)/([^/]+)/' },
      to: { path: '^(packages|providers)/([^/]+)/src/(?!(server/)?index\\.ts$)', pathNot: '^$1/$2/' },
    },
    { name: 'no-vague-folders', severity: 'error', from: {}, to: { path: '/(utils|helpers|common|misc)(/|\\.ts)' } },
    only('api-imports-nothing-of-ours', pkg('api'), [pkg('api')]),
    only('cel-imports-api', pkg('cel'), [pkg('(api|cel)')]),
    only('schema-imports-api-and-cel', pkg('schema'), [pkg('(api|cel|schema)')]),
    only('composition-imports-api', pkg('composition'), [pkg('(api|composition)')]),
    {
      name: 'composition-is-pure',
      severity: 'error',
      from: { path: pkg('composition'), pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['core'] },
    },
    only('apiserver-knows-no-controllers', pkg('apiserver'), [pkg('(api|cel|schema|apiserver)')]),
    // Of the object model it uses the order of text alone.
    only('storage-knows-no-kinds', '^packages/apiserver/src/storage/', [
      '^packages/apiserver/src/storage/',
      '^packages/api/src/index\\.ts$',
    ]),
    only('client-imports-api', pkg('client'), [pkg('(api|client)')]),
    only('runtime-imports-client', pkg('runtime'), [pkg('(api|client|runtime)')]),
    only('functions-know-no-server', pkg('functions'), [pkg('(api|cel|schema|composition|grpc|spawn|functions)')]),
    only('controllers-know-no-server', pkg('controllers'), [
      pkg('(api|client|runtime|composition|controllers|functions|provider-sdk|xpkg)'),
    ]),
    only('the-plane-knows-no-root', pkg('plane'), [
      pkg('(api|apiserver|schema|client|runtime|composition|controllers|provider-sdk|plane)'),
    ]),
    only('plans-know-no-root', pkg('plan'), [pkg('(api|apiserver|schema|client|runtime|composition|controllers|functions|plane|plan)')]),
    only('xpkg-imports-api', pkg('xpkg'), [pkg('(api|xpkg)')]),
    only('programs-know-no-packages', pkg('program'), [pkg('(client|program|spawn|xpkg)')]),
    only('grpc-imports-nothing-of-ours', pkg('grpc'), [pkg('grpc')]),
    only('spawn-imports-nothing-of-ours', pkg('spawn'), [pkg('spawn')]),
    only('terraform-knows-no-api-server', pkg('terraform'), [pkg('(api|cel|grpc|program|spawn|terraform|xpkg)')]),
    {
      name: 'values-schemas-and-lifecycle-are-pure',
      severity: 'error',
      from: { path: '^packages/terraform/src/(value|schema|lifecycle|config)/', pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['core', 'npm'] },
    },
    only('bridge-knows-no-server', pkg('bridge'), [pkg('(api|client|composition|grpc|provider-sdk|terraform|bridge)')]),
    only('the-console-talks-http-only', pkg('console'), [pkg('(api|client|composition|console)')]),
    only('providers-see-the-sdk-only', '^providers/(?!kubernetes/)', ['^providers/', pkg('(provider-sdk|api|spawn)')]),
    // Its external systems are Kubernetes APIs: it speaks to them as Weft does, and reads paths and expressions as Weft does.
    only('the-kubernetes-provider-is-a-client', '^providers/kubernetes/', [
      '^providers/kubernetes/',
      pkg('(provider-sdk|api|client|composition|cel)'),
    ]),
  ],
  options: {
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    // Views of the console: the parser is not told of JSX. What they import from is in .ts files, which are looked at.
    exclude: { path: '(^|/)(dist|testdata)/|\\.tsx$' },
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
}
