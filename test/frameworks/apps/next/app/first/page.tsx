import { Title } from "./title";

export const dynamic = "force-dynamic";

export default async function Page() {
  const { movie } = await import("../../first-call.js");
  return (
    <>
      <h1>{`${movie.title} with ${movie.credits.cast[0]?.name}`}</h1>
      <Title />
    </>
  );
}
