// Unlike a real app, the page bundles every entry point in one script, so vite would warn about its size.
export default { build: { chunkSizeWarningLimit: 1000 } };
