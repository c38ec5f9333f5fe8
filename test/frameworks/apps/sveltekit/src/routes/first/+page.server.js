import { movie } from "../../first-call.js";

export const load = () => ({ line: `${movie.title} with ${movie.credits.cast[0]?.name}` });
