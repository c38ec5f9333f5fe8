/** The operationIds in a generated `operations` interface. */
export type IdOf<Operations> = keyof Operations & string;

/** The type of the 2xx response body of an operation in a generated `operations` interface. */
export type ResponseBody<Operations, Id extends keyof Operations> = Operations[Id] extends {
  responses: infer Responses;
}
  ? { [Status in keyof Responses]: SuccessBody<Status, Responses[Status]> }[keyof Responses]
  : never;

type SuccessBody<Status, Response> = `${Status & (number | string)}` extends `2${string}`
  ? Response extends { content: infer Content }
    ? Content[keyof Content]
    : undefined
  : never;
