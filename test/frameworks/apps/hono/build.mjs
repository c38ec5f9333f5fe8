import { build } from "vite";

await build({ build: { lib: { entry: "page.js", formats: ["es"], fileName: "page" } } });
