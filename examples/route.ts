// A route handler, as Next.js has it in app/api/watch/route.ts: GET /api/watch?movie=106646
// Whoever leaves before the answer aborts the call to the catalogue too.
import { createCatalogue, isApiError, isTimeoutError } from "media-catalogue";

const catalogue = createCatalogue({
  baseUrl: process.env.CATALOGUE_BASE_URL!,
  token: () => process.env.CATALOGUE_TOKEN!,
  timeout: 5_000,
});

export async function GET(request: Request): Promise<Response> {
  const movie = new URL(request.url).searchParams.get("movie");
  if (!movie) return Response.json({ error: "Give the parameter movie." }, { status: 400 });
  try {
    const { results } = await catalogue.movies.watchProviders(movie, { signal: request.signal });
    return Response.json(results);
  } catch (error) {
    // Nobody reads this answer: 499 is what nginx logs for a client that has gone.
    if (request.signal.aborted) return new Response(null, { status: 499 });
    if (isTimeoutError(error)) return Response.json({ error: "Too slow." }, { status: 504 });
    if (!isApiError(error)) throw error;
    return Response.json({ error: error.message }, { status: error.status === 404 ? 404 : 502 });
  }
}
