// What npm shows of each package that is published: one line, and a page.

const CLI = `Platform teams publish what can be asked for, application teams ask for it, and Weft creates, binds and connects the real resources, and keeps them in the
desired state. It is one process on one machine, with a Kubernetes-compatible API, storage of its own and a web console: no cluster and no Docker needed.

    npm install --global @weft/cli
    weft up

In another terminal, in the same folder:

    weft init
    weft apply -f platform/offer --wait
    weft diff -f platform/ask                # what would be created; nothing is written
    weft apply -f platform/ask --wait
    weft trace postgresqlinstance/app

\`weft docs\` opens the manual of the version that is installed, with a tutorial; \`weft --help\` lists the commands.
`

const LIBRARY = 'The manual has the details: `npx @weft/cli docs` opens it.\n'

/** By the name of the workspace: a description, and what the page says after it. */
const PAGES = {
  cli: ['A control plane that composes infrastructure: the command and the server', CLI],
  api: ['The object model of Weft: metadata, selectors, conditions, errors and kinds', LIBRARY],
  client: ['A client of any Kubernetes API, with informers', LIBRARY],
  composition: ['Compositions of Weft in TypeScript, and the engine that renders them', LIBRARY],
  runtime: ['Controllers for any Kubernetes API: queues, watches, leader election and events', LIBRARY],
  'provider-sdk': [
    'Everything that a provider of Weft needs besides its own API',
    `\`npx @weft/cli package init provider my-provider\` creates a provider that works, with tests.\n\n${LIBRARY}`,
  ],
  testing: ['Servers, clocks and faults for the tests of providers', LIBRARY],
}

/** @returns {{ description: string, page: string }} */
export function npmPage(name) {
  const [description, more] = PAGES[name]
  return { description, page: `# @weft/${name}\n\n${description}.\n\n${more}` }
}
