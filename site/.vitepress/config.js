import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'
import { headingSlug, repositoryPaths } from '../../tools/markdown-links.js'
import { withContentSecurityPolicy } from '../content-security-policy.js'
import { writeForAgents } from '../llms.js'
import { breakLongCode, followTheme, rewriteLinks, titleByName } from '../markdown.js'
import { ADDRESSES, API_PAGES, checkPages, GROUPS, REPOSITORY, root } from '../pages.js'

checkPages()
const inSite = (/** @type {string} */ path) => fileURLToPath(new URL(`../${path}`, import.meta.url))
const item = (/** @type {{ text: string, file: string }} */ { text, file }) => ({
  text,
  link: `/${ADDRESSES.get(file)}`,
})
const base = process.env['SITE_BASE'] ?? '/'
const otherMarkdown = [...repositoryPaths(root)].filter(
  (file) => file.endsWith('.md') && !ADDRESSES.has(file),
)
// The pages are outside of this folder, and so they do not find the Vue that is installed in it. Where pages are
// rendered, it is not bundled: the result is run from this folder.
const vueOfTheSite = {
  name: 'vue-of-the-site',
  enforce: /** @type {const} */ ('pre'),
  resolveId(
    /** @type {string} */ id,
    /** @type {string | undefined} */ _importer,
    /** @type {{ ssr?: boolean }} */ { ssr },
  ) {
    return ssr && /^vue(?:\/server-renderer)?$/.test(id) ? { id, external: true } : undefined
  },
}
// What VitePress would bundle for the development server has names that are not found from the pages either. It works
// without.
const withoutBundling = {
  name: 'without-bundling',
  configResolved(/** @type {{ optimizeDeps: { include?: string[] } }} */ config) {
    config.optimizeDeps.include = []
  },
}
// An icon of ours: the development server would load a named one from another host.
const SOURCE_ICON =
  '<svg viewBox="0 0 24 24"><path d="M9 5l-7 7 7 7 1.5-1.5L5 12l5.5-5.5zM15 5l7 7-7 7-1.5-1.5L19 12l-5.5-5.5z"/></svg>'
// The mark of the sandbox, in the address itself.
const MARK = `data:image/svg+xml,${encodeURIComponent(readFileSync(inSite('../sandbox/assets/form/icon.svg'), 'utf8'))}`
// What the package of the playground builds.
const playground = inSite('playground/dist/signature-playground.js')

export default defineConfig({
  title: 'Service Signature',
  description: 'Verify the signed webhooks of the payment service, understand them, handle each once.',
  lang: 'en',
  // Where the site is not at the root of its host: SITE_BASE=/service-signature/
  base,
  cleanUrls: true,
  srcDir: '..',
  // What git ignores, and what is not a page.
  srcExclude: ['{coverage,examples,release-packages}/**', ...otherMarkdown],
  rewrites: (file) => {
    const address = ADDRESSES.get(file)
    if (address === undefined) throw new Error(`${file} is not a page of the site: see site/pages.js.`)
    return address === '' || address.endsWith('/') ? `${address}index.md` : `${address}.md`
  },
  outDir: 'dist',
  cacheDir: 'node_modules/.vitepress',
  markdown: {
    // The same addresses as on GitHub, and for the same links.
    anchor: { slugify: headingSlug },
    languageAlias: { mjs: 'js' },
    image: { lazyLoading: true },
    // With enough contrast for small text.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config(md) {
      rewriteLinks(md)
      breakLongCode(md)
      followTheme(md)
      titleByName(md)
    },
  },
  transformHtml: (html, id) => withContentSecurityPolicy(html, id.endsWith('404.html')),
  buildEnd: ({ outDir }) => writeForAgents(outDir, base),
  vue: { template: { compilerOptions: { isCustomElement: (tag) => tag === 'signature-playground' } } },
  vite: {
    publicDir: false,
    // The index of the search is larger than the default. It is loaded when the search is opened.
    build: { chunkSizeWarningLimit: 1500 },
    plugins: [vueOfTheSite, withoutBundling],
    resolve: {
      alias: {
        '@service-signature/playground': existsSync(playground) ? playground : inSite('no-playground.js'),
      },
    },
  },
  head: [['link', { rel: 'icon', href: MARK, type: 'image/svg+xml' }]],
  themeConfig: {
    logo: MARK,
    search: {
      provider: 'local',
      options: {
        // The headings of the API reference, such as "Properties" and "Returns", would come before the guides.
        _render: (text, env, md) => (env.relativePath.startsWith('docs/api/') ? '' : md.render(text, env)),
      },
    },
    outline: [2, 3],
    nav: [
      { text: 'Start', link: '/start' },
      { text: 'Hosts', link: '/hosts' },
      { text: 'Specification', link: '/specification' },
      { text: 'API', link: '/api/' },
      { text: 'Playground', link: '/playground' },
    ],
    sidebar: GROUPS.map(({ text, pages }) => ({
      text,
      items: pages.map((page) =>
        page.file === 'docs/api/README.md'
          ? { ...item(page), collapsed: true, items: API_PAGES.map(item) }
          : item(page),
      ),
    })),
    socialLinks: [{ icon: { svg: SOURCE_ICON }, link: REPOSITORY, ariaLabel: 'Source on GitHub' }],
    editLink: { pattern: `${REPOSITORY}/edit/main/:path`, text: 'Edit this page' },
  },
})
