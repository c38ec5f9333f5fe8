// The global `fetch` sends requests with the first version of undici that is loaded. Using `Response` loads Node's
// built-in version before a test can import a different version.
void new Response();
