/** The given pointers, and all pointers that they lead to, directly or indirectly. */
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
