import { connection } from "next/server";
import { catalogue } from "../../catalogue";

export default async function Page() {
  await connection();
  const { title } = await catalogue.movies.latest({ fetchOptions: { next: { revalidate: 3600 } } });
  return <h1>{title}</h1>;
}
