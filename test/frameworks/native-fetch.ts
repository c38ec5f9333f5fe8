/** Listeners by event. */
type Listeners = Map<string, Set<(argument: never) => void>>;

/** What `requireNativeModule` of expo-modules-core returns for "ExpoFetchModule". */
export function requireNativeModule(): object {
  return { NativeRequest, NativeResponse };
}

/**
 * The native half of a response of expo/fetch. Follows the state machine in `ios/Fetch/NativeResponse.swift` and
 * `ResponseSink.swift`: chunks that arrive before JavaScript asks for the body set `bodyUsed`.
 */
class NativeResponse {
  bodyUsed = false;
  state: "started" | "received" | "streaming" | "canceled" | "completed" | "failed" = "started";
  status = -1;
  statusText = "";
  url = "";
  redirected = false;
  _rawHeaders: [string, string][] = [];
  readonly #listeners: Listeners = new Map();
  #queue: Uint8Array[] = [];
  #onComplete: (() => void)[] = [];

  addListener(event: string, listener: (argument: never) => void): void {
    this.#listeners.set(event, (this.#listeners.get(event) ?? new Set()).add(listener));
  }
  removeListener(event: string, listener: (argument: never) => void): void {
    this.#listeners.get(event)?.delete(listener);
  }
  removeAllListeners(event: string): void {
    this.#listeners.delete(event);
  }

  async startStreaming(): Promise<Uint8Array | null> {
    if (this.state === "completed") return this.#finalize();
    if (this.state !== "received") return null;
    this.state = "streaming";
    this.#emit("didReceiveResponseData", this.#finalize());
    return null;
  }
  async cancelStreaming(): Promise<void> {
    if (this.state === "streaming") this.state = "canceled";
  }
  async text(): Promise<string> {
    return new TextDecoder().decode(await this.arrayBuffer());
  }
  async arrayBuffer(): Promise<ArrayBufferLike> {
    if (this.state !== "completed")
      await new Promise<void>((resolve) => this.#onComplete.push(resolve));
    return this.#finalize().buffer;
  }

  receiveData(data: Uint8Array): void {
    if (this.state === "streaming") this.#emit("didReceiveResponseData", data);
    if (this.state !== "received") return;
    this.bodyUsed = true;
    this.#queue.push(data);
  }
  complete(error?: Error): void {
    if (this.state === "streaming")
      this.#emit(error ? "didFailWithError" : "didComplete", error?.message);
    this.state = error ? "failed" : "completed";
    this.#emit("readyForJSFinalization");
    if (!error) for (const resolve of this.#onComplete.splice(0)) resolve();
  }

  #finalize(): Uint8Array {
    this.bodyUsed = true;
    return new Uint8Array(Buffer.concat(this.#queue.splice(0)));
  }
  #emit(event: string, argument?: unknown): void {
    for (const listener of [...(this.#listeners.get(event) ?? [])]) listener(argument as never);
  }
}

/** The native half of a request. Sends the request with Node's `fetch`. */
class NativeRequest {
  readonly #controller = new AbortController();
  constructor(readonly response: NativeResponse) {}

  /** Resolves after the first chunk, which in practice often arrives before JavaScript runs again. */
  async start(url: string, init: RequestInit, body: Uint8Array<ArrayBuffer> | null): Promise<void> {
    const { response } = this;
    const { signal } = this.#controller;
    const { method = "GET", headers = [] } = init;
    const received = await fetch(url, { method, headers, body, signal });
    Object.assign(response, {
      state: "received",
      status: received.status,
      statusText: received.statusText,
      url: received.url,
      redirected: received.redirected,
      _rawHeaders: [...received.headers],
    });
    const reader = received.body!.getReader();
    const readNext = async (): Promise<boolean> => {
      try {
        const { done, value } = await reader.read();
        if (done) response.complete();
        else response.receiveData(value);
        return !done;
      } catch (error) {
        response.complete(error as Error);
        return false;
      }
    };
    const isOpen = await readNext();
    void (async () => {
      for (let more = isOpen; more;) more = await readNext();
    })();
  }

  cancel(): void {
    this.#controller.abort();
  }
}
