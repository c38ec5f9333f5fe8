/** Tests of an app can mock a method with a response. */
import { vi } from "vitest";
import type { Catalogue, MovieDetails, TvShowDetails } from "../../src/full/index.js";

declare const catalogue: Catalogue;
declare const movie: MovieDetails;
declare const show: TvShowDetails;
declare const response: Response;

vi.fn<typeof catalogue.movies.details>().mockResolvedValue(movie);
vi.fn<typeof catalogue.tvSeries.details>().mockResolvedValueOnce(show);
vi.fn<typeof catalogue.movies.details.withResponse>().mockResolvedValue({ data: movie, response });
vi.spyOn(catalogue.movies, "details").mockResolvedValue(movie);
vi.spyOn(catalogue.tvSeries, "details").mockImplementation(async () => show);
vi.mocked(catalogue.movies.details).mockResolvedValue(movie);
// @ts-expect-error a movie has a number as its id
vi.fn<typeof catalogue.movies.details>().mockResolvedValue({ ...movie, id: "603" });
