import type { Todo } from './change.js'

/** What of a project decides where files go. */
export interface Facts {
  readonly dependencies: ReadonlySet<string>
  /** Its folders, two levels deep. */
  readonly folders: ReadonlySet<string>
  /** The folder of its sources: "src/", or "" for the project itself. */
  readonly source: string
}

/** A line that makes an existing file use the endpoint, and where in it there is a place for the line. */
export interface Mount {
  /** What the line uses, and the package that has it. By default the endpoint is imported, from the file of the route. */
  readonly imports?: { readonly name: string; readonly from: string }
  /**
   * Lines of a file, and what replaces them. The place is certain if one line of one file matches. Without them, the host has
   * no usual place.
   */
  readonly edits?: readonly (readonly [anchor: RegExp, change: string])[]
  /** The new line, for people, and where it belongs. */
  readonly line: string
  readonly where: string
}

/** What a host needs: a template is `templates/<name>.ts`, and its test is next to it. */
export interface Host {
  readonly title: string
  /** The package of the adapter. */
  readonly adapter: string
  /** Dependencies that show the host. */
  readonly dependencies: readonly RegExp[]
  /** Files that show it. */
  readonly files?: readonly string[]
  /** The file of the route, without its extension: by default "webhooks" in the folder of the sources. */
  readonly route?: (facts: Facts) => string
  /** What the file exports. */
  readonly endpoint: string
  readonly mounts?: readonly Mount[]
  /** Its files are compiled or bundled: always TypeScript, or always ES modules. */
  readonly always?: 'typescript' | 'modules'
  /** Whether the host finds the file by itself. */
  readonly isMounted?: (facts: Facts) => boolean
  /** What else the user has to do. */
  readonly notes?: readonly Todo[]
}

/** The line in which a file creates its server: exported or not, with a type or without. */
function created(by: string): RegExp {
  return new RegExp(String.raw`^(?:export )?(?:const|let|var) (\w+)(?:: [\w.<>, ]+)? = ${by};?$`, 'gm')
}

const ABOVE_PARSERS = 'above the body parsers of other routes'

/** By precedence: the first three are built on others. */
export const HOSTS = {
  nest: {
    title: 'Nest',
    adapter: 'nest',
    dependencies: [/^@nestjs\/core$/],
    route: ({ source }) => `${source}webhooks.module`,
    endpoint: 'WebhooksModule',
    always: 'typescript',
    mounts: [
      {
        edits: [
          [/^( *)imports: \[\],?$/gm, '$1imports: [WebhooksModule],'],
          [/^( *)imports: \[$/gm, '$&\n$1  WebhooksModule,'],
        ],
        line: 'imports: [WebhooksModule]',
        where: 'in the module of your application',
      },
      {
        imports: { name: 'unparsed', from: '@service-signature/nest' },
        edits: [
          [
            /^( *)const (\w+) = await NestFactory\.create(?:<\w+>)?\(.*\);?$/gm,
            "$&\n$1$2.use('/webhooks', unparsed)",
          ],
        ],
        line: "app.use('/webhooks', unparsed)",
        where: 'in main.ts, after NestFactory.create; with a global prefix, it is part of the path',
      },
    ],
  },
  next: {
    title: 'Next',
    adapter: 'fetch',
    dependencies: [/^next$/],
    route: ({ folders }) =>
      `${folders.has('src/app') || folders.has('src/pages') ? 'src/' : ''}app/webhooks/route`,
    endpoint: 'POST',
    always: 'modules',
  },
  hono: {
    title: 'Hono',
    adapter: 'fetch',
    dependencies: [/^hono$/],
    endpoint: 'webhooks',
    mounts: [
      {
        edits: [[created(String.raw`new Hono(?:<.*>)?\(\)`), "$&\n$1.post('/webhooks', webhooks)"]],
        line: "app.post('/webhooks', webhooks)",
        where: 'above middleware that reads the body',
      },
    ],
  },
  express: {
    title: 'Express',
    adapter: 'express',
    dependencies: [/^express$/],
    route: inRoutes,
    endpoint: 'webhooks',
    mounts: [
      {
        edits: [[created(String.raw`express\(\)`), "$&\n$1.post('/webhooks', webhooks())"]],
        line: "app.post('/webhooks', webhooks())",
        where: ABOVE_PARSERS,
      },
    ],
  },
  koa: {
    title: 'Koa',
    adapter: 'koa',
    dependencies: [/^koa$/],
    route: inRoutes,
    endpoint: 'webhooks',
    mounts: [
      {
        edits: [[created(String.raw`new Koa\(\)`), '$&\n$1.use(webhooks())']],
        line: 'app.use(webhooks())',
        where: ABOVE_PARSERS,
      },
    ],
  },
  hapi: {
    title: 'Hapi',
    adapter: 'hapi',
    dependencies: [/^@hapi\/hapi$/],
    endpoint: 'webhooks',
    mounts: [
      {
        edits: [[/^( *)await (\w+)\.start\(\);?$/gm, '$1await $2.register(webhooks())\n$&']],
        line: 'await server.register(webhooks())',
        where: 'before the server starts',
      },
    ],
  },
  fastify: {
    title: 'Fastify',
    adapter: 'fastify',
    dependencies: [/^fastify$/],
    route: (facts) => (isAutoloaded(facts) ? `${facts.source}routes/webhooks` : `${facts.source}webhooks`),
    endpoint: 'default',
    isMounted: isAutoloaded,
    mounts: [
      {
        edits: [
          [
            // The options are on the same line, or on lines of their own.
            created(String.raw`[fF]astify\((?:.*|\{\r?\n(?:(?:[ \t].*)?\r?\n)*\})\)`),
            '$&\n$1.register(webhooks)',
          ],
        ],
        line: 'app.register(webhooks)',
        where: 'before the server listens',
      },
    ],
  },
  workers: {
    title: 'Cloudflare Workers',
    adapter: 'fetch',
    dependencies: [/^wrangler$/],
    files: ['wrangler.toml', 'wrangler.json', 'wrangler.jsonc'],
    endpoint: 'webhooks',
    always: 'modules',
    mounts: [
      {
        edits: [
          [
            /^([ \t]*)async fetch\((\w+)(?:: Request)?, env(?:: \w+)?(?:, \w+(?:: \w+)?)?\)(?:: Promise<Response>)? \{$/gm,
            "$&\n$1$1if (new URL($2.url).pathname === '/webhooks') return webhooks($2, env)",
          ],
        ],
        line: "if (new URL(request.url).pathname === '/webhooks') return webhooks(request, env)",
        where: 'at the beginning of fetch()',
      },
    ],
    notes: [
      { about: 'In TypeScript, update the types of the environment', command: 'npx wrangler types' },
      { about: 'Before you deploy, set the secret', command: 'npx wrangler secret put WEBHOOK_SECRET' },
    ],
  },
  lambda: {
    title: 'AWS Lambda',
    adapter: 'lambda',
    dependencies: [/^@types\/aws-lambda$/, /^aws-lambda$/, /^@middy\/core$/, /^serverless$/],
    files: ['serverless.yml', 'serverless.ts', 'samconfig.toml'],
    endpoint: 'handler',
    notes: [
      {
        about:
          'Add a function to your template whose handler is webhooks.handler, with WEBHOOK_SECRET in its environment',
      },
    ],
  },
  node: {
    title: 'node:http',
    adapter: 'node',
    dependencies: [],
    endpoint: 'webhooks',
    mounts: [
      {
        line: "const handle = webhooks(), and in the listener: if (req.method === 'POST' && req.url === '/webhooks') return handle(req, res)",
        where: 'before anything reads the body',
      },
    ],
  },
} as const satisfies Readonly<Record<string, Host>>

export type HostName = keyof typeof HOSTS

/** None of these contains another. */
const FRAMEWORKS: readonly (HostName | undefined)[] = ['express', 'koa', 'hapi', 'fastify']

/** The hosts that a list of dependencies, or the files, show. Several only if none contains the others. */
export function hostsIn(dependencies: readonly string[], files: ReadonlySet<string>): readonly HostName[] {
  const isShown = (name: HostName) => {
    const host: Host = HOSTS[name]
    return (
      dependencies.some((dependency) => host.dependencies.some((pattern) => pattern.test(dependency))) ||
      host.files?.some((file) => files.has(file))
    )
  }
  const shown = (Object.keys(HOSTS) as HostName[]).filter(isShown)
  return FRAMEWORKS.includes(shown[0]) ? shown.filter((name) => FRAMEWORKS.includes(name)) : shown.slice(0, 1)
}

function inRoutes({ source, folders }: Facts): string {
  return source === '' && folders.has('routes') ? 'routes/webhooks' : `${source}webhooks`
}

function isAutoloaded({ dependencies, folders, source }: Facts): boolean {
  return dependencies.has('@fastify/autoload') && folders.has(`${source}routes`)
}
