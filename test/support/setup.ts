// The global `fetch` sends requests with the first undici that is loaded. The use of `Response` loads Node's own undici
// before a test can import a different version.
void new Response();
