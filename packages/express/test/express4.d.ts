/** Version 4 under a name of its own; its types would say the same of what the tests use. */
declare module 'express4' {
  import express from 'express'
  export default express
}
