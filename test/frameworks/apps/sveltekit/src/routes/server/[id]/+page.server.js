export { loadMovie as load } from "../../../load-movie.js";
