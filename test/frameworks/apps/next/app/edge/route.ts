import { catalogue } from "../../catalogue";

export const runtime = "edge";
export const dynamic = "force-dynamic";

export async function GET() {
  const { title } = await catalogue.movies.latest();
  return Response.json({ title });
}
