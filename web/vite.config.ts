import { defineConfig } from 'vitest/config'

// The page is served by the program at /, with a policy that allows no inline script or
// style and no other site. So nothing is inlined.
export default defineConfig({
  build: {
    outDir: 'dist',
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  // npm run dev: the page from the sources, the service from pavage serve.
  server: { proxy: { '/v1': { target: 'http://localhost:8080', changeOrigin: true } } },
  test: { include: ['src/**/*.test.ts'], environment: 'node' },
})
