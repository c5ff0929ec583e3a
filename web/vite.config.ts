import { defineConfig } from 'vitest/config'

// The address of the service for npm run dev, which serves the page from its sources.
const service = process.env.PAVAGE_URL ?? 'http://localhost:8080'

// The page is served by the program at /, with a policy that allows no inline script or
// style and no other site. So nothing is inlined.
export default defineConfig({
  build: {
    outDir: 'dist',
    target: 'es2022',
    assetsInlineLimit: 0,
    license: { fileName: 'licenses.md' }, // the licenses of the packages in the page
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 640, // kB, the size of three.js, which the page loads only for solids
  },
  server: { proxy: { '/v1': { target: service, changeOrigin: true, headers: { origin: service } } } },
  test: { include: ['src/**/*.test.ts'], environment: 'node' },
})
