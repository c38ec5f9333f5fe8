import {
  Comment,
  type CommentDisplayPart,
  CommentTag,
  type DeclarationReflection,
  type ProjectReflection,
  ReferenceType,
  ReflectionFlag,
  ReflectionKind,
  ReflectionType,
  type SignatureReflection,
  type SomeType,
  UnionType,
} from "typedoc";

/**
 * Shows each callable property as a method. The group describes once what all its methods have in common: the
 * `withResponse` variant and the errors they throw.
 */
export function showMethods(project: ProjectReflection): void {
  for (const group of project.getReflectionsByKind(ReflectionKind.Interface)) {
    const methods = ((group as DeclarationReflection).children ?? []).flatMap((each) =>
      showMethod(each, project),
    );
    if (methods.length === 0) continue;
    const [{ name, comment: first }] = methods as [SignatureReflection];
    const thrown = first!
      .getTags("@throws")
      .flatMap(({ content }): CommentDisplayPart[] => [{ kind: "text", text: "\n- " }, ...content]);
    for (const { comment } of methods) comment!.removeTags("@throws");
    const text = `\n\nEach method also has a \`withResponse\` variant, such as \`${name}.withResponse\`. It takes the same arguments and resolves to [WithResponse](WithResponse.html), which contains the parsed body and the HTTP response.`;
    group.comment!.summary.push({ kind: "text", text });
    group.comment!.blockTags.push(new CommentTag("@throws", thrown));
  }
}

/** Turns a property into a method if its type has a call signature, and returns the signature. */
function showMethod(property: DeclarationReflection, project: ProjectReflection) {
  if (!(property.type instanceof ReflectionType)) return [];
  const { declaration } = property.type;
  const [signature] = declaration.signatures ?? [];
  if (!signature) return [];
  project.removeReflection(declaration);
  delete property.type;
  property.kind = ReflectionKind.Method;
  property.setFlag(ReflectionFlag.Readonly, false);
  property.signatures = [signature];
  signature.parent = property;
  signature.name = property.name;
  project.registerReflection(signature, undefined, undefined);
  signature.comment!.summary = property.comment!.summary;
  delete property.comment;
  showQuery(signature);
  return [signature];
}

/** Lists the query parameters of a method, and reduces the type of its options to them. */
function showQuery({ parameters = [], comment }: SignatureReflection): void {
  for (const { name, type } of parameters) {
    if (!(type instanceof ReferenceType)) continue;
    const query = (type.typeArguments ?? []).flatMap(objectsIn);
    const members = query.flatMap(({ declaration }) => declaration.children ?? []);
    if (members.length === 0) continue;
    type.typeArguments = query;
    const items = members.map((each) => {
      const text = Comment.combineDisplayParts(each.comment?.summary ?? []);
      return `\n- \`${each.name}\`${each.flags.isOptional ? "" : " (required)"}: ${text}`;
    });
    const tag = comment!.getTags("@param").find((each) => each.name === name);
    tag!.content.push({ kind: "text", text: `\n\nQuery parameters:\n${items.join("")}` });
  }
}

/** The object types in a type, such as `{…}` in `NonNullable<OpenQuery<{…}> | undefined>`. */
function objectsIn(type: SomeType): ReflectionType[] {
  if (type instanceof ReflectionType) return [type];
  if (type instanceof UnionType) return type.types.flatMap(objectsIn);
  return type instanceof ReferenceType ? (type.typeArguments ?? []).flatMap(objectsIn) : [];
}
