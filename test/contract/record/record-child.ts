/** A recording run in a process of its own, to be killed: `record-child.ts BASE_URL OUT PLAN`. */
import { record } from "../../../src/contract/record/record.js";

const [baseUrl = "", out = "", plan = ""] = process.argv.slice(2);
await record({ baseUrl, out, plan, token: "canary-of-a-child", pause: 0, update: true });
