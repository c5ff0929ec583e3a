import { defineConfig } from 'vitest/config'

// npm run dev: the page from its sources, the service at this address.
const service = process.env.PAVAGE_URL ?? 'http://localhost:8080'

// The page is served by the program at /, with a policy that allows no inline script or
// style and no other site. So nothing is inlined.
export default defineConfig({
  build: {
    outDir: 'dist',
    target: 'es2022',
    assetsInlineLimit: 0,
    license: { fileName: 'licenses.md' }, // of the packages that are in the page
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 640, // KB: three.js, which only solids load
  },
  server: { proxy: { '/v1': { target: service, changeOrigin: true, headers: { origin: service } } } },
  test: { include: ['src/**/*.test.ts'], environment: 'node' },
})
