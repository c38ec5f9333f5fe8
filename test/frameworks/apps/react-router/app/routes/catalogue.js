import { proxy } from "../../proxy.mjs";

export const loader = ({ request }) => proxy(request);
export const action = loader;
