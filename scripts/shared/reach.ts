/** The pointers that some pointers lead to, directly or indirectly, including themselves. */
export function reach(
  pointers: Iterable<string>,
  next: (pointer: string) => readonly string[],
): Set<string> {
  const reached = new Set<string>();
  const visit = (pointer: string) => {
    if (reached.has(pointer)) return;
    reached.add(pointer);
    next(pointer).forEach(visit);
  };
  for (const pointer of pointers) visit(pointer);
  return reached;
}
