import {
  Comment,
  type CommentDisplayPart,
  CommentTag,
  type DeclarationReflection,
  NamedTupleMember,
  ParameterReflection,
  type ProjectReflection,
  ReferenceType,
  ReflectionFlag,
  ReflectionKind,
  ReflectionType,
  SignatureReflection,
  type SomeType,
  TupleType,
} from "typedoc";

/**
 * Shows each property of type `Method<[…], Body>` as a method with parameters and a result. What every method throws
 * moves to its interface.
 */
export function showMethods(project: ProjectReflection): void {
  for (const group of project.getReflectionsByKind(ReflectionKind.Interface)) {
    const methods = ((group as DeclarationReflection).children ?? []).filter(isMethod);
    for (const method of methods) addSignature(method, project);
    const comments = methods.flatMap(({ signatures }) => signatures![0]!.comment ?? []);
    const thrown = comments[0]?.getTags("@throws") ?? [];
    for (const comment of comments) comment.removeTags("@throws");
    const items = thrown.flatMap(({ content }): CommentDisplayPart[] => [
      { kind: "text", text: "\n- " },
      ...content,
    ]);
    if (thrown.length > 0) group.comment?.blockTags.push(new CommentTag("@throws", items));
  }
}

function isMethod({ type }: DeclarationReflection): boolean {
  return type instanceof ReferenceType && type.name === "Method";
}

function addSignature(method: DeclarationReflection, project: ProjectReflection): void {
  const [parameters, body] = (method.type as ReferenceType).typeArguments as [TupleType, SomeType];
  const signature = new SignatureReflection(method.name, ReflectionKind.CallSignature, method);
  signature.comment = method.comment!;
  const names = parameters.elements.map((each) => (each as NamedTupleMember).name);
  for (const tag of signature.comment.getTags("@param")) {
    // Several path parameters are the members of one object.
    if (!names.includes(tag.name!)) tag.name = `${names[0]}.${tag.name}`;
  }
  signature.type = ReferenceType.createBrokenReference("Promise", project, "typescript");
  signature.type.typeArguments = [body];
  signature.parameters = parameters.elements.map((each) => {
    const { name, isOptional, element } = each as NamedTupleMember;
    const parameter = new ParameterReflection(name, ReflectionKind.Parameter, signature);
    parameter.setFlag(ReflectionFlag.Optional, isOptional);
    parameter.type = element;
    const query = element instanceof ReferenceType ? membersIn(element) : [];
    if (query.length > 0) parameter.comment = new Comment([queryList(query)]);
    project.registerReflection(parameter, undefined, undefined);
    return parameter;
  });
  project.registerReflection(signature, undefined, undefined);
  method.kind = ReflectionKind.Method;
  method.signatures = [signature];
  delete method.comment;
  delete method.type;
}

/** The members of the object types in the type arguments of a reference. */
function membersIn({ typeArguments = [] }: ReferenceType): DeclarationReflection[] {
  return typeArguments.flatMap((each) => {
    if (each instanceof ReferenceType) return membersIn(each);
    return each instanceof ReflectionType ? (each.declaration.children ?? []) : [];
  });
}

function queryList(members: readonly DeclarationReflection[]): CommentDisplayPart {
  const items = members.map(({ name, flags, comment }) => {
    const text = Comment.combineDisplayParts(comment?.summary ?? []);
    return `\n- \`${name}\`${flags.isOptional ? "" : " (required)"}: ${text}`;
  });
  return { kind: "text", text: `Query parameters:\n${items.join("")}` };
}
