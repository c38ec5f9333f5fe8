import { proxy } from "../../../../proxy.mjs";

export const ALL = ({ request }) => proxy(request);
