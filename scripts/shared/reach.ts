/** Returns the given nodes, and all nodes to which they lead, directly or indirectly. */
export function reach<Node>(
  nodes: Iterable<Node>,
  next: (node: Node) => readonly Node[],
): Set<Node> {
  const reached = new Set<Node>();
  const visit = (node: Node) => {
    if (reached.has(node)) return;
    reached.add(node);
    next(node).forEach(visit);
  };
  for (const node of nodes) visit(node);
  return reached;
}
