/** The answer to each call: a page of 20 people, about 4 kB. */
export const PAGE = JSON.stringify({
  page: 2,
  results: Array.from({ length: 20 }, (_, index) => ({
    adult: false,
    gender: index % 3,
    id: 1000 + index,
    known_for_department: "Acting",
    media_type: "person",
    name: `Person number ${index}`,
    original_name: `Person number ${index}`,
    popularity: 100 / (index + 1),
    profile_path: `/path-of-portrait-${index}.jpg`,
  })),
  total_pages: 10,
  total_results: 200,
});

export const HEADERS = { "content-type": "application/json;charset=utf-8" };
