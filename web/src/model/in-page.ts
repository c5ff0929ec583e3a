/** Whether this is the page without a server, which does the work itself: vite.site.config.ts builds it. */
export const inPage = import.meta.env.MODE === 'site'
