/** Version 2 under a name of its own; its types would say the same of what the tests use. */
declare module 'koa2' {
  import Koa from 'koa'
  export default Koa
}
