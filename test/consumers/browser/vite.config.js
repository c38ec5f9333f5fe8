// The page has every entry point in its one script, which no app would: vite would warn of its size.
export default { build: { chunkSizeWarningLimit: 1000 } };
