import { defineConfig } from '@playwright/test'

export default defineConfig({
  testMatch: 'views.mjs',
  outputDir: 'out/results',
  snapshotPathTemplate: 'reference/{arg}{ext}',
  timeout: 600_000, // software rendering of 100,000 memories on a busy machine
  workers: 1,
  reporter: 'list',
  expect: {
    // A pixel differs if its colour does by a tenth of the range of YIQ.
    toMatchSnapshot: { threshold: 0.1 },
  },
  use: {
    launchOptions: { executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--enable-unsafe-swiftshader', '--force-color-profile=srgb', '--font-render-hinting=none'] },
  },
})
