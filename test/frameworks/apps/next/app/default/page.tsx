import { catalogue } from "../../catalogue";

export const dynamic = "force-dynamic";

async function Title() {
  return (await catalogue.movies.latest()).title;
}

export default function Page() {
  return (
    <h1>
      <Title />, <Title />
    </h1>
  );
}
