import { movie } from "../../first-call.js";

export default defineEventHandler(() => `${movie.title} with ${movie.credits.cast[0]?.name}`);
