import { defineEnvVars } from "@sveltejs/kit/env";

const variable = { public: true, schema: (value = "") => value };

export const variables = defineEnvVars({ PUBLIC_BASE_URL: variable, PUBLIC_TOKEN: variable });
