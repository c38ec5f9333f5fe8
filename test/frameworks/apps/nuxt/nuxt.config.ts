export default defineNuxtConfig({
  compatibilityDate: "2026-11-01",
  telemetry: false,
  // The README's first call awaits at the top level.
  nitro: { esbuild: { options: { target: "es2022" } } },
});
