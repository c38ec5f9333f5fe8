// The global `fetch` sends requests with the first undici that is loaded. `Response` loads Node's own undici, before a
// test can import another version.
void new Response();
