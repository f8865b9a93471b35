// Takes the place of the playground until its package is built.
console.info('The playground is not built: packages/playground/dist/signature-playground.js is missing.')
