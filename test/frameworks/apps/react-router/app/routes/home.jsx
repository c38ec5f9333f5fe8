import { useEffect, useState } from "react";
import { findTitle } from "../../browser-call.js";

export async function loader() {
  const { movie } = await import("../../first-call.js");
  return { line: `${movie.title} with ${movie.credits.cast[0]?.name}` };
}

export default function Home({ loaderData }) {
  const [title, setTitle] = useState("");
  useEffect(() => void findTitle().then(setTitle), []);
  return (
    <>
      <h1>{loaderData.line}</h1>
      <p>{title}</p>
    </>
  );
}
