/**
 * Who complains of how many, as a table.
 * @param complaints of each judge, in the order of what was asked about; empty or false where there was none
 * @param rows each with the indexes of what it counts
 */
export function tableOf(
  complaints: Readonly<Record<string, readonly (string | boolean)[]>>,
  rows: readonly (readonly [title: string, indexes: readonly number[]])[],
): string {
  const line = (title: string, cells: readonly (string | number)[]) =>
    title.padEnd(32) + cells.map((cell) => String(cell).padStart(8)).join("");
  return [
    line("complaints about", ["asked", ...Object.keys(complaints)]),
    ...rows.map(([title, indexes]) => {
      const counts = Object.values(complaints).map(
        (said) => indexes.filter((index) => said[index]).length,
      );
      return line(title, [indexes.length, ...counts]);
    }),
  ].join("\n");
}
