// Takes the place of the playground until its package is built.
console.info('The playground is not built: site/playground/dist/signature-playground.js is missing.')
