/** What `crewOf` reads of an entry in a crew. */
export interface CrewLike {
  readonly id?: number | undefined;
  readonly media_type?: string | undefined;
  readonly job?: string | undefined;
  readonly jobs?: readonly { readonly job: string }[] | undefined;
}

/**
 * Returns the people who did a job, or one of several jobs, each person once, in the order of the response. For the
 * credits of a person, returns the titles instead. An entry without an `id` counts as one person. Returns an empty
 * list if the part was not appended.
 * @param credits the `credits` or `aggregate_credits` of a details response, the response of an operation such as
 *   `movies.credits`, or an episode of a season
 * @param job name of the job in upper or lower case, such as `Director`, or several names
 * @example crewOf(movie.credits, ["Screenplay", "Writer"]).map(({ name }) => name)
 */
export function crewOf<Member extends CrewLike>(
  credits: { readonly crew?: readonly Member[] | undefined } | null | undefined,
  job: string | readonly string[],
): Member[] {
  const wanted = new Set([job].flat().map((each) => each.toLowerCase()));
  const found = new Map<unknown, Member>();
  for (const member of credits?.crew ?? []) {
    const jobs = member.jobs?.map((each) => each.job) ?? [member.job ?? ""];
    // The credits of a person can contain a movie and a TV show with the same id.
    const key = member.id === undefined ? member : `${member.media_type} ${member.id}`;
    if (!found.has(key) && jobs.some((each) => wanted.has(each.toLowerCase())))
      found.set(key, member);
  }
  return [...found.values()];
}
