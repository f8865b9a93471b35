/** The part that the tests use; its own types are a package more. */
declare module 'koa-mount' {
  import type Koa from 'koa'
  export default function mount(prefix: string, app: Koa | Koa.Middleware): Koa.Middleware
}
