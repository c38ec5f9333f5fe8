// Redoc searches in workers that it makes with eval, which the policy of the page forbids; without workers it searches
// in the page itself.
Reflect.deleteProperty(globalThis, "Worker");
