// A route handler, for example app/api/watch/route.ts in Next.js: GET /api/watch?movie=701
// If the browser disconnects, the route handler aborts its call to the catalogue.
import { ApiError, createCatalogue, TimeoutError } from "media-catalogue/full";

const catalogue = createCatalogue({
  baseUrl: process.env.CATALOGUE_BASE_URL!,
  token: () => process.env.CATALOGUE_TOKEN!,
  timeout: 5_000,
});

export async function GET(request: Request): Promise<Response> {
  const movie = new URL(request.url).searchParams.get("movie");
  if (!movie) return Response.json({ error: "The movie parameter is missing." }, { status: 400 });
  try {
    const { results } = await catalogue.movies.watchProviders(movie, { signal: request.signal });
    return Response.json(results);
  } catch (error) {
    // The browser has disconnected, so nobody receives this response. nginx logs status 499 in this case.
    if (request.signal.aborted) return new Response(null, { status: 499 });
    if (error instanceof TimeoutError) return Response.json({ error: "Timeout." }, { status: 504 });
    if (!(error instanceof ApiError)) throw error;
    return Response.json({ error: error.message }, { status: error.status === 404 ? 404 : 502 });
  }
}
