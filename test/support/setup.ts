// The first undici that a process loads sends what the global `fetch` sends. Load Node's before a test imports another.
void new Response();
